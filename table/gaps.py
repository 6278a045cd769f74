"""A card that nobody saw: once its trick has been taken away, its place is held by a doubt.

Without that the trick would stay open and every later card would count for the wrong trick. Whoever did not
play is known (one card a seat), what was played is asked on the page, and the round goes on in its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table.journal import Entry, Event
from table.rules.games import GAMES
from table.rules.opening import as_event
from table.rules.view import View
from table.standing import standing

MISSED = "missed"
"""`reason` of a doubt that stands for a card nobody saw."""


def filling(view: View, entries: Sequence[Entry], event: Event) -> list[Event]:
    """The events to be written before `event` where a trick was taken away short of a card; mostly none.

    Args:
        view: the game before the event.
        entries: the whole log so far; ids are its line numbers.
        event: what comes next.
    """
    taken = _taken_early(view, entries)
    absent = () if taken is None else missing(view, taken.event.get("seat"), event)
    if not absent:
        return []
    now = standing(entries)
    events = {}
    for play in view.trick:
        stands = now.get(play.event, entries[play.event - 1].event)
        assert stands is not None  # it lies in the trick
        events[play.event] = stands
    corrections, further = in_order(view, absent, events)
    return [*corrections, *further]


def _taken_early(view: View, entries: Sequence[Entry]) -> Entry | None:
    """The `collected` that came after the last card of a trick which is still open."""
    if not view.trick:
        return None
    last = max(play.event for play in view.trick)
    return next((entry for entry in entries[last:] if entry.event["kind"] == "collected"), None)


def missing(view: View, taken_by: str | None, event: Event) -> tuple[str, ...]:
    """Who played a card into the open trick that was not seen; `event` is what comes after it was taken away.

    Nobody, as long as it may be otherwise: the seat that has not played yet lays its card late, somebody
    takes his own card back. More than one card of a trick is only missed where a new round begins.
    """
    if view.game not in GAMES or not view.trick or view.phase != "play":
        return ()
    seats = playing(view)
    absent = tuple(seat for seat in seats if seat not in {play.seat for play in view.trick})
    opens = event["kind"] == "round" or GAMES[view.game].begins_round(as_event(event))
    if event["kind"] in ("card", "unsure"):
        late = event.get("seat") in absent and event.get("seat") != taken_by
        return absent if len(absent) == 1 and len(seats) > 2 and not late else ()
    return absent if opens else ()


def playing(view: View) -> tuple[str, ...]:
    """The seats that play in this round, clockwise: all but a dealer who sits out (K-02, J-46)."""
    if view.last_trick:
        taking_part = {play.seat for play in view.last_trick}
        return tuple(seat for seat in view.seats if seat in taking_part)
    if view.game == "doppelkopf" and len(view.seats) == 5:
        return tuple(seat for seat in view.seats if seat != view.dealer)
    return view.seats


def in_order(
    view: View, absent: Sequence[str], events: Mapping[int, Event]
) -> tuple[list[Event], list[Event]]:
    """The open trick as it must have been played: (corrections, further events).

    The seen cards keep their order, every absent seat gets an `unsure` in its turn. Cards that then stand
    later than they were written are corrected into their new places, so that nobody seems out of turn.

    Args:
        view: the game with its open trick.
        absent: who was not seen.
        events: what stands at the ids of the trick's plays.
    """
    seats, shown = playing(view), [play.seat for play in view.trick]
    first = view.leader if view.leader in absent else shown[0]
    start = seats.index(str(first)) if first in seats else 0
    order = [*seats[start:], *seats[:start]]
    if [seat for seat in order if seat in shown] != shown:  # somebody really was out of turn
        order = [*shown, *absent]
    ids = {play.seat: play.event for play in view.trick}
    line = [(ids.get(seat), events[ids[seat]] if seat in ids else _doubt(seat)) for seat in order]
    corrections, further = [], []
    for place, (number, event) in enumerate(line):
        if place >= len(shown):
            further.append({**event, "source": "rules"})  # a card that was seen, moved to its true place
        elif number != view.trick[place].event:
            corrections.append(
                {"kind": "correction", "of": view.trick[place].event, "event": event, "source": "rules"}
            )
    return corrections, further


def _doubt(seat: str) -> Event:
    return {"kind": "unsure", "seat": seat, "candidates": [], "source": "rules", "reason": MISSED}
