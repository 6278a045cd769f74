"""What the eye reports: facts in millimetres and seconds, never a rule.

Times `t` are seconds from the first frame, of the frame on which the fact was decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.layout import Point

Picture = NDArray[np.uint8]
"""Shape (h, w, 3), BGR, 0..255."""

_DOUBTED = 0.5
"""Share of belief left to a die once something of it is no longer sure."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One possible name with its share of belief, 0..1."""

    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand was over the table from `t` until `until`; `seat` by where it came in, None if unclear."""

    t: float
    until: float
    seat: str | None


@dataclass(frozen=True, slots=True)
class CardDown:
    """A card came to rest. `guesses` best first; `sure` when the first may be believed.

    `zone` is the seat whose zone holds the card's middle, `hand` the seat whose hand brought it.
    `corners_mm` run clockwise or counter-clockwise round the card; `crop` is the flattened card.
    `at_start`: it already lay there when the eye first saw the table. `after_gap`: it came while nothing was
    seen, so that neither a hand nor the order of several is known.
    """

    t: float
    key: int
    guesses: tuple[Guess, ...]
    sure: bool
    corners_mm: tuple[Point, Point, Point, Point]
    zone: str | None
    hand: str | None
    crop: Picture | None = field(default=None, compare=False, repr=False)
    at_start: bool = False
    after_gap: bool = False


@dataclass(frozen=True, slots=True)
class CardWithdrawn:
    """A card reported before was taken back within the settling window, or was no card."""

    t: float
    key: int


@dataclass(frozen=True, slots=True)
class CardsGone:
    """Cards left the table together; `hand` is the seat whose hand took them, None if unclear.

    `after_gap`: they went while nothing was seen. `may_be`: if it is unclear, the seats it may have been.
    """

    t: float
    keys: tuple[int, ...]
    hand: str | None
    after_gap: bool = False
    may_be: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsTouched:
    """A hand lay on played cards and left again without taking them."""

    t: float
    keys: tuple[int, ...]
    hand: str | None


@dataclass(frozen=True, slots=True)
class DieDown:
    """A die came to rest or shows another face; `spot` where it lies on one; None = not sure.

    `at_start`: it stood there when its spot was first seen. `after_gap`: it came, or was turned,
    while nothing was seen.
    """

    t: float
    colour: str | None
    value: int | None
    spot: str | None
    center_mm: Point
    confidence: float
    candidates: tuple[Guess, ...] = ()
    crop: Picture | None = field(default=None, compare=False, repr=False)
    at_start: bool = False
    after_gap: bool = False


@dataclass(frozen=True, slots=True)
class DieGone:
    """A die left its spot."""

    t: float
    colour: str | None
    spot: str


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die of a throw, in the words of events.md#throws (`throw`).

    `unseen`: it came to lie there while the eye was blind; whether it was thrown nobody saw. `edge_mm`: about
    how long its edge is, where it is larger than the table's dice; then nothing is sure of it. `edge_px`: the
    same in a picture without a table.
    """

    colour: str | None
    face: str | None
    center_mm: Point
    yaw_deg: float
    where: str
    touches: tuple[str, ...] = ()
    counts_as: str | None = None
    margin_mm: float | None = None
    cocked: bool = False
    doubt: tuple[str, ...] = ()
    candidates: tuple[Guess, ...] = ()
    unseen: bool = False
    edge_mm: float | None = None
    edge_px: float | None = field(default=None, compare=False)

    def doubted(self, what: str) -> DieSeen:
        """The die, no longer sure of its `colour` or `face`, or of whether it is `cocked`."""
        doubt = tuple(dict.fromkeys((*self.doubt, what)))
        guess = (Guess(f"{self.colour}-{self.face}", _DOUBTED),)
        return replace(self, doubt=doubt, candidates=self.candidates or guess)


@dataclass(frozen=True, slots=True)
class ThrowSeen:
    """All dice are still and no hand is in the box.

    `rolled`: something moved by itself since the dice were last still, as thrown dice do. `rest_s`: how long
    all has been still; a box is told of early at each rest, and late once or twice. `hiding_mm`: rectangles
    (x0, y0, x1, y1) of the floor in which a die may lie unseen: a burnt-out reflection, anything not print.
    `hiding_bets`: letters of the bet tiles that reach over the picture's edge: a die may lie there unseen.
    `reached_bets`: those of them that a hand was at since the rest before this one.
    `gap_s`: how long the eye was blind since the rest before this one; `rolled` is what it saw itself.
    """

    t: float
    dice: tuple[DieSeen, ...]
    crop: Picture | None = field(default=None, compare=False, repr=False)
    rolled: bool = True
    rest_s: float = 0.0
    hiding_mm: tuple[tuple[float, float, float, float], ...] = ()
    gap_s: float = 0.0
    hiding_bets: tuple[str, ...] = ()
    reached_bets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LightPoor:
    """The picture no longer carries enough light (or too much glare) to name cards."""

    t: float
    why: str
    measured: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LightFine:
    """Light that was poor is good enough again."""

    t: float


@dataclass(frozen=True, slots=True)
class SightLost:
    """The picture as a whole has not been that of the table since `since`; told once at `t`.

    `why`: covered, dark, frozen, moved, gone (events.md#blind-times). Until `SightBack` nothing is told.
    """

    t: float
    since: float
    why: str


@dataclass(frozen=True, slots=True)
class SightBack:
    """The table is seen again at `t`; from `since` on it was not. `why` as in `SightLost`.

    Changes in the meantime that are told afterwards bear `after_gap`: nobody saw how they came about.
    """

    t: float
    since: float
    why: str


@dataclass(frozen=True, slots=True)
class FieldCovered:
    """Something large lies over cards since shortly before `t`: what is played under it is not seen."""

    t: float


@dataclass(frozen=True, slots=True)
class FieldClear:
    """Nothing lies over the cards any more. What changed under it is told with `after_gap`."""

    t: float


Sighting = (
    HandSeen
    | CardDown
    | CardWithdrawn
    | CardsGone
    | CardsTouched
    | DieDown
    | DieGone
    | ThrowSeen
    | LightPoor
    | LightFine
    | SightLost
    | SightBack
    | FieldCovered
    | FieldClear
)
