"""Doppelkopf with all hands known: counting continuations, the fast loop, an Armut."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules.chance import Chance
from table.rules.doppelkopf.choices import is_armut, throws
from table.rules.doppelkopf.playout import play_out, sides
from table.rules.doppelkopf.score import CountRules, count, share
from table.rules.engine import apply, deal, score, turn
from tests.rules.doppelkopf_evenings import PRESETS, Anybody, fold, opening
from tests.rules.perft import ways


@pytest.mark.parametrize("preset", PRESETS)
def test_the_number_of_ways_through_the_vorbehalte_stays_the_same(preset: str) -> None:
    """Perft: four questions, then a first Vorbehalt is named or a card led; expected counts by hand."""
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
    """K-06, K-07: the fast loop's rounds have no finding and the same count as the referee's."""
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
        counted = count(fallen, its, levels, CountRules(wanted, opened.top(), opened.tariff))
        assert tuple(referee.points().values()) == share(counted.settlement.value, its)
        assert referee.findings() == []


def test_an_armut_changes_hands_and_keeps_the_pack_whole() -> None:
    """K-61, K-62: the number of trumps says which cards come back."""
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
