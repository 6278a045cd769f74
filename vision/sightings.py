"""What the eye reports: facts in millimetres and seconds, never a rule.

`t` is the time of the frame in which the fact was decided, in seconds since the first frame.
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
"""Confidence given to the reading of a die once part of it is in doubt."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One possible name with its confidence, 0..1."""

    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand was over the table from `t` to `until`; `seat` is inferred from its entry, None if unclear."""

    t: float
    until: float
    seat: str | None


@dataclass(frozen=True, slots=True)
class CardDown:
    """A card came to rest. `guesses`: best first; `sure`: the first of them is reliable.

    `zone` is the seat whose zone holds the card's centre, `hand` the seat whose hand brought it.
    `corners_mm` run clockwise or counter-clockwise round the card; `crop` is the rectified card.
    `at_start`: it already lay there when the eye first saw the table. `after_gap`: it came while the eye was
    blind, so neither the hand nor the order of several cards is known.
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
    """A card reported earlier was taken back within the settling window, or turned out not to be a card."""

    t: float
    key: int


@dataclass(frozen=True, slots=True)
class CardsGone:
    """Cards left the table together; `hand` is the seat whose hand took them, None if unclear.

    `after_gap`: they went while the eye was blind. `may_be`: the candidate seats where `hand` is unclear.
    """

    t: float
    keys: tuple[int, ...]
    hand: str | None
    after_gap: bool = False
    may_be: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsTouched:
    """A hand lay on played cards and withdrew without taking them."""

    t: float
    keys: tuple[int, ...]
    hand: str | None


@dataclass(frozen=True, slots=True)
class DieDown:
    """A die came to rest or shows another face.

    `colour` and `value` are None where unsure, `spot` where it lies on no spot. `at_start`: it was there when
    its spot was first seen. `after_gap`: it came, or was turned, while the eye was blind.
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

    `unseen`: it landed there while the eye was blind, so whether it was thrown is unknown. `edge_mm`: the
    approximate length of its edge, only for a die larger than the table's; nothing about such a die is sure.
    `edge_px`: the same for a picture without a table.
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
        """Return the die with `what` in doubt: its `colour`, its `face`, or whether it is `cocked`."""
        doubt = tuple(dict.fromkeys((*self.doubt, what)))
        guess = (Guess(f"{self.colour}-{self.face}", _DOUBTED),)
        return replace(self, doubt=doubt, candidates=self.candidates or guess)


@dataclass(frozen=True, slots=True)
class ThrowSeen:
    """All dice are still and no hand is in the box.

    `rolled`: something moved by itself since the dice were last still, as thrown dice do. `rest_s`: how long
    everything has been still; a box is reported early in each rest, and once or twice more later in it.
    `hiding_mm`: rectangles (x0, y0, x1, y1) of the floor in which a die may lie unseen: a burnt-out
    reflection, or anything that is not print. `hiding_bets`: letters of the bet tiles that reach beyond the
    picture's edge, where a die may lie unseen. `reached_bets`: those of `hiding_bets` that a hand has reached
    since the previous rest. `gap_s`: how long the eye was blind since the previous rest; `rolled` covers only
    what the eye saw.
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
    """The picture has too little light, or too much glare, to name cards."""

    t: float
    why: str
    measured: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LightFine:
    """Light that was poor is good enough again."""

    t: float


@dataclass(frozen=True, slots=True)
class SightLost:
    """The picture as a whole has not shown the table since `since`; reported once, at `t`.

    `why`: covered, dark, frozen, moved, gone (events.md#blind-times). Nothing is reported until `SightBack`.
    """

    t: float
    since: float
    why: str


@dataclass(frozen=True, slots=True)
class SightBack:
    """The table is seen again at `t`, after a blind time that began at `since`. `why` as in `SightLost`.

    Changes made in the meantime are reported with `after_gap`: how they came about was not seen.
    """

    t: float
    since: float
    why: str


@dataclass(frozen=True, slots=True)
class FieldCovered:
    """Something large has covered cards since shortly before `t`; a card played under it is not seen."""

    t: float


@dataclass(frozen=True, slots=True)
class FieldClear:
    """Nothing covers the cards any more. What changed under the cover is reported with `after_gap`."""

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
