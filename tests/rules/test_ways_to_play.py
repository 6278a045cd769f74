"""Perft: how many continuations a position has; what the engine allows, counted again without it.

(In DoppelX chance alone decides how dice fall, so there is no tree of moves.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from table.rules.engine import Position, apply, deal, legal
from tests.rules.perft import ways
from tests.rules.test_dulle_whole import OPENING as DULLE

Hand = Sequence[str]
Owed = Callable[[Hand, list[str]], Hand]
"""(hand, trick so far) → the cards that may be played."""


def by_hand(hands: Sequence[Hand], owed: Owed, trick: list[str]) -> int:
    """The number of ways to complete the first trick, hand by hand."""
    if len(trick) == len(hands):
        return 1
    may = dict.fromkeys(owed(hands[len(trick)], trick))
    return sum(by_hand(hands, owed, [*trick, card]) for card in may)


def led_to(opening: dict[str, Any], seed: int, what: str = "") -> Position:
    """The first lead of a deal, reached by saying `what` where possible, else the first choice."""
    position = deal(opening, seed)
    while (moves := legal(position))[0].kind != "card":
        named = [move for move in moves if move.get("what") == what]
        position = apply(position, (named or moves)[0])
    return position


def from_the_leader(position: Position) -> list[Hand]:
    at = position.round.due()[0]
    return [*position.hands[at:], *position.hands[:at]]


def dubbe_owes(hand: Hand, trick: list[str]) -> Hand:
    """D-15, D-16"""
    colour = trick[0].split("-")[0] if trick else ""
    return [card for card in hand if trick and card.split("-")[0] == colour] or hand


@pytest.mark.parametrize("players", [2, 3, 4])
def test_d_15_in_dubbe_there_are_as_many_ways_as_counted_by_hand(players: int) -> None:
    seats = [f"S{n}" for n in range(1, players + 1)]
    position = led_to({"kind": "game", "game": "dubbe", "seats": seats}, 7)
    counted = by_hand(from_the_leader(position), dubbe_owes, [])
    assert ways(position, players) == counted
    assert ways(deal(position.setup, 7), 1 + players) == 5 * counted  # five colours may be trump


TRUMPS = ["7", "8", "Q", "K", "T", "A", "9", "J"]


def jas_owes(trump: str) -> Owed:
    def owed(hand: Hand, trick: list[str]) -> Hand:
        """J-23 to J-26, written as they are read aloud."""
        if not trick:
            return hand
        lying = [TRUMPS.index(card[1]) for card in trick if card[0] == trump]
        trumps = [card for card in hand if card[0] == trump]
        higher = [card for card in trumps if TRUMPS.index(card[1]) > max(lying, default=-1)]
        if trick[0][0] == trump:
            return higher or trumps or hand
        return [card for card in hand if card[0] == trick[0][0]] or higher or trumps or hand

    return owed


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 7, 30])
def test_j_23_in_klapper_jas_there_are_as_many_ways_as_counted_by_hand(players: int, seed: int) -> None:
    """J-23, J-24, J-25, J-26"""
    seats = [f"S{n}" for n in range(1, players + 1)]
    position = led_to({"kind": "game", "game": "klapper-jas", "seats": seats}, seed, "orgi")
    trump = position.round.contract().name
    counted = by_hand(from_the_leader(position), jas_owes(trump), [])
    assert counted > 1
    assert ways(position, players, cards_only=True) == counted


def test_the_ways_through_the_bidding_of_klapper_jas_stay_as_they_were() -> None:
    """J-20, J-21: the Orgi's suit is turned, then passe or orgi; with four players one card fewer to lead."""
    counts = []
    for players in (2, 3, 4):
        seats = [f"S{n}" for n in range(1, players + 1)]
        position = deal({"kind": "game", "game": "klapper-jas", "seats": seats}, 7)
        counts.append([ways(position, depth) for depth in range(6)])
    assert counts == [[1, 1, 2, 11, 47, 227], [1, 1, 2, 11, 56, 235], [1, 1, 2, 10, 35, 102]]


def test_the_ways_to_play_dulle_stay_as_they_were() -> None:
    """Positions after a call of Herz Ass, without Stoß: a change in the duties changes the counts."""
    counts = []
    for seed in (1, 2, 3):
        position = deal(DULLE, seed)
        call = next(move for move in legal(position) if move.get("what") == "ruf:HA")
        counts.append([ways(apply(position, call), depth, cards_only=True) for depth in range(1, 7)])
    assert counts == [[4, 8, 11, 43, 129, 276], [4, 4, 11, 11, 33, 83], [4, 14, 46, 132, 396, 712]]


def test_the_ways_to_play_the_first_trick_of_doppelkopf_stay_as_they_were() -> None:
    """Announcements included; the first number is eleven different cards and Kontra."""
    seats = ["S1", "S2", "S3", "S4"]
    position = led_to({"kind": "game", "game": "doppelkopf", "preset": "ddv", "seats": seats}, 7)
    assert len(set(position.hands[0])) == 11
    assert "CQ" not in position.hands[0]
    assert [ways(position, depth) for depth in range(4)] == [1, 12, 73, 631]
