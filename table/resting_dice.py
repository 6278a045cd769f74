"""Compares readings of dice at rest: where each lies, and whether two readings are of one die."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

from table.hindsight import FAR_MM, MOVED_MM
from vision.sightings import DieSeen

IN_BOX = ("field", "hole")
"""Places in the box where a thrown die may lie."""
_TURNED_DEG = 4.0
"""Turn from which on a die was stirred; in the fog of our odd films the yaw strays by 0.3."""


def apart_mm(one: DieSeen, two: DieSeen) -> float:
    """Distance between two readings of a die; another place (a tile, a hole) is far."""
    if one.where != two.where:
        return 10 * FAR_MM
    (x, y), (a, b) = one.center_mm, two.center_mm
    return hypot(x - a, y - b)


def is_vague(die: DieSeen) -> bool:
    """Whether a die on the field was not read: it, or what looked like it, lay about there."""
    return die.where == "field" and die.face is None and die.margin_mm is None


def lies_at(one: DieSeen, two: DieSeen) -> bool:
    """Whether two dice without a name are one that lay still."""
    return apart_mm(one, two) < FAR_MM


def lies_alike(one: DieSeen, two: DieSeen) -> bool:
    """Whether two readings are of one untouched body, whatever colour they give it."""
    turned = abs((one.yaw_deg - two.yaw_deg + 45.0) % 90.0 - 45.0)
    faces = None in (one.face, two.face) or one.face == two.face
    return faces and turned < _TURNED_DEG and apart_mm(one, two) < MOVED_MM


def in_one(die: DieSeen, areas: Sequence[tuple[float, float, float, float]]) -> bool:
    """Whether a die on the field lies in one of the rectangles (mm)."""
    (x, y), on = die.center_mm, die.where == "field"
    return on and any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in areas)


def on_one(die: DieSeen, tiles: Sequence[str]) -> bool:
    """Whether a die lay on one of these bet tiles."""
    return die.where.removeprefix("bet:") in tiles


@dataclass(frozen=True, slots=True)
class DiceRest:
    """All dice lie still: what is known of them then. Colours stand for dice."""

    lay: Mapping[str, DieSeen] = field(default_factory=dict)
    """The dice in view that have a name."""
    nameless: tuple[DieSeen, ...] = ()
    """The dice in view that have no name."""
    known: Mapping[str, DieSeen] = field(default_factory=dict)
    """Every die as it was last seen, up to this rest."""
    in_hand: frozenset[str] = frozenset()
    """The dice not in view at some rest since the last throw."""
    hidden: frozenset[str] = frozenset()
    """The dice that may lie unseen in the box since they were last sought."""

    def followed_by(
        self, lay: Mapping[str, DieSeen], nameless: Sequence[DieSeen], hidden: frozenset[str]
    ) -> DiceRest:
        """The next rest, before it is interpreted."""
        return DiceRest(lay, tuple(nameless), {**self.known, **lay}, self.in_hand, hidden)

    def stirred(self, now: Mapping[str, DieSeen]) -> bool:
        """Whether a die that lay in view at this rest lies elsewhere, or is gone."""
        return any(c not in now or apart_mm(now[c], die) > MOVED_MM for c, die in self.lay.items())

    def as_thrown(self) -> DiceRest:
        """Return this rest as that of a finished throw: no die that lies here is in anybody's hand."""
        return replace(self, in_hand=self.in_hand - set(self.lay))

    def two_thrown(self, news: Collection[str], now: Mapping[str, DieSeen]) -> set[str]:
        """The players' dice that came into the box, if one throw cannot have brought more than one of them.

        All were seen elsewhere, or missed, at this rest or since the last throw, so that none lay where
        another might have hit it: a throw was missed, and nobody knows whose was the last. Empty where one
        throw may have brought all.
        """
        came = {c for c in news if now[c].where in IN_BOX and "colour" not in now[c].doubt}
        elsewhere = {c for c, die in self.lay.items() if die.where not in IN_BOX}
        lay = set(self.lay) - elsewhere
        own = came & (elsewhere | self.in_hand) - lay - self.hidden
        return own if len(own) > 1 else set()
