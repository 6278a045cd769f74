"""Whole rounds of Doppelkopf: recorded, random, with a fault, and by the house's own players."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from table.rules import Referee, parse
from table.rules.bots import choose
from table.rules.evening import evening
from table.rules.stories import story
from tests.rules.doko import Doko, queens
from tests.rules.doppelkopf_evenings import PRESETS, Anybody, check_legal, fold, opening, random_log
from tests.rules.folded import state_hash
from tests.shared import SHARED, needs

GAMES = SHARED / "vectors/games"
RECORDED = (
    "dk-test-0",
    "dk-test-4",
    "dk-test-35",
    "dk-test-37",
    "theodm-full-normal-game",
    "theodm-test-full4",
)


@pytest.mark.parametrize("preset", PRESETS)
def test_random_legal_rounds_have_no_finding_and_add_up(preset: str) -> None:
    """K-41, K-42, G-07: engine, referee and audit agree."""
    played = sum((check_legal(preset, seed) for seed in range(20)), Counter())
    wanted = {"normal", "solo", "hochzeit"} | ({"armut"} if preset == "bundeswehr" else set())
    assert wanted <= set(played)


def test_the_same_log_gives_the_same_state_and_folding_on_is_folding_at_once() -> None:
    for preset in PRESETS:
        log = random_log(preset, 3)
        whole = state_hash(fold(log))
        assert state_hash(fold(log)) == whole
        for cut in (5, 17, 40):
            referee = fold(log[:cut])
            referee.result(), referee.view()
            for event in log[cut:]:
                referee.add(event)
            assert state_hash(referee) == whole


@pytest.mark.parametrize("preset", PRESETS)
def test_the_houses_players_play_whole_evenings_without_a_finding(preset: str) -> None:
    log = [event.to_dict() for event in evening(opening(preset), 5, rounds=6)]
    result = fold(log).result()
    assert result["findings"] == []
    assert len(result["rounds"]) == 6
    assert result["finished"]


def test_the_houses_players_know_what_they_want() -> None:
    """They beat players who play any legal card."""

    def mixed(seed: int) -> Any:
        anybody = Anybody(seed)
        return lambda position, seat: (choose if seat in ("S1", "S3") else anybody)(position, seat)

    gains = Counter[str]()
    for seed in range(12):
        result = fold(
            [event.to_dict() for event in evening(opening("ddv"), seed, mixed(seed), rounds=4)]
        ).result()
        gains.update(result["points"])
    assert gains["S1"] + gains["S3"] > 0 > gains["S2"] + gains["S4"]


# What is shown --------------------------------------------------------------------------------------------


def test_nothing_is_shown_before_the_cards_show_it() -> None:
    """G-11, G-14: the sides in View and ledger follow the Kreuz Damen, whatever was said."""
    table = Doko(want=queens("S1", "S3"))
    table.gesund()
    table.say("S1 re, S2 kontra")
    seen = 0
    while not table.round.over:
        number = table.play(avoid="CQ")
        seen += next(p.card == "CQ" for p in (*table.view.trick, *table.view.last_trick) if p.event == number)
        public = table.view.sides if not table.round.over else {}
        assert len(public) <= (4 if seen == 2 else seen)
        assert len(table.ledger["sides"]) <= (4 if seen == 2 else seen)
    assert table.view.sides == {"S1": "re", "S2": "kontra", "S3": "re", "S4": "kontra"}


def test_who_is_out_of_what_is_shown_only_where_the_group_wants_it() -> None:
    """G-14"""
    for option, shown in ((False, {}), (True, {"S2": ("C",), "S3": ("C",)})):
        table = Doko(show_inference=option)
        table.gesund()
        for seat, card in (("S1", "CA"), ("S2", "DA"), ("S3", "HK"), ("S4", "C9")):
            table.card(seat, card)
        assert table.view.inference == shown


@needs("vectors/games")
@pytest.mark.parametrize("name", RECORDED or ("none",))
def test_games_that_strangers_played_end_as_their_server_counted(name: str) -> None:
    """K-16, K-17, K-18, K-21, K-22, K-29, K-39, K-40, KA-1"""
    referee = Referee()
    for event in parse((GAMES / f"{name}.jsonl").read_text("utf-8").splitlines()):
        referee.add(event)
    wanted = json.loads((GAMES / f"{name}.result.json").read_text("utf-8"))
    assert referee.points() == wanted["points"]
    assert referee.result()["findings"] == wanted["findings"]


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_point_is_told_with_its_reason(language: Any) -> None:
    """The story has words for everything in many rounds, and its lines add up to the value."""
    for preset in PRESETS:
        result = fold(random_log(preset, 8, rounds=12)).result()
        text = "\n".join(story(result, language=language, explain=True).lines())
        assert "_" not in text
        for entry in result["rounds"]:
            if preset == "ddv" and entry["settlement"]:
                net = sum(one["points"] * (1 if one["side"] == "re" else -1) for one in entry["settlement"])
                assert net == entry["value"]
            assert {f"[{one['rule']}]" for one in entry["settlement"]} <= set(text.split())


def test_a_settlement_says_whose_point_it_is_before_what_it_is_for() -> None:
    """Readers took "+1 Re unter 30" to mean that Re had stayed below 30."""
    result = fold(random_log("ddv", 8, rounds=12)).result()
    lines = [line.strip() for line in story(result, language="de").lines()]
    booked = [line for line in lines if re.match("(Re|Kontra) +[+]", line)]
    assert len(booked) == sum(len(entry["settlement"]) for entry in result["rounds"])
    assert all(re.fullmatch(r"(Re|Kontra) [+]\d: +\S.*", line) for line in booked), booked
    under = [line for line in booked if "unter" in line]
    assert under
    assert all("Gegner unter" in line for line in under)


@pytest.mark.parametrize("seed", [200353, 200490])
def test_k_22_no_player_is_offered_to_jump_over_what_only_the_other_side_has_said(seed: int) -> None:
    """The table may not know yet who is whose partner; the soak found this."""
    check_legal("ddv", seed)


@pytest.mark.soak
def test_a_hundred_thousand_rounds_of_doppelkopf() -> None:
    """Issue 4: print which games were played."""
    played: Counter[str] = Counter()
    for seed in range(12_500):
        for preset in PRESETS:
            played += check_legal(preset, seed)
    print(f"{sum(played.values())} legal rounds, 0 findings: {dict(played)}")
