"""Veiling glare: stray light over a whole picture, which pales every colour and turns red paint brown.

Haze on a cheap lens, a lamp that shines into it, or a picture whose black is stored as dark grey adds the
same light everywhere. The black of the tags shows how much: printed black itself reflects little.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vision.dice.colour import Vector, from_linear, to_linear
from vision.dice.parameters import COLOUR
from vision.dice.pips import to_lab
from vision.geometry import Registration
from vision.layout import Layout
from vision.sightings import Picture
from vision.tags import tag_corners_mm

_MODULE = 1 / 6
"""Half the width of a tag's black border, as a share of half its side."""
_STEPS = np.linspace(0.0, 1.0, 5)[:-1, None]
_DARK = 20
"""Percentile of a tag's black pixels taken as its black: pixels beside its white hold some of the white."""


def veiling_glare(
    picture: Picture, registration: Registration, layout: Layout, white: ArrayLike | None
) -> Vector | None:
    """Measure stray light in linear BGR 0..1, shape (3,); `white` is the CIELAB colour of the tags' paper.

    None where no tag is seen, or something lies on the tags. The darkest of several tags counts, because a
    lamp may shine on the others.
    """
    if white is None:
        return None
    height, width = picture.shape[:2]
    blacks = []
    for tag in layout.tags:
        if tag.id not in registration.tags:
            continue
        corners = np.asarray(tag.center_mm) + (tag_corners_mm(tag) - np.asarray(tag.center_mm)) * (
            1 - _MODULE
        )
        sides = corners + _STEPS[:, None] * (np.roll(corners, -1, axis=0) - corners)
        at = np.rint(registration.to_px(sides.reshape(-1, 3))).astype(int)
        at = at[((at >= 0) & (at < (width, height))).all(axis=1)]
        if len(at):
            blacks.append(np.percentile(picture[at[:, 1], at[:, 0]], _DARK, axis=0))
    if not blacks:
        return None
    black = min(blacks, key=lambda seen: float(seen.sum())).round().astype(np.uint8)
    seen, paper = to_linear(to_lab(black.reshape(1, 1, 3))[0, 0]), to_linear(white)
    stray = np.maximum(seen - COLOUR.black_ink * paper, 0.0)
    # Black nearly as bright as paper is not the tags' own: something lies on them.
    return stray if bool((stray < COLOUR.most_glare * paper).all()) else None


def without(body: ArrayLike, glare: Vector | None) -> Vector:
    """Remove stray light from a CIELAB colour; unchanged where `glare` is None."""
    if glare is None:
        return np.asarray(body, np.float64)
    return from_linear(np.maximum(to_linear(body) - glare, 0.0))
