"""Other disturbances of a camera's picture in a pub: fog, coloured light, a hunting lens, a glass, an insect.

Each kind is a function of one picture (h, w, 3) BGR uint8, the random generator of its cut (seeded alike in
every frame), how far the cut has developed (0 to 1), and the frame's number.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Odd = Callable[[Picture, np.random.Generator, float, int], Picture]


BULBS = {
    "blue": (1.0, 0.35, 0.25),
    "green": (0.25, 1.0, 0.3),
    "red": (0.3, 0.3, 1.1),
    "magenta": (1.0, 0.3, 0.9),
}
"""Gains of blue, green and red under lamps of one colour."""


def _part(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A plain thing that covers part of the lens from one side: a cap, a sleeve, a menu."""
    h, w = picture.shape[:2]
    tone = np.asarray(((20, 20, 24), (118, 146, 196), (235, 238, 240), (90, 60, 40))[chance.integers(4)])
    reach, side = float(chance.uniform(0.25, 0.7)) * share, int(chance.integers(4))
    across = np.linspace(0, 1, w if side % 2 else h, dtype=np.float32)
    across = across[::-1] if side > 1 else across
    soft = ((1.05 * reach - across) / 0.05 + 0.5).clip(0, 1)
    mask = np.broadcast_to(soft[None, :] if side % 2 else soft[:, None], (h, w))[..., None]
    return np.asarray(picture * (1 - mask) + tone * mask, np.uint8)


def _sheet(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A newspaper or a menu over the table: pale, with lines of print, as large as some cards."""
    h, w = picture.shape[:2]
    wide, high = chance.uniform(0.25, 0.5) * w, chance.uniform(0.3, 0.6) * h
    paper = np.full((600, 400, 3), (214, 222, 226), np.uint8)
    for y in range(40, 580, 14):
        cv2.line(paper, (30, y), (30 + int(chance.integers(200, 340)), y), (70, 70, 74), 4)
    cv2.rectangle(paper, (40, 60), (190, 240), (120, 110, 140), -1)
    turn, middle = (
        chance.uniform(0, np.pi),
        np.array([chance.uniform(0.3, 0.7) * w, chance.uniform(0.3, 0.7) * h]),
    )
    middle[1] += (1 - share) * h  # it comes over the lower edge
    rot = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2 @ rot.T + middle
    at = cv2.getPerspectiveTransform(
        np.array([[0, 0], [400, 0], [400, 600], [0, 600]], np.float32), corners.astype(np.float32)
    )
    over = cv2.warpPerspective(paper, at, (w, h))
    mask = cv2.warpPerspective(np.full((600, 400), 255, np.uint8), at, (w, h))[..., None] / 255.0
    return np.asarray(picture * (1 - mask) + over * mask, np.uint8)


def _glass(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A glass on the table, which appears and vanishes at once: dark, with a bright spot."""
    h, w = picture.shape[:2]
    at = (int(chance.uniform(0.2, 0.8) * w), int(chance.uniform(0.2, 0.8) * h))
    radius, shown = int(chance.uniform(0.05, 0.09) * w), picture.copy()
    cv2.circle(shown, at, radius, chance.integers(20, 120, 3).tolist(), -1, cv2.LINE_AA)
    cv2.circle(shown, at, int(radius * 0.86), chance.integers(40, 200, 3).tolist(), -1, cv2.LINE_AA)
    cv2.circle(
        shown, (at[0] - radius // 3, at[1] - radius // 3), radius // 5, (250, 250, 250), -1, cv2.LINE_AA
    )
    return shown


def _insect(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A fly on the lens: a dark soft spot that walks and rests."""
    h, w = picture.shape[:2]
    start, way = chance.uniform(0.2, 0.8, 2), chance.uniform(-0.01, 0.01, 2)
    x, y = (start + way * (number % 90 if number % 45 > 20 else 0)) * (w, h)
    mask = np.zeros((h, w), np.float32)
    cv2.circle(mask, (int(x), int(y)), int(chance.uniform(0.012, 0.04) * w), 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), 0.006 * w)[..., None]
    return np.asarray(picture * (1 - 0.9 * mask), np.uint8)


def _blurred(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """The lens is out of focus, or fogged by a breath."""
    sigma = float(chance.uniform(1.5, 7.0)) * share
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.1)), np.uint8)


def _hunting(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A lens that hunts for its focus: softer and sharper by turns, and slightly magnified when soft."""
    h, w = picture.shape[:2]
    most = float(chance.uniform(0.5, 4.0)) * w / 960 * share
    away = abs(np.sin(number / 15 * np.pi / chance.uniform(0.5, 2.0)))
    nearer = cv2.getRotationMatrix2D((w / 2, h / 2), 0.0, 1 + float(chance.uniform(0.0, 0.01)) * share * away)
    shown = cv2.warpAffine(picture, nearer, (w, h), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(shown, (0, 0), max(most * away, 0.1)), np.uint8)


def _hazed(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """Smoke, steam or a greasy thumb: pale, with little contrast."""
    left = 1 - share * float(chance.uniform(0.3, 0.8))
    return np.asarray(picture * left + (1 - left) * 170, np.uint8)


def _coloured(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A disco's lamp, or a neon sign: one colour is left."""
    gains = np.asarray([*BULBS.values()][chance.integers(len(BULBS))])
    return np.asarray((picture * (1 + (gains - 1) * share)).clip(0, 255), np.uint8)


def _strobe(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A tube that is about to die: bright and dark from frame to frame."""
    dark = float(chance.uniform(0.3, 0.8))
    on = (number // int(chance.integers(1, 4))) % 2
    return np.asarray(picture * (dark if on else 1.0), np.uint8)


def _pumping(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A camera that cannot settle its exposure."""
    gain = 1 + share * float(chance.uniform(0.1, 0.35)) * np.sin(
        number / 15 * 2 * np.pi * chance.uniform(0.3, 1.5)
    )
    return np.asarray((picture * gain).clip(0, 255), np.uint8)


def _shaken(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """Somebody leans on the table, or music shakes the camera."""
    far = float(chance.uniform(1.0, 6.0)) * share
    dx, dy = np.random.default_rng(number).uniform(-far, far, 2)
    h, w = picture.shape[:2]
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _pushed(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """The camera was knocked a little, and is put back."""
    h, w = picture.shape[:2]
    dx, dy = chance.uniform(-14, 14, 2) * share
    move = cv2.getRotationMatrix2D((w / 2, h / 2), float(chance.uniform(-1.5, 1.5)) * share, 1.0)
    move[:, 2] += (dx, dy)
    return np.asarray(cv2.warpAffine(picture, move, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _turned(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """The driver turns or mirrors the picture."""
    return np.ascontiguousarray(picture[::-1, ::-1] if chance.random() < 0.5 else picture[:, ::-1])


def _noisy(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """The noise of a high gain, as at night without lamps."""
    grain = np.random.default_rng(number).normal(0, float(chance.uniform(8, 25)), picture.shape)
    return np.asarray((picture + grain).clip(0, 255), np.uint8)


def _blocky(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """A wireless camera whose link is saturated."""
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(4, 25))])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _banded(picture: Picture, chance: np.random.Generator, share: float, number: int) -> Picture:
    """Some rows are magenta or green, as with a loose ribbon cable."""
    shown = picture.copy()
    h = picture.shape[0]
    row, high = int(chance.uniform(0, 0.9) * h), int(chance.uniform(0.05, 0.4) * h)
    shown[row : row + high] = ((200, 40, 200), (40, 200, 60))[chance.integers(2)]
    return shown


ODD: dict[str, Odd] = {
    "part": _part,
    "sheet": _sheet,
    "glass": _glass,
    "insect": _insect,
    "blurred": _blurred,
    "hunting": _hunting,
    "hazed": _hazed,
    "coloured": _coloured,
    "strobe": _strobe,
    "pumping": _pumping,
    "shaken": _shaken,
    "pushed": _pushed,
    "turned": _turned,
    "noisy": _noisy,
    "blocky": _blocky,
    "banded": _banded,
}
"""Disturbances that may hide things or make them unreadable; nothing that was not there may be reported."""
