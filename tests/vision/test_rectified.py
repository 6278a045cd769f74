"""The top view shows every millimetre in its place, whatever the lens."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_geometry import MAT, camera, photograph
from vision.rectified import Plan


@pytest.mark.parametrize("bend", [0.0, -0.14])
def test_a_place_on_the_mat_is_drawn_where_it_lies(bend: float) -> None:
    seen = camera(MAT, bend=bend)
    plan = Plan(seen, MAT.size_mm, 1.0)
    dots = np.array([[-180.0, 90.0], [33.0, -71.0], [240.0, 20.0]])
    picture = photograph(MAT, seen)
    for x, y in seen.to_px(dots):
        cv2.circle(picture, (round(x * 16), round(y * 16)), 5 * 16, (255, 255, 255), -1, cv2.LINE_AA, shift=4)
    top = plan.draw(picture)
    for place, (x, y) in zip(dots, plan.to_px(dots), strict=True):
        part = top[round(y) - 8 : round(y) + 9, round(x) - 8 : round(x) + 9].min(axis=2) > 150
        rows, columns = np.nonzero(part)
        found = plan.to_mm([[columns.mean() + round(x) - 8, rows.mean() + round(y) - 8]])[0]
        assert np.abs(found - place).max() < 0.3


def test_a_window_of_a_plan_is_the_same_as_that_part_of_all() -> None:
    seen = camera(MAT, bend=-0.14)
    plan = Plan(seen, MAT.size_mm, 1.0)
    picture = photograph(MAT, seen)
    assert np.array_equal(plan.draw(picture, (40, 60, 210, 190)), plan.draw(picture)[60:190, 40:210])


def test_pixels_and_millimetres_of_a_plan_are_each_others_inverse() -> None:
    plan = Plan(camera(MAT), MAT.size_mm, 4.0, shrunk=4)
    places = np.array([[-300.0, 150.0], [12.5, -7.0]])
    assert np.allclose(plan.to_mm(plan.to_px(places)), places)
    assert plan.fill([(-10, -10), (10, -10), (10, 10), (-10, 10)]).sum() == pytest.approx(25, abs=12)
