"""Lines that open a round in the wrong place, or are missing (events.md#doubts)."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from table.catalogue import Language
from table.cli import main
from table.rules.chance import Chance
from table.rules.stories import story
from tests.rules.ill_told import accused
from tests.rules.ill_told_evenings import EVENINGS, true_evening
from tests.rules.lines import again, later, of_kind, without
from tests.rules.spoilt import GAMES, Log, folded


@pytest.mark.parametrize(
    ("game", "seed", "way"),
    [
        ("dieblich", 702, "evening_round_gone"),  # Schweinchen announced in a finished round
        ("ddv", 700, "evening_round_late"),  # words before the round's line
        ("dubbe", 815, "evening_round_late"),  # trump die before the round's line
        ("club", 814, "evening_round_late"),  # after a hand that was thrown in
        ("club", 1091, "evening_round_late"),  # gesund and Vorbehalt before the line, the names after it
        ("dulle", 701, "evening_round_early"),  # a round's last cards after the next one's line
        ("dubbe", 821, "evening_round_early"),
        ("bundeswehr", 811, "evening_round_early"),  # a card twice
        ("dulle", 810, "evening_hole_across"),  # the call in the middle of another round
        ("klapper-jas", 816, "evening_hole_across"),  # the swap in another round
        ("dubbe", 817, "evening_switched_on"),
        ("klapper-jas", 707, "round_twice"),
        ("dulle", 703, "round_in_the_middle"),
    ],
)
def test_nobody_is_accused_for_a_round_line_that_is_missing_or_stands_wrongly(
    game: str, seed: int, way: str
) -> None:
    """G-I2, G-I3, G-I9, G-I10, D-I1, D-I3, U-I5, J-I6, K-66: each of these logs once accused somebody."""
    assert not accused(game, seed, way)


@pytest.mark.parametrize("game", ["dubbe", "dulle", "ddv", "klapper-jas"])
def test_a_round_line_that_comes_again_before_the_first_card_changes_nothing(game: str) -> None:
    """The words said so far still count, and the round counts once."""
    log = true_evening(game, 3)
    want = folded(log).result()
    for at in of_kind(log, "round"):
        said = min(place for place in of_kind(log, "card") if place > at) - at
        for after in (at, at + said - 1):
            assert folded(again(log, at, after)).result() == want


@pytest.mark.parametrize("game", ["dulle", "ddv", "club", "klapper-jas"])
def test_words_before_their_rounds_line_count_in_their_round(game: str) -> None:
    """G-I9, K-51: bidding after a whole round opens the next, wherever in the bidding its line is."""
    log = true_evening(game, 3)
    want = folded(log).result()
    for at in of_kind(log, "round")[1:]:
        words = itertools.takewhile(lambda event: event["kind"] in ("say", "turned"), log[at + 1 :])
        for after in range(1, sum(1 for _ in words) + 1):
            assert folded(later(log, at, at + after)).result() == want


def test_a_round_line_that_comes_again_may_say_who_deals() -> None:
    log = true_evening("ddv", 3)
    first = of_kind(log, "round")[0]
    nobody = {"kind": "round", "id": 9_000}
    want = folded(log).result()
    assert folded([*log[:first], nobody, *log[first:]]).result() == want
    wrong = {"kind": "round", "dealer": "S2", "id": 9_000}
    assert folded([*log[:first], wrong, *log[first:]]).result() == want


def test_what_was_said_before_the_cards_were_dealt_anew_is_forgotten() -> None:
    """K-51: nobody takes back a word that was about other cards."""
    log: Log = [
        {"kind": "game", "game": "doppelkopf", "preset": "dieblich", "seats": ["S1", "S2", "S3", "S4"]}
    ]
    for words in (
        ("gesund", "vorbehalt", "gesund", "gesund"),
        ("vorbehalt", "gesund", "gesund", "gesund", "solo:damen"),
    ):
        log.append({"kind": "round", "dealer": "S4"})
        log += [{"kind": "say", "seat": f"S{n % 4 + 1}", "what": word} for n, word in enumerate(words)]
    log.append({"kind": "card", "seat": "S1", "card": "CQ"})
    referee = folded(log)
    assert referee.findings() == []
    assert [entry["contract"] for entry in referee.result()["rounds"]] == ["solo:damen"]


def test_a_real_fault_beside_a_round_line_that_comes_again_is_found() -> None:
    """G-I9: S3 said nothing about its hand, in a round whose line came twice."""
    log = true_evening("ddv", 6)
    third = next(at for at in of_kind(log, "say") if log[at]["seat"] == "S3")
    told = again(without(log, {third}), 1, 1)
    assert [(one.finding, one.seat) for one in folded(told).findings()] == [("missing_declaration", "S3")]


def test_a_word_said_late_in_its_own_round_is_late_whatever_comes_after_it() -> None:
    """G-I10: the following rounds are recorded correctly."""
    log = true_evening("dulle", 5)
    called = next(at for at in of_kind(log, "say") if str(log[at]["what"]).startswith("ruf"))
    told = later(log, called, of_kind(log, "card")[1])
    found = {(one.finding, one.seat) for one in folded(told).findings()}
    assert ("late_declaration", log[called]["seat"]) in found


@pytest.mark.parametrize(
    ("game", "word"),
    [
        ("ddv", {"kind": "say", "seat": "S1", "what": "re"}),
        ("dubbe", {"kind": "die", "colour": "blue", "value": 2, "spot": "aagewwer"}),
        ("klapper-jas", {"kind": "say", "seat": "S1", "what": "passe"}),
    ],
)
def test_a_word_or_a_die_behind_the_last_card_hides_no_misplay_of_the_next_round(
    game: str, word: dict[str, object]
) -> None:
    """D-I1, G-I1, J-I1: once a guest could avert an accusation by a well-timed word."""
    log = true_evening(game, 1)
    begun = of_kind(log, "round")
    log = [{key: held for key, held in line.items() if key != "id"} for line in log[: begun[2]]]
    second = [at for at in of_kind(log, "card") if at > begun[1]]
    duties = {"revoke", "trump_duty", "overtrump_duty", "partner_duty"}
    for one, two in ((a, b) for a in second for b in second if b - a > 3):
        if log[one]["seat"] != log[two]["seat"]:
            continue
        spoilt = [dict(line) for line in log]
        spoilt[one]["card"], spoilt[two]["card"] = log[two]["card"], log[one]["card"]
        proven = {(f.finding, f.seat) for f in folded(spoilt).findings() if f.finding in duties}
        if proven:
            stray = [*spoilt[: begun[1]], word, *spoilt[begun[1] :]]
            assert proven <= {(f.finding, f.seat) for f in folded(stray).findings()}
            return
    pytest.fail("no two cards of this evening can be swapped into a misplay")


@pytest.mark.parametrize("language", ["de", "en", "pfl"])
def test_a_round_whose_line_is_missing_is_told_beside_the_one_before_it(language: Language) -> None:
    """G-I9: its cards score nothing and accuse nobody."""
    log = true_evening("ddv", 4)
    told = folded(without(log, {of_kind(log, "round")[1]}))
    said = [
        [
            line
            for line in story(one.result(), language=language).lines()
            if "round" in line.casefold() and "48" in line
        ]
        for one in (told, folded(log))
    ]
    assert [len(lines) for lines in said] == [1, 0]
    assert told.findings() == []


def replayed(log: Log, file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """The result of `replay` for a log whose lines have no ids, and what it prints to stderr."""
    lines = ({name: value for name, value in event.items() if name != "id"} for event in log)
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert main(["replay", str(file), "--json"]) == 0
    streams = capsys.readouterr()
    return json.loads(streams.out), streams.err


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("evening_round_gone", "no line opens round"),
        ("evening_round_late", "it belongs before line"),
        ("evening_round_early", "it belongs before line"),
        ("evening_round_again", "it is ignored"),
    ],
)
def test_replay_opens_a_round_where_its_cards_show_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, way: str, told: str
) -> None:
    """As the table itself would (G-12): the points are those of the correctly recorded evening."""
    true = true_evening(game, 1)
    badly = EVENINGS[way](true, Chance(7))
    assert badly is not None
    rightly, nothing = replayed(true, tmp_path / "true.jsonl", capsys)
    mended, said = replayed(badly, tmp_path / "badly.jsonl", capsys)
    assert [one["points"] for one in mended["rounds"]] == [one["points"] for one in rightly["rounds"]]
    assert mended["findings"] == []
    assert nothing == ""
    assert said == "" or told in said


def test_a_deal_that_was_given_up_without_a_word_is_no_line_told_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three cards, then a new deal: two rounds, the first without points."""
    log = true_evening("dubbe", 1)
    second = of_kind(log, "round")[1]
    first = [at for at, event in enumerate(log) if event["kind"] == "card"][2]
    result, said = replayed([*log[: first + 1], *log[second:]], tmp_path / "log.jsonl", capsys)
    assert said == ""
    assert [sum(map(abs, one["points"].values())) > 0 for one in result["rounds"]] == [False, True, True]
