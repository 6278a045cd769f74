"""A box is found by the tags on its rim and the lines on its floor, even through an uncalibrated lens."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_geometry import camera, photograph
from vision.box.pose_fit import register_box
from vision.box.pose_tracker import PoseTracker
from vision.errors import TagsNotFoundError
from vision.geometry import Registration
from vision.layout import Layout, Tag, Zone
from vision.sightings import Picture

SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
MIDDLES = ((-80, -80), (80, -80), (0, 0), (-80, 80), (80, 80))
BOX = Layout(
    kind="field",
    size_mm=(280.0, 280.0),
    tags=tuple(
        Tag(10 + i, (x, y, 46.0), 24.0) for i, (x, y) in enumerate(((-165, 0), (0, 165), (165, 0), (0, -165)))
    ),
    zones=tuple(Zone("2x", tuple((x + 35.0 * u, y + 35.0 * v) for u, v in SQUARE)) for x, y in MIDDLES),
)
PLACES = np.array([[x, y] for x in (-100, 0, 100) for y in (-100, 0, 100)], float)


def shown(truth: Registration) -> Picture:
    """Draw the box as that camera sees it: tags on its rim, and red squares on its floor."""
    picture = photograph(BOX, truth)
    for zone in BOX.zones:
        corners = np.array(zone.polygon_mm)
        sides = [np.linspace(a, b, 20) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        at = np.rint(truth.to_px(np.concatenate(sides)) * 16).astype(np.int32)
        cv2.fillPoly(picture, [at], (30, 30, 200), cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def off_mm(seen: Registration, truth: Registration, squeeze: tuple[float, float] = (1.0, 1.0)) -> float:
    """Largest error (mm) of places, on the floor and at the height of a die."""
    there = [seen.to_mm(truth.to_px(PLACES, z) * squeeze, z) - PLACES for z in (0.0, 16.0)]
    return float(np.linalg.norm(there, axis=2).max())


def test_the_bend_of_a_wide_lens_is_found() -> None:
    truth = camera(BOX, bend=-0.32)
    seen = register_box(shown(truth), BOX)
    assert seen.distortion[0] == pytest.approx(-0.32, abs=0.08)
    assert off_mm(seen, truth) < 0.5
    assert seen.rms_px < 0.8


def test_a_straight_lens_is_left_straight_and_its_pixels_square() -> None:
    truth = camera(BOX)
    seen = register_box(shown(truth), BOX)
    assert (seen.distortion[0], seen.aspect) == (0.0, 1.0)
    assert off_mm(seen, truth) < 0.5


@pytest.mark.parametrize("width", [960, 1240])
def test_places_are_right_in_a_picture_that_the_cameras_driver_squeezes(width: int) -> None:
    truth = camera(BOX)
    squeezed = np.asarray(cv2.resize(shown(truth), (width, 720), interpolation=cv2.INTER_AREA), np.uint8)
    seen = register_box(squeezed, BOX)
    assert off_mm(seen, truth, (width / 1280, 1.0)) < 0.5
    assert seen.aspect == pytest.approx(1280 / width, rel=0.005)


def test_a_turned_box_is_found_again_with_the_lens_and_the_pixels_of_before() -> None:
    truth = camera(BOX)
    turn = cv2.getRotationMatrix2D((639.5, 359.5), 8.0, 1.0)
    tracker = PoseTracker(BOX)
    first, _ = tracker.read(cv2.resize(shown(truth), (960, 720), interpolation=cv2.INTER_AREA))
    turned = cv2.warpAffine(shown(truth), turn, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    again, moved = tracker.read(cv2.resize(turned, (960, 720), interpolation=cv2.INTER_AREA))
    assert moved
    assert again.aspect == pytest.approx(first.aspect)
    px = (truth.to_px(PLACES) @ turn[:, :2].T + turn[:, 2]) * (0.75, 1.0)
    assert np.linalg.norm(again.to_mm(px) - PLACES, axis=1).max() < 0.5


def test_tags_and_a_floor_that_fit_no_one_camera_are_refused() -> None:
    """Each fits a camera by itself, but the tags and the floor's squares are as if of two boxes."""
    floor = replace(
        BOX,
        zones=tuple(
            Zone(zone.kind, tuple((1.06 * x, 0.94 * y) for x, y in zone.polygon_mm)) for zone in BOX.zones
        ),
        tags=tuple(
            Tag(t.id, (t.center_mm[0] + 12 * (i % 2), *t.center_mm[1:]), 24.0) for i, t in enumerate(BOX.tags)
        ),
    )
    with pytest.raises(TagsNotFoundError, match="are not where the table file says"):
        register_box(shown(camera(BOX)), floor)


@pytest.mark.parametrize("beside_mm", [4.0, 8.0])
def test_a_tag_measured_badly_moves_the_floor_by_little(beside_mm: float) -> None:
    """The zones are printed, but tags are glued on, and people measure their places with a ruler."""
    x, y, z = BOX.tags[0].center_mm
    tags = (Tag(BOX.tags[0].id, (x + beside_mm, y, z), BOX.tags[0].size_mm), *BOX.tags[1:])
    picture = shown(camera(BOX))
    whole, askew = register_box(picture, BOX), register_box(picture, replace(BOX, tags=tags))
    assert np.linalg.norm(askew.to_mm(whole.to_px(PLACES)) - PLACES, axis=1).max() < 1.0


def test_what_is_left_over_is_that_of_the_camera_at_last() -> None:
    tags = (Tag(10, (-165.0, 4.0, 46.0), 24.0), *BOX.tags[1:])
    picture = shown(camera(BOX))
    assert register_box(picture, replace(BOX, tags=tags)).rms_px > 3 * register_box(picture, BOX).rms_px
