"""All faces at a third of their size: which of hundreds are likely, and where, by a few matrix products.

Light is fitted much as in `photometry`: a gain in each channel that varies slowly over the card, and, if
the order of the faces matters, a veil over it. `recognition` gives the names; here a likely face is
enough.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.imgproc.photometry import Grid

_COARSE = 3
_RIM = 1
"""Coarse pixels left out along each side: cut out slightly too wide, they show dark ground."""
_LIFT = 100.0
"""Grey levels at which a veil weighs as much as a gain of one."""
_KNOWN = 0.6
"""Least weight of a coarse pixel that is compared: the rest is covered."""
_HELD = 0.01
"""Share by which the veil is damped."""


class FaceShortlist:
    """All faces (h, w, 3) at a third of their `size` (w, h), where comparing with hundreds is cheap."""

    def __init__(self, faces: Iterable[Float32], size: tuple[int, int]) -> None:
        width, height = size[0] // _COARSE - 2 * _RIM, size[1] // _COARSE - 2 * _RIM
        self._size = width, height
        small = [_shrink(face) for face in faces]
        flat = np.stack(small) if small else np.zeros((0, height, width, 3), np.float32)
        flat = flat.reshape(len(small), height * width, 3).transpose(2, 0, 1)
        grid = Grid(width, height)
        self._flat = np.ascontiguousarray(flat)  # channel, face, pixel
        self._squares = self._flat * self._flat
        self._planes = grid.planes
        self._products = (grid.planes[:, None] * grid.planes[None]).reshape(9, -1)
        self._gram = self._grams(None)
        self._lifts = self._flat @ self._planes.T
        self._inverse = np.linalg.inv(self._gram + np.eye(3))
        self._paper = self._planes.T @ np.linalg.inv(self._planes @ self._planes.T)
        self._pixels = height * width

    def explained(self, seen: Float32, weight: Float32, veiled: bool = True) -> Float32:
        """The share of the ink in (h, w, 3) that each face explains, (faces,); below 0, paper explains more.

        `veiled` allows for haze over the card, which takes a fifth longer.
        """
        target, known = self._target(seen, weight)
        if not len(known):
            return np.zeros(self._flat.shape[1], np.float32)
        energy = float((target.astype(np.float64) ** 2).sum())
        left = energy + self._left_over(target, known, veiled)
        return np.asarray(1 - left / max(self._ink(target, known), 1e-6), np.float32)

    def _ink(self, target: Float32, known: NDArray[np.intp]) -> float:
        planes = self._planes[:, known]
        held = planes @ planes.T + 1e-6 * len(known) * np.eye(3)
        white = planes.T @ np.linalg.solve(held, planes @ target).astype(np.float32)
        return float(((target - white).astype(np.float64) ** 2).sum())

    def _target(self, seen: Float32, weight: Float32) -> tuple[Float32, NDArray[np.intp]]:
        """The picture at a third of the size where it is known: (pixels, 3), and which pixels these are."""
        trust = _shrink(weight)
        small = _shrink(seen * weight[..., None]) / np.maximum(trust, 1e-3)[..., None]
        known = np.flatnonzero(trust.ravel() > _KNOWN)
        return np.asarray(small.reshape(self._pixels, 3)[known], np.float32), known

    def _left_over(self, target: Float32, known: NDArray[np.intp], veiled: bool) -> Float32:
        """Residual of each face over the known pixels, as a sum of squares up to a constant; (faces,)."""
        whole = len(known) == self._pixels
        gram = (self._gram if whole else self._grams(known)) + np.eye(3)
        planes = self._planes[:, known]
        flat = self._flat if whole else self._flat[..., known]
        right = np.stack([flat[c] @ (planes * target[:, c]).T for c in range(3)]).astype(np.float64)
        if veiled:
            # Washed-out ink is nearest to the faces that have least of it, unless a veil may lift them all.
            # The veil is damped a little: undamped, a face with few pips turns into one of another suit.
            lifts = _LIFT * (self._lifts if whole else flat @ planes.T)
            corner = np.full((*gram.shape[:2], 1, 1), len(known) * _LIFT**2 * (1 + _HELD))
            gram = np.block([[gram, lifts[..., None]], [lifts[..., None, :], corner]])
            hazes = np.repeat(_LIFT * target.sum(axis=0, dtype=np.float64), flat.shape[1])
            right = np.concatenate([right, hazes.reshape(3, -1, 1)], axis=2)
        fit = np.linalg.solve(gram, right[..., None])[..., 0]
        return np.asarray(-np.einsum("cfi,cfi->f", right, fit), np.float32)

    def _grams(self, known: NDArray[np.intp] | None) -> NDArray[np.float64]:
        """For every channel and face, the products (3, 3) of its three planes of light over known pixels."""
        weight = np.ones(self._flat.shape[2], np.float32)
        if known is not None:
            weight = np.zeros_like(weight)
            weight[known] = 1
        gram = self._squares @ (self._products * weight).T
        return gram.astype(np.float64).reshape(*gram.shape[:2], 3, 3)

    def seek(self, seen: Float32) -> tuple[float, float]:
        """The shift (x, y) in pixels of the full size at which some face explains most of the ink.

        `seen` (h + 2 r, w + 2 r, 3) includes the surroundings of the face's place; r is the reach of the
        search.
        """
        width, height = self._size
        wide = _shrink(seen)
        steps = (wide.shape[1] - width) // 2
        windows = np.lib.stride_tricks.sliding_window_view(wide, (height, width), axis=(0, 1))
        count = (2 * steps + 1) ** 2
        targets = windows.reshape(count, 3, self._pixels).transpose(1, 2, 0)  # channel, pixel, shift
        faces = self._flat.shape[1]
        explained = np.zeros((faces, count))
        total = np.zeros(count)
        for channel in range(3):
            target = np.ascontiguousarray(targets[channel])
            right = np.stack([self._flat[channel] @ (plane[:, None] * target) for plane in self._planes], 1)
            right = right.astype(np.float64)
            explained += np.einsum("fis,fis->fs", self._inverse[channel] @ right, right)
            energy = (target.astype(np.float64) ** 2).sum(axis=0)
            white = self._planes @ target
            total += energy - (white * (self._paper.T @ target)).sum(axis=0)
            explained -= energy
        likeness = 1 + explained.max(axis=0) / np.maximum(total, 1e-6)
        row, column = divmod(int(likeness.argmax()), 2 * steps + 1)
        return float((column - steps) * _COARSE), float((row - steps) * _COARSE)


def _shrink(picture: Float32) -> Float32:
    """A third of the size, blurred so that a pixel of shift does not matter."""
    height, width = picture.shape[:2]
    soft = cv2.GaussianBlur(picture, (0, 0), 1.6)
    small = cv2.resize(soft, (width // _COARSE, height // _COARSE), interpolation=cv2.INTER_AREA)
    return np.asarray(small[_RIM : height // _COARSE - _RIM, _RIM : width // _COARSE - _RIM], np.float32)
