"""USB cameras through OpenCV: MJPG, newest frame wins; exposure, white balance and focus held once settled.

Where the driver provides it (V4L2 on Linux), the camera's own JPEG is passed on unchanged, so that a quiet
frame need not be decoded; elsewhere OpenCV decodes every frame.
"""

from __future__ import annotations

import time

import cv2
import numpy as np

from vision.cameras.exposure import SteadyLight
from vision.cameras.focus import SteadyFocus
from vision.cameras.newest import LiveCamera
from vision.errors import SourceError
from vision.frame import JPEG_START, Frame, damaged_by

SIZE_PX = (1280, 720)
"""Width and height requested from a USB camera: larger pictures come at fewer frames a second."""


class UsbCamera(LiveCamera):
    """`usb:N`. Raises SourceError when there is no such camera."""

    def __init__(self, number: int) -> None:
        name = f"usb:{number}"
        self._undecoded = True
        self._device = cv2.VideoCapture(number)
        if not self._device.isOpened():
            self._device.release()
            raise SourceError(
                f"{name}: there is no such camera; plug it in, close other programs that use it,"
                " or try another number",
                "camera.none",
                camera=name,
            )
        fourcc = cv2.VideoWriter.fourcc(*"MJPG")
        for setting, value in (
            (cv2.CAP_PROP_FOURCC, fourcc),
            (cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1]),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
            (cv2.CAP_PROP_CONVERT_RGB, 0),
        ):
            self._device.set(setting, value)
        backend = self._device.getBackendName()
        self._steady = (SteadyLight(self._device, backend), SteadyFocus(self._device, backend))
        super().__init__(name)

    def _let_go(self) -> None:
        try:
            for steady in self._steady:
                steady.end()
        finally:
            self._device.release()

    def _grab(self) -> Frame | None:
        frame = self._next()
        if frame is not None:
            now = time.monotonic()
            for steady in self._steady:
                steady.look(frame, now)
        return frame

    def _next(self) -> Frame | None:
        while True:
            good, given = self._device.read()
            if not good or given is None:
                return None
            raw = np.asarray(given, np.uint8)
            if raw.ndim == 3 and raw.shape[2] == 3:
                return Frame(raw)
            if raw.ravel()[:2].tobytes() == JPEG_START:
                return Frame(jpeg=raw.ravel(), damaged=damaged_by(self._name))
            if not self._undecoded:
                return None
            # Neither a picture nor a JPEG (some drivers deliver YUYV): let OpenCV convert it.
            self._undecoded = False
            self._device.set(cv2.CAP_PROP_CONVERT_RGB, 1)
