"""Pieces of strange dice and of things that only look like dice: textures, cubes and flat things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
Texture = NDArray[np.float32]
"""BGRA (TEX, TEX, 4), 0 to 255."""
Chance = np.random.Generator
SHADE = 0.7
"""Light in a drawn shadow."""

TEX = 240
"""Pixels along an edge of a texture."""
PAIRS: tuple[tuple[Colour, Colour], ...] = (
    ((228, 232, 234), (25, 25, 25)),
    ((205, 225, 232), (20, 20, 24)),
    ((40, 38, 36), (230, 232, 232)),
    ((35, 30, 190), (235, 235, 235)),
    ((60, 120, 30), (235, 235, 235)),
    ((150, 70, 25), (235, 235, 235)),
    ((40, 200, 235), (25, 25, 25)),
)
"""Colours of body and pips, BGR."""
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
"""Fonts of numerals and letters."""
PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass
class Piece:
    """A flat part of a thing: a texture, and its four corners (x, y, z) in edges, clockwise from above."""

    texture: Texture
    corners: NDArray[np.float64]


@dataclass
class Thing:
    """A thing that lies there: its pieces from the lowest to the highest, and the value it shows, if any."""

    pieces: list[Piece]
    value: int | None
    height: float = 1.0
    outline: NDArray[np.float64] | None = None
    """Outline (n, 2) of its foot, for its shadow; None: the first piece's corners."""
    hull: Colour | None = None
    """Colour of the rounded rim between the pieces, drawn below them."""
    glow: bool = False
    """Whether it is luminous: no shadow, no shading."""


def blank(colour: Colour, round_: float = 0.12) -> Texture:
    out = np.zeros((TEX, TEX, 4), np.float32)
    out[..., :3] = colour
    r = int(round_ * TEX)
    mask = np.zeros((TEX, TEX), np.uint8)
    cv2.rectangle(mask, (r, 0), (TEX - 1 - r, TEX - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (TEX - 1, TEX - 1 - r), 255, -1)
    for x in (r, TEX - 1 - r):
        for y in (r, TEX - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    out[..., 3] = mask
    return out


def disc_of(colour: Colour) -> Texture:
    return blank(colour, 0.499)


def dot(tex: Texture, u: float, v: float, r: float, ink: Colour) -> None:
    """A disc with its centre (u, v) and radius r in edges; (0, 0) is the middle of the texture."""
    at = (round((0.5 + u) * TEX * 16), round((0.5 + v) * TEX * 16))
    rgb, alpha = np.ascontiguousarray(tex[..., :3]), tex[..., 3].copy()
    cv2.circle(rgb, at, round(r * TEX * 16), ink, -1, cv2.LINE_AA, 4)
    tex[..., :3], tex[..., 3] = rgb, alpha


def cast_shadow(picture: NDArray[np.float32] | NDArray[np.uint8], rect: tuple[int, int, int, int]) -> None:
    """Darken the ground to the lower right of a die that will be drawn at (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = rect
    off = (x1 - x0) // 4
    part = picture[y0 + off : y1 + off, x0 + off : x1 + off]
    part[...] = SHADE * part


def strew(tex: Texture, chance: Chance, within: float, radii: tuple[float, float], ink: Colour) -> None:
    """A disc anywhere within so many edges of the middle; `radii` are the least and the greatest."""
    dot(tex, chance.uniform(-within, within), chance.uniform(-within, within), chance.uniform(*radii), ink)


def pips(tex: Texture, value: int, ink: Colour, pitch: float = 0.25, r: float = 0.095) -> Texture:
    for u, v in PLACES[value]:
        dot(tex, u * pitch, v * pitch, r, ink)
    return tex


def written(tex: Texture, text: str, ink: Colour, high: float, font: int, thick: float = 0.07) -> Texture:
    scale, line = 1.0, max(1, round(thick * TEX))
    (_, h), _ = cv2.getTextSize(text, font, scale, 1)
    scale = high * TEX / h
    (w, h), _ = cv2.getTextSize(text, font, scale, line)
    rgb = tex[..., :3].astype(np.uint8)
    cv2.putText(rgb, text, ((TEX - w) // 2, (TEX + h) // 2), font, scale, ink, line, cv2.LINE_AA)
    tex[..., :3] = rgb
    return tex


def polygon(tex: Texture, points: NDArray[np.float64], ink: Colour) -> None:
    rgb = np.ascontiguousarray(tex[..., :3])
    cv2.fillPoly(rgb, [np.int32((0.5 + points) * TEX)], ink, cv2.LINE_AA)
    tex[..., :3] = rgb


def turn_z(deg: float) -> NDArray[np.float64]:
    a = np.deg2rad(deg)
    return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])


def turn_x(deg: float) -> NDArray[np.float64]:
    a = np.deg2rad(deg)
    return np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])


def cube(faces: dict[str, Texture], chance: Chance, hull: Colour, lean: float = 0.0) -> list[Piece]:
    """A cube on the ground, turned at random and leaning by `lean` degrees; faces `up n s e w`."""
    h = 0.5
    square = {
        "up": [(-h, -h, h), (h, -h, h), (h, h, h), (-h, h, h)],
        "n": [(h, -h, h), (-h, -h, h), (-h, -h, -h), (h, -h, -h)],
        "s": [(-h, h, h), (h, h, h), (h, h, -h), (-h, h, -h)],
        "e": [(h, h, h), (h, -h, h), (h, -h, -h), (h, h, -h)],
        "w": [(-h, -h, h), (-h, h, h), (-h, h, -h), (-h, -h, -h)],
    }
    turn = turn_z(chance.uniform(0, 360)) @ turn_x(lean) @ turn_z(chance.uniform(0, 360) if lean else 0)
    solid = {name: np.array(at) @ turn.T for name, at in square.items()}
    low = min(float(at[:, 2].min()) for at in solid.values())
    return [Piece(faces[name], at - (0, 0, low)) for name, at in solid.items() if name in faces]


def around(value: int) -> tuple[int, int, int, int]:
    """The values of the four sides of a die with that top."""
    own = [v for v in range(1, 7) if v not in (value, 7 - value)]
    return own[0], own[3], own[1], own[2]


def die(
    chance: Chance,
    draw: Callable[[int, Colour, Colour], Texture] | None = None,
    value: int | None = None,
    pair: tuple[Colour, Colour] | None = None,
    lean: float = 0.0,
) -> Thing:
    body, ink = pair or PAIRS[int(chance.integers(len(PAIRS)))]
    value = value or int(chance.integers(1, 7))
    draw = draw or (lambda v, b, i: pips(blank(b), v, i))
    shown = dict(zip("nsew", around(value), strict=True)) | {"up": value}
    pieces = cube({name: draw(v, body, ink) for name, v in shown.items()}, chance, body, lean)
    return Thing(pieces, value, hull=tuple(0.8 * c for c in body))


def flat(tex: Texture, chance: Chance, wide: float, high: float, thick: float) -> list[Piece]:
    turn = turn_z(chance.uniform(0, 360))
    at = np.array([(-wide, -high, 0), (wide, -high, 0), (wide, high, 0), (-wide, high, 0)]) / 2
    return [Piece(tex, at @ turn.T + (0, 0, thick))]


def star(points: int, r: float, inner: float) -> NDArray[np.float64]:
    a = np.arange(2 * points) * np.pi / points
    far = np.where(np.arange(2 * points) % 2, inner * r, r)
    return np.stack([far * np.sin(a), -far * np.cos(a)], axis=1)
