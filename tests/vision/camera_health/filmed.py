"""A camera whose pictures are drawn, spoilt and judged: a helper for tests of camera health."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.disturbed import relit
from tests.vision.evening import Evening
from vision.camera_health.detector import CameraHealth
from vision.frame import Frame
from vision.sightings import Picture, SightBack, SightLost

HZ = 15.0
GRAIN_RIM = 64
Spoil = Callable[[Picture, np.random.Generator], Picture]


class Filmed:
    """A camera whose pictures are drawn, spoilt and judged, frame by frame."""

    def __init__(self, health: CameraHealth | None = None, seed: int = 1) -> None:
        self.evening = Evening(watched=False)
        self.health = health or CameraHealth()
        self.chance = np.random.default_rng(seed)
        self.t = 0.0
        self.news: list[SightLost | SightBack] = []
        self.last: Picture = self.table()

    def table(self) -> Picture:
        """The table as it is now, with new noise."""
        self.evening.frame += 1
        return self.evening.picture()

    def watch(self, frames: int, spoil: Spoil | None = None) -> list[bool]:
        """Watch this many frames and return which of them may be looked at."""
        seen = []
        for _ in range(frames):
            picture = self.table()
            if spoil is not None:
                picture = spoil(picture, self.chance)
            seen.append(self.give(picture))
        return seen

    def give(self, picture: Picture) -> bool:
        """One picture of the camera."""
        self.last = picture
        glance = self.health.see(Frame(picture), self.t)
        self.news += glance.news
        self.t += 1 / HZ
        return glance.seen


def noisy(picture: Picture, chance: np.random.Generator, levels: float = 2.0) -> Picture:
    """The picture with sensor noise, from another part of one noise field in each frame."""
    h, w = picture.shape[:2]
    x, y = chance.integers(GRAIN_RIM, size=2)
    return np.asarray(cv2.add(picture, grain(h, w, levels)[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=2)
def grain(h: int, w: int, levels: float) -> NDArray[np.int16]:
    field = np.random.default_rng(11).normal(0, levels, (h + GRAIN_RIM, w + GRAIN_RIM, 3))
    return np.floor(field).astype(np.int16)


def cover(*colour: int) -> Spoil:
    def spoil(picture: Picture, chance: np.random.Generator) -> Picture:
        plain = np.full_like(picture, colour)
        slope = np.linspace(0.9, 1.1, picture.shape[1])[None, :, None]
        return noisy(np.clip(plain * slope, 0, 255).astype(np.uint8), chance)

    return spoil


def haze(picture: Picture, chance: np.random.Generator) -> Picture:
    """A palm before the lens, or breath on it: the table still shows faintly."""
    return noisy(np.clip(picture * 0.15 + 0.8 * np.array((118, 146, 196)), 0, 255).astype(np.uint8), chance)


def unfocused(picture: Picture, chance: np.random.Generator) -> Picture:
    """Breath on the lens, or a hunting focus: large things show, print does not."""
    return noisy(np.asarray(cv2.GaussianBlur(picture, (0, 0), 6.0), np.uint8), chance, 0.5)


def lit(gain: float, tint: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Spoil:
    def spoil(picture: Picture, chance: np.random.Generator) -> Picture:
        return noisy(relit(picture, gain, tint), chance)

    return spoil


def torn(picture: Picture, chance: np.random.Generator) -> Picture:
    half = picture.copy()
    half[picture.shape[0] * 2 // 5 :] = 128
    return half


def shifted(picture: Picture, chance: np.random.Generator) -> Picture:
    move = np.array([[1, 0, 90], [0, 1, -60]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REFLECT), np.uint8)
