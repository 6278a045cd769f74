"""Colour names by appearance: blue, brown, yellow, green, red, black, white …

A die is named from its body's CIELAB colour after correction for the light, given by the white of the pips
or of the tags' paper. Where neither is known, the picture is taken as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.dice.parameters import COLOUR
from vision.sightings import Guess

Vector = NDArray[np.float64]

# Middle hue (degrees in the a*b* plane), chroma and lightness of painted dice under even white light.
_INKS: dict[str, tuple[float, float, float]] = {
    "red": (32, 65, 45),
    "orange": (60, 70, 65),
    "brown": (55, 30, 36),
    "yellow": (88, 72, 82),
    "green": (148, 48, 48),
    "blue": (285, 45, 38),
    "purple": (318, 45, 35),
    "pink": (355, 45, 65),
}
_GREYS = {"black": 12.0, "white": 92.0}
DIE_COLOURS: tuple[str, ...] = (*_INKS, *_GREYS)
"""Every colour name that a die may have."""


def name_colour(
    body: ArrayLike, white: ArrayLike | None = None, among: Collection[str] | None = None
) -> list[Guess]:
    """Name a CIELAB colour (L 0..100, a, b): guesses, best first, whose shares sum to 1.

    `among` limits the names: a game with six dice has no pink one. `white` is the CIELAB colour of something
    white in the same light, if there is any. Where even that is too dark, all names are equally likely: a
    yellow die in the dark looks like a brown one.
    """
    if white is not None and is_too_dark(white):
        return any_colour(among)
    light, a, b = in_white_light(np.asarray(body, np.float64), white)
    chroma, hue = float(np.hypot(a, b)), float(np.rad2deg(np.arctan2(b, a)) % 360)
    cost: dict[str, float] = {}
    for name, (ink_hue, ink_chroma, ink_light) in _INKS.items():
        turn = abs((hue - ink_hue + 180) % 360 - 180)
        # A dark or pale colour has a weak hue, so the angle counts as an arc at the colour's own chroma.
        arc = np.deg2rad(turn) * max(chroma, COLOUR.weak_chroma)
        cost[name] = float(
            (arc / COLOUR.hue_spread) ** 2
            + ((chroma - ink_chroma) / COLOUR.chroma_spread) ** 2
            + ((light - ink_light) / COLOUR.light_spread) ** 2
        )
    for name, grey in _GREYS.items():
        cost[name] = float((chroma / COLOUR.hue_spread) ** 2 + ((light - grey) / COLOUR.light_spread) ** 2)
    share = {
        name: float(np.exp(-min(c, 600.0) / 2)) + 1e-12
        for name, c in cost.items()
        if among is None or name in among
    }
    total = sum(share.values())
    return sorted((Guess(n, s / total) for n, s in share.items()), key=lambda g: -g.confidence)


def any_colour(among: Collection[str] | None = None) -> list[Guess]:
    """Equal shares for all names, where no colour can be seen."""
    names = sorted(among if among is not None else DIE_COLOURS)
    return [Guess(name, 1 / len(names)) for name in names]


def in_white_light(body: Vector, white: ArrayLike | None) -> Vector:
    """Correct a colour to a light in which `white` is truly white (von Kries, in linear light)."""
    if white is None:
        return body
    if is_too_dark(white):
        return body
    return from_linear(to_linear(body) / _linear(np.asarray(white, np.float32).tobytes()) * PAPER)


def is_too_dark(white: ArrayLike) -> bool:
    """Whether `white` is too dark in some channel to show the colour of the light."""
    return bool(_linear(np.asarray(white, np.float32).tobytes()).min() < COLOUR.least_white)


def in_light_of(body: Vector, white: ArrayLike | None) -> Vector:
    """Undo `in_white_light`: a colour known in white light as it looks where white looks like `white`."""
    if white is None:
        return body
    return from_linear(to_linear(body) * to_linear(np.asarray(white, np.float64)) / PAPER)


@lru_cache(maxsize=64)
def _linear(lab: bytes) -> Vector:
    """As `to_linear`, for the bytes of three float32; cached, because all dice share the same paper."""
    return to_linear(np.frombuffer(lab, np.float32))


PAPER = 0.85
"""Share of the light that white paper and white pips reflect."""


def to_linear(lab: ArrayLike) -> Vector:
    """Convert one CIELAB colour to linear-light BGR, shape (3,), no channel below 0."""
    one = np.asarray(lab, np.float32).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(one, cv2.COLOR_LAB2LBGR), np.float64).reshape(3).clip(0.0, None)


def from_linear(bgr: ArrayLike) -> Vector:
    """Convert one linear-light BGR colour to CIELAB, shape (3,)."""
    one = np.asarray(bgr, np.float32).reshape(1, 1, 3).clip(0.0, 1.0)
    return np.asarray(cv2.cvtColor(one, cv2.COLOR_LBGR2LAB), np.float64).reshape(3)
