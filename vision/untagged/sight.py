"""Sight through an unregistered camera, which may be held in a hand, drift, or be turned elsewhere.

`camera_health` recognises a table by its structure. Before such a camera, structure often comes only from the
things laid on the table, and goes with them. So a picture is rejected only if most of it has changed colour
within `_MEMORY_S`, not caused by a lamp, or if whole rows at its top or bottom have: things that are taken
away leave the cloth beside them unchanged.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.detector import CALM_S, FROZEN_S, TELL_S, FrameCheck
from vision.camera_health.liveness import Liveness
from vision.frame import Frame
from vision.sightings import Picture, SightBack, SightLost

MOVES_ON_S, STAYS_S = 2.0, 20.0
"""How long another scene must stay to be accepted as the new one; the same for any other disturbance."""
_KEPT = 4
"""Number of earlier scenes that are recognised when the camera returns to them."""
_MEMORY_S = 1.0
"""Age of the picture compared with: longer than a cover takes to slide in, or a lamp to go out."""
_CELLS = (32, 18)
_STEP = 10
"""Grey levels above which the difference of a cell's mean in some channel is a change of colour."""
_WHOLE = 0.7
"""Share of the cells that must change for the whole picture to have changed."""
_ROW, _TORN, _ELSE = 0.9, 4, 0.3
"""Share of its cells above which a row has changed as a whole; number of such rows in a torn picture; largest
share of changed cells in the others."""
_DARK, _TINTED = 0.3, 1.4
"""Share of the light below which it is too dark to read; ratio of the channels' gains that no lamp causes."""
_ALIKE, _FLAT = 0.6, 6.0
"""Correlation above which two pictures are alike; standard deviation in grey levels below which it is
unused."""

_SHARP = 30.0
"""Difference of neighbouring cells, in grey levels, in a picture of things; a cover on the lens is a blur."""

_Cells = NDArray[np.float32]


class Unregistered:
    """Decides whether each frame shows the scene. Pure: the caller passes pictures and times, in order."""

    def __init__(self) -> None:
        self._liveness = Liveness()
        self._seen: deque[tuple[float, _Cells]] = deque()
        self._since: float | None = None
        self._why = ""
        self._told = False
        self._well_since: float | None = None
        self._known: list[_Cells] = []
        self._strange: _Cells | None = None
        self._strange_since = 0.0

    def see(self, picture: Picture, t: float) -> FrameCheck:
        """Take in one frame (h, w, 3) BGR; return whether it may be used, and the news of sight."""
        frame = Frame(picture)
        cells = cv2.resize(frame.tiny, _CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)
        why = _wrong(self._seen[0][1], cells) if self._seen else None
        quiet = bool(self._seen) and not _changed(self._seen[-1][1], cells).any()
        if self._liveness.repeated(frame.grey, quiet) and why is None:
            why = "frozen"
        elif why is not None and (self._stays(cells, t, why) or self._knows(cells)):
            why = None
        if why is None:
            return self._well(cells, t)
        self._why, self._well_since = why, None
        if self._since is None:
            self._since, self._told = t, False
            self._known = [*self._known, self._seen[0][1]][-_KEPT:]
        if self._told or t - self._since < (FROZEN_S if why == "frozen" else TELL_S):
            return FrameCheck(False)
        self._told = True
        return FrameCheck(False, (SightLost(t, self._since, why),))

    def _well(self, cells: _Cells, t: float) -> FrameCheck:
        since = self._since
        if since is not None and (self._told or t - since >= TELL_S):
            self._well_since = t if self._well_since is None else self._well_since
            if t - self._well_since < CALM_S:
                return FrameCheck(False)
            self._well_since = None
            self._seen.clear()
        self._seen.append((t, cells))
        while self._seen[0][0] < t - _MEMORY_S:
            self._seen.popleft()
        self._since = None
        if since is None or (not self._told and t - since < TELL_S + CALM_S):
            return FrameCheck(True)
        back = SightBack(t, since, self._why)
        return FrameCheck(True, (back,) if self._told else (SightLost(t, since, self._why), back))

    def _knows(self, cells: _Cells) -> bool:
        """Whether the camera shows one of the earlier scenes again."""
        return any(
            _changed(scene, cells).mean() < 1 - _WHOLE and not _torn(_changed(scene, cells))
            for scene in self._known
        )

    def _stays(self, cells: _Cells, t: float, why: str) -> bool:
        """Whether the picture shown instead has not changed for long enough to be accepted."""
        if self._since is None or self._strange is None or _changed(self._strange, cells).mean() > 1 - _WHOLE:
            self._strange, self._strange_since = cells, t
        return t - self._strange_since >= (MOVES_ON_S if why == "moved" else STAYS_S)


def _changed(one: _Cells, two: _Cells) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - two).max(axis=2) > _STEP)


def _wrong(before: _Cells, now: _Cells) -> str | None:
    """What is wrong with a picture, compared with a good one; None if nothing is."""
    changed = _changed(before, now)
    if _torn(changed):
        return "covered"
    if changed.mean() < _WHOLE:
        return None
    gains = np.median((now + 2) / (before + 2), axis=(0, 1))
    one, two = before.mean(axis=2), now.mean(axis=2)
    told = float(one.std()) > _FLAT
    alike = told and float(np.corrcoef(one.ravel(), two.ravel() + 1e-3 * one.ravel())[0, 1]) > _ALIKE
    if float(gains.max()) < _DARK:
        return "dark" if alike or not told else "covered"
    if alike or (not told and float(gains.max() / gains.min()) < _TINTED and float(two.std()) < 2 * _FLAT):
        return None
    return "covered" if float(np.percentile(np.abs(np.diff(two)), 98)) < _SHARP else "moved"


def _torn(changed: NDArray[np.bool_]) -> bool:
    """Whether several lower or upper rows changed as a whole, and little else did."""
    for rows in (changed, changed[::-1]):
        torn = int(np.argmin(rows.mean(axis=1) > _ROW))
        if torn >= _TORN and rows[torn:].mean() < _ELSE:
            return True
    return False
