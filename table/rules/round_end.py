"""The end of a round in which cards fell unseen: whether it is over, which cards may still be reported.

A round whose last trick was taken is over even if one of its cards was never reported. A card that comes at
once may be that one, reported late; after the time to gather, shuffle and deal it is not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from table.rules.courses import unseen_in
from table.rules.events import Event
from table.rules.tricks import TrickRound
from table.rules.view import Lacking

DEALT_S = 8.0
"""Shortest time in which a deck is gathered, shuffled and dealt."""
_PLAYED = frozenset({"card", "unsure", "collected"})


def absent_at_end(opened: TrickRound) -> set[str]:
    """Return who has no card in the last trick although it was taken; empty for any other round."""
    last = opened.hand_size
    if opened.over or not opened.trick or len(opened.tricks) != last - 1:
        return set()
    if (last, "taken_early") not in {one[:2] for one in opened.remarks}:
        return set()
    return set(opened.seats) - {opened.seats[play.seat] for play in opened.trick}


def lies_there(opened: TrickRound, event: Event) -> bool:
    """Return whether a card belongs to the last trick, which nobody has taken yet."""
    if opened.collected_by is not None or not opened.tricks or event.kind != "card":
        return False
    return (event.seat, event.card) in {(opened.seats[p.seat], p.name) for p in opened.tricks[-1].plays}


def lacking(opened: TrickRound, lines: Sequence[Event], pack: Mapping[str, int]) -> Lacking | None:
    """Return which cards of a round may still be reported, by its lines so far; None where all were."""
    told: Counter[str] = Counter()
    spent: Counter[str | None] = Counter()
    for line in lines:
        if line.kind not in ("card", "unsure") or (line.kind == "unsure" and line.get("reason") == "missed"):
            continue  # only a placeholder for a missed card
        name = line.card if line.kind == "card" else ""
        if not name or told[name] < pack.get(name, 1):
            told[name] += 1
            spent[None if line.get("inferred") else line.seat] += 1  # a guess empties nobody's hand
    missing = opened.hand_size * len(opened.seats) - spent.total()
    if missing <= 0:
        return None
    return Lacking(
        cards={name: count - told[name] for name, count in pack.items() if count > told[name]},
        seats=frozenset(seat for seat in opened.seats if spent[seat] < opened.hand_size),
        until=_last_s(lines) + DEALT_S,
        few=missing <= len(opened.seats),
    )


def perhaps_over_t(opened: TrickRound, lines: Sequence[Event]) -> float | None:
    """Return the time (seconds) from which a round that lacks tricks may be over; None if it cannot be.

    Between two tricks, all of its remaining cards may have been played while nothing was seen. A trick that
    was taken does not count as open, even if some of its cards were not reported.
    """
    last = next((line.kind for line in reversed(lines) if line.kind in _PLAYED), None)
    if opened.over or (opened.trick and last != "collected") or not (opened.tricks or opened.trick):
        return None
    begun = next((at for at, line in enumerate(lines) if line.kind == "card"), len(lines))
    unseen = sum(unseen_in(line) for line in lines[begun:] if line.kind == "blind")
    left = (opened.hand_size - len(opened.tricks)) * len(opened.seats) - len(opened.trick)
    return _last_s(lines) + DEALT_S if unseen >= left else None


def _last_s(lines: Sequence[Event]) -> float:
    """Return when a card last fell or a trick was taken (seconds); infinite where no line has a time."""
    times = [line.get("t") for line in lines if line.kind in _PLAYED]
    return max((t for t in times if isinstance(t, int | float)), default=math.inf)
