"""Polygons with holes as one line: area, inside and contact stay those of the shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.box.field import Field
from vision.imgproc.polygons import area, inset, joined
from vision.layout import Layout, Zone

SQUARE = np.array([[-100.0, -100.0], [100.0, -100.0], [100.0, 100.0], [-100.0, 100.0]])


def disc(x: float, y: float, r: float, n: int = 24) -> np.ndarray:
    turns = np.arange(n) * 2 * np.pi / n
    return np.column_stack([x + r * np.cos(turns), y + r * np.sin(turns)])


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.integers(0, 24), min_size=1, max_size=25),
    st.lists(st.floats(3.0, 15.0), min_size=25, max_size=25),
    st.integers(3, 12),
)
def test_holes_cut_out_by_slits_leave_area_and_inside_as_they_are(
    places: set[int], radii: list[float], corners: int
) -> None:
    holes = [
        disc(36.0 * (i % 5 - 2), 36.0 * (i // 5 - 2) + radii[i] / 7, radii[i], corners)
        for i in sorted(places)
    ]
    line = joined(SQUARE, holes)
    assert area(line) == pytest.approx(40000 - sum(area(hole) for hole in holes))
    field = Field(
        Layout("field", (200, 200), (), zones=(Zone("1x", tuple(map(tuple, line))),), die_edge_mm=0.2)
    )
    for i, hole in zip(sorted(places), holes, strict=True):
        assert field.judge(tuple(hole.mean(axis=0)), 0.0).counts_as is None
        beside = hole.mean(axis=0) + np.array([radii[i] + 1.0, 0.3])
        assert field.judge((float(beside[0]), float(beside[1])), 0.0).counts_as == "1x"


def test_an_inset_square_is_smaller_on_every_side_and_turns_do_not_matter() -> None:
    for line in (SQUARE, SQUARE[::-1]):
        smaller = inset(line, 4.0)
        assert np.abs(smaller).max() == pytest.approx(96)
        assert abs(area(smaller)) == pytest.approx(192**2)
        assert np.abs(inset(line, -4.0)).max() == pytest.approx(104)
