"""The eye over a dice box: waits until all is still and no hand is in view, then says how the dice lie.

What it says is fact, not play: whether dice were thrown, taken back or laid as a bet, the rules know. But it
tells whether anything moved by itself, without a hand: dice that roll do, and dice that fly past the box.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box_reader import BoxReader
from vision.dice_set import DiceSet
from vision.errors import TagsNotFoundError
from vision.layout import Layout
from vision.sightings import Picture, ThrowSeen
from vision.throws import PATIENCE_S, REST_S, Found, dice_crop

_WIDTH = 200
_JUMP = 14
"""Steps of 255 by which a pixel of the small copy must change in any channel to have moved."""
_MOVING = 0.0002
"""Share of the small picture that may flicker while all is still."""
_HAND = 0.004
"""Share of the small picture that a hand takes at least, once it has come in from the rim."""
_DIE = 0.012
"""Share of the small picture that a die in flight takes at most, blurred as it is, in both frames."""
_AWAY = 17
"""Pixels of the small picture round a hand, both ways, in which whatever moves is the hand's."""
_FLIGHT = 2
"""Frames in which something must move by itself."""

Small = NDArray[np.uint8]
Mask = NDArray[np.bool_]


class BoxEye:
    """The state between frames. Pure: the caller brings pictures and times, in order."""

    def __init__(self, layout: Layout, dice: DiceSet) -> None:
        self._reader = BoxReader(layout, dice)
        self._last: Small | None = None
        self._clean: Small | None = None
        self._still_since: float | None = None
        self._frames_still = 0
        self._judged = False
        self._flights = 0
        self._hand_before: Mask = np.zeros((0, 0), bool)
        self._found_once = False

    def see(self, picture: Picture, t: float) -> list[ThrowSeen]:
        """Take in one frame (h, w, 3) BGR at `t` seconds; how the dice lie, once for every rest.

        Raises TagsNotFoundError while the box has never been found.
        """
        small = _small(picture)
        before, self._last = self._last, small
        if before is None or before.shape != small.shape:
            self._still_since, self._frames_still = t, 0
            self._hand_before = np.zeros(small.shape[:2], bool)
            return []
        moved = _changed(before, small)
        if moved.mean() > _MOVING:
            self._flights += self._flies(moved, small)
            self._still_since, self._frames_still, self._judged = None, 0, False
            return []
        if self._still_since is None:
            self._still_since = t
        self._frames_still += 1
        # Cameras repeat frames: one that equals the last is no proof of rest, three are.
        if self._judged or self._frames_still < 2 or t - self._still_since < REST_S:
            return []
        if self._hand(small).any() and t - self._still_since < PATIENCE_S:
            return []
        self._judged = True
        return self._look(picture, small, t)

    def _look(self, picture: Picture, small: Small, t: float) -> list[ThrowSeen]:
        """Read the still box."""
        changed = None if self._clean is None else _grown(_changed(self._clean, small))
        try:
            found = self._reader.read(picture, changed)
        except TagsNotFoundError:
            if not self._found_once:
                raise
            return []
        self._found_once = True
        rolled, self._flights = self._flights >= _FLIGHT, 0
        self._clean = small
        return [ThrowSeen(t, tuple(f.die for f in found), _crop(picture, found), rolled)]

    def _hand(self, small: Small) -> Mask:
        """Where something has come in from the rim since the box was last read."""
        if self._clean is None or self._clean.shape != small.shape:
            return np.zeros(small.shape[:2], bool)
        changed = cv2.morphologyEx(
            _changed(self._clean, small).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
        )
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed)
        h, w = changed.shape
        hand = np.zeros(changed.shape, bool)
        for k, (x, y, wide, high, area) in enumerate(stats[:count].tolist()):
            if k and (x == 0 or y == 0 or x + wide == w or y + high == h) and area > _HAND * h * w:
                hand |= labels == k
        return hand

    def _flies(self, moved: Mask, small: Small) -> bool:
        """Whether something of a die's size moves, well away from every hand and from the picture's rim."""
        hand = self._hand(small)
        near, self._hand_before = hand | self._hand_before, hand
        if near.mean() > 0.5:
            return False
        near = cv2.dilate(near.astype(np.uint8), np.ones((_AWAY, _AWAY), np.uint8)) > 0
        count, labels, stats, _ = cv2.connectedComponentsWithStats(_grown(moved).astype(np.uint8))
        h, w = moved.shape
        for k, (x, y, wide, high, area) in enumerate(stats[:count].tolist()):
            inside = x > 0 and y > 0 and x + wide < w and y + high < h
            if k and inside and area < _DIE * h * w and not near[labels == k].any():
                return True
        return False


def _small(picture: Picture) -> Small:
    h, w = picture.shape[:2]
    step = max(1, w // (3 * _WIDTH))  # every pixel of a large frame would cost more than it tells
    small = cv2.resize(
        picture[::step, ::step], (_WIDTH, max(1, round(h * _WIDTH / w))), interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.blur(small, (2, 2)), np.uint8)


def _changed(one: Small, two: Small) -> Mask:
    """Pixels that changed in any channel beside what all pixels changed (exposure, white balance)."""
    change = two.astype(np.int16) - one
    change -= np.median(change[::4, ::4], axis=(0, 1)).astype(np.int16)
    return np.asarray(np.abs(change).max(axis=2) > _JUMP)


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _crop(picture: Picture, found: list[Found]) -> Picture | None:
    """The part of the picture that holds all dice."""
    return dice_crop(picture, found) if found else None
