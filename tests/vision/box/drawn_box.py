"""A dice box with dice, drawn from straight above, and what the eye reports of films of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.box.dice_set import DiceSet
from vision.box.pipeline import BoxEye
from vision.imgproc.colourless import without_colours
from vision.layout import Bet, CameraModel, Layout, Tag, Zone
from vision.sightings import Picture, ThrowSeen

FPS = 15
SIZE = (720, 540)
PX_MM = 1.6
HIGH_MM = 900.0
LAYOUT = Layout(
    "field",
    (200.0, 200.0),
    (Tag(10, (-120.0, 0.0, 0.0), 24.0), Tag(11, (0.0, 120.0, 0.0), 24.0), Tag(12, (120.0, 0.0, 0.0), 24.0)),
    zones=(
        Zone("1x", ((-100, -100), (0, -100), (0, 100), (-100, 100))),
        Zone("2x", ((0, -100), (100, -100), (100, 100), (0, 100))),
    ),
    bets=(Bet("A", (-130.0, 110.0, 0.0), 50.0),),
    die_edge_mm=16.0,
    camera=CameraModel(f_px=PX_MM * HIGH_MM, center_px=((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2)),
)
BODIES = {"red": (30, 30, 190), "green": (60, 130, 30), "white": (235, 235, 235)}
NOISE = np.random.default_rng(5).integers(0, 5, (3, SIZE[1], SIZE[0], 3), np.uint8)
PIPS = {"1": [(0, 0)], "2": [(-1, -1), (1, 1)], "3": [(-1, -1), (0, 0), (1, 1)]}


@dataclass
class Drawn:
    """One die: the place of its foot, in millimetres of the box, and its turn.

    A die that stands on others, at a height in mm, shows its sides, and so does the one below.
    """

    colour: str
    face: str
    x: float
    y: float
    yaw: float = 10.0
    z: float = 0.0
    sides: bool = False


@dataclass
class Film:
    """Frames of a drawn box under a camera straight above, and what the eye reports of them."""

    dice: DiceSet
    t: float = 0.0
    turned: float = 0.0
    blur_px: float = 0.0
    colourless: bool = False
    eye: BoxEye = field(init=False)

    def __post_init__(self) -> None:
        self.eye = BoxEye(LAYOUT, self.dice)

    def show(self, dice: list[Drawn], frames: int = 5, hand: int = 0) -> list[Any]:
        """Show dice at rest, and an arm that reaches in `hand` pixels from the left."""
        said: list[Any] = []
        picture = draw(dice, self.turned)
        if hand:
            picture[240:320, :hand] = (130, 160, 210)
        if self.blur_px:
            picture = cv2.GaussianBlur(picture, (0, 0), self.blur_px)
        for _ in range(frames):
            # A sensor's noise never repeats in the next frame; otherwise the camera would seem frozen.
            noise = NOISE[round(self.t * FPS) % len(NOISE)]
            shown = np.asarray(cv2.add(picture, noise), np.uint8)
            said += self.eye.see(without_colours(shown) if self.colourless else shown, self.t)
            self.t += 1 / FPS
        return said

    def fly(self) -> None:
        """Show dice that cross the box without a hand."""
        for k in range(5):
            rolling = [Drawn("red", "1", -80 + 35 * k, 30 + 8 * k), Drawn("white", "2", 70 - 30 * k, -40)]
            assert self.show(rolling, 1) == []


def draw(dice: list[Drawn], turned: float = 0.0) -> Picture:
    """Draw the box from above; tops of dice appear a little larger than their feet."""
    c, s = np.cos(np.deg2rad(turned)), np.sin(np.deg2rad(turned))
    middle = np.array(LAYOUT.camera.center_px)  # type: ignore[union-attr]

    def px(points: np.ndarray, z: float = 0.0) -> np.ndarray:
        at = np.asarray(points, float) @ np.array([[c, s], [-s, c]])
        return middle + at * (1, -1) * PX_MM * HIGH_MM / (HIGH_MM - z)

    def fill(points: np.ndarray, colour: tuple[int, int, int], z: float = 0.0) -> None:
        cv2.fillPoly(picture, [np.rint(px(points, z) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    picture = np.full((SIZE[1], SIZE[0], 3), (90, 110, 120), np.uint8)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    fill(square * 100, (150, 90, 40))
    fill(square * 50 * (1, 2) + (50, 0), (50, 40, 170))
    fill(square * 25 + (-130, 110), (140, 40, 120))
    board = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in LAYOUT.tags:
        at, half = np.array(tag.center_mm[:2]), tag.size_mm / 2
        fill(square * half * 1.4 + at, (240, 240, 240))
        marker = cv2.cvtColor(cv2.aruco.generateImageMarker(board, tag.id, 60), cv2.COLOR_GRAY2BGR)
        corners = px(at + half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])).astype(np.float32)
        flat = np.array([[0, 0], [60, 0], [60, 60], [0, 60]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(flat, corners)
        size = (picture.shape[1], picture.shape[0])
        printed = cv2.warpPerspective(marker, warp, size)
        inside = cv2.warpPerspective(np.full_like(marker, 255), warp, size) > 127
        picture = np.where(inside, printed, picture)
    for die in dice:
        a = np.deg2rad(die.yaw)
        spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        if die.sides:
            foot, top = (px(square * 8 @ spin + (die.x, die.y), die.z + z) for z in (0.0, 16.0))
            both = cv2.convexHull(np.rint(np.concatenate([foot, top]) * 16).astype(np.int32))
            shade = [round(0.6 * light) for light in BODIES[die.colour]]
            cv2.fillConvexPoly(picture, both, shade, cv2.LINE_AA, 4)
        fill(square * 8 @ spin + (die.x, die.y), BODIES[die.colour], die.z + 16.0)
        ink = (25, 25, 25) if die.colour == "white" else (240, 240, 240)
        for u, v in PIPS.get(die.face, ()):
            at = px(np.array([[u * 4.0, v * 4.0]]) @ spin + (die.x, die.y), die.z + 16.0)[0]
            cv2.circle(
                picture,
                np.rint(at * 16).astype(int).tolist(),
                round(1.7 * PX_MM * 16),
                ink,
                -1,
                cv2.LINE_AA,
                4,
            )
        for arm in ((1, 1), (1, -1)) if die.face == "X" else ():
            ends = px(np.array([arm, (-arm[0], -arm[1])]) * 4.2 @ spin + (die.x, die.y), die.z + 16.0)
            a_, b_ = np.rint(ends).astype(int).tolist()
            cv2.line(picture, a_, b_, ink, 4, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def shifted(picture: Picture, by_px: float) -> Picture:
    move = np.array([[1.0, 0.0, by_px], [0.0, 1.0, 0.0]])
    return np.asarray(cv2.warpAffine(picture, move, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def lit(picture: Picture, light: tuple[float, float, float]) -> Picture:
    """Multiply each channel's light (BGR) of the picture, as another lamp would."""
    linear = (picture / 255.0) ** 2.2 * light
    return np.asarray((linear.clip(0, 1) ** (1 / 2.2) * 255 + 0.5).astype(np.uint8))


def lying(seen: ThrowSeen) -> list[tuple[str | None, str | None, str, str | None]]:
    return sorted((d.colour or "", d.face, d.where, d.counts_as) for d in seen.dice)


THROW = [Drawn("red", "3", -40.0, 20.0), Drawn("white", "X", 60.0, -50.0, 40.0)]
