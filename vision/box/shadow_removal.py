"""Removes hard shadows that fall on part of a die, one enrolled colour at a time.

Paint reflects the same mixture of colours in sun and shade, only less of it. Where a cut-out shows one die's
paint at two levels, the part in less or more light than usual is scaled to the level of the other. A die
completely in shade or completely in light stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box.shadow_parameters import SHADOW
from vision.dice.colour import PAPER, Vector, to_linear
from vision.dice.pips import EDGE_PX, Lab
from vision.imgproc.srgb import LIGHT, from_light
from vision.sightings import Picture

_DARK = 1e-3
"""Lower bound of a channel's light in a division: a darker one is unreliable."""


def relit(cut: Picture, white: Lab | None, bodies: Mapping[str, Vector]) -> Iterator[tuple[str, Picture]]:
    """Yield each colour whose paint `cut` (h, w, 3) BGR shows at two light levels, and the cut-out at one.

    It comes twice: with a gain that fades across the shadow's rim, and with one constant gain. `bodies` are
    CIELAB in white light, `white` the paper's CIELAB at that place.
    """
    linear = np.asarray(LIGHT[cut])
    paper = to_linear(white) / PAPER if white is not None else np.ones(3)
    seen = linear / paper.astype(np.float32)
    strength = np.linalg.norm(seen, axis=2) + 1e-6
    least = SHADOW.part * EDGE_PX**2
    for colour, body in bodies.items():
        paint = to_linear(body).astype(np.float32)
        light = np.asarray(seen @ paint / float(paint @ paint), np.float32)
        alike = np.linalg.norm(seen - light[..., None] * paint, axis=2) < SHADOW.alike * strength
        usual = _between(light, (SHADOW.usual_from, SHADOW.usual_to)) & alike
        if usual.sum() < least:
            continue
        shade, sun = (SHADOW.shade_from, SHADOW.shade_to), (SHADOW.sun_from, SHADOW.sun_to)
        for bounds in (shade, sun):
            other = _between(light, bounds) & alike
            if other.sum() < least:
                continue
            part = _closed(other) & ~usual
            level = float(np.median(light[usual]))
            change = level / float(np.median(light[other]))
            tint = np.median(linear[usual], axis=0) / (np.median(linear[other], axis=0) * change + _DARK)
            tint = tint.clip(1 / SHADOW.tint, SHADOW.tint)
            # A shadow's rim is soft: half lit, it needs only the gain that it lacks. A drawing that is wide
            # where the rim crosses it hides how much that is.
            lacks = np.clip(level / _even(light), min(1.0, change), max(1.0, change))
            for gain in (lacks[..., None], np.float32(change)):
                yield colour, _lit(linear, part, gain * tint)


def _between(light: NDArray[np.float32], bounds: tuple[float, float]) -> NDArray[np.bool_]:
    return (light > bounds[0]) & (light < bounds[1])


def _closed(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Remove thin rims of the other part from the mask, and add what is drawn on the top within it.

    Shadows have straight rims, so the part of a top in one light is convex except where something is drawn.
    """
    thin, pip = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(share * EDGE_PX) | 1,) * 2)
        for share in (SHADOW.rim, SHADOW.drawn)
    )
    thick = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, thin)
    closed = cv2.morphologyEx(thick, cv2.MORPH_CLOSE, pip)
    for outline in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        if max(cv2.boundingRect(outline)[2:]) < SHADOW.top * EDGE_PX:
            cv2.fillConvexPoly(closed, cv2.convexHull(outline), 1)
    return np.asarray(closed > 0)


def _even(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Remove pips and strokes, dark or light, from the light (h, w); the rim of a shadow stays in place."""
    pip = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(SHADOW.pip * EDGE_PX) | 1,) * 2)
    without = cv2.morphologyEx(cv2.morphologyEx(light, cv2.MORPH_CLOSE, pip), cv2.MORPH_OPEN, pip)
    return np.maximum(np.asarray(without, np.float32), np.float32(_DARK))


def _lit(linear: NDArray[np.float32], where: NDArray[np.bool_], gain: NDArray[np.float32]) -> Picture:
    """Multiply the light in one part by `gain` (h, w, 3) or (3,), and convert it back to BGR 0..255."""
    return from_light(np.where(where[..., None], linear * gain, linear))
