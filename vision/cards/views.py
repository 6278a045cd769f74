"""Stills of one ground registered with each other, so that the ground lies at the same place in all.

Where the table's tags are seen, every picture is drawn from above, a pixel a millimetre. Otherwise pictures
of one form are compared as they are, and one that does not coincide with the others is warped by the ground
that both show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Float64
from vision.cards.motion import GroundPoints
from vision.cards.rectangle import noise_of
from vision.cards.series import LEAST, apart, middle, relit
from vision.errors import TagsNotFoundError
from vision.geometry import register
from vision.layout import Layout
from vision.rectified import Plan
from vision.sightings import Picture

_COMPARED_PX = 480.0
"""Longer side, in pixels, of the copies that show whether a ground stands still."""
_STILL = 0.35
"""Share of changed pixels above which a picture shows another ground, or the camera was moved."""
_CHANGED = 18.0
"""Grey levels above which a pixel shows something other than the ground."""
_BLOCK_PX = 40
"""Side of the blocks whose fine print is compared."""
_LEAST_PRINT = 1.0
"""Least spread (grey levels) of a block that bears print, where noise is less."""
_PRINTED = 0.3
"""Share of the blocks with fine print up to which the print may be the card's."""
_ALIKE = 0.5
"""Least correlation of fine print: one ground at one place 0.9 and more, a few pixels off 0.1 and less."""
_TAG_ALIKE = 0.985
"""Least correlation of a tag with itself in another picture; a pixel off it is 0.95."""
_TAG_RIM = 0.75
"""How far from its middle a tag is compared, relative to its size: with its white paper."""
_SOME = 9
"""Number of pictures that are enough for the ground onto which the others are registered."""
_SOFTENED = (0.6, 0.4)
"""Scale below which a picture is blurred before it is shrunk, and the blur's sigma in px once shrunk."""
_RESTS_PX = 0.6
"""Shift (px) below which the camera is at rest; one held in a hand moves more, even if it seems still."""
_LOOKED_AT = 7
"""Number of pictures that are examined for whether all are at rest."""


@dataclass(frozen=True)
class StillView:
    """A still's frame (h, w, 3) BGR and the mapping back to the picture."""

    frame: Picture
    plan: Plan | None = None
    warp: Float64 | None = None
    """Without a plan: (3, 3) from pixels of the frame to those of the picture."""

    def to_picture(self, points: ArrayLike) -> Float64:
        """Pixels (n, 2) of the picture for pixels (n, 2) of the frame."""
        if self.plan is not None:
            return self.plan.registration.to_px(self.plan.to_mm(points))
        at = np.asarray(points, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(at, np.asarray(self.warp)), np.float64).reshape(-1, 2)

    def to_frame(self, points: ArrayLike) -> Float64:
        """Pixels (n, 2) of the frame for pixels (n, 2) of the picture."""
        if self.plan is not None:
            return self.plan.to_px(self.plan.registration.to_mm(points))
        at = np.asarray(points, np.float64).reshape(-1, 1, 2)
        back = np.linalg.inv(np.asarray(self.warp))
        return np.asarray(cv2.perspectiveTransform(at, back), np.float64).reshape(-1, 2)


def views_on_table(pictures: Sequence[Picture], layout: Layout) -> list[StillView | None]:
    """Each picture from above, a pixel a millimetre; None where the tags are not seen."""
    views: list[StillView | None] = []
    last: StillView | None = None
    for picture in pictures:
        view = _as_last(picture, layout, last)
        if view is None:
            try:
                plan = Plan(register(picture, layout), layout.size_mm, 1.0)
                view = last = StillView(plan.draw(picture), plan)
            except TagsNotFoundError:
                view = None  # a crop, or a picture of another table
        views.append(view)
    return views


def _as_last(picture: Picture, layout: Layout, last: StillView | None) -> StillView | None:
    """The picture drawn with the last plan, if its tags lie where they did: the camera stands still."""
    if last is None or last.plan is None or last.plan.registration.size_px != picture.shape[1::-1]:
        return None
    frame = last.plan.draw(picture)
    seen = 0
    for tag in layout.tags:
        if tag.id not in last.plan.registration.tags:
            continue
        reach = _TAG_RIM * tag.size_mm
        x, y = last.plan.to_px([tag.center_mm[:2]])[0]
        x0, y0, x1, y1 = (max(0, round(v)) for v in (x - reach, y - reach, x + reach, y + reach))
        now, then = (f[y0:y1, x0:x1].astype(np.float32).ravel() for f in (frame, last.frame))
        if len(now) < 2 or float(np.corrcoef(now, then)[0, 1]) < _TAG_ALIKE:
            return None
        seen += 1
    return StillView(frame, last.plan) if seen >= 2 else None


def places_of(pictures: Sequence[Picture], empty: Picture | None = None) -> list[Float64 | None]:
    """How pictures of one form lie over one another: (3, 3) from common pixels to those of each.

    The common pixels are those of the `empty` ground if there is a picture of it. None for a picture that
    cannot be registered. A ground without any print counts as registered as it is.
    """
    if empty is None and len(pictures) < LEAST:
        return [None] * len(pictures)
    scale = min(1.0, _COMPARED_PX / max(pictures[0].shape[:2]))
    frames = [_shrunk(picture, scale) for picture in pictures]
    ground = middle(frames) if empty is None else _shrunk(empty, scale)
    still = [_is_still(frame, ground) for frame in frames]
    rests = _rest(pictures, still, empty)
    if rests and all(still):
        return [np.eye(3)] * len(pictures)
    if empty is not None:
        over = empty
    elif not rests or sum(still) < max(LEAST, len(still) / 2):
        # Most pictures moved: any of them will do to register the rest onto.
        first = len(pictures) // 2
        still, rests = [number == first for number in range(len(pictures))], True
        ground, over = frames[first], pictures[first]
    else:
        kept = [picture for picture, stays in zip(pictures, still, strict=True) if stays]
        over = middle(kept[:: 1 + len(kept) // _SOME])
    points = GroundPoints(over)
    places: list[Float64 | None] = []
    for picture, stays in zip(pictures, still, strict=True):
        if stays and rests:
            places.append(np.eye(3))
            continue
        place = points.place_in(picture)
        if place is not None and not _is_still(drawn(picture, place, scale, np.eye(3)).frame, ground):
            place = None
        places.append(place)
    return places


def _rest(pictures: Sequence[Picture], still: Sequence[bool], empty: Picture | None) -> bool:
    """Whether the pictures that seem to coincide do so exactly."""
    kept = [picture for picture, stays in zip(pictures, still, strict=True) if stays]
    over, others = (empty, kept) if empty is not None else (kept[0] if kept else None, kept[1:])
    if over is None or not others:
        return True
    points = GroundPoints(over)
    shifts = [points.shift_px(picture) for picture in others[:: 1 + len(others) // _LOOKED_AT]]
    return float(np.median(shifts)) < _RESTS_PX


def drawn(picture: Picture, place: Float64, scale: float, levelled: Float64) -> StillView:
    """The picture registered with the others, `levelled` (see `plane`) and `scale` times as large."""
    width, height = (max(1, round(side * scale)) for side in picture.shape[1::-1])
    grow = np.array([[1 / scale, 0, 0.5 / scale - 0.5], [0, 1 / scale, 0.5 / scale - 0.5], [0, 0, 1]])
    place = place @ np.linalg.inv(levelled)
    if np.array_equal(place, np.eye(3)):
        return StillView(_shrunk(picture, scale), warp=grow)
    below, sigma = _SOFTENED
    soft = picture if scale > below else cv2.GaussianBlur(picture, (0, 0), sigma / scale)
    warp = place @ grow
    frame = cv2.warpPerspective(
        soft,
        warp,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return StillView(np.asarray(frame, np.uint8), warp=warp)


def _shrunk(picture: Picture, scale: float) -> Picture:
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _is_still(frame: Picture, ground: Picture) -> bool:
    """Whether both show one ground at one place: its fine print agrees, if it has any.

    False for pictures too small for one block of print.
    """
    if min(frame.shape[:2]) < _BLOCK_PX:
        return False
    grey = [cv2.cvtColor(each, cv2.COLOR_BGR2GRAY).astype(np.float32) for each in (frame, ground)]
    ours, theirs = (_in_blocks(each) for each in grey)
    rough = np.maximum(ours.std(axis=1), theirs.std(axis=1)) > max(noise_of(grey[0]), _LEAST_PRINT)
    if rough.mean() > _PRINTED:
        both = (ours[rough] * theirs[rough]).mean(axis=1)
        alike = both / np.maximum(ours[rough].std(axis=1) * theirs[rough].std(axis=1), 1e-6)
        if float(np.median(alike)) < _ALIKE:
            return False
    return float((apart(relit(frame, ground), ground) > _CHANGED).mean()) < _STILL


def _in_blocks(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """Detail finer than light and shadow, in blocks: (blocks, pixels), each with mean 0."""
    fine = cv2.GaussianBlur(grey, (0, 0), 1.0) - cv2.GaussianBlur(grey, (0, 0), 5.0)
    rows, columns = (side // _BLOCK_PX for side in fine.shape)
    cut = fine[: rows * _BLOCK_PX, : columns * _BLOCK_PX]
    blocks = cut.reshape(rows, _BLOCK_PX, columns, _BLOCK_PX).swapaxes(1, 2).reshape(rows * columns, -1)
    return np.asarray(blocks - blocks.mean(axis=1, keepdims=True), np.float32)
