"""One card that lies on the table, as the eye remembers it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Mask
from vision.cards.found import FoundCard
from vision.imgproc.change_detection import Coarse


@dataclass(slots=True, eq=False)
class TrackedCard:
    """One card: its coarse mask `place`, its uncovered part `visible`, the hand and seat that laid it.

    `light` is how its place looked when it was laid; `stirred`: its place changed while nothing was seen, and
    it has not been seen there since; `gone_t`: when its place was seen empty; `takers`: the hands that were
    there then; `unseen`: it left, or may have left, while nothing was seen.
    """

    key: int
    t: float
    found: FoundCard
    place: Mask
    visible: Mask
    hand: int | None
    seat: str | None
    light: Coarse
    stirred: bool = False
    gone_t: float | None = None
    takers: frozenset[int] = frozenset()
    unseen: bool = False

    def stay(self) -> None:
        """Note that the card only seemed to have gone."""
        self.gone_t, self.takers, self.unseen = None, frozenset(), False


def way_and_turn(before: FoundCard, after: FoundCard) -> tuple[float, float]:
    """How far a card lies from its former place: distance in millimetres, turn in degrees (0..90)."""
    way = after.corners_mm.mean(axis=0) - before.corners_mm.mean(axis=0)
    a, b = (np.arctan2(*(found.corners_mm[1] - found.corners_mm[0])[::-1]) for found in (before, after))
    turn = abs((np.rad2deg(b - a) + 90) % 180 - 90)
    return float(np.linalg.norm(way)), float(turn)
