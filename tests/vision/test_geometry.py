"""The eye finds the table by its tags and knows where things lie, in millimetres."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import LensError, TagsNotFoundError
from vision.geometry import Registration, lens_for, register
from vision.layout import CameraModel, Layout, Tag

MAT = Layout(
    kind="mat",
    size_mm=(680, 380),
    tags=tuple(
        Tag(i, (x, y, 0.0), 36)
        for i, (x, y) in enumerate([(-315, 165), (315, 165), (315, -165), (-315, -165)])
    ),
)
EYE_MM = (40.0, -50.0, 690.0)


def camera(layout: Layout, focal: float = 1180.0, bend: float = 0.0) -> Registration:
    """A camera above the table that looks at a place near its middle, slightly turned."""
    ahead = np.array([5.0, -4.0, 0.0]) - EYE_MM
    ahead /= np.linalg.norm(ahead)
    right = np.array([1.0, 0.02, 0.0])
    right -= ahead * (right @ ahead)
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(ahead, right), ahead])
    turn = np.asarray(cv2.Rodrigues(rotation)[0]).ravel()
    return Registration(
        matrix=np.array([[focal, 0, 639.5], [0, focal, 359.5], [0, 0, 1.0]]),
        distortion=np.array([bend, 0, 0, 0, 0]),
        rotation=rotation,
        shift_mm=-rotation @ np.array(EYE_MM),
        rms_px=0.0,
        tags=tuple(t.id for t in layout.tags),
        focal_known=True,
        size_px=(1280, 720),
        rotation_vector=turn,
    )


def photograph(layout: Layout, truth: Registration, hide: tuple[int, ...] = ()) -> np.ndarray:
    """A camera's picture of the tags on a green mat."""
    big = np.full((1440, 2560, 3), (60, 90, 40), np.uint8)
    board = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in layout.tags:
        if tag.id in hide:
            continue
        paper = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(board, tag.id, 288), 48, 48, 48, 48, cv2.BORDER_CONSTANT, value=255
        )
        h = tag.size_mm * (384 / 288) / 2
        x, y, z = tag.center_mm
        px = truth.to_px([[x - h, y + h, z], [x + h, y + h, z], [x + h, y - h, z], [x - h, y - h, z]])
        paper_px = np.array([[-0.5, -0.5], [383.5, -0.5], [383.5, 383.5], [-0.5, 383.5]], np.float32)
        warp = cv2.getPerspectiveTransform(paper_px, (px * 2 + 0.5).astype(np.float32))
        drawn = cv2.warpPerspective(paper, warp, (2560, 1440), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(paper, 255), warp, (2560, 1440)) > 127
        big[mask] = drawn[mask][:, None]
    return cv2.resize(big, (1280, 720), interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("hide", [(), (2,), (0, 2)])
def test_the_mat_is_found_to_half_a_millimetre_even_with_tags_hidden(hide: tuple[int, ...]) -> None:
    truth = camera(MAT)
    seen = register(photograph(MAT, truth, hide), MAT)
    assert seen.tags == tuple(i for i in range(4) if i not in hide)
    places = np.array([[x, y] for x in (-250, 0, 250) for y in (-120, 0, 120)], float)
    off = np.linalg.norm(seen.to_mm(truth.to_px(places)) - places, axis=1)
    assert off.max() < (0.6 if len(hide) < 2 else 3.0)


def test_a_bent_lens_that_nobody_calibrated_costs_less_than_a_millimetre() -> None:
    truth = camera(MAT, focal=1243, bend=-0.14)
    seen = register(photograph(MAT, truth), MAT)
    places = np.array([[x, y] for x in (-250, 0, 250) for y in (-120, 0, 120)], float)
    assert np.linalg.norm(seen.to_mm(truth.to_px(places)) - places, axis=1).max() < 1.0


@pytest.mark.parametrize("size", [(960, 720), (1240, 720), (1280, 540)])
def test_a_picture_that_the_cameras_driver_squeezes_costs_less_than_a_millimetre(
    size: tuple[int, int],
) -> None:
    truth = camera(MAT)
    seen = register(cv2.resize(photograph(MAT, truth), size, interpolation=cv2.INTER_AREA), MAT)
    squeeze = np.array(size) / (1280, 720)
    assert seen.aspect == pytest.approx(squeeze[1] / squeeze[0], rel=0.005)
    places = np.array([[x, y] for x in (-250, 0, 250) for y in (-120, 0, 120)], float)
    off = np.linalg.norm(seen.to_mm(truth.to_px(places) * squeeze) - places, axis=1)
    assert off.max() < 0.8


def test_a_squeezed_picture_is_refused_where_somebody_measured_the_lens_for_square_pixels() -> None:
    squeezed = cv2.resize(photograph(MAT, camera(MAT)), (960, 720), interpolation=cv2.INTER_AREA)
    with pytest.raises(TagsNotFoundError, match="are not where the table file says"):
        register(squeezed, MAT, CameraModel(f_px=1180))


def test_one_tag_measured_badly_does_not_make_pixels_oblong() -> None:
    tags = (Tag(0, (-315, 169, 0.0), 36), *MAT.tags[1:])
    seen = register(photograph(MAT, camera(MAT)), replace(MAT, tags=tags))
    assert seen.aspect == 1.0


def test_with_a_measured_lens_the_foot_of_a_die_is_found_from_its_top() -> None:
    truth = camera(MAT)
    lens = CameraModel(f_px=1180, center_px=(639.5, 359.5))
    seen = register(photograph(MAT, truth), MAT, lens)
    tops = np.array([[-200.0, 100.0], [150.0, -90.0]])
    assert np.linalg.norm(seen.to_mm(truth.to_px(tops, 16), 16) - tops, axis=1).max() < 0.5
    assert np.linalg.norm(seen.camera_mm - EYE_MM) < 6


def test_a_lens_measured_in_smaller_pictures_serves_for_larger_ones_of_the_same_form() -> None:
    truth = camera(MAT)
    large = cv2.resize(photograph(MAT, truth), (1920, 1080), interpolation=cv2.INTER_CUBIC)
    seen = register(large, MAT, CameraModel(f_px=1180, center_px=(639.5, 359.5)))
    assert seen.matrix[0, 0] == pytest.approx(1770)
    assert np.linalg.norm(seen.camera_mm - EYE_MM) < 6


@pytest.mark.parametrize("center_px", [(639.5, 359.5), (610.0, 371.0), (None)])
def test_a_lens_serves_for_the_size_in_which_it_was_measured(center_px: tuple[float, float] | None) -> None:
    lens = CameraModel(f_px=1180, center_px=center_px, distortion=(0.1,))
    assert lens_for(lens, (1280, 720)) is lens


@pytest.mark.parametrize("size_px", [(1280, 960), (720, 1280), (1500, 844)])
def test_a_lens_measured_in_pictures_of_another_form_is_refused(size_px: tuple[int, int]) -> None:
    with pytest.raises(LensError, match=rf"about 1280 x 720 pixels, but these have {size_px[0]} x"):
        lens_for(CameraModel(f_px=1180, center_px=(639.5, 359.5)), size_px)


def test_pixels_and_millimetres_are_each_others_inverse_at_any_height() -> None:
    truth = camera(MAT, bend=-0.1)
    places = np.array([[-300.0, 150.0], [10.0, 20.0]])
    assert np.allclose(truth.to_mm(truth.to_px(places, 45), 45), places, atol=1e-3)
    assert truth.px_per_mm() == pytest.approx(1180 / 690, rel=0.02)


def test_a_mat_without_its_tags_is_refused_in_one_sentence() -> None:
    with pytest.raises(TagsNotFoundError, match=r"names 0, 1, 2, 3, seen: none"):
        register(np.full((720, 1280, 3), 80, np.uint8), MAT)


def test_a_webcam_that_mirrors_its_picture_is_named() -> None:
    mirrored = np.ascontiguousarray(photograph(MAT, camera(MAT))[:, ::-1])
    with pytest.raises(TagsNotFoundError, match="mirrored") as refused:
        register(mirrored, MAT)
    assert refused.value.code == "tags.mirrored"


def test_another_tables_tags_are_refused() -> None:
    other = Layout(
        kind="mat",
        size_mm=(680, 380),
        tags=tuple(Tag(t.id, (t.center_mm[0], 0.0, 0.0), 36) for t in MAT.tags),
    )
    with pytest.raises(TagsNotFoundError, match="are not where the table file says"):
        register(photograph(MAT, camera(MAT)), other)
