"""The seat of a card: by the place where it lies, the hand that brought it, or otherwise the turn."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from table.rules.view import View
from vision.layout import SeatPlace
from vision.sightings import CardDown


class CardSeat(NamedTuple):
    """The seat of a card; the reason, if it is not plain; whether it is a guess that proves nothing."""

    seat: str | None
    reason: str = ""
    inferred: bool = False


def seat_of_card(seen: CardDown, view: View, seats: Sequence[SeatPlace]) -> CardSeat:
    """The seat whose card was seen; `view` is the game before it."""
    zone, hand = seen.zone, seen.hand
    if zone is None and hand is None:
        if view.turn is not None:
            return CardSeat(view.turn, "the seat is the one whose turn it was", True)
        return CardSeat(_nearest(seen, seats), "the seat is the nearest one", bool(seats))
    if zone is None or hand is None or zone == hand:
        # Cards lie in the middle of the mat, so without a seen hand the place alone is a guess.
        in_doubt = view.turn is None and not dealt_now(view)
        guessed = hand is None and zone != view.turn and (seen.after_gap or not in_doubt)
        came = "came unseen, lies" if seen.after_gap else "lies"
        return CardSeat(zone or hand, f"{came} before {zone}" if guessed else "", guessed)
    odds = f"lies before {zone}, came with the hand of {hand}"
    if dealt_now(view):  # a dealing hand lays cards before the others; a player's hand lays its own
        return CardSeat(None if dealer_next(view) in (hand, None) else hand, odds, True)
    if view.turn in (zone, hand):
        # Cards lie in the middle, so a hand whose turn it is decides; another's hand makes it a guess.
        return CardSeat(view.turn, f"{odds}: it was the turn of {view.turn}", view.turn != hand)
    # A seat that has played to this trick plays no second card to it.
    free = [seat for seat in (zone, hand) if seat not in {play.seat for play in view.trick}]
    return CardSeat(free[0] if len(free) == 1 else zone, odds, True)


def dealt_now(view: View) -> bool:
    """Whether the round is over and complete, so that cards may be dealt."""
    return view.phase in ("settled", "finished") and view.lacking is None


def dealer_next(view: View) -> str | None:
    """The seat that normally deals next (G-03); None if the dealer is unknown."""
    if view.dealer not in view.seats:
        return None
    return view.seats[(view.seats.index(view.dealer) + 1) % len(view.seats)]


def _nearest(seen: CardDown, seats: Sequence[SeatPlace]) -> str | None:
    x = sum(p[0] for p in seen.corners_mm) / 4
    y = sum(p[1] for p in seen.corners_mm) / 4
    near = min(seats, key=lambda s: hypot(x - s.enters_from_mm[0], y - s.enters_from_mm[1]), default=None)
    return near.name if near is not None else None
