"""Finds that hold a smaller card at a different pose in each: a sheet was moved along under the card.

What is printed on a card is parallel to its edges, even where the panel stands higher on some of the cards or
the deck was cut by hand; a card on a sheet of paper or on a box's lid lies elsewhere each time, and turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Float64
from vision.cards.lone import SOME
from vision.cards.one_place import SAME_SIZE, usual_size
from vision.cards.outline import sides_of
from vision.cards.quads import quads_in
from vision.geometry import flatten_px
from vision.sightings import Picture

_LOOKED_AT = 12
"""Number of finds that are examined: time against a sheet under some of the cards."""
_SEEN_PX = 160.0
"""Short side, in pixels, at which a find is examined: time against faint rims of the card in it."""
_LEAST_SCORE = 0.3
"""Least score of an outline within a find: cards found against print that looks like one."""
_LEAST_SHORT = 0.4
"""Least short side of the smaller outline over that of the find: cards against pips and figures."""
_MOST_AREA = 0.8
"""Largest share of the find's area: a card's own rim, or a ring that JPEG draws, holds .84 and more."""
_SHARE = 0.5
"""Share of the finds that must hold an outline of one size: figures differ from card to card."""
_WANDERS = 0.03
"""Least median distance from the usual place, over its short side: print off a cut by hand .016."""
_TURNS_DEG = 1.0
"""Least spread of the turns: print is parallel to the edges, by hand within half a degree."""


@dataclass(frozen=True, slots=True)
class _Inner:
    """A smaller outline in a find: its sides, and its middle off the find's, over the find's short side."""

    score: float
    sides: Float64
    middle: Float64
    turn: complex
    """The mean direction of its four sides, times four, so that a quarter turn does not count."""


def hold_cards(pictures: Sequence[Picture], finds: Sequence[Float64]) -> bool:
    """Whether the finds (4, 2), one in each picture, hold a smaller card at a different pose in each."""
    if len(finds) < SOME:
        return False
    some = range(0, len(finds), -(-len(finds) // _LOOKED_AT))
    inner = [_inner(pictures[at], finds[at]) for at in some]
    usual = usual_size([each.sides for found in inner for each in found])
    if usual is None:
        return False
    alike = [[each for each in found if np.abs(each.sides / usual - 1).max() < SAME_SIZE] for found in inner]
    best = [max(each, key=lambda one: one.score) for each in alike if each]
    if len(best) < max(SOME, _SHARE * len(inner)):
        return False
    off = np.linalg.norm(_one_way_up(np.array([each.middle for each in best])), axis=1)
    return float(np.median(off)) > _WANDERS and _spread_deg([each.turn for each in best]) > _TURNS_DEG


def _inner(picture: Picture, find: Float64) -> list[_Inner]:
    """The smaller outlines in a find."""
    sides = sides_of(find)
    width, height = (max(1, round(side * min(1.0, _SEEN_PX / sides[0]))) for side in sides)
    face = flatten_px(picture, find, (width, height))
    centre = (np.array([width, height]) - 1) / 2
    inner = []
    for score, quad in quads_in(face):
        own = sides_of(quad)
        small = cv2.contourArea(quad.astype(np.float32)) < _MOST_AREA * width * height
        if score > _LEAST_SCORE and small and own[0] > _LEAST_SHORT * width:
            edges = np.roll(quad, -1, axis=0) - quad
            turn = complex(np.mean(np.exp(4j * np.arctan2(edges[:, 1], edges[:, 0]))))
            inner.append(_Inner(score, own / width, (quad.mean(axis=0) - centre) / width, turn))
    return inner


def _spread_deg(turns: Sequence[complex]) -> float:
    """The median distance of the turns from the usual one, in degrees."""
    off = np.angle(np.array(turns) / np.mean(turns)) / 4
    return float(np.degrees(np.median(np.abs(off))))


def _one_way_up(middles: Float64) -> Float64:
    """Offset of each middle (n, 2) from the usual one; cards lie either way up, so some are turned."""
    turned = np.linalg.norm(middles - middles[0], axis=1) > np.linalg.norm(middles + middles[0], axis=1)
    upright = np.where(turned[:, None], -middles, middles)
    return np.asarray(upright - np.median(upright, axis=0), np.float64)
