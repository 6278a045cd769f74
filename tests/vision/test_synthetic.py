"""Synthetic camera frames: things lie where the scene says, and the bytes are the same every time."""

from __future__ import annotations

import dataclasses
import itertools

import cv2
import numpy as np
import pytest

from vision import geometry
from vision.layout import Layout, Tag
from vision.sightings import Picture
from vision.synthetic.scene import Arm, CardLying, Light, Scene, ViewPoint
from vision.synthetic.shapes import DieLying, die_faces, six_sided
from vision.synthetic.table import Flat, Painter

MAT_MM = (400.0, 300.0)
TAGS = tuple(
    Tag(i, (x, y, 0.0), 30.0) for i, (x, y) in enumerate([(-170, 120), (170, 120), (170, -120), (-170, -120)])
)
LAYOUT = Layout("mat", MAT_MM, TAGS)
RED_DIE = DieLying("2", (-60.0, 60.0), 20.0, (30, 30, 200), (250, 250, 250), sides=six_sided(2))


def mat(px_per_mm: int = 3) -> Picture:
    picture = np.full((300 * px_per_mm, 400 * px_per_mm, 3), (70, 90, 50), np.uint8)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in TAGS:
        edge = int(tag.size_mm * px_per_mm)
        x = round((tag.center_mm[0] + 200 - tag.size_mm / 2) * px_per_mm)
        y = round((150 - tag.center_mm[1] - tag.size_mm / 2) * px_per_mm)
        rim = 5 * px_per_mm
        picture[y - rim : y + edge + rim, x - rim : x + edge + rim] = 255
        picture[y : y + edge, x : x + edge] = cv2.aruco.generateImageMarker(known, tag.id, edge)[:, :, None]
    return picture


def face(ink: tuple[int, int, int]) -> Picture:
    """A white face with an inked upper half."""
    picture = np.full((364, 236, 3), 245, np.uint8)
    picture[20:182, 20:-20] = ink
    return picture


@pytest.fixture(scope="module")
def painter() -> Painter:
    faces = {"red-1": face((20, 20, 200)), "blue-1": face((200, 60, 20))}
    return Painter(Flat(mat(), MAT_MM), faces, ViewPoint(f_px=1700))


def test_the_eye_finds_the_mat_and_millimetres_come_back(painter: Painter) -> None:
    found = geometry.register(painter.render(Scene(), 1), LAYOUT)
    assert found.tags == (0, 1, 2, 3)
    points = np.array([(-150.0, 0.0), (0, 0), (100, -100), (30, 120)])
    assert np.abs(found.to_mm(painter.to_px(points)) - points).max() < 0.5


def test_a_card_lies_where_and_how_the_scene_says(painter: Painter) -> None:
    frame = painter.render(Scene(cards=(CardLying("red-1", (50, -20), 30.0),)), 1)
    turn = np.radians(30)
    for along, red in ((30, True), (-30, False)):  # above and below its middle as the card stands
        x, y = painter.to_px([(50 - along * np.sin(turn), -20 + along * np.cos(turn))])[0].astype(int)
        blue, _, red_part = (int(c) for c in frame[y, x])
        assert (red_part - blue > 100) is red


def test_the_last_card_lies_on_top(painter: Painter) -> None:
    cards = (CardLying("red-1", (0, 0)), CardLying("blue-1", (0, 0)))
    x, y = painter.to_px([(0.0, 25.0)])[0].astype(int)
    assert painter.render(Scene(cards), 1)[y, x].argmax() == 0
    assert painter.render(Scene(cards[::-1]), 1)[y, x].argmax() == 2


def test_the_same_scene_and_seed_give_the_same_bytes_and_another_seed_other_noise(painter: Painter) -> None:
    scene = Scene(cards=(CardLying("red-1", (0, 0)),), dice=(RED_DIE,))
    first = painter.render(scene, 5)
    painter.render(Scene(), 6)
    assert np.array_equal(painter.render(scene, 5), first)
    other = painter.render(scene, 6).astype(int) - first
    assert 1 < other.std() < 6


def test_what_is_added_to_a_drawn_table_looks_as_if_drawn_at_once() -> None:
    """The painter caches the settled table; that must never show."""
    faces = {"red-1": face((20, 20, 200)), "blue-1": face((200, 60, 20))}
    step, fresh = (Painter(Flat(mat(), MAT_MM), faces, noise=0.0) for _ in range(2))
    cards = [CardLying("red-1", (0, 0)), CardLying("blue-1", (20, 10), 40), CardLying("red-1", (-50, 50), 80)]
    turned = dataclasses.replace(RED_DIE, top="3", sides=six_sided(3))
    scenes = [
        Scene(tuple(cards[:n]), (die,)) for n, die in itertools.product((1, 2, 3, 2, 0), (RED_DIE, turned))
    ]
    scenes += [dataclasses.replace(s, light=Light(0.7)) for s in scenes[:3]]
    for scene in scenes:
        kept = step.render(scene, 1)
        fresh.render(Scene(light=Light(1.3)), 1)  # another light throws away all that was kept
        assert np.array_equal(kept, fresh.render(scene, 1))


def test_a_hand_covers_what_lies_under_it_and_leaves_no_trace(painter: Painter) -> None:
    scene = Scene(cards=(CardLying("red-1", (0, 0)),))
    before = painter.render(scene, 1)
    reaching = dataclasses.replace(
        scene, arms=(Arm((0, -150), (0, 60)),), carried=(CardLying("blue-1", (0, 80), 0, 20),)
    )
    x, y = painter.to_px([(0.0, 0.0)])[0].astype(int)
    assert np.abs(painter.render(reaching, 1)[y, x].astype(int) - before[y, x]).max() > 40
    assert np.array_equal(painter.render(scene, 1), before)


def test_warm_dim_light_makes_a_warm_dim_picture(painter: Painter) -> None:
    plain, dim = (
        painter.render(Scene(light=x), 1).reshape(-1, 3).mean(0)
        for x in (Light(), Light(0.5, (0.6, 0.9, 1.1)))
    )
    assert dim.sum() < 0.7 * plain.sum()
    assert dim[2] / dim[0] > 1.3 * plain[2] / plain[0]


@pytest.mark.parametrize("top", range(1, 7))
def test_opposite_faces_of_a_die_add_up_to_seven(top: int) -> None:
    sides = [int(side) for side in six_sided(top)]
    assert sorted([*sides, top, 7 - top]) == [1, 2, 3, 4, 5, 6]
    assert sides[0] + sides[2] == sides[1] + sides[3] == 7


def test_a_die_stands_on_its_foot_with_its_top_one_edge_up() -> None:
    top = die_faces(RED_DIE)[-1]
    assert top.center_mm.tolist() == [-60, 60, 16]
    assert len(top.shapes) == 1 + 2
    assert len(die_faces(dataclasses.replace(RED_DIE, top="X"))[-1].shapes) == 1 + 2


def things(at: tuple[float, float]) -> Scene:
    """A card, a die and a hand at one place."""
    die = dataclasses.replace(RED_DIE, center_mm=at)
    return Scene((CardLying("red-1", at),), (die,), (Arm(at, at),))


def altered(painter: Painter, scene: Scene) -> np.ndarray:
    """The mask (h, w) of where a scene differs from the empty table."""
    bare, shown = painter.render(Scene(), 1), painter.render(scene, 1)
    assert shown.shape == bare.shape
    return (shown != bare).any(axis=2)


@pytest.mark.parametrize("at", [(-300.0, 0.0), (0.0, 185.0), (290.0, -190.0)])
def test_things_at_the_rim_of_the_picture_are_cut_off(painter: Painter, at: tuple[float, float]) -> None:
    ys, xs = np.nonzero(altered(painter, things(at)))
    middle, beside = painter.to_px([at, (at[0] + 110.0, at[1])])
    assert len(xs) > 1000
    assert np.hypot(xs - middle[0], ys - middle[1]).max() < np.hypot(*(beside - middle)), (
        "nothing wraps round"
    )


@pytest.mark.parametrize("at", [(-900.0, 0.0), (0.0, 240.0), (395.0, -215.0)])
def test_things_beyond_the_picture_are_not_seen(painter: Painter, at: tuple[float, float]) -> None:
    assert not altered(painter, things(at)).any()
