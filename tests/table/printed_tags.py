"""Find tags on a printed page."""

from __future__ import annotations

import cv2
import numpy as np


def tags_mm(picture: np.ndarray, px_per_mm: float) -> dict[int, np.ndarray]:
    """Corners of every tag in an undistorted picture, in millimetres from its middle, in OpenCV's order."""
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = finder.detectMarkers(picture)
    assert ids is not None
    h, w = picture.shape[:2]
    return {
        int(i): np.column_stack([(c[0][:, 0] + 0.5 - w / 2), (h / 2 - c[0][:, 1] - 0.5)]) / px_per_mm
        for i, c in zip(ids.ravel(), corners, strict=True)
    }
