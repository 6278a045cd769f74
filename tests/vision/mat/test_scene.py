"""What the eye takes for the empty table stays true through a long evening."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.evening import LAYOUT, Evening
from vision.arrays import Mask
from vision.frame import as_frame
from vision.geometry import register
from vision.imgproc.change_detection import COARSE_MM
from vision.mat.scene import MatScene
from vision.mat.surface import Mat
from vision.synthetic.scene import Scene as Drawn


@pytest.fixture(scope="module")
def frame() -> np.ndarray:
    return Evening().painter.render(Drawn(), seed=1)


def scene_of(frame: np.ndarray) -> MatScene:
    return MatScene(register(frame, LAYOUT), LAYOUT, as_frame(frame).small)


def part_of(scene: MatScene, where: tuple[slice, slice]) -> tuple[Mask, Mask]:
    """An empty mask of the table, and one of some rows and columns."""
    nothing = np.zeros(scene.changed.shape, np.bool_)
    part = nothing.copy()
    part[where] = True
    return nothing, part


@pytest.mark.parametrize("gains", [(0.3, 0.3, 0.3), (0.42, 0.53, 0.53), (1.3, 1.1, 0.9)])
def test_a_dimmer_changes_nothing_on_dark_wood_nor_on_white_paper(
    frame: np.ndarray, gains: tuple[float, float, float]
) -> None:
    scene = scene_of(frame)
    before = scene.light.copy()
    lit = (frame * np.asarray(gains)).clip(0, 255).astype(np.uint8)
    scene.take_in(as_frame(lit).small)
    told = scene.coarse.valid & (before.max(axis=0) < np.log(190))  # whiter is burnt out in brighter light
    assert np.quantile(np.abs(scene.light - before)[:, told], 0.999) < 0.1
    assert not scene.changed.any()


@pytest.mark.parametrize("wave_mm", [60.0, 110.0, 140.0, 180.0, 260.0])
def test_ripples_in_the_picture_of_the_empty_table_die_away(frame: np.ndarray, wave_mm: float) -> None:
    """A filter that answers a wave with the wrong sign would amplify it by a few percent a second."""
    scene = scene_of(frame)
    xs = np.arange(scene.bare.shape[2]) * (2 * np.pi * COARSE_MM / wave_mm)
    scene.bare += (0.02 * np.sin(xs)).astype(np.float32)
    nothing = np.zeros(scene.changed.shape, np.bool_)
    for _ in range(15 * 120):
        scene.follow_light(nothing)
    assert np.abs(scene.light - scene.bare).max() < 0.02
    assert not scene.not_bare().any()


def test_the_empty_table_follows_daylight_but_not_what_was_laid_down(frame: np.ndarray) -> None:
    scene = scene_of(frame)
    nothing = np.zeros(scene.changed.shape, np.bool_)
    pack = (slice(None), slice(40, 62), slice(60, 75))
    scene.light[pack] += 0.5
    scene.settled[pack] += 0.5
    for _ in range(15 * 60):
        scene.light -= 0.0004  # the sun goes down
        scene.follow_light(nothing)
    assert scene.not_bare()[pack[1:]].mean() > 0.8
    scene.light[pack] -= 0.5
    scene.settle(scene.coarse.valid)
    assert scene.not_bare().mean() < 0.01


def test_a_lamp_that_changes_while_a_hand_lies_on_the_table_leaves_no_trace_of_the_hand(
    frame: np.ndarray,
) -> None:
    scene = scene_of(frame)
    nothing, hand = part_of(scene, np.s_[30:60, :50])
    scene.light += np.linspace(0.14, 0.0, hand.shape[1], dtype=np.float32)
    scene.light[2, hand] += 0.6
    for _ in range(15 * 4):
        scene.compare()
        scene.follow_light(nothing)
    scene.light[2, hand] -= 0.6
    assert np.abs(scene.light - scene.settled).max() < 0.05


def test_what_shows_of_a_card_is_told_whatever_lamps_do(frame: np.ndarray) -> None:
    """Where paper is as light as the mat, the ink shows the card, and all of it is faint."""
    scene = scene_of(frame)
    place = np.zeros(scene.changed.shape, np.bool_)
    place[40:62, 60:75] = True
    laid = scene.light.copy()
    laid[:, 44:58:3, 62:73:2] -= 0.2
    mat = scene.light.copy()
    for lamp in (-0.6, 0.0, 0.12, 0.4):
        scene.light = laid + np.float32(lamp)
        assert scene.kept(laid, place) > 0.9
        scene.light = mat + np.float32(lamp)
        assert scene.kept(laid, place) < 0.1
    assert scene.kept(mat, place) == 0.0


def test_a_sleeve_beside_a_card_is_no_lamp(frame: np.ndarray) -> None:
    """In lamplight as strong as a sleeve is bright, a card under a hand would look like the table."""
    scene = scene_of(frame)
    beside = np.zeros(scene.changed.shape, np.bool_)
    beside[30:60, 40:70] = True
    scene.light += 0.3
    lamp = scene.lit(beside)
    assert lamp is not None
    assert np.allclose(lamp, 0.3, atol=0.05)
    scene.light -= 0.3
    scene.light[0, :, :58] += 0.3
    scene.light[1, :, :58] += 0.3
    scene.light[2, :, :58] += np.linspace(0.2, 1.4, 58, dtype=np.float32)
    assert scene.lit(beside) is None


@pytest.mark.parametrize("chequered", [0.9, 0.33, 0.0])
def test_a_sleeve_as_light_as_most_of_a_chequered_cloth_is_not_taken_for_bare_table(
    frame: np.ndarray, chequered: float
) -> None:
    """On a mat of one colour, what looks like the mat now and did not before was hidden by an arm.

    A faded cloth is chequered all the same.
    """
    scene = scene_of(frame)
    if chequered:
        ys, xs = np.ogrid[: scene.changed.shape[0], : scene.changed.shape[1]]
        scene.light[:, (ys // 10 + xs // 10) % 2 == 0] -= chequered
        scene.mat = Mat(LAYOUT, scene.coarse, scene.light)
    assert scene.mat.plain != (chequered > 0)
    place = np.zeros(scene.changed.shape, np.bool_)
    place[40:60, 50:80] = True
    usual = scene.mat.usual(scene.light)
    scene.settled[:, place] = scene.bare[:, place] = usual[:, 0] - 0.8
    scene.light[:, place] = usual[:, 0]
    scene.compare()
    before = scene.bare.copy()
    scene.clear_bare(np.zeros_like(place))
    assert np.array_equal(scene.bare, before) == (chequered > 0)


@pytest.mark.parametrize("light", [1.0, 0.3, 0.12])
def test_a_hand_over_a_dark_table_is_no_fainter_than_in_the_light(frame: np.ndarray, light: float) -> None:
    """Skin is lighter and redder than the cloth by the same factor in any light that grey levels resolve."""
    empty = (frame * light).astype(np.uint8)
    scene = scene_of(empty)
    skin = empty.copy()
    skin[300:420, 500:640] = (frame[300:420, 500:640] * light * (1.2, 1.4, 1.8)).astype(np.uint8)
    scene.take_in(as_frame(skin).small)
    assert scene.changed.sum() > 300


def test_a_menu_that_lay_there_for_long_and_is_taken_away_leaves_the_table_as_it_was(
    frame: np.ndarray,
) -> None:
    scene = scene_of(frame)
    nothing, menu = part_of(scene, np.s_[:, -50:])
    lain = scene.light + 1.2 * menu.astype(np.float32)
    table = scene.light.copy()
    scene.light = lain
    scene.compare()
    assert (scene.changed & menu).sum() > 0.9 * menu.sum()
    scene.absorb(menu)
    scene.compare()
    for _ in range(15 * 20):
        scene.follow_light(nothing)
    scene.compare()
    assert not scene.changed.any()
    scene.light = table
    scene.compare()
    scene.clear_bare(nothing)
    assert not scene.changed.any()
    assert not scene.not_bare().any()


@pytest.mark.parametrize(
    ("gain", "told"),
    [
        pytest.param((1.3, 0.7, 0.3), False, id="a white sheet on brown wood"),
        pytest.param((0.2, 0.3, 0.4), True, id="a warm bulb"),
        pytest.param((-0.18, -0.36, -0.39), True, id="the shadow of an arm by daylight"),
    ],
)
def test_a_white_sheet_on_wood_is_no_lamp(
    frame: np.ndarray, gain: tuple[float, float, float], told: bool
) -> None:
    """The wood in the sheet's supposed light would pass for cards under the sheet that have gone."""
    scene = scene_of(frame)
    _, beside = part_of(scene, np.s_[30:60, 40:70])
    scene.light += np.asarray(gain, np.float32)[:, None, None]
    assert (scene.lit(beside) is not None) == told


def test_a_camera_whose_noise_is_not_known_yet_is_measured_on_after_a_push(frame: np.ndarray) -> None:
    old = scene_of(frame)
    pushed = MatScene(old.registration, LAYOUT, as_frame(frame).small, old.lift)
    assert not pushed.measuring
    pushed.take_over(old)
    assert pushed.measuring
