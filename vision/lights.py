"""A small light that went on: where it is in the picture and what colour it has.

It is found as the difference between a picture with the light on and those before and after, with it off. The
light must exceed what has changed between those two by itself (daylight, a hand).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Picture

_BLUR_PX = 1.5
_LEAST = 8.0
"""Least grey levels that a light adds to its brightest pixel, after the blur."""
_OVER_UNREST = 2.0
"""Factor by which a light must exceed the changes that the picture shows by itself."""
_OF_THE_LIGHT = 1 / 8
"""Share of the brightest pixel's gain above which a pixel counts towards the light's colour."""
_SECOND = 0.3
"""Brightness of a second light, as a share of the first, from which on it is unclear which one was switched
on. On white ground a lamp adds a third of what it adds on dark ground."""
_NEAR = 6.0
"""Radius of a light's own glow, in radii of its bright spot."""
_FULL = 245
"""Grey level from which on a channel is saturated: every lamp is white in its middle."""
_CLEAR = 1.5
"""Least ratio of the strongest channel to the next one for a colour to be named."""


@dataclass(frozen=True, slots=True)
class Glow:
    """A light that went on: `center_px` (x, y); `channel` 0 blue, 1 green, 2 red, None if none clearly leads;
    `alone` is False when another place gained so much that it may be the light instead."""

    center_px: tuple[float, float]
    channel: int | None
    alone: bool


def find_glow(before: Picture, lit: Picture, after: Picture) -> Glow | None:
    """Find the light that is on in `lit` and off in the two others; None where nothing stands out.

    Pictures are (h, w, 3) BGR uint8, of a camera that did not move.
    """
    gain = _blurred(cv2.subtract(lit, np.maximum(before, after)))
    unrest = _brightest(_blurred(cv2.absdiff(before, after)))
    strength = _brightest(gain)
    top = float(strength.max())
    y, x = np.unravel_index(int(strength.argmax()), strength.shape)
    restless = max(float(np.percentile(unrest[::4, ::4], 99.9)), float(unrest[y, x]))
    if top < max(_LEAST, _OVER_UNREST * restless):
        return None
    _, labels = cv2.connectedComponents((strength > top / 2).astype(np.uint8))
    spot = labels == labels[y, x]
    ys, xs = np.nonzero(spot)
    weight = strength[spot].astype(np.float64)
    center = (float(np.average(xs, weights=weight)), float(np.average(ys, weights=weight)))
    reach = _NEAR * max(2.0, float(np.sqrt(len(xs) / np.pi)))
    far = np.ones(strength.shape, np.uint8)
    cv2.circle(far, (round(center[0]), round(center[1])), round(reach), 0, -1)
    alone = float(strength[far == 1].max(initial=0)) < _SECOND * top
    return Glow(center, _leading(gain, lit, (far == 0) & (strength > top * _OF_THE_LIGHT)), alone)


def _blurred(difference: NDArray[Any]) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(difference, (0, 0), _BLUR_PX), np.uint8)


def _brightest(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The largest of the channels (h, w); `max(axis=2)` takes ten times as long."""
    return np.asarray(cv2.max(cv2.max(picture[..., 0], picture[..., 1]), picture[..., 2]), np.uint8)


def _leading(gain: NDArray[np.uint8], lit: Picture, glow: NDArray[Any]) -> int | None:
    shown = glow & (_brightest(lit) < _FULL)
    if not shown.any():
        return None
    sums = gain[shown].sum(axis=0, dtype=np.int64)
    second, first = np.argsort(sums)[-2:]
    return int(first) if sums[first] > _CLEAR * sums[second] else None
