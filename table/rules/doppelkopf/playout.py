"""Whole rounds with all hands known, in plain numbers: for measuring and for players who think ahead.

The cards mean what the `Contract` says, and the settlement is `score.count`, as everywhere else; only the
loop is its own. A test replays its rounds through the referee.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from table.rules.contracts import Contract
from table.rules.doppelkopf.score import FinishedTrick
from table.rules.doppelkopf.terms import CQ, KONTRA, RE

Pick = Callable[[int], int]
"""Chooses one of the legal cards: takes their number, returns an index below it."""


def sides(hands: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the sides of a normal game (K-08)."""
    return tuple(RE if CQ in hand else KONTRA for hand in hands)


def play_out(table: Contract, hands: Sequence[Sequence[int]], leader: int, pick: Pick) -> list[FinishedTrick]:
    """Play all tricks from these hands (card numbers by seat); `pick` chooses among the legal cards."""
    class_of, strength, later = table.class_of, table.strength, table.later_wins
    kinds = range(len(table.members))
    held = [[[card for card in hand if class_of[card] == kind] for kind in kinds] for hand in hands]
    seats = len(hands)
    orders = [[(first + step) % seats for step in range(1, seats)] for first in range(seats)]
    fallen: list[FinishedTrick] = []
    for _ in range(len(hands[0])):
        mine = held[leader]
        legal = [card for kind in mine for card in kind]
        card = legal[pick(len(legal))]
        led = class_of[card]
        mine[led].remove(card)
        power = strength[led]
        best, cards = power[card], [card] * seats
        for seat in orders[leader]:
            mine = held[seat]
            if own := mine[led]:  # K-06
                card = own.pop(pick(len(own)))
            else:
                legal = [card for kind in mine for card in kind]
                card = legal[pick(len(legal))]
                mine[class_of[card]].remove(card)
            cards[seat] = card
            its = power[card]
            if its > best or (its == best > 0 and later >> card & 1):
                best, leader = its, seat
        fallen.append((leader, tuple(cards)))
    return fallen
