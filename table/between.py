"""Cards that fall while no round is open: turned up in the deal, laid open at the end, or the next lead.

One card alone proves nothing. The next round has begun when its first trick shows: a card of the seat that
leads and one of the seat after it, or a card of every seat in turn. Until then cards wait here. A card that
the dealer's hand lays before another seat is dealt, and a card without a seen hand may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.rules.events import Event
from table.rules.games import GAMES
from table.rules.opening import as_event
from table.rules.view import View

_IN_TURN = 2
"""Number of cards, played by the right seats' hands after the seat that must lead, that cannot be chance."""


def between_rounds(view: View, event: Event) -> bool:
    """Whether the round is over and the next has not begun, so that one card alone means nothing yet.

    False if cards of the round are missing and this may be one of them: the round may go on.
    """
    lacking = view.lacking
    if lacking is not None:
        return not lacking.admits(event.get("seat"), event.get("card"), event.get("t"))
    return view.phase in ("settled", "finished") or perhaps(view, event)


def perhaps(view: View, event: Event) -> bool:
    """Whether unseen cards may have ended the round before this card fell out of turn."""
    since, t = view.perhaps_over_t, event.get("t")
    return since is not None and t is not None and t > since and event.get("seat") != view.turn


class BetweenRounds:
    """Holds cards that fell until it is clear that the next round has begun."""

    def __init__(self) -> None:
        self._fallen: dict[int, Event] = {}
        self.taken: dict[int, Event] = {}
        """A whole trick that went at once, though no hand was seen to lay it. It counts if play goes on."""

    def lay(self, key: int, event: Event, view: View) -> dict[int, Event]:
        """Take in a `card` or `unsure` of the eye's card `key`.

        Returns the new round's first cards by key, in order, once it has begun; until then nothing.
        """
        if perhaps(view, event) and self._fallen:
            return self.release() | {key: event}  # two cards at once mean play
        if view.over or view.game not in GAMES or not GAMES[view.game].begins_round(as_event(event)):
            return {}
        if event.get("seat") is None:
            return {}  # dealt
        self._fallen[key] = event
        # Dealt cards may still lie there, or may have gone unseen.
        played = {each: fell for each, fell in self._fallen.items() if not fell.get("inferred")}
        trick = next((some for some in (self._fallen, played) if _is_trick([*some.values()], view)), {})
        if not trick and self.taken and _goes_on([*self._fallen.values()], view):
            return self.taken | self.release()
        if trick:
            self._fallen, self.taken = {}, {}
        return trick

    def take(self, keys: Iterable[int], view: View) -> None:
        """Drop cards that are gone again: they were not played, unless a whole trick went at once."""
        gone = {key: self._fallen.pop(key) for key in keys if key in self._fallen}
        if gone and not self._fallen and _is_trick([*gone.values()], view, seen=False):
            self.taken = gone

    def release(self) -> dict[int, Event]:
        """Return the waiting cards as played: a later card has shown that the round is on."""
        fallen, self._fallen = self._fallen, {}
        return fallen

    def forget(self) -> None:
        """Forget what fell before the round that is now open."""
        self._fallen.clear()
        self.taken = {}


def _goes_on(events: Sequence[Event], view: View) -> bool:
    """Whether two seats, one after the other, have played to another trick."""
    seats, laid = _playing_next(view), [event.get("seat") for event in events]
    pairs = [(seat, seats[(at + 1) % len(seats)]) for at, seat in enumerate(seats)]
    return len(laid) == _IN_TURN and tuple(laid) in pairs and all(each.kind == "card" for each in events)


def _is_trick(events: Sequence[Event], view: View, seen: bool = True) -> bool:
    """Whether these cards, in this order, are the beginning of a round's first trick.

    `seen`: at least one card must have been laid by a seen hand; otherwise a whole trick needs none.
    """
    seats = _playing_next(view)
    laid = [event.get("seat") for event in events]
    if not laid or laid[0] not in seats or any(event.kind != "card" for event in events):
        return False
    start = seats.index(str(laid[0]))
    order = [*seats[start:], *seats[:start]]
    led_rightly = GAMES[view.game or ""].left_leads and view.dealer is not None and start == 0
    surely = sum(not event.get("inferred") for event in events)
    proven = surely > 0 or any(event.get("after_gap") for event in events)
    whole = len(laid) >= len(seats) and (proven or not seen)
    return laid == order[: len(laid)] and (whole or (led_rightly and surely >= _IN_TURN))


def _playing_next(view: View) -> list[str]:
    """The seats of the next round, clockwise from the one that leads: the next dealer's neighbour (G-03)."""
    if view.dealer is None:
        return list(view.seats)
    at = view.seats.index(view.dealer) + 1  # the next dealer sits here
    after = [view.seats[(at + 1 + i) % len(view.seats)] for i in range(len(view.seats))]
    return list(GAMES[view.game or ""].playing(after))
