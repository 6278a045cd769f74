"""Pictures as JPEG bytes: those stored with a journal line, and previews of the whole table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.sightings import Picture

PREVIEW_PX = 960
"""Greatest width of a picture of the whole table, in pixels."""

FACE = 88
"""JPEG quality of pictures that people examine closely: an enrolled face, a frame of a trace."""


def preview(picture: Picture) -> bytes | None:
    """The whole picture (BGR uint8) as a small JPEG."""
    height, width = picture.shape[:2]
    if width > PREVIEW_PX:
        size = (PREVIEW_PX, round(height * PREVIEW_PX / width))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return jpeg(picture, quality=70)


def jpeg(picture: Picture, quality: int = 85) -> bytes | None:
    """A picture (BGR uint8) as JPEG bytes; None if OpenCV cannot encode it."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes() if done else None
