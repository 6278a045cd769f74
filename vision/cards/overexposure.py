"""Cards washed out by a lamp or the exposure: haze is removed before a face is sought.

Where white paper burns out, ink is lifted far beyond the veil that the fit of light allows, and burnt paper
carries no more information. Burnt paper is held at the level at which it burns, haze is subtracted, and the
picture is read again. A lamp's image in the card is a haze that varies: it lifts paper and ink alike.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.parameters import FACE
from vision.cards.reading import NOTHING, Reading
from vision.cards.recognition import Faces
from vision.imgproc.small_change import largest
from vision.sightings import Picture

_BURNT = 252
"""Step of 255 from which a channel counts as burnt out."""
_HELD = 250
"""Step to which burnt paper is lowered."""
_BURNT_SHARE = 0.08
"""Least burnt share of a card for hazes to be tried: time against bleached corners."""
_HAZES = (60, 110)
"""Steps of 255 tried as an even haze."""
_SPOT_HAZE = 100
"""Steps of 255 tried as haze after evening the paper; chosen on overexposed photographs; print confirms."""
_INK_PX = 25
"""Width of the closing, wider than any stroke of ink on a face of 80 x 120 pixels."""
_SMOOTH_PX = 8.0
"""Blur of the paper's light, in pixels of a face: lamps' images have soft rims."""


def read_washed(
    faces: Faces,
    crop: Picture,
    visible: NDArray[np.bool_] | None = None,
    fairly: bool = False,
    least: float = -np.inf,
) -> Reading:
    """As `Faces.read`; a washed-out card (120, 80, 3) is read through several hazes; the likeliest counts.

    A picture is not read if no face explains the share `least` of its ink at first glance.
    """

    def read(picture: Picture) -> Reading:
        glimpse = faces.glimpse(picture, visible)
        return faces.name(glimpse, fairly) if glimpse.likeness >= least else NOTHING

    plain = read(crop)
    if plain.likeness >= FACE.clear_likeness and plain.margin >= FACE.covered_margin:
        return plain
    readings = [read(clear) for clear in _cleared(crop, visible)]
    return max([plain, *readings], key=lambda reading: reading.likeness)


def glance_washed(faces: Faces, crop: Picture, visible: NDArray[np.bool_] | None = None) -> float:
    """As `Faces.glance`, through the haze that shows most."""
    plain = faces.glance(crop, visible)
    if plain >= FACE.clear_likeness:
        return plain
    return max([plain, *(faces.glance(clear, visible) for clear in _cleared(crop, visible))])


def _cleared(crop: Picture, visible: NDArray[np.bool_] | None) -> list[Picture]:
    """The card with haze removed in several ways; none if too little is burnt."""
    burnt = largest(crop) >= _BURNT
    if float(burnt.mean() if visible is None else burnt[visible].mean()) < _BURNT_SHARE:
        return []
    held = np.minimum(crop, _HELD).astype(np.float32)
    return [_picture(held - haze) for haze in _HAZES] + [_picture(_even(crop) - _SPOT_HAZE)]


def _even(crop: Picture) -> NDArray[np.float32]:
    """The card without what lifts its paper above the darkest of it."""
    seen = crop.astype(np.float32)
    height, width = crop.shape[:2]
    # Paper brightens slowly: half the size is enough, and its closing costs a tenth.
    half = cv2.resize(
        cv2.GaussianBlur(seen, (0, 0), 1.2), (width // 2, height // 2), interpolation=cv2.INTER_AREA
    )
    rim = _INK_PX // 2
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim | 1, rim | 1))
    padded = cv2.copyMakeBorder(half, rim, rim, rim, rim, cv2.BORDER_REFLECT_101)
    paper = cv2.GaussianBlur(cv2.morphologyEx(padded, cv2.MORPH_CLOSE, wide), (0, 0), _SMOOTH_PX / 2)
    paper = cv2.resize(paper[rim:-rim, rim:-rim], (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(seen - (paper - np.percentile(paper, 10, axis=(0, 1))), np.float32)


def _picture(values: NDArray[np.float32]) -> Picture:
    return np.clip(values, 0, 255).astype(np.uint8)
