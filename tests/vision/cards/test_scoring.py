"""Two faces are distinguished where they differ by more than an inaccurate cut-out explains."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Float32
from vision.cards.recognition import FACE_PX
from vision.cards.scoring import SeenCard, lead_over, sturdy_lead_over
from vision.imgproc.photometry import Grid

GRID = Grid(*FACE_PX)


def framed(figure: str, beside_px: float = 0.0) -> Float32:
    """A brown card with a white panel and lines, the same on all, and a small figure; as planes (3, n)."""
    width, height = FACE_PX
    face = np.full((height, width, 3), (30, 60, 110), np.uint8)
    cv2.rectangle(face, (10, 15), (69, 104), (225, 228, 226), -1)
    for inset in (14, 18, 22):
        cv2.rectangle(face, (inset, inset + 5), (79 - inset, 114 - inset), (30, 60, 110), 1)
    cv2.putText(face, figure, (29, 69), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 60, 110), 3, cv2.LINE_AA)
    soft = cv2.GaussianBlur(face.astype(np.float32), (0, 0), 0.8)
    beside = np.array([[1, 0, beside_px], [0, 1, beside_px]], np.float32)
    return GRID.to_planes(
        np.asarray(cv2.warpAffine(soft, beside, FACE_PX, borderMode=cv2.BORDER_REPLICATE), np.float32)
    )


def test_an_ornament_cut_out_a_little_beside_does_not_outweigh_the_figure() -> None:
    seen = SeenCard(GRID, framed("5"), np.ones(FACE_PX[0] * FACE_PX[1], np.float32))
    beside, other = framed("5", 0.6), framed("6")
    assert lead_over(seen.planes, seen.weight, other, beside) > 0.3
    assert sturdy_lead_over(seen, other, beside) < -0.7


@pytest.mark.parametrize(("figure", "told"), [("5", 1.0), ("6", -1.0)])
def test_a_sturdy_lead_runs_from_the_other_face_to_the_best(figure: str, told: float) -> None:
    seen = SeenCard(GRID, framed(figure), np.ones(FACE_PX[0] * FACE_PX[1], np.float32))
    assert sturdy_lead_over(seen, framed("5"), framed("6")) == pytest.approx(told, abs=0.01)


def test_where_nothing_but_the_cut_differs_nothing_speaks_against_the_best() -> None:
    seen = SeenCard(GRID, framed("5"), np.ones(FACE_PX[0] * FACE_PX[1], np.float32))
    assert sturdy_lead_over(seen, framed("5"), framed("5", 0.5)) == 1.0
