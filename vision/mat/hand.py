"""One hand over one table, from its arrival to its departure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import grow, pieces
from vision.mat.hand_parameters import HANDS
from vision.sightings import HandSeen


@dataclass(slots=True)
class Joined:
    """A time in which a piece also held the hands of other `seats`; `until_t` is infinite while it does."""

    seats: tuple[str, ...]
    since_t: float
    until_t: float = math.inf
    last_t: float = 0.0
    """When the piece was last seen to reach the side of one of these seats."""


@dataclass(slots=True, eq=False)
class Hand:
    """One hand from arrival to departure. `moved_t`: when it last moved; `entry_mm`: its way in."""

    number: int
    since_t: float
    seen_t: float
    moved_t: float
    came: bool = True
    """Whether it was seen to arrive, so that its first frames show its way in best."""
    entries: dict[str, float] = field(default_factory=dict)
    entry_mm: NDArray[np.float64] | None = None
    uncertain: bool = False
    """Whether too much else moved meanwhile for its way in to show a seat."""
    joined: list[Joined] = field(default_factory=list)
    parted: bool = False
    """Whether it was lost in a gap between frames, so that nobody saw it leave."""
    mask: Mask = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    touch: Mask | None = None
    """The longest stretch of the rim that it touched when it was last seen."""

    @property
    def seat(self) -> str | None:
        """The seat from whose side it came; None if two are equally likely or another's hand joined it."""
        seats = self.seats
        return seats[0] if len(seats) == 1 and not self.joined else None

    def seats_at(self, t: float) -> tuple[str, ...]:
        """The seats whose hand the piece may have been at `t`: its own, and those that had joined it."""
        others = (
            seat for joined in self.joined if joined.since_t <= t <= joined.until_t for seat in joined.seats
        )
        return tuple(dict.fromkeys((*self.seats, *others)))

    def join(self, other: Hand, t: float) -> None:
        """Note that another seat's hand has become one piece with this one."""
        inside = {seat for joined in self.joined if joined.until_t == math.inf for seat in joined.seats}
        new = tuple(seat for seat in other.seats_at(t) if seat not in inside and seat not in self.seats)
        if new:
            self.joined.append(Joined(new, t, last_t=t))

    def _let_go(self, nearest: set[str]) -> None:
        """Note which hands have left the piece; `nearest`: the seats at the sides that it reaches."""
        for joined in self.joined:
            if nearest & {*joined.seats}:
                joined.last_t = max(joined.last_t, self.seen_t)
            elif self.seen_t - joined.last_t > HANDS.apart_s:
                joined.until_t = min(joined.until_t, joined.last_t)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats from whose side it may have come in, the likeliest first."""
        if self.uncertain:
            return ()
        ranked = sorted(self.entries.items(), key=lambda entry: -entry[1])
        return tuple(name for name, weight in ranked if weight > HANDS.as_likely * ranked[0][1])

    def note_entry(
        self,
        touch: Mask,
        mask: Mask,
        places: NDArray[np.float64],
        seats: tuple[tuple[str, NDArray[np.float64]], ...],
    ) -> None:
        """Weigh the seats by how near to them the rim was crossed; the first frames count most.

        `touch`: the cells of the rim that the hand touches, `mask`: all its cells, `places`: the position of
        each cell (h, w, 2; mm), `seats`: names and where each one's hands come in (mm). Fingers may reach as
        far as the opposite side, so each stretch of the rim that is touched counts by itself.
        """
        early = 1.0 / (1.0 + 4.0 * (self.seen_t - self.since_t)) if self.came else 1.0
        stretches = self._ways_in([(part, size) for part, size, _ in pieces(touch)], mask)
        whole = sum(size for _, size in stretches)
        nearest = set()
        for number, (part, size) in enumerate(stretches):
            middle = np.asarray(places[part].mean(axis=0), np.float64)
            if number == 0:
                self.entry_mm = middle
            away = {name: float(np.linalg.norm(middle - enters)) for name, enters in seats}
            nearest.add(min(away, key=lambda name: away[name]))
            for name, mm in away.items():
                weight = early * size / whole / (1.0 + (mm / HANDS.half_way_mm) ** 2)
                self.entries[name] = self.entries.get(name, 0.0) + weight
        if stretches:
            self._let_go(nearest)
            self._note_leap(touch, nearest)
            self.touch = stretches[0][0]

    def _ways_in(self, stretches: list[tuple[Mask, int]], mask: Mask) -> list[tuple[Mask, int]]:
        """The stretches of the rim through which it may have come, the longest first.

        A thumb or two fingers that touch another part of the rim are no way in while the arm still reaches
        its first stretch: a dark sleeve often ends a little before the rim.
        """
        before = self.touch
        if before is None or all(size > HANDS.thumb for _, size in stretches):
            return stretches
        near = grow(before, HANDS.leans)
        if not (grow(mask, HANDS.short) & before).any():
            return stretches
        return [(part, size) for part, size in stretches if size > HANDS.thumb or (near & part).any()]

    def _note_leap(self, touch: Mask, nearest: set[str]) -> None:
        """Distinguish an arm that leans along the rim from a leap to another side, which is another's hand.

        A leap occurs where one hand left and the next came between two frames: the card laid joined the two.
        """
        inside = {seat for joined in self.joined if joined.until_t == math.inf for seat in joined.seats}
        new = tuple(sorted(nearest - inside))
        if self.touch is None or not new or not nearest.isdisjoint(self.seats):
            return
        if not (grow(self.touch, HANDS.leans) & touch).any():
            self.joined.append(Joined(new, self.seen_t, last_t=self.seen_t))


def as_seen(hand: Hand) -> HandSeen:
    """The sighting of a hand that has gone."""
    return HandSeen(hand.since_t, hand.seen_t, hand.seat)
