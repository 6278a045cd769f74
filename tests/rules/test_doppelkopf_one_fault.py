"""Doppelkopf rounds with one fault: found at the line that proves it, and nothing else is found."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import Referee
from table.rules.chance import Chance
from tests.rules.doko import Proof
from tests.rules.doppelkopf_evenings import PRESETS, Log, random_log
from tests.rules.doppelkopf_faults import absage_alone
from tests.rules.folded import accusations, fold


def swap(log: Log, seed: int) -> tuple[Log, Proof] | None:
    """Make a revoke: swap a card that follows with a later one that does not."""
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
                break  # the seat plays this class here, so a swap with a later card would be proven here
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
    """Insert a line before the line with this number."""
    return [*log[: at - 1], event, *log[at - 1 :]]


def first_cards(log: Log, seat: str, count: int) -> int:
    """The number of the line in which a seat plays its card number `count`."""
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
            mine = [one for one in accusations(referee) if one == proof]
            assert bool(mine) == (number >= proof[2])
        assert referee.result()["rounds"][0]["audit"] is True
        found += 1
    assert found >= 4


def plain_log(preset: str, seed: int) -> tuple[Log, list[str]]:
    """A normal round with no word after gesund, and the seats that played the Kreuz Damen, in order."""
    while True:
        log = [event for event in random_log(preset, seed) if event.get("what") in (None, "gesund")]
        holders = [event["seat"] for event in log if event.get("card") == "CQ"]
        spoken = sum(event.get("what") == "gesund" for event in log)
        if spoken == 4 and len(set(holders)) == 2 and accusations(fold(log)) == []:
            return log, holders
        seed += 1000


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_word_is_found_where_it_is_proven_and_nowhere_else(preset: str, seed: int) -> None:
    """K-I1, K-I2, K-I3, G-I9, G-I10: late, without Ansage, for the wrong side, or missing."""
    log, holders = plain_log(preset, seed)
    others = [seat for seat in ("S1", "S2", "S3", "S4") if seat not in holders]
    dames = [n for n, event in enumerate(log, 1) if event.get("card") == "CQ"]
    size = 12 if preset in ("ddv", "bundeswehr") else 10
    last = {"ddv": 11, "bundeswehr": 9, "dieblich": 7, "club": 9}[preset]

    def one(written: Log, proof: Proof) -> None:
        referee = Referee()
        for number, event in enumerate(written, 1):
            referee.add(event)
            assert accusations(referee) == ([proof] if number >= proof[2] else [])
        assert sum(referee.points().values()) == 0

    late = first_cards(log, others[0], size - last + 2)
    one(
        insert(log, late, {"kind": "say", "seat": others[0], "what": "kontra"}),
        ("late_declaration", others[0], late, None),
    )
    start = first_cards(log, others[0], 1)
    one(
        written := insert(log, start, {"kind": "say", "seat": others[0], "what": "k90"}),
        absage_alone(written, preset, others[0], start),
    )
    one(
        insert(log, start, {"kind": "say", "seat": others[0], "what": "re"}),
        ("wrong_side", others[0], max(dames[1] + (dames[1] >= start), start), start),
    )
    start = first_cards(log, holders[0], 1)
    shows = dames[1] if preset == "club" else dames[0]  # K-73: until then it may be a stille Hochzeit
    one(
        insert(log, start, {"kind": "say", "seat": holders[0], "what": "kontra"}),
        ("wrong_side", holders[0], shows + 1, start),
    )
    gone = 3 + seed % 4
    silent = log[gone - 1]["seat"]
    first = next(n for n, event in enumerate(log, 1) if event["kind"] == "card") - 1
    one(log[: gone - 1] + log[gone:], ("missing_declaration", silent, first, None))
