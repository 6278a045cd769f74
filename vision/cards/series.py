"""Pictures that one camera took of one ground: what they share is the ground, what changes is the card.

The ground is the median of the pictures, each relit like the others. Where most pictures show a card, that
median is not the ground; once the cards' places are known, the ground is learnt again from the pictures that
are free there, and what no picture shows free is filled in from beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64, Mask
from vision.cards.outline import edge_offsets
from vision.sightings import Picture

LEAST = 3
"""Least number of pictures: of two, it cannot be known which shows the ground."""
_COARSE = 16
"""Pixels to one of the coarse copies in which light is compared: light varies slowly."""
_OFFSET = 4.0
"""Steps of 255 added before light is divided by light: black carries no information about it."""
_ROUNDS = 6
"""Iterations of the reweighting that discounts outliers."""
_NOISES, _LEAST_NOISE, _MOST_NOISE = 4.0, 5.0, 12.0
"""Factor of the usual difference above which a pixel has changed, and its limits in steps of 255."""
_EDGE_SHARE = 0.5
"""Share of its slope by which an edge of the ground differs half a pixel off its place."""
_CROWDED = 0.35
"""Share of the frames showing a card at a place above which their median is not the ground there."""
_MOST_LOST, _SHOWN = 0.7, 0.4
"""Share of the frames without a known card above which the ground may show most cards, and the strength of
its edges at the cards' rims, relative to the frames', above which it does."""
_FREE = 2
"""Number of pictures that must show a place free; one is enough if there are few."""
_SOME = 24
"""Number of frames whose median stands in for that of all frames, to save time."""
_AROUND = 0.25
"""How far round it unseen ground is compared, as a share of its own width."""
_MOST_INVENTED = 15.0
"""Most steps of 255 by which unseen ground may be off."""
_ROWS, _PIXELS = 32, 4096
"""Rows and pixels whose median is computed at a time: it takes a multiple of their memory."""
_EVEN_PX = 1.5
"""Blur (sigma in px) that removes finer changes of alternating sign: they are no change of the ground."""


class Series:
    """Frames (h, w, 3) BGR of one form with the ground at rest: three or more, or fewer with an empty one.

    `frames` are lit alike, `ground` (h, w, 3) is what lies under the cards, `noise` (h, w) how many steps a
    place may differ from it without having changed, `known` (h, w) where enough pictures show it free. With
    `doubts_unseen`, more may differ where the ground was only filled in: over a table of known tags it is
    filled in well enough, and doubting it there displaced the faces of cards on wood.
    """

    def __init__(
        self, frames: Sequence[Picture], empty: Picture | None = None, doubts_unseen: bool = False
    ) -> None:
        first = empty if empty is not None else middle(frames)
        self.frames = [relit(frame, first) for frame in frames]
        self._is_empty = empty is not None
        self._doubts_unseen, self._evened = doubts_unseen, False
        self.ground: Picture = first if empty is not None else middle(self.frames)
        self.known: Mask = np.ones(self.ground.shape[:2], bool)
        usual = [float(np.median(apart(frame, self.ground)[::3, ::3])) for frame in self.frames]
        self._level = min(max(_NOISES * float(np.median(usual)), _LEAST_NOISE), _MOST_NOISE)
        self.noise = _noise(self.ground, self._level)

    def doubt(self, times: float) -> None:
        """From now on, count only changes of one sign over an area, and only those `times` as strong.

        A sensor's noise has both signs, and so have the artefacts of a JPEG round an edge.
        """
        self._evened = True
        self._level *= times
        self.noise = _noise(self.ground, self._level)

    def __len__(self) -> int:
        return len(self.frames)

    def apart(self, number: int) -> NDArray[np.float32]:
        """How far a frame differs from the ground (h, w), in steps of 255 of its most different channel."""
        return apart(self.frames[number], self.ground)

    def roughly_apart(self, number: int) -> NDArray[np.float32]:
        """The same, smoothed after `doubt` was called: it shows where a card is, not its exact edge."""
        return _evenly_apart(self.frames[number], self.ground) if self._evened else self.apart(number)

    def changed(self, number: int) -> Mask:
        """Where a frame (h, w) shows something other than the ground."""
        return self.roughly_apart(number) > self.noise

    def learn_ground(self, cards: Sequence[Float64 | None], margin_px: int) -> None:
        """Learn the ground from where it is free: `cards` are corners (4, 2) for each frame.

        A frame whose card is unknown (None) may show a hand there, and does not count for crowded places.
        Outlines may be off by `margin_px`: what lies that near to one is not taken for ground.
        """
        if self._is_empty:
            return
        shape = self.ground.shape[:2]
        covered = np.empty((len(cards), *shape), bool)
        for number, corners in enumerate(cards):
            covered[number] = _covered(shape, corners, margin_px)
        lost = np.array([corners is None for corners in cards])
        if lost.mean() > _MOST_LOST and not self._shows(cards):
            covered[lost] = False  # the few frames with known cards show less of the ground than all do
        count = covered.sum(axis=0)
        crowded = count > _CROWDED * len(covered)
        if not crowded.any():
            return
        unseen = count > len(covered) - (_FREE if len(covered) > _SOME else 1)
        ground = self.ground.copy()
        self.known = ~unseen
        free = crowded & ~unseen
        ground[free] = _median_where(self.frames, free, covered)
        self.ground = np.asarray(cv2.inpaint(ground, unseen.astype(np.uint8), 3, cv2.INPAINT_TELEA), np.uint8)
        self.noise = _noise(self.ground, self._level)
        if self._doubts_unseen:
            self.noise[unseen] += _invented(self.ground, unseen)

    def _shows(self, cards: Sequence[Float64 | None]) -> bool:
        """Whether the ground has edges where the cards do: then most cards lay there, and it is no ground."""
        shares = [
            _rim_strength(self.ground, corners) / max(_rim_strength(frame, corners), 1e-6)
            for frame, corners in zip(self.frames, cards, strict=True)
            if corners is not None
        ]
        return not shares or float(np.median(shares)) > _SHOWN


def _rim_strength(frame: Picture, corners: Float64) -> float:
    """Median edge strength of each side of an outline (4, 2), averaged; a cloth alternates in sign."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return float(np.abs(np.median(edge_offsets(grey, corners, 2.0)[1], axis=1)).mean())


def middle(frames: Sequence[Picture]) -> Picture:
    """The median of frames of one form, pixel by pixel; of very many, a sample is enough."""
    some = frames if len(frames) <= 2 * _SOME else frames[:: len(frames) // _SOME]
    whole = np.empty_like(some[0])
    for first in range(0, len(whole), _ROWS):
        rows = slice(first, first + _ROWS)
        whole[rows] = np.median(np.stack([frame[rows] for frame in some]), axis=0)
    return whole


def _median_where(frames: Sequence[Picture], where: Mask, covered: Mask) -> NDArray[np.uint8]:
    """The median (n, 3) at the pixels `where` (h, w) of the frames not `covered` (frames, h, w) there."""
    rows, columns = np.nonzero(where)
    parts = []
    for first in range(0, len(rows), _PIXELS):
        at = rows[first : first + _PIXELS], columns[first : first + _PIXELS]
        seen = np.stack([frame[at] for frame in frames]).astype(np.float32)
        seen[covered[:, *at]] = np.nan
        parts.append(_median_seen(seen).astype(np.uint8))
    return np.concatenate(parts) if parts else np.zeros((0, 3), np.uint8)


def _median_seen(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Medians over the first axis, ignoring NaN; `np.nanmedian` of few rows takes four times as long."""
    ordered = np.sort(values, axis=0)  # NaN last
    count = np.count_nonzero(~np.isnan(values), axis=0)[None]
    low, high = (
        np.take_along_axis(ordered, at, axis=0)[0] for at in (np.maximum(count - 1, 0) // 2, count // 2)
    )
    return np.asarray((low + high) / 2, np.float32)


def apart(frame: Picture, ground: Picture) -> NDArray[np.float32]:
    """The difference (h, w) of two frames in the channel that differs most."""
    far = _most(cv2.absdiff(frame, ground)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(far, (0, 0), 0.5), np.float32)


def _evenly_apart(frame: Picture, ground: Picture) -> NDArray[np.float32]:
    """The difference (h, w) of two frames in the channel that differs most, without changes of mixed sign."""
    signed = cv2.subtract(frame, ground, dtype=cv2.CV_32F)
    return np.asarray(_most(np.abs(cv2.GaussianBlur(signed, (0, 0), _EVEN_PX))), np.float32)


def relit(frame: Picture, ground: Picture) -> Picture:
    """The frame in the light of the ground: a gain in each channel that varies slowly over the picture.

    What lies on the ground differs in colour, not in light, so it is downweighted step by step.
    """
    height, width = max(2, frame.shape[0] // _COARSE), max(2, frame.shape[1] // _COARSE)
    now, then = (
        cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float64) + _OFFSET
        for picture in (frame, ground)
    )
    y, x = (u.ravel() for u in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j])
    form = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)
    gains = []
    for channel in range(3):
        brighter = np.log(then[..., channel] / now[..., channel]).ravel()
        model: Float64 = np.zeros(6)
        model[0] = np.median(brighter)
        for _ in range(_ROUNDS):
            rest = brighter - form @ model
            spread = max(0.02, 1.5 * float(np.median(np.abs(rest))))
            pull = form * (1 / (1 + (rest / spread) ** 2) ** 2)[:, None]
            model = np.asarray(
                np.linalg.solve(pull.T @ form + 1e-6 * np.eye(6), pull.T @ brighter), np.float64
            )
        gains.append(np.exp(form @ model).reshape(height, width))
    gain = cv2.resize(np.stack(gains, axis=2).astype(np.float32), frame.shape[1::-1])
    return np.asarray(np.clip((frame + np.float32(_OFFSET)) * gain - _OFFSET + 0.5, 0, 255), np.uint8)


def _noise(ground: Picture, level: float) -> NDArray[np.float32]:
    x, y = (cv2.Sobel(ground, cv2.CV_32F, *along) for along in ((1, 0), (0, 1)))
    steep = _most(np.asarray(cv2.magnitude(x, y))) / 8
    return np.asarray(level + _EDGE_SHARE * steep, np.float32)


def _invented(ground: Picture, unseen: Mask) -> float:
    """How far filled-in ground may be off: as far as the ground around it varies."""
    reach = max(3, round(_AROUND * float(np.sqrt(unseen.sum()))))
    around = cv2.dilate(unseen.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=reach) > 0
    seen = ground[around & ~unseen]
    return min(float(seen.std(axis=0).max()), _MOST_INVENTED) if len(seen) else 0.0


def _most(channels: NDArray[Any]) -> NDArray[Any]:
    """The largest of three channels (h, w, 3); numpy takes ten times as long."""
    blue, green, red = cv2.split(channels)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def _covered(shape: tuple[int, ...], corners: Float64 | None, margin_px: int) -> Mask:
    if corners is None:
        return np.ones(shape, bool)
    mask: NDArray[Any] = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.asarray(corners) * 16).astype(np.int32)], 1, shift=4)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=margin_px) > 0)
