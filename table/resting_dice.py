"""Compares readings of dice at rest: where each lies, whether two are of one die, what lies anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

from table.hindsight import FAR_MM, MOVED_MM
from vision.sightings import DieSeen, ThrowSeen

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
    """All dice lie still: what is known of them then, and what lies anew since. Colours stand for dice."""

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

    def is_news(self, die: DieSeen) -> bool:
        """Whether a die lies anew; a bet that is laid is no throw.

        A die exactly where it was last seen was only overlooked in between.
        """
        knew = self.known.get(die.colour or "")
        if die.where.startswith("bet"):
            return False
        if any(apart_mm(old, die) < MOVED_MM for old in self.nameless):
            return False  # it lay there, and only its name is new
        if knew is None:
            return True
        if die.where == knew.where == "outside" and die.colour not in self.in_hand:
            return False  # the box was turned, not the table
        turned = None not in (die.face, knew.face) and die.face != knew.face
        return turned or apart_mm(die, knew) > MOVED_MM

    def is_renamed(self, seen: ThrowSeen, die: DieSeen, now: Mapping[str, DieSeen]) -> bool:
        """Whether a die lies where and as one of another colour was told, which no longer lies there.

        Fog or a lamp had tinted it. In a gap another die may have taken its place.
        """
        if seen.gap_s or die.unseen:
            return False
        lay = {c: old for c, old in self.lay.items() if c != die.colour and lies_alike(old, die)}
        return any(c not in now or apart_mm(now[c], die) > MOVED_MM for c in lay)

    def lies_far(self, die: DieSeen) -> bool:
        """Whether a die lies where only a hand or a throw can have brought it."""
        knew = self.known.get(die.colour or "")
        return knew is None or (not is_vague(knew) and apart_mm(die, knew) > FAR_MM)

    def not_there_before(self, strays: Sequence[DieSeen]) -> list[DieSeen]:
        """Dice without a name that did not lie there before: those were missed by name then, not now."""
        return [die for die in strays if not any(lies_at(old, die) for old in self.nameless)]

    def unseen(self, news: Collection[str], now: Mapping[str, DieSeen]) -> set[str]:
        """The dice among these news that were brought there while the eye was blind."""
        return {c for c in news if self._came_unseen(now[c])}

    def _came_unseen(self, die: DieSeen) -> bool:
        """Whether a die that is news was brought there, by hand or throw, while the eye was blind."""
        knew = self.known.get(die.colour or "")
        turned = knew is not None and None not in (die.face, knew.face) and die.face != knew.face
        brought = turned or die.colour in self.in_hand or self.lies_far(die)
        return die.unseen and die.where == "field" and brought

    def laid_anew(self, die: DieSeen) -> bool:
        """Whether a hand laid a bet since the last rest: its player may have thrown that die before."""
        lay = self.lay.get(die.colour or "")
        return die.where.startswith("bet") and (lay is None or lay.where != die.where)

    def still_hidden(self, seen: ThrowSeen, now: Mapping[str, DieSeen]) -> frozenset[str]:
        """Colours that may lie where the eye cannot see: not found since, or lost from view just there."""
        if not seen.hiding_mm:
            return frozenset()
        gone = {c for c, die in self.lay.items() if c not in now and in_one(die, seen.hiding_mm)}
        return (self.hidden | gone) - set(now)
