"""What the rules decide where the eye cannot: which of two names a card has, and the order of cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from table.rules.view import View
from vision.sightings import CardDown, CardsGone, Guess, SightBack, Sighting, SightLost

NEAR_EQUAL = 0.2
"""Confidence below which a candidate plays no part in breaking a tie."""


def weigh(
    guesses: Sequence[Guess], sure: bool, view: View, won: Collection[str] = ()
) -> tuple[bool, tuple[Guess, ...], str]:
    """Break a tie between near-equal candidates by ruling out what the game makes impossible.

    `won` are names of cards that the player has won: he may be looking at one, so a tie with it stays open.
    Returns whether the first guess may be believed, the guesses in their new order, and the reason.
    """
    if sure or not guesses or not view.pack:
        return sure, tuple(guesses), ""
    near = [g for g in guesses if g.confidence >= NEAR_EQUAL]
    possible = [g for g in near if view.seen.get(g.name, 0) < view.pack.get(g.name, 0)]
    # Only where the eye itself wavers between a few: a single guess above the threshold is no tie.
    if len(near) < 2 or len(possible) != 1 or any(g.name in won for g in near if g not in possible):
        return False, tuple(guesses), ""
    chosen = possible[0]
    out = ", ".join(g.name for g in near if g is not chosen)
    rest = tuple(g for g in guesses if g is not chosen)
    return True, (chosen, *rest), f"looked like {out} too, which cannot come any more"


def in_turn(sightings: Sequence[Sighting], view: View) -> list[Sighting]:
    """Sort sightings made at the same time into the order in which they are to be reported.

    The order of cards that fell while the eye was blind is unknown: they are reported in order of turn, after
    the trick before them was collected. A lead that falls as the trick before it goes also comes after that.
    Cards seen at the same time are ordered by turn as well.
    """
    turn = view.turn if view.turn in view.seats else None
    first = 0 if turn is None else view.seats.index(turn)
    order = {seat: at for at, seat in enumerate([*view.seats[first:], *view.seats[:first]])}
    cards = [one for one in sightings if isinstance(one, CardDown)]
    gap = any(card.after_gap for card in cards)

    def turns(card: CardDown) -> int:
        return order.get(card.zone or card.hand or "", len(order))

    def place(sighting: Sighting) -> int:
        match sighting:
            case CardDown():
                return int(gap)
            case SightLost() | SightBack():
                return -2
            case CardsGone() if not view.trick:
                return -1
            case _:
                return 0

    at_once = iter(sorted(cards, key=turns))
    told = (next(at_once) if isinstance(one, CardDown) else one for one in sightings)
    return sorted(told, key=place)
