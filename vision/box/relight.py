"""Dice half in a hard shadow: the shadow is taken off, one enrolled colour at a time.

Paint gives back the same mixture of light in sun and shade, only less of it. Where a cut-out holds one die's
paint at two levels, the darker part is brought up to the lighter; a die all in shade or all in light is left
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.colour import PAPER, Vector, to_linear
from vision.dice.pips import EDGE_PX, Lab
from vision.sightings import Picture

_ALIKE = 0.25
"""Share of its light by which a pixel may differ from a paint's mixture."""
_LIT, _SHADE = (0.62, 1.6), (0.1, 0.6)
"""Light over that of enrolment: in the open, in shade."""
_PART = 0.12
"""Share of a die's face that must lie in each."""
_LINEAR = (((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4).astype(np.float32)
_LINEAR[:11] = np.arange(11) / 255 / 12.92


def relit(cut: Picture, white: Lab | None, bodies: Mapping[str, Vector]) -> Iterator[tuple[str, Picture]]:
    """Colours whose paint `cut` (h, w, 3) BGR shows in light and in shade, with the shade taken off.

    `bodies` are CIELAB in white light, `white` the paper's CIELAB in this picture.
    """
    linear = np.asarray(_LINEAR[cut])
    paper = to_linear(white) / PAPER if white is not None else np.ones(3)
    seen = linear / paper.astype(np.float32)
    strength = np.linalg.norm(seen, axis=2) + 1e-6
    least = _PART * EDGE_PX**2
    for colour, body in bodies.items():
        paint = to_linear(body).astype(np.float32)
        light = seen @ paint / float(paint @ paint)
        alike = np.linalg.norm(seen - light[..., None] * paint, axis=2) < _ALIKE * strength
        lit = alike & (light > _LIT[0]) & (light < _LIT[1])
        shade = alike & (light > _SHADE[0]) & (light < _SHADE[1])
        if lit.sum() < least or shade.sum() < least:
            continue
        level = float(np.median(light[lit]))
        lift = level / float(np.median(light[shade]))
        yield colour, _lifted(linear, _closed(shade) & ~lit, lift)


def _closed(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask without the thin rims of what is lit, and with the holes filled that pips leave in it."""
    thin, pip = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(share * EDGE_PX) | 1,) * 2)
        for share in (0.11, 0.24)
    )
    thick = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, thin)
    return np.asarray(cv2.morphologyEx(thick, cv2.MORPH_CLOSE, pip) > 0)


def _lifted(linear: NDArray[np.float32], where: NDArray[np.bool_], lift: float) -> Picture:
    """The picture with more light in one part, back in BGR 0..255."""
    more = np.where(where[..., None], linear * lift, linear).clip(0.0, 1.0)
    return np.asarray(
        np.where(more < 0.0031308, more * 12.92, 1.055 * more ** (1 / 2.4) - 0.055) * 255 + 0.5
    ).astype(np.uint8)
