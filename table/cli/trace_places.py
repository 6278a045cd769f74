"""Proposals of cards by place: what was tried where, and where the search gave up without a card.

A missed card has no event, but it does have a place at which the search tried again and again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from math import hypot
from string import ascii_lowercase

import cv2
import numpy as np

from vision.cards.proposal import Proposal
from vision.frame import Frame
from vision.layout import Point
from vision.overlay import OverlayMark
from vision.sightings import CardDown, CardsGone, CardWithdrawn, Sighting

_SAME_MM = 12.0
"""Distance of the middles below which proposals with the same name and verdict count as one."""
_PLACE_MM = 30.0
"""Distance of the middles below which proposals belong to one place: half the short side of a card."""
_MOST_KEPT = 30
"""How many proposals are kept between two events, likeliest first."""
_MOST_PLACES = 12
"""How many places are watched at once; limited, as each holds a frame."""
_TRIED_S = 0.5
"""Least time for which a place must be tried: a passing hand is tried for less."""
_GIVEN_UP_S = 5.0
"""Time without a try after which a place counts as given up."""
_CHANGED = 0.3
"""Least share of a place that must have changed; with less it shows the table itself."""


@dataclass(slots=True, eq=False)
class Attempt:
    """Equal proposals between two events, made `times` times; `proposal` is the likeliest."""

    proposal: Proposal
    first_t: float
    last_t: float
    times: int = 1

    @property
    def span(self) -> str:
        """When it was tried, in words."""
        return span(self.first_t, self.last_t)


def span(first_t: float, last_t: float) -> str:
    """From when to when, in words."""
    return f"{first_t:.2f} s" + (f" to {last_t:.2f} s" if last_t > first_t else "")


def middle_of(proposal: Proposal) -> Point:
    """Middle of a proposed rectangle, mm."""
    x, y = proposal.corners_mm.mean(axis=0)
    return float(x), float(y)


def weight(proposal: Proposal) -> float:
    """How far a proposal got on the way to a card: the higher, the further."""
    looked_at = proposal.crop is not None
    return proposal.reading.likeness + 0.5 * proposal.box.support + looked_at + 2 * (proposal.refused is None)


class Attempts:
    """The proposals between two events, equal ones merged."""

    def __init__(self) -> None:
        self._kept: list[Attempt] = []

    def __bool__(self) -> bool:
        return bool(self._kept)

    def heed(self, proposal: Proposal, t: float) -> None:
        """Take in a proposal of a card, accepted or refused."""
        for kept in self._kept:
            old = kept.proposal
            same = (old.refused, old.reading.name) == (proposal.refused, proposal.reading.name)
            if same and _apart_mm(middle_of(old), middle_of(proposal)) < _SAME_MM:
                kept.last_t, kept.times = t, kept.times + 1
                if proposal.reading.likeness >= old.reading.likeness:
                    kept.proposal = proposal
                return
        self._kept.append(Attempt(proposal, t, t))
        if len(self._kept) > _MOST_KEPT:
            self._kept.remove(min(self._kept, key=lambda kept: weight(kept.proposal)))

    def by_place(self) -> list[list[Attempt]]:
        """Accepted proposals one by one, refused ones grouped by place; those that got furthest first."""
        places: list[list[Attempt]] = []
        for tried in sorted(self._kept, key=lambda kept: -weight(kept.proposal)):
            middle = middle_of(tried.proposal)
            near = (
                place
                for place in places
                if place[0].proposal.refused is not None
                and _apart_mm(middle_of(place[0].proposal), middle) < _PLACE_MM
            )
            place = None if tried.proposal.refused is None else next(near, None)
            if place is None:
                places.append([tried])
            else:
                place.append(tried)
        return places


@dataclass(slots=True, eq=False)
class UnreadPlace:
    """A place where cards were proposed and none was read; `frame` and `marks` are of the best proposal."""

    middle_mm: Point
    first_t: float
    last_t: float
    frame: Frame
    marks: list[OverlayMark]
    best: Proposal
    changed: float = 0.0
    attempts: Attempts = field(default_factory=Attempts)

    @property
    def span(self) -> str:
        """When it was tried, in words."""
        return span(self.first_t, self.last_t)


class UnreadPlaces:
    """Watches places where cards are proposed and none lies, until one is read or the search gives up."""

    def __init__(self) -> None:
        self._places: list[UnreadPlace] = []
        self._earlier: deque[UnreadPlace] = deque(maxlen=_MOST_PLACES)
        self._lying: dict[int, Point] = {}

    def heed(
        self, proposal: Proposal, frame: Frame, marks: Callable[[], list[OverlayMark]], t: float
    ) -> None:
        """Take in a proposal made in that frame; `marks()` draws the eye's state there."""
        middle = middle_of(proposal)
        if proposal.refused is None or any(_apart_mm(middle, at) < _PLACE_MM for at in self._lying.values()):
            return
        place = next((p for p in self._places if _apart_mm(p.middle_mm, middle) < _PLACE_MM), None)
        if place is None:
            if len(self._places) == _MOST_PLACES:
                return
            place = UnreadPlace(middle, t, t, frame, marks(), proposal)
            self._places.append(place)
        place.last_t = t
        place.attempts.heed(proposal, t)
        place.changed = max(place.changed, proposal.fresh or 0.0)
        if weight(proposal) > weight(place.best):
            place.best, place.frame, place.marks = proposal, frame, marks()

    def hear(self, sighting: Sighting) -> None:
        """Take in a sighting: a card was read, or cards left."""
        match sighting:
            case CardDown():
                xs, ys = zip(*sighting.corners_mm, strict=True)
                at = self._lying[sighting.key] = (sum(xs) / 4, sum(ys) / 4)
                self._places = [p for p in self._places if _apart_mm(p.middle_mm, at) >= _PLACE_MM]
            case CardWithdrawn():
                self._lying.pop(sighting.key, None)
            case CardsGone():
                for key in sighting.keys:
                    self._lying.pop(key, None)

    def given_up(self, t: float) -> Iterator[UnreadPlace]:
        """Places that looked like a card for a while without any being read, now given up."""
        done = [place for place in self._places if t - place.last_t >= _GIVEN_UP_S]
        self._places = [place for place in self._places if place not in done]
        self._earlier.extend(done)
        for place in done:
            if place.last_t - place.first_t >= _TRIED_S and place.changed >= _CHANGED:
                yield place

    def likeliest(self, zone_mm: Sequence[Point], since_t: float) -> UnreadPlace | None:
        """The place in a zone that came nearest to a card since then, where a missed card may have lain."""
        here = [
            place
            for place in (*self._earlier, *self._places)
            if place.last_t >= since_t and holds(zone_mm, place.middle_mm)
        ]
        return max(here, key=lambda place: weight(place.best), default=None)


def letters() -> Iterator[str]:
    """a, b, … z, aa, …: the names of places on one frame."""
    for size in count(1):
        yield from ("".join(each) for each in product(ascii_lowercase, repeat=size))


def holds(zone_mm: Sequence[Point], at_mm: Point) -> bool:
    """Whether a polygon holds a point."""
    return cv2.pointPolygonTest(np.array(zone_mm, np.float32), at_mm, False) >= 0


def _apart_mm(one: Point, two: Point) -> float:
    return hypot(one[0] - two[0], one[1] - two[1])
