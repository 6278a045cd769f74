"""A rectangle of known size is found wherever it lies and fitted to a fraction of a millimetre."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.outline import box_corners, order_corners, settle_quad, settle_quads
from vision.cards.rectangle import EdgeImage, fit_box, fit_boxes, noise_of, scan_boxes

SIZE = (59.0, 91.0)


def table(*cards: tuple[float, float, float], noise: float = 3.0) -> np.ndarray:
    """Light cards on a dark ground, 1 pixel a millimetre, as soft as a camera sees them."""
    big = np.full((800, 1000), 70, np.uint8)
    for x, y, angle in cards:
        corners = np.round((box_corners((x, y), SIZE, angle) + 0.5) * 4 * 16 - 8).astype(np.int32)
        cv2.fillPoly(big, [corners], 215, lineType=cv2.LINE_AA, shift=4)
        cv2.polylines(big, [corners], True, 150, 2, cv2.LINE_AA, shift=4)
    small = cv2.resize(big, (250, 200), interpolation=cv2.INTER_AREA).astype(np.float32)
    return small + np.asarray(np.random.default_rng(3).normal(0, noise, small.shape), np.float32)


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.1, 2.5])
def test_a_card_is_fitted_to_a_third_of_a_pixel(angle: float) -> None:
    grey = table((120.3, 95.7, angle))
    box = fit_box(EdgeImage(grey, 4.0), (122.5, 93.5), angle + 0.04, SIZE, 6.0)
    assert np.hypot(box.middle[0] - 120.3, box.middle[1] - 95.7) < 0.34
    assert abs(box.angle - angle) < 0.01
    assert box.weakest > 0.8


def test_cards_are_proposed_without_knowing_where() -> None:
    grey = table((70.0, 90.0, 0.3), (175.0, 110.0, 1.9))
    proposals = scan_boxes(EdgeImage(grey, 4.0), SIZE, most=6)
    for x, y in ((70.0, 90.0), (175.0, 110.0)):
        assert min(np.hypot(m[0] - x, m[1] - y) for m, _, _ in proposals) < 3


@pytest.mark.parametrize(("x", "y", "turn"), [(175.0, 110.0, 1.9), (46.0, 47.0, 0.05)])
def test_a_card_is_proposed_as_well_where_only_its_middle_is_looked_for(
    x: float, y: float, turn: float
) -> None:
    grey = table((175.0, 110.0, 1.9), (46.0, 47.0, 0.05))
    where = np.zeros(grey.shape, np.bool_)
    where[int(y) - 9 : int(y) + 10, int(x) - 4 : int(x) + 25] = True
    proposals = scan_boxes(EdgeImage(grey, 4.0), SIZE, where, most=3)
    middle, angle, _ = proposals[0]
    assert np.hypot(middle[0] - x, middle[1] - y) < 3
    assert abs((angle - turn + np.pi / 2) % np.pi - np.pi / 2) < 0.06
    assert all(where[round(m[1]), round(m[0])] for m, _, _ in proposals)


def test_where_no_middle_may_lie_nothing_is_proposed() -> None:
    grey = table((120.0, 95.0, 0.5))
    assert scan_boxes(EdgeImage(grey, 4.0), SIZE, np.zeros(grey.shape, np.bool_)) == []


def test_the_topmost_of_two_white_cards_is_fitted_along_its_seam() -> None:
    grey = table((110.0, 95.0, 0.2), (135.0, 105.0, 1.0))
    box = fit_box(EdgeImage(grey, 2.0), (137.0, 103.0), 1.03, SIZE, 5.0)
    assert np.hypot(box.middle[0] - 135.0, box.middle[1] - 105.0) < 0.6


def test_an_empty_table_supports_no_card() -> None:
    grey = table()
    boxes = [
        fit_box(EdgeImage(grey, 6.0), m, a, SIZE, 4.0) for m, a, _ in scan_boxes(EdgeImage(grey, 6.0), SIZE)
    ]
    assert all(box.support < 0.4 for box in boxes)


def test_noise_is_measured_beside_the_cards() -> None:
    assert noise_of(table((120.0, 95.0, 0.5), noise=4.0)) == pytest.approx(4.0, rel=0.15)


def test_a_quadrilateral_settles_on_the_edges_side_by_side() -> None:
    truth = order_corners([[60, 40], [125, 52], [112, 150], [45, 140]])
    big = np.full((800, 1000), 60, np.uint8)
    cv2.fillPoly(big, [np.round((truth + 0.5) * 64 - 8).astype(np.int32)], 210, cv2.LINE_AA, shift=4)
    grey = cv2.resize(big, (250, 200), interpolation=cv2.INTER_AREA).astype(np.float32)
    settled = order_corners(settle_quad(grey, np.add(truth, [[2, -1], [-1, 2], [1, 1], [-2, 1]]), 5.0))
    assert np.abs(settled - truth).max() < 0.5


def test_many_rectangles_fitted_at_once_fit_as_each_alone() -> None:
    grey = table((70.0, 90.0, 0.3), (175.0, 110.0, 1.9))
    places = [(middle, angle) for middle, angle, _ in scan_boxes(EdgeImage(grey, 4.0), SIZE, most=6)] * 60
    together = fit_boxes(EdgeImage(grey, 4.0), places, SIZE, 4.0)
    assert (
        together
        == [fit_box(EdgeImage(grey, 4.0), middle, angle, SIZE, 4.0) for middle, angle in places[:6]] * 60
    )
    assert fit_boxes(EdgeImage(grey, 4.0), [], SIZE, 4.0) == []


def test_many_quadrilaterals_settle_as_each_alone_and_one_without_a_corner_stays() -> None:
    grey = table((120.0, 95.0, 0.5), noise=4.0)
    rough = [box_corners((120.0 + off, 95.0), SIZE, 0.5) for off in (0.0, 1.5, -2.0)]
    flat = np.array([[20.0, 20.0], [60.0, 20.0], [60.0, 20.0], [20.0, 20.0]])
    settled = settle_quads(grey, [*rough, flat], 4.0)
    alone = [settle_quad(grey, corners, 4.0) for corners in rough]
    assert np.allclose(settled[:3], alone)
    assert np.isfinite(settled).all()
