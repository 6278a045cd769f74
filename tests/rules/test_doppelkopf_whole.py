"""Whole rounds of Doppelkopf: recorded ones, random ones, ones with a fault, the house's own players."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from table.rules import Event, Referee, parse
from table.rules.bots import choose
from table.rules.chance import Chance
from table.rules.doppelkopf.choices import is_armut, throws
from table.rules.doppelkopf.playout import play_out, sides
from table.rules.doppelkopf.score import count, share
from table.rules.engine import Position, apply, deal, legal, score, turn
from table.rules.evening import evening
from table.rules.stories import story

from .doko import Doko, Proof, queens
from .doppelkopf_faults import known_since
from .perft import ways

PRESETS = ("ddv", "bundeswehr", "dieblich", "club")
GAMES = Path(__file__).parents[3] / "shared" / "vectors" / "games"
RECORDED = (
    "dk-test-0",
    "dk-test-4",
    "dk-test-35",
    "dk-test-37",
    "theodm-full-normal-game",
    "theodm-test-full4",
)
Log = list[dict[str, Any]]
NAMED = ("hochzeit", "armut", "armut-nehmen", "solo", "pflichtsolo")


def opening(preset: str, players: int = 4) -> dict[str, Any]:
    seats = [f"S{n}" for n in range(1, players + 1)]
    return {"kind": "game", "game": "doppelkopf", "preset": preset, "seats": seats}


class Anybody:
    """Plays any legal move, but seldom has a Vorbehalt, and prefers the rare ones."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)

    def __call__(self, position: Position, seat: str) -> Event:
        moves = legal(position)
        said = [str(move.get("what")) for move in moves]
        if "gesund" in said and "vorbehalt" in said:
            seat = str(moves[0].seat)
            hand = position.hand(seat)
            rare = hand.count("CQ") == 2 or is_armut(hand, 4, False) or self.chance.below(6) == 0
            return moves[said.index("vorbehalt" if rare and self.chance.below(4) else "gesund")]
        for name in NAMED:
            some = [move for move, what in zip(moves, said, strict=True) if what.partition(":")[0] == name]
            if some and self.chance.below(3):
                return some[self.chance.below(len(some))]
        cards = [move for move in moves if move.kind == "card"]
        if cards and self.chance.below(5):
            return cards[self.chance.below(len(cards))]
        return moves[self.chance.below(len(moves))]


def random_log(preset: str, seed: int, rounds: int = 1, players: int = 4) -> Log:
    return list(evening(opening(preset, players), seed, Anybody(seed), rounds=rounds))


def fold(log: Log) -> Referee:
    referee = Referee()
    for event in log:
        referee.add(event)
    return referee


def proofs(referee: Referee) -> list[Proof]:
    return [(f.finding, f.seat, f.event, f.about) for f in referee.findings()]


def check_legal(preset: str, seed: int) -> Counter[str]:
    """No finding, a clean audit, nothing in all, 240 Augen; returns which games were played."""
    log = random_log(preset, seed, rounds=2, players=4 + seed % 2)
    result = fold(log).result()
    assert result["findings"] == []
    assert result["finished"]
    assert sum(result["points"].values()) == 0
    for entry in result["rounds"]:
        assert sum(entry["points"].values()) == 0
        assert entry["contract"] == "thrown" or sum(entry["eyes"].values()) == 240
        assert entry["audit"] is True
    return Counter(entry["contract"].partition(":")[0] for entry in result["rounds"])


@pytest.mark.parametrize("preset", PRESETS)
def test_random_legal_rounds_have_no_finding_and_add_up(preset: str) -> None:
    """K-41, K-42, G-07: engine, referee and audit agree."""
    played = sum((check_legal(preset, seed) for seed in range(20)), Counter())
    wanted = {"normal", "solo", "hochzeit"} | ({"armut"} if preset == "bundeswehr" else set())
    assert wanted <= set(played)


def test_the_same_log_gives_the_same_state_and_folding_on_is_folding_at_once() -> None:
    for preset in PRESETS:
        log = random_log(preset, 3)
        whole = fold(log).state_hash()
        assert fold(log).state_hash() == whole
        for cut in (5, 17, 40):
            referee = fold(log[:cut])
            referee.result(), referee.view()
            for event in log[cut:]:
                referee.add(event)
            assert referee.state_hash() == whole


# One fault ------------------------------------------------------------------------------------------------


def swap(log: Log, seed: int) -> tuple[Log, Proof] | None:
    """A revoke: a card that does not follow is played early, the one that should have been played later."""
    chance = Chance(seed)
    table = fold(log).result()["rounds"][0]
    tricks = table["tricks"]
    if not tricks:
        return None
    opened: Any = fold(log)._rounds[0].best.round
    class_of, number = opened.tables.class_of, opened.family.number
    for _ in range(60):
        at = chance.below(len(tricks) - 1)
        led = class_of[number[tricks[at]["cards"][0]["card"]]]
        place = 1 + chance.below(3)
        mine = tricks[at]["cards"][place]
        if class_of[number[mine["card"]]] != led:
            continue
        for later in tricks[at + 1 :]:
            other = next(play for play in later["cards"] if play["seat"] == mine["seat"])
            if class_of[number[other["card"]]] == led:
                break  # the class shows again here: a swap with a later card would be found here
            if later["cards"][0]["seat"] == mine["seat"] or later["winner"] == mine["seat"]:
                continue
            new = [dict(event) for event in log]
            new[mine["event"] - 1]["card"], new[other["event"] - 1]["card"] = other["card"], mine["card"]
            if fold_winners(new) == [trick["winner"] for trick in tricks]:
                return new, ("revoke", mine["seat"], other["event"], mine["event"])
    return None


def fold_winners(log: Log) -> list[str]:
    return [trick["winner"] for trick in fold(log).result()["rounds"][0]["tricks"]]


def insert(log: Log, at: int, event: dict[str, Any]) -> Log:
    """The log with one more line, before the line that had this number."""
    return [*log[: at - 1], event, *log[at - 1 :]]


def first_cards(log: Log, seat: str, count: int) -> int:
    """The line of the card with this number that a seat plays."""
    lines = [n for n, event in enumerate(log, 1) if event["kind"] == "card" and event["seat"] == seat]
    return lines[count - 1]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_revoke_is_found_at_the_card_that_proves_it(preset: str) -> None:
    """K-I6, G-03"""
    found = 0
    for seed in range(12):
        written = swap(random_log(preset, seed), seed)
        if written is None:
            continue
        log, proof = written
        referee = Referee()
        for number, event in enumerate(log, 1):
            referee.add(event)
            mine = [one for one in proofs(referee) if one == proof]
            assert bool(mine) == (number >= proof[2])
        assert referee.result()["rounds"][0]["audit"] is True
        found += 1
    assert found >= 4


def plain_log(preset: str, seed: int) -> tuple[Log, list[str]]:
    """A normal round without a word after gesund, and who showed the Kreuz Damen, in order."""
    while True:
        log = [event for event in random_log(preset, seed) if event.get("what") in (None, "gesund")]
        holders = [event["seat"] for event in log if event.get("card") == "CQ"]
        spoken = sum(event.get("what") == "gesund" for event in log)
        if spoken == 4 and len(set(holders)) == 2 and proofs(fold(log)) == []:
            return log, holders
        seed += 1000


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_word_is_found_where_it_is_proven_and_nowhere_else(preset: str, seed: int) -> None:
    """K-I1, K-I2, K-I3, G-I9, G-I10: late, without Ansage, for the wrong side, nothing said."""
    log, holders = plain_log(preset, seed)
    others = [seat for seat in ("S1", "S2", "S3", "S4") if seat not in holders]
    dames = [n for n, event in enumerate(log, 1) if event.get("card") == "CQ"]
    size = 12 if preset in ("ddv", "bundeswehr") else 10
    last = {"ddv": 11, "bundeswehr": 9, "dieblich": 7, "club": 9}[preset]

    def one(written: Log, proof: Proof) -> None:
        since = known_since(written, preset, proof)
        referee = Referee()
        for number, event in enumerate(written, 1):
            referee.add(event)
            assert proofs(referee) == ([proof] if number >= since else [])
        assert sum(referee.points().values()) == 0

    late = first_cards(log, others[0], size - last + 2)
    one(
        insert(log, late, {"kind": "say", "seat": others[0], "what": "kontra"}),
        ("late_declaration", others[0], late, None),
    )
    start = first_cards(log, others[0], 1)
    one(
        insert(log, start, {"kind": "say", "seat": others[0], "what": "k90"}),
        ("absage_without_ansage", others[0], start, None),
    )
    one(
        insert(log, start, {"kind": "say", "seat": others[0], "what": "re"}),
        ("wrong_side", others[0], max(dames[1] + (dames[1] >= start), start), start),
    )
    start = first_cards(log, holders[0], 1)
    shows = dames[1] if preset == "club" else dames[0]  # K-73: there it may be a stille Hochzeit until then
    one(
        insert(log, start, {"kind": "say", "seat": holders[0], "what": "kontra"}),
        ("wrong_side", holders[0], shows + 1, start),
    )
    gone = 3 + seed % 4
    silent = log[gone - 1]["seat"]
    first = next(n for n, event in enumerate(log, 1) if event["kind"] == "card") - 1
    one(log[: gone - 1] + log[gone:], ("missing_declaration", silent, first, None))


# The engine -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_the_number_of_ways_through_the_vorbehalte_stays_the_same(preset: str) -> None:
    """Perft: four questions, then the first Vorbehalt is named or a card led; counted here by hand."""
    position = deal(opening(preset), 7)
    options = position.setup.options
    soli = len(options["soli"]) * (1 + (options["pflichtsolo"] == "one_each")) + options["withdraw"]
    most, fourth = options["armut"], options["armut_fuchs"] == "fourth"
    names = [
        soli
        + (len(options["hochzeit"]) if hand.count("CQ") == 2 else 0)
        + is_armut(hand, most, fourth)
        + throws(hand, options["throw"])
        for hand in position.hands
    ]
    swine = options["schweinchen"] and position.hands[0].count("DA") == 2
    leads = len(set(position.hands[0])) + 1 + swine  # Re or Kontra may be said before the first card
    patterns = sum(names[first] * 2 ** (3 - first) for first in range(4))
    assert [ways(position, depth) for depth in range(6)] == [1, 2, 4, 8, 16, leads + patterns]


def test_a_round_is_played_with_all_hands_known() -> None:
    position = deal(opening("bundeswehr"), 11)
    anybody = Anybody(4)
    while (seat := turn(position)) is not None:
        position = apply(position, anybody(position, seat))
    assert sum(score(position).values()) == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_rounds_in_plain_numbers_are_the_rounds_of_the_referee(preset: str) -> None:
    """K-06, K-07: the fast loop leaves no finding, and both count the same."""
    for seed in range(12):
        chance, position = Chance(seed), deal(opening(preset), seed)
        opened: Any = position.round
        number = opened.family.number
        hands = [[number[card] for card in hand] for hand in position.hands]
        fallen = play_out(opened.tables, hands, opened.leader, chance.below)
        referee, leader = fold([opening(preset), {"kind": "round", "dealer": "S4"}]), opened.leader
        for seat in ("S1", "S2", "S3", "S4"):
            referee.add({"kind": "say", "seat": seat, "what": "gesund"})
        for winner, cards in fallen:
            for seat in ((leader + step) % 4 for step in range(4)):
                name = opened.family.names[cards[seat]]
                referee.add({"kind": "card", "seat": opened.seats[seat], "card": name})
            leader = winner
        its = sides(hands)
        wanted = opened.options["specials"] if its.count(1) == 2 else ()
        levels = (0 if its.count(1) == 1 and preset == "club" else -1, -1)
        counted = count(fallen, its, levels, wanted, opened.top(), opened.tariff)
        assert tuple(referee.points().values()) == share(counted.settlement.value, its)
        assert referee.findings() == []


def test_an_armut_changes_hands_and_keeps_the_pack_whole() -> None:
    """K-61, K-62: what comes back follows from its number."""
    found = 0
    for seed in range(120):
        position, anybody = deal(opening("bundeswehr"), seed), Anybody(seed)
        before = sorted(card for hand in position.hands for card in hand)
        while (seat := turn(position)) is not None and not position.round.begun:
            move = anybody(position, seat)
            back = str(move.get("what")).startswith("armut-zurueck")
            position = apply(position, move)
            if back:
                assert sorted(card for hand in position.hands for card in hand) == before
                assert {len(hand) for hand in position.hands} == {12}
                found += 1
    assert found >= 3


@pytest.mark.parametrize("preset", PRESETS)
def test_the_houses_players_play_whole_evenings_without_a_finding(preset: str) -> None:
    log = list(evening(opening(preset), 5, rounds=6))
    result = fold(log).result()
    assert result["findings"] == []
    assert len(result["rounds"]) == 6
    assert result["finished"]


def test_the_houses_players_know_what_they_want() -> None:
    """They beat players who play any legal card, and who announces has mostly won."""

    def mixed(seed: int) -> Any:
        anybody = Anybody(seed)
        return lambda position, seat: (choose if seat in ("S1", "S3") else anybody)(position, seat)

    gains = Counter[str]()
    for seed in range(12):
        result = fold(list(evening(opening("ddv"), seed, mixed(seed), rounds=4))).result()
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


@pytest.mark.skipif(not GAMES.exists(), reason="needs the recorded games beside the checkout")
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
    """The story of many rounds has a word for everything, and the lines add up to the value."""
    for preset in PRESETS:
        result = fold(random_log(preset, 8, rounds=12)).result()
        text = "\n".join(story(result, language=language, explain=True).lines())
        assert "_" not in text
        for entry in result["rounds"]:
            if preset == "ddv" and entry["settlement"]:
                net = sum(one["points"] * (1 if one["side"] == "re" else -1) for one in entry["settlement"])
                assert net == entry["value"]
            assert {f"[{one['rule']}]" for one in entry["settlement"]} <= set(text.split())


@pytest.mark.parametrize("seed", [200353, 200490])
def test_k_22_no_player_is_offered_to_jump_over_what_only_the_other_side_has_said(seed: int) -> None:
    """The table may not know yet who is whose partner; found by the soak."""
    check_legal("ddv", seed)


@pytest.mark.soak
def test_a_hundred_thousand_rounds_of_doppelkopf() -> None:
    """Issue 4: prints which games were played."""
    played: Counter[str] = Counter()
    for seed in range(12_500):
        for preset in PRESETS:
            played += check_legal(preset, seed)
    print(f"{sum(played.values())} legal rounds, 0 findings: {dict(played)}")
