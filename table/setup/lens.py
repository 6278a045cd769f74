"""Measures the camera's lens while somebody holds the printed sheet before it at various tilts."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import cv2
import numpy as np

from table.catalogue import fact
from table.errors import StammtischError
from table.eye_words import told_by
from table.printables.pieces import CALIBRATION
from vision.calibration import (
    GOOD_REACH,
    Calibration,
    CalibrationError,
    SheetView,
    apart_px,
    calibrate,
    find_sheet,
    turned,
)
from vision.sightings import Picture

WANTED = 12
"""Number of pictures of the sheet to take; ten suffice (`calibrate`), so two may be discarded."""

_EVERY_S = 0.25
_STILL_PX = 1.5
"""Largest movement of the sheet's corners between two looks that still counts as held still."""
_OTHER = 0.06
"""Distance from all earlier views' corners from which on a view is a new one, in picture widths."""
_TURNED = 0.05
"""Difference of the sheet's tilt (`turned`) that also makes a new view: 20 to 30 degrees."""


@dataclass(frozen=True, slots=True)
class LensState:
    """Progress: number of views taken and wanted; the result once the lens is measured."""

    views: int
    wanted: int
    seen: bool
    """Whether the sheet is in the picture now."""
    error_px: float | None = None
    error_mm: float | None = None
    reached: bool | None = None
    """Whether the sheet came near the picture's corners; otherwise the lens is a guess there."""


class LensMeasuring:
    """One lens being measured. `see` belongs to the camera's thread; any thread may call the rest."""

    def __init__(self, distance_mm: float) -> None:
        """`distance_mm`: from the camera to the table, for the error in millimetres."""
        self._distance_mm = distance_mm
        self._views: list[SheetView] = []
        self._last: SheetView | None = None
        self._next_t = 0.0
        self._busy = threading.Lock()
        self.lens: Calibration | None = None

    def see(self, picture: Picture, t: float) -> None:
        """Take one frame (h, w, 3) BGR uint8 at `t` seconds; it is kept if the sheet rests in a new pose."""
        if t < self._next_t or len(self._views) >= WANTED:
            return
        self._next_t = t + _EVERY_S
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        view = find_sheet(grey, CALIBRATION, f"{t:.1f} s")
        before, self._last = self._last, view
        if view is None or before is None or apart_px(view, before) > _STILL_PX:
            return
        apart = _OTHER * picture.shape[1]
        if all(apart_px(view, each) > apart or turned(view, each) > _TURNED for each in self._views):
            with self._busy:
                self._views.append(view)

    def measure(self) -> None:
        """Fit the lens to the views taken; takes a second, so call it off the loop.

        Raises:
            StammtischError: these views do not suffice; the first half of them is dropped.
        """
        with self._busy:
            views = list(self._views)
            if not views:
                raise StammtischError(fact("setup.lens.nothing"))
            try:
                self.lens = calibrate(views)
            except CalibrationError as wrong:
                self._views = views[len(views) // 2 :]
                raise StammtischError(told_by(wrong)) from None

    def state(self) -> LensState:
        """Current progress."""
        lens = self.lens
        if lens is None:
            return LensState(len(self._views), WANTED, self._last is not None)
        error_mm = lens.error_mm(self._distance_mm)
        return LensState(len(lens.views), WANTED, True, lens.rms_px, error_mm, lens.reach >= GOOD_REACH)
