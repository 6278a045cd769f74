"""One frame of a camera, decoded only as far as it is used.

Most frames show a quiet table, and decoding them would be wasted. A camera that delivers JPEG passes the JPEG
on: motion is detected in grey at an eighth of the size, for which the decoder need only parse the bit stream.
Colour at a quarter of the size follows when something moves, and the whole picture when a card is to be
named. Each copy is made once per frame, on first use, from a copy already decoded where one suffices.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.imgproc.change_detection import SHRINK, shrink
from vision.sightings import Picture

THIN = 16
"""Factor by which the thin copy is smaller than the picture; see `Frame.thin`."""
_LEAST_PX = {cv2.IMREAD_COLOR: 16, cv2.IMREAD_REDUCED_COLOR_4: 4}
"""Least side of a picture decoded in each mode (`pictures.SMALLEST_PX`, a quarter of it); less is damaged."""
_LEAST_EIGHTH_PX = 2
"""Least side of a picture decoded at an eighth of its size, in colour or grey."""
JPEG_START = b"\xff\xd8"


class Frame:
    """A frame from a decoded `picture` (h, w, 3) BGR uint8 or from the bytes of a `jpeg` (or a PNG).

    A damaged frame raises `damaged` when it is first decoded.
    """

    def __init__(
        self,
        picture: Picture | None = None,
        jpeg: bytes | NDArray[np.uint8] | None = None,
        damaged: SourceError | None = None,
    ) -> None:
        assert (picture is None) != (jpeg is None)
        self._jpeg = None if jpeg is None else np.frombuffer(jpeg, np.uint8)
        self._picture, self._damaged = picture, damaged or damaged_by("the camera")
        self._small: NDArray[np.uint8] | None = None
        self._tiny: NDArray[np.uint8] | None = None
        self._grey: NDArray[np.uint8] | None = None
        self._thin: NDArray[np.uint8] | None = None

    @property
    def encoded(self) -> bytes | None:
        """The bytes as the camera delivered them; None for a frame that came decoded."""
        return None if self._jpeg is None else self._jpeg.tobytes()

    @property
    def picture(self) -> Picture:
        """The whole picture, (h, w, 3) BGR uint8."""
        if self._picture is None:
            self._picture = self._decode(cv2.IMREAD_COLOR)
        return self._picture

    @property
    def small(self) -> NDArray[np.uint8]:
        """The picture in colour, `SHRINK` times smaller each way, each pixel a mean."""
        if self._small is None:
            whole = self._picture
            self._small = self._decode(cv2.IMREAD_REDUCED_COLOR_4) if whole is None else shrink(whole)
        return self._small

    @property
    def tiny(self) -> NDArray[np.uint8]:
        """The picture in colour, 8 times smaller each way, each pixel a mean."""
        if self._tiny is None:
            if self._picture is None and self._small is None:
                self._tiny = self._decode(cv2.IMREAD_REDUCED_COLOR_8)
            else:
                # The size that the decoder would give, so that all frames of a camera have one size.
                whole = self._picture
                height, width = (
                    whole.shape[:2] if whole is not None else (SHRINK * side for side in self.small.shape[:2])
                )
                size = (-(-width // (2 * SHRINK)), -(-height // (2 * SHRINK)))
                self._tiny = np.asarray(cv2.resize(self.small, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self._tiny

    @property
    def grey(self) -> NDArray[np.uint8]:
        """The picture in grey, (h, w) uint8, with the camera's noise.

        From a JPEG it is 8 times smaller each way, one pixel for each block; else `SHRINK` times smaller.
        """
        if self._grey is None:
            whole = self._picture
            if self._jpeg is None and whole is not None:
                rows = whole[SHRINK // 2 :: SHRINK]
                size = (whole.shape[1] // SHRINK, rows.shape[0])
                self._grey = np.asarray(cv2.cvtColor(cv2.resize(rows, size), cv2.COLOR_BGR2GRAY), np.uint8)
            elif self._tiny is not None or self._small is not None or whole is not None:
                self._grey = np.asarray(cv2.cvtColor(self.tiny, cv2.COLOR_BGR2GRAY), np.uint8)
            else:
                self._grey = self._decode(cv2.IMREAD_REDUCED_GRAYSCALE_8)
        return self._grey

    @property
    def thin(self) -> NDArray[np.uint8]:
        """The smallest copy that still shows whether something moves: grey (h, w), `THIN` times smaller.

        Each pixel is a mean, so that noise vanishes; only some rows of a decoded picture are read.
        """
        if self._thin is None:
            grey = self.grey
            shrunk = SHRINK if self._jpeg is None else 2 * SHRINK
            size = (max(1, grey.shape[1] * shrunk // THIN), max(1, grey.shape[0] * shrunk // THIN))
            self._thin = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
        return self._thin

    def _decode(self, how: int) -> NDArray[np.uint8]:
        assert self._jpeg is not None
        # Frames keep the sensor's orientation: EXIF must not rotate them.
        whole = len(self._jpeg) > 0  # OpenCV raises an error for an empty buffer
        try:
            picture: Any = cv2.imdecode(self._jpeg, how | cv2.IMREAD_IGNORE_ORIENTATION) if whole else None
        except cv2.error:  # a side of a few pixels cannot be reduced to an eighth
            picture = None
        if picture is None or min(picture.shape[:2]) < _LEAST_PX.get(how, _LEAST_EIGHTH_PX):
            raise self._damaged
        return np.asarray(picture, np.uint8)


def damaged_by(camera: str) -> SourceError:
    """The error for a live camera that delivered a damaged picture."""
    text = f"{camera}: a picture arrived damaged; check its cable"
    return SourceError(text, "camera.damaged", camera=camera)


def as_frame(seen: Picture | Frame) -> Frame:
    """Wrap a decoded picture in a frame; return a frame unchanged."""
    return seen if isinstance(seen, Frame) else Frame(seen)


def as_picture(seen: Picture | Frame) -> Picture:
    """The whole picture of a frame, for pipelines that always decode all of it."""
    return seen.picture if isinstance(seen, Frame) else seen
