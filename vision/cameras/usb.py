"""USB cameras through OpenCV: MJPG, newest frame wins, exposure and white balance held still."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.newest import NewestFrame
from vision.errors import SourceError
from vision.sightings import Picture

SIZE_PX = (1280, 720)


class UsbCamera:
    """`usb:N`. Raises SourceError when there is no such camera."""

    def __init__(self, number: int) -> None:
        self._name = f"usb:{number}"
        self._device = cv2.VideoCapture(number)
        if not self._device.isOpened():
            self._device.release()
            raise SourceError(
                f"{self._name}: there is no such camera; plug it in, close other programs that use it,"
                " or try another number"
            )
        fourcc = cv2.VideoWriter.fourcc(*"MJPG")
        for setting, value in (
            (cv2.CAP_PROP_FOURCC, fourcc),
            (cv2.CAP_PROP_FRAME_WIDTH, SIZE_PX[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, SIZE_PX[1]),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._device.set(setting, value)
        self._newest = NewestFrame(self._name, self._grab, lambda raw: np.asarray(raw, np.uint8))

    @property
    def decode_s(self) -> float:
        """CPU seconds of decoding (the driver decodes while grabbing; none here)."""
        return self._newest.decode_s

    def read(self) -> tuple[Picture, float]:
        """The newest frame. Raises SourceError when the camera is gone."""
        return self._newest.read()

    def close(self) -> None:
        """Let go of the device."""
        self._newest.close()
        self._device.release()

    def _grab(self) -> object | None:
        good, picture = self._device.read()
        return picture if good else None
