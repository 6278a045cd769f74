"""Finds in stills that stand alone, compared with those of the others: a find unlike them is refused.

A beer mat, a pip or a frame may be a better rectangle than the card. It differs in size, place or shape, or
stands still in all pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cards.lone import ELSEWHERE, SOME, Lone
from vision.cards.motion import is_ground_nearer
from vision.cards.one_place import NOT_THERE, strays, usual_size
from vision.cards.outline import sides_of
from vision.cards.reasons import FEW_LEARNT, FEW_NEARER, PLAIN, Reason
from vision.cards.series import LEAST, apart, middle, relit
from vision.geometry import flatten_px

_MARK = 0.12
_OTHER_THING = 0.2
"""Least log ratio of a side to that of most cards for another thing, or another distance of the camera."""
_STRETCH = 0.22
"""Most by which perspective changes a card's ratio of sides (share)."""
_STANDS, _SAME_THING = 0.02, 0.25
"""Most that corners of a standing thing move, over the short side; and if it was found only roughly."""
_SEEN_PX = (120, 180)
_CHANGED = 25.0
_LEAST_CHANGED = 0.15
"""Least share of a face that changes: print changes all over; in a box with a card only one place changes."""
_SHARE = 6.0
"""Factor of area within which crops and stills of one kind show cards filling the picture alike."""
_ONE_SHAPE, _MOST = 0.05, 0.75
"""Share by which cards differ in shape at whatever distance, and share of the finds that must agree."""
_SIZES = Reason(
    "sizes", f"what was found in pictures like this one has many sizes, so it may be no card; {PLAIN}"
)
_DISTANCE = Reason(
    "distance",
    "what was found in pictures like this one has many sizes, and the camera was nearer in some than in"
    " others; take them again from the same distance each time, with the camera on a stand",
)


def refuse_within(same: Sequence[Lone]) -> None:
    """Refuse finds unlike those in the other pictures of one form, as one camera takes them."""
    _refuse_strangers(same)
    _agree_in_place(same)
    _refuse_standing([each for each in same if each.corners is not None])
    _refuse_few(same)


def refuse_across(found: Sequence[Lone], ratio: float | None) -> None:
    """Refuse finds unlike those in all other pictures without a table; `ratio` is the deck's, if known."""
    _agree_in_share(found)
    _agree_in_ratio(found, ratio)


def _refuse_strangers(found: Sequence[Lone]) -> None:
    """Refuse finds that differ much in size: pictures of one form are taken from about the same distance.

    If no size is usual, it cannot be known which of them is the card's.
    """
    left = [each for each in found if each.size is not None]
    usual = usual_size([each.size for each in left if each.size is not None])
    if len(left) < SOME or usual is None:
        return
    apart = [float(np.abs(np.log(np.asarray(each.size) / usual)).max()) for each in left]
    alike = sum(off < _OTHER_THING for off in apart)
    if alike <= len(found) / 2:
        why = (
            _DISTANCE
            if _are_of_one_shape(left) or is_ground_nearer([each.picture for each in left])
            else _SIZES
        )
        for each in left:
            each.refuse(why)
        return
    for each, off in zip(left, apart, strict=True):
        if off >= _OTHER_THING:
            each.refuse(
                Reason.of_size(
                    "size.far",
                    "what was found is not as large as the cards in the other pictures (theirs are"
                    " {width:.0f} x {height:.0f} px); take it again from the same distance",
                    usual,
                )
            )


def _are_of_one_shape(found: Sequence[Lone]) -> bool:
    """Whether most finds have one ratio of sides: cards at several distances, if their sizes differ."""
    shapes = np.array([float(each.size[1] / each.size[0]) for each in found if each.size is not None])
    return float(np.mean(np.abs(shapes / np.median(shapes) - 1) < _ONE_SHAPE)) >= _MOST


def _agree_in_place(found: Sequence[Lone]) -> None:
    """Refuse finds off the mark at which cards are laid under a camera that stands still."""
    left = [each for each in found if each.corners is not None and each.size is not None]
    if not left:
        return
    middles = [np.asarray(each.corners).mean(axis=0) for each in left]
    short = float(np.median([np.asarray(each.size)[0] for each in left]))
    for each, stray in zip(left, strays(middles, _MARK * short, ELSEWHERE * short), strict=True):
        if stray:
            each.refuse(NOT_THERE)


def _refuse_standing(found: Sequence[Lone]) -> None:
    """Refuse a box or a beer mat: it stands still in all pictures, and little changes in it."""
    if len(found) < LEAST:
        return
    places = np.array([each.corners for each in found])
    usual = np.median(places, axis=0)
    short = float(sides_of(usual)[0])
    off = np.abs(places - usual).max(axis=(1, 2))
    standing = [each for each, away in zip(found, off, strict=True) if away < max(_STANDS * short, 1.0)]
    if len(standing) < max(LEAST, len(found) / 2):
        return
    frames = [flatten_px(each.picture, usual, _SEEN_PX) for each in standing]
    ground = middle(frames)
    lit = [apart(relit(frame, ground), ground) for frame in frames]
    changed = cv2.morphologyEx(
        (np.max(lit, axis=0) > _CHANGED).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)
    )
    points = cv2.findNonZero(changed)
    share = 0.0 if points is None else cv2.contourArea(cv2.convexHull(points)) / changed.size
    if share < _LEAST_CHANGED:
        # In noise, a corner of the same thing may have been found a little off.
        for each in [each for each, away in zip(found, off, strict=True) if away < _SAME_THING * short]:
            each.refuse(
                Reason(
                    "stands",
                    "what was found never moves in any picture, so it is no card; take them again with an"
                    " empty.jpg of the bare ground",
                )
            )


def _refuse_few(found: Sequence[Lone]) -> None:
    """Refuse the rest if most pictures of one camera taught nothing: the rest may be deceptive, too."""
    left = [each for each in found if each.corners is not None]
    if left and len(found) >= LEAST and len(left) < len(found) / 2:
        why = FEW_NEARER if is_ground_nearer([each.picture for each in found]) else FEW_LEARNT
        for each in left:
            each.refuse(why)


def _agree_in_share(found: Sequence[Lone]) -> None:
    """Refuse a pip or a frame in a crop: it fills far less of its picture than the other crops' cards."""
    left = [each for each in found if each.corners is not None]
    if len(left) < SOME:
        return
    shares = [
        cv2.contourArea(np.asarray(each.corners, np.float32)) / each.picture[..., 0].size for each in left
    ]
    usual = float(np.median(shares))
    for each, share in zip(left, shares, strict=True):
        if share * _SHARE < usual:
            each.refuse(
                Reason(
                    "share",
                    "what was found is far smaller than the cards in the other pictures; take it again",
                )
            )


def _agree_in_ratio(found: Sequence[Lone], ratio: float | None) -> None:
    """Refuse what is much longer or shorter than the other cards, more than perspective explains."""
    left = [each for each in found if each.size is not None]
    own = [float(each.size[1] / each.size[0]) for each in left if each.size is not None]
    if ratio is None and len(own) < SOME:
        return
    usual = float(np.median(own)) if ratio is None else ratio
    for each, each_ratio in zip(left, own, strict=True):
        if abs(each_ratio / usual - 1) > _STRETCH:
            each.refuse(
                Reason(
                    "ratio",
                    "what was found is {own:.2f} times as long as wide, the other cards are {usual:.2f}"
                    " times; take it again with one card wholly in view",
                    own=round(each_ratio, 2),
                    usual=round(usual, 2),
                )
            )
