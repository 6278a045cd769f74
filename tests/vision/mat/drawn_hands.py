"""The coarse plan of the tests' table, and arms on it."""

from __future__ import annotations

import numpy as np

from tests.vision.evening import LAYOUT, Evening
from vision.arrays import Mask
from vision.geometry import register
from vision.imgproc.change_detection import COARSE_MM
from vision.rectified import Plan


def plan() -> Plan:
    """The coarse plan of the tests' table."""
    registration = register(Evening().picture(), LAYOUT)
    return Plan(registration, LAYOUT.size_mm, COARSE_MM)


def column(like: Mask, left: int, right: int, top: int = 0) -> Mask:
    """A strip from the lower rim up to a row."""
    mask = np.zeros_like(like)
    mask[top:, left:right] = True
    return mask
