"""Where a log's `round` lines belong if they are missing, too late, too early or doubled: the cards show it.

In live play the table opens the next round itself, once its first trick shows. A log that somebody wrote, or
that was cut, may lack the line, or have it only in mid-round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from table.rules.events import Event
from table.rules.game import Game
from table.rules.round_fold import RoundFold, Slot
from table.rules.slots import PLAYED
from table.rules.tricks import TrickRound


class Misplaced(NamedTuple):
    """A `round` line that is not where the cards show the round to begin, and where it belongs."""

    line: int | None
    """The line; None: it is missing."""
    before: int | None
    """The line before which it belongs; None: nowhere, the round is already open."""
    number: int
    """Number of the round that it opens."""
    handed_on: object
    """What the previous round passes on."""
    opening: Event | None = None
    """The contents of a missing line."""


def misplaced(game: Game, rounds: Sequence[RoundFold]) -> Misplaced | None:
    """Return the first `round` line that is not where the cards show it to belong; None if all are right."""
    for fold, later in zip_longest(rounds, rounds[1:]):
        opened = fold.best.round
        if not isinstance(opened, TrickRound) or opened.broken_off:
            continue
        deal = opened.hand_size * len(opened.seats)
        found = _too_late(game, fold, later, deal)
        if found is None and later is not None:
            found = _too_early(game, fold, later, deal) or _told_twice(fold, later, deal)
        if found is not None:
            return found
    return None


def in_place(log: Sequence[Event], found: Misplaced) -> list[Event]:
    """Return a log with a `round` line where the cards show it; a missing one is numbered last."""
    rest = [event for event in log if event.id != found.line]
    if found.before is None:
        return rest
    line = next((event for event in log if event.id == found.line), None)
    if line is None:
        opening = found.opening or Event("round", {"source": "rules"})
        line = opening.numbered(1 + max(event.id or 0 for event in log))
    at = next(at for at, event in enumerate(rest) if event.id == found.before)
    return [*rest[:at], line, *rest[at:]]


def _told_twice(fold: RoundFold, later: RoundFold, deal: int) -> Misplaced | None:
    """Find a repeated line: the cards on both sides of it make one whole deal."""
    own, behind = [*_fell(fold.slots)], [*_fell(later.slots)]
    if not own or not behind or len(own) + len(behind) != deal or not _of_one_pack([*own, *behind], fold):
        return None
    return Misplaced(later.slots[0].id, None, later.number, None)


def _too_early(game: Game, fold: RoundFold, later: RoundFold, deal: int) -> Misplaced | None:
    """Find a line that is too early: the cards after it complete the round before; the next has its own."""
    own, behind = [*_fell(fold.slots)], [*_fell(later.slots)]
    lacks = deal - len(own)
    if not 0 < lacks <= len(behind) or not _of_one_pack([*own, *behind[:lacks]], fold):
        return None
    if len(behind) <= deal and not (len(behind) < deal and lacks >= len(fold.best.round.seats)):
        return None  # one card of another deal may be the missing one by chance
    ended = RoundFold(fold.setup, fold.number, fold.before, fold.slots[0])
    rest = _next_begins(game, ended, [*fold.slots[1:], *later.slots[1:]])
    if not rest:
        return None
    return Misplaced(later.slots[0].id, rest[0].id, later.number, ended.best.round.handed_on())


def _too_late(game: Game, fold: RoundFold, later: RoundFold | None, deal: int) -> Misplaced | None:
    """Find a line that is too late or missing: cards after a whole round complete the next, or begin one."""
    opened = fold.best.round
    fell = [*_fell(fold.slots)]
    if not opened.over or len(fell) <= deal - len(opened.seats):
        return None
    ended = RoundFold(fold.setup, fold.number, fold.before, fold.slots[0])
    behind = _next_begins(game, ended, fold.slots[1:])
    whole = fell[: len(fell) - len([*_fell(behind)])]
    if not behind or len(whole) != deal or not _of_one_pack(whole, fold):
        return None  # where lines are missing, the cards before them may come from two deals
    own = [] if later is None else [*_fell(later.slots)]
    both = [*_fell(behind), *own]
    if later is not None and own and len(both) <= deal and _of_one_pack(both, later):
        if len(both) == deal or _shows_a_trick(fold.setup.seats, len(opened.seats), behind):
            return Misplaced(later.slots[0].id, behind[0].id, later.number, None)
    elif _shows_a_trick(fold.setup.seats, len(opened.seats), behind):
        return Misplaced(None, behind[0].id, fold.number + 1, ended.best.round.handed_on())
    return None


def _next_begins(game: Game, ended: RoundFold, slots: Sequence[Slot]) -> list[Slot]:
    """Fold lines until the round is over; return those from the first one that belongs to the next round."""
    behind = [*slots]
    while behind and not ended.best.round.over:
        ended.add(behind.pop(0))
    while behind and not _begins(game, ended, behind[0].event):
        behind.pop(0)
    return behind


def _begins(game: Game, ended: RoundFold, event: Event | None) -> bool:
    return event is not None and game.begins_round(event) and not ended.still_has(event)


def _fell(slots: Sequence[Slot]) -> Iterator[Event]:
    """Yield the cards among some lines, known or not."""
    return (slot.event for slot in slots if slot.event is not None and slot.event.kind in PLAYED)


def _shows_a_trick(seats: Sequence[str], players: int, behind: Sequence[Slot]) -> bool:
    """Return whether the first cards are one from every player, clockwise; of five players one sits out."""
    first = [event.seat for event in _fell(behind)][:players]
    if len(set(first)) < players or None in first:
        return False
    at = [seats.index(str(seat)) for seat in first]
    return sum(later < earlier for earlier, later in pairwise([*at, at[0]])) == 1


def _of_one_pack(fell: Sequence[Event], fold: RoundFold) -> bool:
    """Return whether a single pack contains these cards."""
    return Counter(event.card for event in fell if event.kind == "card") <= Counter(fold.pack)
