"""Camera frames drawn from a description: a mat, cards, dice, arms, light, noise. Pure and seeded.

Such frames test the plumbing, never sight: nothing here bends, shines or wears. Drawing is fast because still
things are drawn once: `Painter` keeps the mat and the settled table, and adds only what moves.

    painter = Painter(Flat(mat_bgr, (594, 420)), faces, ViewPoint())
    frame = painter.render(Scene(cards=(CardLying("red-9", (0, -100), 4.0),)), seed=1)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.layout import Point
from vision.sightings import Picture
from vision.synthetic.scene import OVERHEAD, Arm, CardLying, Light, Scene, ViewPoint
from vision.synthetic.shapes import DieLying, arm_outlines, die_faces

GainMap = NDArray[np.floating]
"""Gain of every pixel (h, w, 3), float32."""
_EXPOSURE = 0.86
"""Gain of a well-exposed camera: white paper does not saturate, even where the lamp is nearest."""


class Flat(NamedTuple):
    """A flat print: its picture, (h, w, 3) BGR uint8, top edge towards +y; its width and height in mm."""

    picture: Picture
    size_mm: Point


class Painter:
    """Draws scenes over one mat with one camera.

    Args:
        mat: the mat.
        faces: a picture for every card name that scenes use, portrait, all of one aspect ratio.
        view: the camera.
        card_mm: width and height of a card.
        noise: standard deviation of a pixel, 0..255.
    """

    def __init__(
        self,
        mat: Flat,
        faces: Mapping[str, Picture],
        view: ViewPoint = OVERHEAD,
        card_mm: Point = (59.0, 91.0),
        noise: float = 2.2,
    ) -> None:
        self.view = view
        self._matrix = view.matrix()
        self.card_mm = card_mm
        self._scale = view.f_px / view.eye_mm[2]
        self._unlit = _surroundings(view.size_px)
        self._lay_mat(mat)
        self._faces = {name: self._sized(face) for name, face in faces.items()}
        self._lit: tuple[Light, Picture, GainMap] | None = None
        self._still: tuple[Scene, Picture] | None = None
        self._grain = _grain(view.size_px, noise)

    def to_px(self, points_mm: Sequence[Point] | Float64, z_mm: float | Float64 = 0.0) -> Float64:
        """Pixels (n, 2) of table points (n, 2), all at one height or each at its own."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
        heights = np.broadcast_to(np.asarray(z_mm, dtype=np.float64), len(points))
        rays = np.column_stack([points, heights, np.ones(len(points))]) @ self._matrix.T
        return np.asarray(rays[:, :2] / rays[:, 2:], dtype=np.float64)

    def render(self, scene: Scene, seed: int) -> Picture:
        """The frame, (h, w, 3) BGR uint8; the same scene and seed give the same bytes."""
        picture = self._settled(scene)
        gain = self._light(scene.light)[1]
        for arm in scene.arms:
            self._shade(
                [part for part, _, _ in arm_outlines(arm.from_mm, arm.tip_mm)], picture, (16, -12), 0.55
            )
        for card in scene.carried:
            self._lay_card(card, picture, gain)
        for die in scene.carried_dice:
            self._lay_die(die, picture, gain)
        for arm in scene.arms:
            self._reach(arm, picture, gain)
        return self._with_grain(picture, seed)

    _ground_mm = 0.0
    """Height of the surface under the die that is being drawn."""

    # --- what lies still -----------------------------------------------------------------------------

    def _lay_mat(self, mat: Flat) -> None:
        flat, mat_mm = mat
        h, w = flat.shape[:2]
        x, y = mat_mm[0] / 2, mat_mm[1] / 2
        onto = self.to_px([(-x, y), (x, y), (x, -y), (-x, -y)]).astype(np.float32)
        # Shrink to the camera's scale first: warping alone would skip pixels and make thin lines flicker.
        size = (round(mat_mm[0] * self._scale), round(mat_mm[1] * self._scale))
        if size[0] < w:
            flat = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            h, w = flat.shape[:2]
        corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(corners, onto)
        cv2.warpPerspective(
            flat, warp, self.view.size_px, self._unlit, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
        )

    def _sized(self, face: Picture) -> Picture:
        """A face at the camera's scale, with an alpha channel and a replicated border of one pixel."""
        size = (round(self.card_mm[0] * self._scale), round(self.card_mm[1] * self._scale))
        small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
        opaque = np.dstack([small, np.full(small.shape[:2], 255, np.uint8)])
        return np.asarray(cv2.copyMakeBorder(opaque, 1, 1, 1, 1, cv2.BORDER_REPLICATE), dtype=np.uint8)

    def _light(self, light: Light) -> tuple[Picture, GainMap]:
        """The empty table in this light, and the gain of every pixel (h, w, 3)."""
        if self._lit is None or self._lit[0] != light:
            w, h = self.view.size_px
            x = (np.arange(w, dtype=np.float32) - w / 2) / self._scale / 1000
            y = (h / 2 - np.arange(h, dtype=np.float32)) / self._scale / 1000
            fall = 1 + light.slope[0] * x[None, :] + light.slope[1] * y[:, None]
            gain = (_EXPOSURE * light.level * np.clip(fall, 0.2, 2.0))[:, :, None] * np.array(
                light.tint, np.float32
            )
            lit = cv2.multiply(self._unlit, gain, dtype=cv2.CV_8U)
            self._lit, self._still = (light, np.asarray(lit, dtype=np.uint8), gain), None
        return self._lit[1], self._lit[2]

    def _settled(self, scene: Scene) -> Picture:
        """A copy of the table with everything that lies still; only new things are drawn."""
        empty, gain = self._light(scene.light)
        base, cards = empty, scene.cards
        if self._still is not None:
            before, drawn = self._still
            if before.cards == cards and before.dice == scene.dice:
                return drawn.copy()
            new = cards[len(before.cards) :]
            grown = cards[: len(before.cards)] == before.cards and before.dice == scene.dice
            if grown and not _near(new, scene.dice):
                base, cards = drawn, new
        picture = base.copy()
        for card in cards:
            self._lay_card(card, picture, gain)
        if base is empty:
            for die in scene.dice:
                self._lay_die(die, picture, gain)
        self._still = (Scene(cards=scene.cards, dice=scene.dice), picture)
        return picture.copy()

    # --- single things -------------------------------------------------------------------------------

    def _lay_card(self, card: CardLying, picture: Picture, gain: GainMap) -> None:
        face = self._faces[card.face]
        outline = _rectangle(card.center_mm, self.card_mm, card.yaw_deg)
        self._shade([outline], picture, (1.0 + card.z_mm / 3, -1.2 - card.z_mm / 3), 0.35, soft=card.z_mm > 0)
        corners = self.to_px(outline, card.z_mm)
        x0, y0, x1, y1 = self._window(corners, 2)
        if x0 >= x1 or y0 >= y1:
            return
        h, w = face.shape[:2]
        inner = np.array([(1, 1), (w - 1, 1), (w - 1, h - 1), (1, h - 1)], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(inner, (corners - (x0, y0)).astype(np.float32))
        laid = np.asarray(cv2.warpPerspective(face, warp, (x1 - x0, y1 - y0)), dtype=np.uint8)
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, fixed(corners - (x0, y0)), 255, cv2.LINE_AA, shift=4)
        _blend(picture[y0:y1, x0:x1], laid[:, :, :3], np.minimum(mask, laid[:, :, 3]), gain[y0:y1, x0:x1])

    def _lay_die(self, die: DieLying, picture: Picture, gain: GainMap) -> None:
        foot = _rectangle(die.center_mm, (die.edge_mm, die.edge_mm), die.yaw_deg)
        lift = (die.z_mm - self._ground_mm) / 3
        self._shade([foot], picture, (4.0 + lift, -3.0 - lift), 0.5)
        x, y = np.clip(self.to_px([die.center_mm])[0].astype(int), 0, np.array(self.view.size_px) - 1)
        local = gain[y, x]
        eye = np.array(self.view.eye_mm)
        for face in die_faces(die):
            if np.dot(face.normal, eye - face.center_mm) <= 0:
                continue
            for outline, ink in face.shapes:
                tone = tuple(float(min(255, c * g * face.shade)) for c, g in zip(ink, local, strict=True))
                pixels = self.to_px(outline[:, :2], outline[:, 2])
                cv2.fillConvexPoly(picture, fixed(pixels), tone, cv2.LINE_AA, shift=4)

    def _reach(self, arm: Arm, picture: Picture, gain: GainMap) -> None:
        x, y = np.clip(self.to_px([arm.tip_mm])[0].astype(int), 0, np.array(self.view.size_px) - 1)
        local = gain[y, x]
        for outline, height, part in arm_outlines(arm.from_mm, arm.tip_mm):
            ink = arm.sleeve if part == "sleeve" else arm.skin
            pixels = fixed(self.to_px(outline, height))
            rim, tone = (
                tuple(float(min(255, c * g * dark)) for c, g in zip(ink, local, strict=True))
                for dark in (0.72, 1.0)
            )
            cv2.fillPoly(picture, [pixels], tone, cv2.LINE_AA, shift=4)
            cv2.polylines(picture, [pixels], True, rim, 2, cv2.LINE_AA, shift=4)

    def _shade(
        self,
        outlines: Sequence[Sequence[Point]],
        picture: Picture,
        offset_mm: Point,
        depth: float,
        soft: bool = True,
    ) -> None:
        """Draw the shadow of flat outlines on the mat, `offset_mm` away from the things that cast it."""
        shapes = [self._shadow_px(np.asarray(o) + offset_mm) for o in outlines]
        x0, y0, x1, y1 = self._window(np.concatenate(shapes), 14)
        if x0 >= x1 or y0 >= y1:
            return
        # A shadow has no fine detail, so a quarter of the size is enough, and sixteen times as fast.
        small = np.full(((y1 - y0) // 4 + 1, (x1 - x0) // 4 + 1), 255, np.uint8)
        for pixels in shapes:
            cv2.fillPoly(small, [fixed((pixels - (x0, y0)) / 4)], round(255 * (1 - depth)), shift=4)
        blurred = cv2.GaussianBlur(small, (0, 0), 2.0 if soft else 0.8)
        shadow = cv2.cvtColor(
            cv2.resize(blurred, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR), cv2.COLOR_GRAY2BGR
        )
        under = picture[y0:y1, x0:x1]
        under[:] = cv2.multiply(under, shadow, scale=1 / 255)

    def _shadow_px(self, outline_mm: Float64) -> Float64:
        """Pixels (n, 2) of a shadow's outline on the surface that it falls on: the mat."""
        return self.to_px(outline_mm)

    def _window(self, pixels: Float64, rim: int) -> tuple[int, int, int, int]:
        """The part of the picture that contains these pixels and a rim: x0, y0, x1, y1."""
        w, h = self.view.size_px
        (x0, y0), (x1, y1) = np.floor(pixels.min(axis=0)) - rim, np.ceil(pixels.max(axis=0)) + rim + 1
        return max(0, int(x0)), max(0, int(y0)), min(w, int(x1)), min(h, int(y1))

    def _with_grain(self, picture: Picture, seed: int) -> Picture:
        """Add sensor noise: each time another part of one fixed field, as good as new noise and faster."""
        w, h = self.view.size_px
        chance = np.random.default_rng(seed)
        x, y = int(chance.integers(_GRAIN_RIM)), int(chance.integers(_GRAIN_RIM))
        return np.asarray(
            cv2.add(picture, self._grain[y : y + h, x : x + w], dtype=cv2.CV_8U), dtype=np.uint8
        )


_GRAIN_RIM = 97
"""Upper bound of the shift, in pixels, of a frame's cut-out of the noise field."""


def _grain(size_px: tuple[int, int], sigma: float) -> NDArray[np.int16]:
    w, h = size_px
    field = np.random.default_rng(20).normal(0, sigma, (h + _GRAIN_RIM, w + _GRAIN_RIM, 3))
    return np.round(field).astype(np.int16)


def _surroundings(size_px: tuple[int, int]) -> Picture:
    """A wooden table round the mat."""
    w, h = size_px
    chance = np.random.default_rng(7)
    streaks = cv2.GaussianBlur(chance.normal(0, 60, (h, w)).astype(np.float32), (0, 0), sigmaX=60, sigmaY=1.5)
    wood = np.array((42, 66, 98), np.float32) * (1 + streaks[:, :, None] / 60)
    return np.asarray(np.clip(wood, 0, 255), dtype=np.uint8)


def _rectangle(center_mm: Point, size_mm: Point, yaw_deg: float) -> list[Point]:
    """Corners from the upper left, clockwise as seen by the camera."""
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    w, h = size_mm[0] / 2, size_mm[1] / 2
    return [
        (center_mm[0] + c * x - s * y, center_mm[1] + s * x + c * y)
        for x, y in ((-w, h), (w, h), (w, -h), (-w, -h))
    ]


def _near(cards: Sequence[CardLying], dice: Sequence[DieLying]) -> bool:
    """Whether one of these cards may be laid where a die stands."""
    return any(math.dist(c.center_mm, d.center_mm) < 90 for c in cards for d in dice)


def fixed(pixels: Float64) -> NDArray[np.int32]:
    """Pixels as OpenCV's fixed-point numbers with four fractional bits."""
    return np.round(pixels * 16).astype(np.int32)


def _blend(under: Picture, over: NDArray[np.integer], mask: NDArray[np.integer], gain: GainMap) -> None:
    lit = cv2.multiply(over, gain, dtype=cv2.CV_32F)
    share = cv2.cvtColor(mask, cv2.COLOR_GRAY2BGR).astype(np.float32) * (1 / 255)
    under[:] = cv2.add(
        cv2.multiply(lit, share), cv2.multiply(under, 1 - share, dtype=cv2.CV_32F), dtype=cv2.CV_8U
    )
