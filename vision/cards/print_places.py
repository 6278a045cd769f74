"""Rectangles round print: on ground of its own colour a card has no outline, but its print shows.

The size of a card on a registered table is known, so a few points of a face show where it lies (see
`prints`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Mask
from vision.cards.deck import Deck
from vision.cards.recognition import FACE_PX
from vision.cards.rectangle import Box, EdgeImage, fit_box
from vision.rectified import Plan
from vision.sightings import Picture

_MOST = 12
_FIT_PX = 1.5
_BESIDE_PX = 3
"""Distance from what is unlike the ground within which print is sought: a pip may be as dark as the table."""


@dataclass(frozen=True, slots=True)
class DrawnPlan:
    """A picture (h, w, 3) BGR, the plan of its table, and the plan's edges in grey."""

    picture: Picture
    plan: Plan
    image: EdgeImage


def boxes_by_print(drawn: DrawnPlan, card_mm: tuple[float, float], deck: Deck, where: Mask) -> list[Box]:
    """Up to 12 rectangles, in pixels of the plan, in which faces of the deck seem to lie; most votes first.

    Only what lies within `where`, a mask of the plan, is searched. Edges rate how well an outline fits there
    and move nothing: they may be another card's, or a seam's.
    """
    plan = drawn.plan
    x, y = plan.half_mm
    sharp = Plan(plan.registration, (2 * x, 2 * y), card_mm[0] / FACE_PX[0], 0.0)
    near = cv2.dilate(where.astype(np.uint8), np.ones((2 * _BESIDE_PX + 1,) * 2, np.uint8))
    finer = cv2.resize(near, (sharp.width, sharp.height), interpolation=cv2.INTER_NEAREST) > 0
    found = []
    for at, angle in deck.prints.places(sharp.draw(drawn.picture), finer, _MOST):
        column, row = plan.to_px(sharp.to_mm([at]))[0]
        middle = float(column), float(row)
        size = card_mm[0] / plan.mm_per_px, card_mm[1] / plan.mm_per_px
        box = fit_box(drawn.image, middle, angle, size, _FIT_PX)
        found.append(replace(box, middle=middle, angle=angle))
    return found


def unlike_ground(top: Picture) -> Mask:
    """Where a top view (h, w, 3) BGR is not bare: where its colour differs from the median (Otsu)."""
    lab = np.asarray(cv2.cvtColor(top, cv2.COLOR_BGR2Lab), np.float32)
    seen = top.max(axis=2) > 0  # beyond the picture's rim the plan is black
    ground = np.median(lab[seen], axis=0) if seen.any() else np.zeros(3, np.float32)
    apart = np.linalg.norm(lab - ground, axis=2).clip(0, 255).astype(np.uint8)
    return np.asarray(cv2.threshold(apart, 0, 1, cv2.THRESH_OTSU)[1] > 0)
