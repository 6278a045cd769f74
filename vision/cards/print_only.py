"""Cards that all lay at exactly one place: only their print changed, which is less than the whole card.

`cards` are the outlines (4, 2) that were found, by picture number; `places` is how the pictures lie
over one another (see `views`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Float64
from vision.cards.outline import sides_of
from vision.cards.quads import quads_in
from vision.sightings import Picture

_LOOKED_AT = 3
_RIM_SCORE = 0.5
_WIDER = (1.12, 2.2)
"""Limits of a card's area over that of its printed frame."""
_HAIR = 0.02
"""Share of a card's short side up to which a thing counts as lying at the same place."""
_SURELY = 2.0
"""Factor of that distance above which a card surely moved; in between it is undecided."""


def only_print_changed(
    pictures: Sequence[Picture], places: Sequence[Float64 | None], cards: Mapping[int, Float64]
) -> bool:
    """Whether the cards lay at exactly one place, so that nothing but their print changed.

    The change then lies in something shaped like a card that is not much larger than the change and moves
    with it. A square of the cloth stands still while cards are laid into it.
    """
    some = sorted(cards)[:: max(1, len(cards) // _LOOKED_AT)][:_LOOKED_AT]
    looks = []
    for number in some:
        card = cards[number]
        place = places[number]
        if place is None:
            continue
        rims = [_on_ground(rim, place) for rim in _rims_round(pictures[number], card)]
        if rims:
            looks.append((_on_ground(card, place), rims))
    if len(looks) <= len(some) / 2:
        return False
    return not any(_stay(*one, *other) for one, other in combinations(looks, 2))


def _stay(card: Float64, rims: Sequence[Float64], card_there: Float64, rims_there: Sequence[Float64]) -> bool:
    """Whether, when a card moved, a rim round it stayed where it was, or no rim moved with it."""
    hair, moved = _HAIR * float(sides_of(card)[0]), _farthest(card, card_there)
    pairs = [(rim, there) for rim in rims for there in rims_there]
    if any(_farthest(rim, there) < hair < moved for rim, there in pairs):
        return True
    # In noise a square of the cloth is not found exactly where it was.
    off = min(_farthest(rim - card, there - card_there) for rim, there in pairs)
    return moved > _SURELY * hair and off > moved / 2


def _rims_round(picture: Picture, card: Float64) -> list[Float64]:
    """Outlines (4, 2) in a picture that contain a card and are not much larger."""
    least = cv2.contourArea(card.astype(np.float32))
    rims = []
    for score, quad in quads_in(picture):
        outer = quad.astype(np.float32)
        if score < _RIM_SCORE or not _WIDER[0] < cv2.contourArea(outer) / least < _WIDER[1]:
            continue
        if all(cv2.pointPolygonTest(outer, (float(x), float(y)), True) > -1.0 for x, y in card):
            rims.append(quad)
    return rims


def _on_ground(corners: Float64, place: Float64) -> Float64:
    """Convert corners (4, 2) of one picture to the pixels common to all."""
    at = corners.reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(at, np.linalg.inv(place)), np.float64).reshape(-1, 2)


def _farthest(one: Float64, other: Float64) -> float:
    """Largest move of a corner along an axis."""
    return float(np.abs(one - other).max())
