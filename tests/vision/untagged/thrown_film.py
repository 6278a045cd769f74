"""A drawn film of plain dice."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.dice_pieces import cast_shadow
from vision.sightings import Picture, ThrowSeen
from vision.untagged.throws import Throws

FPS = 15


PLACES = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 4: [(-1, -1), (-1, 1), (1, -1), (1, 1)]}


Die = tuple[int, float, float]  # value, x, y


class Film:
    """Frames of a drawn table, and what `Throws` reported for them."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(3)
        self.throws = Throws()
        self.said: list[ThrowSeen] = []
        self.t = 0.0
        self.exposure = 1.0
        self.cloth = 0
        self.fps = FPS
        self.faint = 0.0
        self.tag = False

    def show(self, dice: list[Die], frames: int = 1, hand: int = 0, shift: int = 0) -> list[ThrowSeen]:
        """Show dice lying still, with a hand that reaches `hand` pixels in and a camera moved by `shift`."""
        new = []
        for _ in range(frames):
            picture = self.draw(dice, hand, shift)
            new += self.throws.see(picture, self.t)
            self.t += 1 / self.fps
        self.said += new
        return new

    def roll(self) -> None:
        """Five frames of tumbling."""
        for k in range(5):
            assert self.show([(1, 60 + 40 * k, 90 + 20 * k), (4, 300 - 30 * k, 100 + 10 * k)]) == []

    def draw(self, dice: list[Die], hand: int, shift: int) -> Picture:
        picture = np.full((270, 480, 3), (60, 90, 40), np.float32)
        picture[:, : self.cloth] = (225, 230, 235)
        picture[200:206, :] = (150, 160, 170)
        picture[:, 430:436] = (150, 160, 170)
        if self.tag:
            picture[30:110, 340:420] = (20, 20, 20)
            for u, v in PLACES[4]:
                cv2.circle(picture, (380 + 20 * u, 70 + 20 * v), 8, (240, 240, 240), -1, cv2.LINE_AA)
        for value, x, y in dice:
            x0, y0 = int(x), int(y)
            cast_shadow(picture, (x0 - 15, y0 - 15, x0 + 15, y0 + 15))
            picture[y0 - 15 : y0 + 15, x0 - 15 : x0 + 15] = (40, 35, 190)
            for u, v in PLACES[value]:
                pip = tuple(240 + self.faint * (body - 240) for body in (40, 35, 190))
                cv2.circle(picture, (x0 + 8 * u, y0 + 8 * v), 3, pip, -1, cv2.LINE_AA)
        if hand:
            picture[90:170, :hand] = (120, 150, 200)
        picture = np.roll(cv2.GaussianBlur(picture, (0, 0), 0.8), (shift, shift), (0, 1))
        picture = picture * np.float32(self.exposure)
        return (picture + self.rng.normal(0, 2, picture.shape)).clip(0, 255).astype(np.uint8)


def faces(throw: ThrowSeen) -> list[str]:
    return sorted(d.face or "?" for d in throw.dice)
