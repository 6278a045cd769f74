"""Cards that fall while no round is open: turned up in the deal, laid open at the end, or the next lead.

One card alone proves nothing. The next round has begun when its first trick shows: a card of the seat that
leads and one of the seat after it, or a card of every seat in turn. Until then cards wait here. What the
dealer's hand lays before others is dealt, and so may be a card of which only the place tells whose it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.rules.events import Event
from table.rules.games import GAMES
from table.rules.opening import as_event
from table.rules.view import View

_IN_TURN = 2
"""Number of cards by the hands of the right seats, led by the seat that must lead, that is no accident."""


def between_rounds(view: View, event: Event) -> bool:
    """Whether the round is over and the next has not begun: one card that falls now means nothing yet.

    False where cards of that round were not told, and this one may be one of them: the round may go on.
    """
    lacking = view.lacking
    if lacking is not None:
        return not lacking.admits(event.get("seat"), event.get("card"), event.get("t"))
    return view.phase in ("settled", "finished") or perhaps(view, event)


def perhaps(view: View, event: Event) -> bool:
    """Whether the round may be over by unseen cards, and a card falls long after, out of turn."""
    since, t = view.perhaps_over_t, event.get("t")
    return since is not None and t is not None and t > since and event.get("seat") != view.turn


class BetweenRounds:
    """Holds what fell until it is clear that the next round is on."""

    def __init__(self) -> None:
        self._fallen: dict[int, Event] = {}
        self.taken: dict[int, Event] = {}
        """A whole trick that went at once without a hand seen to bring it. It was played if play goes on."""

    def lay(self, key: int, event: Event, view: View) -> dict[int, Event]:
        """Take in a `card` or `unsure` of the eye's card `key`.

        Returns the new round's first cards by key, in order, once it is on; until then nothing.
        """
        if perhaps(view, event) and self._fallen:
            return self.release() | {key: event}  # two lie there at once: that is play
        if view.over or view.game not in GAMES or not GAMES[view.game].begins_round(as_event(event)):
            return {}
        if event.get("seat") is None:
            return {}  # dealt
        self._fallen[key] = event
        # Some of what was dealt may still lie there, or nobody saw it go.
        played = {each: fell for each, fell in self._fallen.items() if not fell.get("inferred")}
        trick = next((some for some in (self._fallen, played) if _is_trick([*some.values()], view)), {})
        if not trick and self.taken and _goes_on([*self._fallen.values()], view):
            return self.taken | self.release()
        if trick:
            self._fallen, self.taken = {}, {}
        return trick

    def take(self, keys: Iterable[int], view: View) -> None:
        """Drop cards that are gone again: they were not played, unless all of a trick went at once."""
        gone = {key: self._fallen.pop(key) for key in keys if key in self._fallen}
        if gone and not self._fallen and _is_trick([*gone.values()], view, seen=False):
            self.taken = gone

    def release(self) -> dict[int, Event]:
        """Return what still lies there as played: a card that is played shows that the round is on."""
        fallen, self._fallen = self._fallen, {}
        return fallen

    def forget(self) -> None:
        """Forget what fell before a round that is now open."""
        self._fallen.clear()
        self.taken = {}


def _goes_on(events: Sequence[Event], view: View) -> bool:
    """Whether two seats, one after the other, have played to another trick."""
    seats, laid = _playing_next(view), [event.get("seat") for event in events]
    pairs = [(seat, seats[(at + 1) % len(seats)]) for at, seat in enumerate(seats)]
    return len(laid) == _IN_TURN and tuple(laid) in pairs and all(each.kind == "card" for each in events)


def _is_trick(events: Sequence[Event], view: View, seen: bool = True) -> bool:
    """Whether these cards, in this order, are the beginning of a round's first trick.

    `seen`: by hands that were seen, at least one of them; otherwise they are all of it.
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
