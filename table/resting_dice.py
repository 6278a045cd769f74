"""Compares readings of dice at rest: where each lies, whether two are of one die, which dice moved."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

from table.hindsight import FAR_MM, MOVED_MM
from vision.sightings import DieSeen, ThrowSeen

IN_BOX = ("field", "hole")
"""Places in the box where a thrown die may lie."""
_TURNED_DEG = 4.0
"""Rotation from which on a die was moved; in the fog of our odd films the yaw varies by 0.3."""


def apart_mm(one: DieSeen, two: DieSeen) -> float:
    """Distance between two readings of a die; readings in different places (tile, hole) are far apart."""
    if one.where != two.where:
        return 10 * FAR_MM
    (x, y), (a, b) = one.center_mm, two.center_mm
    return hypot(x - a, y - b)


def is_vague(die: DieSeen) -> bool:
    """Whether a die on the field was not read, so that its position is rough, or it may be no die."""
    return die.where == "field" and die.face is None and die.margin_mm is None


def lies_at(one: DieSeen, two: DieSeen) -> bool:
    """Whether two nameless readings are of one die that lay still."""
    return apart_mm(one, two) < FAR_MM


def lies_alike(one: DieSeen, two: DieSeen) -> bool:
    """Whether two readings are of one untouched die, whatever colour they give it."""
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
    """What is known of the dice once all lie still. Dice are named by their colours."""

    lay: Mapping[str, DieSeen] = field(default_factory=dict)
    """The named dice in view."""
    nameless: tuple[DieSeen, ...] = ()
    """The nameless dice in view."""
    known: Mapping[str, DieSeen] = field(default_factory=dict)
    """Every die as it was last seen, up to this rest."""
    in_hand: frozenset[str] = frozenset()
    """The dice that were out of view at some rest since the last throw."""
    hidden: frozenset[str] = frozenset()
    """The dice that may have lain unseen in the box since they were lost from view."""

    def followed_by(
        self, lay: Mapping[str, DieSeen], nameless: Sequence[DieSeen], hidden: frozenset[str]
    ) -> DiceRest:
        """The next rest, before it is interpreted."""
        return DiceRest(lay, tuple(nameless), {**self.known, **lay}, self.in_hand, hidden)

    def stirred(self, now: Mapping[str, DieSeen]) -> bool:
        """Whether a die that lay in view at this rest lies elsewhere, or is gone."""
        return any(c not in now or apart_mm(now[c], die) > MOVED_MM for c, die in self.lay.items())

    def as_thrown(self) -> DiceRest:
        """This rest as the end of a throw: no die that lies here is in anybody's hand."""
        return replace(self, in_hand=self.in_hand - set(self.lay))

    def two_thrown(self, news: Collection[str], now: Mapping[str, DieSeen]) -> set[str]:
        """The players' dice that came into the box, if one throw cannot have brought them all.

        Each was seen elsewhere at this rest, or was out of view since the last throw, so none lay where
        another might have hit it: a throw was missed, and nobody knows whose was the last. Empty where one
        throw may have brought them all.
        """
        came = {c for c in news if now[c].where in IN_BOX and "colour" not in now[c].doubt}
        elsewhere = {c for c, die in self.lay.items() if die.where not in IN_BOX}
        lay = set(self.lay) - elsewhere
        own = came & (elsewhere | self.in_hand) - lay - self.hidden
        return own if len(own) > 1 else set()

    def is_news(self, die: DieSeen) -> bool:
        """Whether a die has come to lie differently; laying a bet does not count.

        A die exactly where it was last seen was only overlooked in between.
        """
        knew = self.known.get(die.colour or "")
        if die.where.startswith("bet"):
            return False
        if any(apart_mm(old, die) < MOVED_MM for old in self.nameless):
            return False  # the die lay there before, and only its name is new
        if knew is None:
            return True
        if die.where == knew.where == "outside" and die.colour not in self.in_hand:
            return False  # the box was turned, not the table
        turned = None not in (die.face, knew.face) and die.face != knew.face
        return turned or apart_mm(die, knew) > MOVED_MM

    def is_renamed(self, seen: ThrowSeen, die: DieSeen, now: Mapping[str, DieSeen]) -> bool:
        """Whether a die lies exactly as one reported in another colour, which no longer lies there.

        Fog or a lamp had tinted it then. Never after a gap, in which another die may have taken its place.
        """
        if seen.gap_s or die.unseen:
            return False
        lay = {c: old for c, old in self.lay.items() if c != die.colour and lies_alike(old, die)}
        return any(c not in now or apart_mm(now[c], die) > MOVED_MM for c in lay)

    def lies_far(self, die: DieSeen) -> bool:
        """Whether a die lies so far from its last place that a hand or a throw must have moved it."""
        knew = self.known.get(die.colour or "")
        return knew is None or (not is_vague(knew) and apart_mm(die, knew) > FAR_MM)

    def not_there_before(self, strays: Sequence[DieSeen]) -> list[DieSeen]:
        """The strays that were not already among the nameless dice of this rest."""
        return [die for die in strays if not any(lies_at(old, die) for old in self.nameless)]

    def unseen(self, news: Collection[str], now: Mapping[str, DieSeen]) -> set[str]:
        """The dice among `news` that were moved while the eye was blind."""
        return {c for c in news if self._came_unseen(now[c])}

    def _came_unseen(self, die: DieSeen) -> bool:
        """Whether a hand or a throw moved this die while the eye was blind."""
        knew = self.known.get(die.colour or "")
        turned = knew is not None and None not in (die.face, knew.face) and die.face != knew.face
        brought = turned or die.colour in self.in_hand or self.lies_far(die)
        return die.unseen and die.where == "field" and brought

    def laid_anew(self, die: DieSeen) -> bool:
        """Whether the die was laid as a bet since the last rest; its player may have thrown it before."""
        lay = self.lay.get(die.colour or "")
        return die.where.startswith("bet") and (lay is None or lay.where != die.where)

    def still_hidden(self, seen: ThrowSeen, now: Mapping[str, DieSeen]) -> frozenset[str]:
        """Colours that may lie where the eye cannot see: still not found, or lost from view just there."""
        if not seen.hiding_mm:
            return frozenset()
        gone = {c for c, die in self.lay.items() if c not in now and in_one(die, seen.hiding_mm)}
        return (self.hidden | gone) - set(now)
