"""A known table that was pushed is found again by the tags that are still visible."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_geometry import MAT, camera, photograph
from vision.errors import TagsNotFoundError
from vision.geometry import Registration
from vision.layout import Point
from vision.mat.registration_check import RegistrationCheck
from vision.mat.watch_parameters import MAT_WATCH
from vision.pushed import register_again
from vision.tags import tag_corners_mm

BLANK = np.zeros((720, 1280, 3), np.uint8)
CENTRES = np.array([[0.0, 0.0], [-200.0, 90.0], [200.0, 90.0], [0.0, -120.0]])


def shifted(by_mm: Point, turn_deg: float) -> Registration:
    """The registration of a mat that was pushed under the camera."""
    before, turn = camera(MAT), cv2.Rodrigues(np.array([0, 0, np.deg2rad(turn_deg)]))[0]
    rotation = before.rotation @ turn
    return replace(
        before,
        rotation=rotation,
        rotation_vector=np.asarray(cv2.Rodrigues(rotation)[0]).ravel(),
        shift_mm=before.rotation @ np.array([*by_mm, 0.0]) + before.shift_mm,
    )


@pytest.mark.parametrize("hide", [(), (2,), (0, 2), (1, 2, 3), (0, 1, 3)])
@pytest.mark.parametrize("blur_px", [0.0, 1.5])
def test_a_mat_that_was_pushed_is_found_by_any_of_its_tags(hide: tuple[int, ...], blur_px: float) -> None:
    truth = shifted((12.0, -7.0), 1.5)
    picture = photograph(MAT, truth, hide)
    if blur_px:
        picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    again = register_again(picture, MAT, None, camera(MAT))
    off = np.linalg.norm(again.to_px(CENTRES) - truth.to_px(CENTRES), axis=1)
    assert off.max() < 2.0
    assert np.linalg.norm(again.camera_mm - truth.camera_mm) < 30.0


def test_one_tag_under_a_camera_that_was_moved_tells_nothing() -> None:
    before = camera(MAT)
    tilt = before.rotation @ cv2.Rodrigues(np.array([0.35, 0.0, 0.0]))[0]
    moved = replace(before, rotation=tilt, rotation_vector=np.asarray(cv2.Rodrigues(tilt)[0]).ravel())
    with pytest.raises(TagsNotFoundError, match="one tag"):
        register_again(photograph(MAT, moved, (0, 1, 3)), MAT, None, before)


def test_two_tags_that_a_blur_puts_askew_tell_nothing() -> None:
    before = camera(MAT)
    at = {tag.id: before.to_px(tag_corners_mm(tag)) for tag in MAT.tags[:2]}
    again = register_again(BLANK, MAT, None, before, at)
    assert np.linalg.norm(again.camera_mm - before.camera_mm) < 1.0
    askew = {n: px + np.random.default_rng(n).normal(0, 2.5, (4, 2)) for n, px in at.items()}
    with pytest.raises(TagsNotFoundError, match="two tags"):
        register_again(BLANK, MAT, None, before, askew)


def test_two_tags_put_no_camera_far_away() -> None:
    before, far = camera(MAT), shifted((160.0, 0.0), 0.0)
    at = {tag.id: far.to_px(tag_corners_mm(tag)) for tag in MAT.tags}
    with pytest.raises(TagsNotFoundError, match="two tags"):
        register_again(BLANK, MAT, None, before, {n: at[n] for n in (0, 1)})
    assert np.linalg.norm(register_again(BLANK, MAT, None, before, at).camera_mm - far.camera_mm) < 1.0


def test_a_table_that_lies_far_from_where_it_is_believed_to_be_is_noticed() -> None:
    picture = photograph(MAT, camera(MAT))
    there = RegistrationCheck(camera(MAT), MAT)
    elsewhere = RegistrationCheck(shifted((150.0, 90.0), 10.0), MAT)
    hidden = RegistrationCheck(camera(MAT), MAT)
    assert [check.moved(picture, MAT_WATCH.every_s) for check in (there, elsewhere)] == [False, True]
    assert not hidden.moved(np.full_like(picture, 90), MAT_WATCH.every_s)


def test_a_table_that_was_found_askew_by_two_tags_is_noticed_by_the_others() -> None:
    true, hinge = camera(MAT), np.array([0.0, -165.0, 0.0])
    tilt = cv2.Rodrigues(np.array([np.deg2rad(4.0), 0.0, 0.0]))[0]
    rotation = true.rotation @ tilt
    askew = replace(
        true,
        rotation=rotation,
        rotation_vector=np.asarray(cv2.Rodrigues(rotation)[0]).ravel(),
        shift_mm=true.rotation @ (hinge - tilt @ hinge) + true.shift_mm,
        tags=(2, 3),
    )
    near, far = (
        np.linalg.norm(askew.to_px(at) - true.to_px(at), axis=1) for at in ([[315, -165]], [[315, 165]])
    )
    assert near < 1.0 < 5.0 < far
    assert RegistrationCheck(askew, MAT).moved(photograph(MAT, true), MAT_WATCH.every_s)
