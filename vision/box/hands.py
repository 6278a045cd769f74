"""Hands and arms over a dice box: they reach in from the picture's rim; dice and the box do not.

All decisions are made on small copies (`frame_diff`), compared with that of the last reading of the box.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.box.frame_diff import SmallCopy, carried, changed, from_rim, pieces
from vision.box.hand_parameters import BOX_HANDS
from vision.box.passing_shade import cast
from vision.box.pose_tracker import PoseTracker
from vision.sightings import Picture
from vision.untagged.throws import PATIENCE_S


def reaching(
    read: SmallCopy | None, small: SmallCopy, without: Mask | None = None, box: Mask | None = None
) -> Mask:
    """Mask (h, w) of what has come in from the rim since `read`, ignoring the mask `without`.

    A shade that fell over the `box` (h, w) does not count.
    """
    if read is None or read.shape != small.shape:
        return np.zeros(small.shape[:2], bool)
    differs = changed(read, small)
    if without is not None:
        differs &= ~without
    hand = from_rim(differs, BOX_HANDS.hand)
    if box is None or not hand.any():
        return hand
    shade = cast(read, small, differs, box)
    if not shade.any():
        return hand
    differs &= ~shade
    # A brown arm may look like wood in that shade; the rest of it, over the box, then touches no rim.
    return from_rim(differs, BOX_HANDS.hand) | pieces(differs & box, BOX_HANDS.large)


def in_the_way(hand: Mask, pose: PoseTracker) -> bool:
    """Whether the hand that `reaching` found is over the box; one beside it hides no die and throws none."""
    return bool(hand.any() and (hand & pose.covers(hand.shape)).any())


def only_turned(read: SmallCopy | None, picture: Picture, small: SmallCopy, pose: PoseTracker) -> bool:
    """Whether nothing came in from the rim: only the box, or the camera, was turned or pushed."""
    outlines = _outlines(picture, small, pose)
    if not outlines or read is None:
        return False
    if not reaching(read, small, _filled(outlines, small)).any():
        return True
    view, seen = carried(read, _turn(outlines))
    return not from_rim(changed(view, small) & seen, BOX_HANDS.hand, seen).any()


def come_since(read: SmallCopy, picture: Picture, small: SmallCopy, pose: PoseTracker) -> Mask:
    """Mask (h, w) of where a picture differs from `read`, apart from a box that was turned or pushed."""
    differs = changed(read, small)
    # A picture in doubt must not move the tracked box.
    if outlines := _outlines(picture, small, pose.apart()):
        view, seen = carried(read, _turn(outlines))
        np.copyto(differs, changed(view, small), where=seen & _filled(outlines[1:], small))
    return differs


def _outlines(picture: Picture, small: SmallCopy, pose: PoseTracker) -> list[NDArray[np.float64]]:
    """Outlines (4, 2) of the box in a small copy, before and after a turn; empty if it was not turned."""
    return [corners * (small.shape[1] / picture.shape[1]) for corners in pose.footprints(picture)]


def _filled(outlines: Sequence[NDArray[np.float64]], small: SmallCopy) -> Mask:
    box = np.zeros(small.shape[:2], np.uint8)
    for corners in outlines:
        cv2.fillConvexPoly(box, np.rint(corners).astype(np.int32), (1,))
    return box > 0


def _turn(outlines: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    before, now = (corners.astype(np.float32) for corners in outlines)
    return np.asarray(cv2.getPerspectiveTransform(before, now), np.float64)


class LyingArm:
    """Tells a resting arm, or a jug, from a moving hand by comparison with an earlier rest."""

    def __init__(self) -> None:
        self._first: tuple[SmallCopy, float] | None = None

    def forget(self) -> None:
        """Forget what lies there: the box was read, so anything that reaches in from now on is new."""
        self._first = None

    def lies_long(self, read: SmallCopy | None, small: SmallCopy, t: float) -> bool:
        """Take in a still picture at `t` seconds; return whether all that reaches in has lain there long."""
        if read is None or self._first is None:
            self._first = small, t
            return False
        before, since = self._first
        if from_rim(changed(read, small) & changed(before, small), BOX_HANDS.hand).any():
            self._first = small, t
            return False
        return t - since >= PATIENCE_S
