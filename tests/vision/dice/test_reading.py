"""Dice with pips: drawn dice of every colour and value on a drawn mat, and the shared stills."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from table.settings import read_table
from tests.shared import SHARED, needs
from tests.vision.dice_pieces import cast_shadow
from vision.dice.colour import PAPER, from_linear, name_colour
from vision.dice.reading import SURE_COLOUR, look_pips, paper_white, read_spots
from vision.dice.veiling_glare import veiling_glare
from vision.geometry import Registration, register
from vision.layout import CameraModel, Layout, Spot, Tag
from vision.sightings import Picture

BGR = {
    "blue": (150, 60, 20),
    "brown": (35, 65, 110),
    "yellow": (30, 200, 240),
    "green": (60, 130, 30),
    "red": (40, 35, 200),
    "black": (25, 25, 25),
}
PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
SPOTS = tuple(Spot(name, (x, 60.0), 30.0) for name, x in (("aagewwer", -60.0), ("jammerlabbe", 0.0)))
LAYOUT = Layout(
    kind="mat",
    size_mm=(300.0, 200.0),
    tags=tuple(
        Tag(i, (x, y, 0.0), 30.0) for i, (x, y) in enumerate([(-130, 80), (130, 80), (130, -80), (-130, -80)])
    ),
    spots=SPOTS,
    die_edge_mm=16.0,
    camera=CameraModel(f_px=500.0 * 4.0),  # from straight above, tags alone do not determine it
)
SCALE = 4.0  # drawn pixels per millimetre
EYE_MM = 500.0  # height of the drawn camera above the mat's middle


def draw_mat(
    dice: list[tuple[str, int, float, float, float]],
    light: float = 1.0,
    worn: tuple[int, ...] = (),
    edge: float = 16.0,
) -> Picture:
    """Draw a mat from straight above its middle: dice as (colour, value, x, y, yaw), tops `edge` mm up.

    Pips with the indices `worn` (as in `PLACES`) have a quarter of their paint left.
    """
    rng = np.random.default_rng(5)
    picture = np.full((900, 1300, 3), (70, 90, 60), np.float32)

    def px(points: np.ndarray, z: float) -> np.ndarray:
        spread = EYE_MM / (EYE_MM - z) * SCALE
        return np.column_stack([650 + points[:, 0] * spread, 450 - points[:, 1] * spread])

    board = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in LAYOUT.tags:
        print_ = cv2.aruco.generateImageMarker(board, tag.id, 120)
        x, y = px(np.array([tag.center_mm[:2]]), 0)[0].astype(int)
        picture[y - 80 : y + 80, x - 80 : x + 80] = 235
        picture[y - 60 : y + 60, x - 60 : x + 60] = cv2.cvtColor(print_, cv2.COLOR_GRAY2BGR)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * edge / 2
    for colour, value, x, y, yaw in dice:
        c, s = np.cos(np.deg2rad(yaw)), np.sin(np.deg2rad(yaw))
        turn = np.array([[c, s], [-s, c]])
        for z, shade in ((0.0, 0.5), (edge, 1.0)):
            corners = px(square @ turn + (x, y), z)
            cv2.fillPoly(
                picture,
                [np.rint(corners * 16).astype(np.int32)],
                [k * shade for k in BGR[colour]],
                cv2.LINE_AA,
                4,
            )
        ink = (20, 20, 20) if colour == "yellow" else (235, 235, 235)
        for number, at in enumerate(px(np.array(PLACES[value], float) * edge / 4 @ turn + (x, y), edge)):
            left = 0.25 if number in worn else 1.0
            cv2.circle(
                picture,
                tuple(np.rint(at * 16).astype(int).tolist()),
                int(1.5 * SCALE * edge),
                [
                    left * of_ink + (1 - left) * of_body
                    for of_ink, of_body in zip(ink, BGR[colour], strict=True)
                ],
                -1,
                cv2.LINE_AA,
                4,
            )
    picture = cv2.GaussianBlur(picture * light, (0, 0), 1.2) + rng.normal(0, 2, picture.shape)
    return picture.clip(0, 255).astype(np.uint8)


def seen(picture: Picture) -> Registration:
    return register(picture, LAYOUT)


@pytest.mark.parametrize("value", range(1, 7))
def test_six_colours_lie_on_the_mat_and_are_read(value: int) -> None:
    lying = [(c, value, -90.0 + 36 * i, -20.0 + 9 * i, 13.0 + 14 * i) for i, c in enumerate(BGR)]
    picture = draw_mat(lying)
    dice = look_pips(picture, seen(picture), LAYOUT)
    from_the_top = sorted(lying, key=lambda die: -die[3])
    assert [(d.colour, d.face) for d in dice] == [(c, str(v)) for c, v, *_ in from_the_top]
    for colour, _, x, y, _ in lying:
        die = next(d for d in dice if d.colour == colour)
        assert die.center_mm == pytest.approx((x, y), abs=0.6), "the foot lies under the top"


def test_two_dots_in_a_printed_frame_on_the_mat_are_no_die() -> None:
    picture = draw_mat([])
    x, y = 650, round(450 - 60 * SCALE)
    cv2.rectangle(picture, (x - 36, y - 36), (x + 36, y + 36), (170, 180, 170), 5, cv2.LINE_AA)
    for at in ((x - 16, y - 16), (x + 16, y + 16)):
        cv2.circle(picture, at, 6, (200, 210, 200), -1, cv2.LINE_AA)
    assert read_spots(picture, seen(picture), LAYOUT) == []


@pytest.mark.parametrize(("value", "worn"), [(3, (0, 2)), (4, (1, 2)), (5, (1, 3)), (6, (1, 2, 3, 4))])
def test_a_die_with_worn_pips_is_in_doubt_and_no_smaller_value(value: int, worn: tuple[int, ...]) -> None:
    """D-02: what is left of a 5 may look like a 3, and would set another marker."""
    picture = draw_mat([("blue", value, -57.0, 62.0, 40.0), ("black", value, 40.0, -40.0, 10.0)], worn=worn)
    readings = read_spots(picture, seen(picture), LAYOUT)
    assert [reading.value for reading in readings] in ([None], [])
    assert {die.face for die in look_pips(picture, seen(picture), LAYOUT)} <= {None}


@pytest.mark.parametrize("edge", [22.0, 25.0, 28.0])
def test_a_die_larger_than_the_table_file_says_shows_no_part_of_its_face(edge: float) -> None:
    """D-02: two pips of a large 4 look like a 2; 16 of 20 dice of 25 mm were once misread with certainty."""
    for value in range(1, 7):
        for yaw in (0.0, 20.0):
            picture = draw_mat(
                [("blue", value, -57.0, 62.0, yaw), ("red", value, 40.0, -40.0, 30.0 - yaw)], edge=edge
            )
            readings = read_spots(picture, seen(picture), LAYOUT)
            assert {reading.value for reading in readings} <= {None, value}
            assert {die.face for die in look_pips(picture, seen(picture), LAYOUT)} <= {None, str(value)}


def test_a_die_larger_than_the_table_file_says_tells_its_edge() -> None:
    picture = draw_mat([("blue", 4, 40.0, -40.0, 10.0)], edge=25.0)
    (die,) = look_pips(picture, seen(picture), LAYOUT)
    assert (die.face, die.edge_mm) == (None, pytest.approx(25.0, abs=1.5))
    usual = draw_mat([("blue", 4, 40.0, -40.0, 10.0)])
    assert [(d.face, d.edge_mm) for d in look_pips(usual, seen(usual), LAYOUT)] == [("4", None)]


@pytest.mark.parametrize("edge", [12.0, 18.0, 20.0])
def test_dice_of_about_the_table_files_edge_are_read(edge: float) -> None:
    lying = [(c, 2 + i % 5, -90.0 + 36 * i, -20.0 + 9 * i, 13.0 + 14 * i) for i, c in enumerate(BGR)]
    picture = draw_mat(lying, edge=edge)
    faces = {d.colour: d.face for d in look_pips(picture, seen(picture), LAYOUT)}
    assert faces == {c: str(v) for c, v, *_ in lying}


@pytest.mark.parametrize("offset", [0.0, 4.0, 8.0])
def test_two_dice_of_one_colour_that_touch_are_no_larger_die(offset: float) -> None:
    for pair in ((1, 1), (4, 3), (2, 5), (6, 6)):
        picture = draw_mat([("blue", pair[0], -8.0, 0.0, 0.0), ("blue", pair[1], 8.0, offset, 0.0)])
        dice = look_pips(picture, seen(picture), LAYOUT)
        faces = [d.face for d in sorted(dice, key=lambda d: d.center_mm)]
        assert faces == [str(value) for value in pair]


def test_a_turned_die_tells_its_yaw() -> None:
    picture = draw_mat([("red", 4, 20.0, 10.0, 25.0)])
    (die,) = look_pips(picture, seen(picture), LAYOUT)
    assert abs((die.yaw_deg - 25.0 + 45) % 90 - 45) < 2


def test_the_trump_die_lies_on_its_spot() -> None:
    """D-02: red 1 on Aagewwer declares red; a die beside the spots belongs to none of them."""
    picture = draw_mat([("red", 1, -57.0, 62.0, 40.0), ("blue", 3, 0.0, -40.0, 10.0)])
    (reading,) = read_spots(picture, seen(picture), LAYOUT)
    assert (reading.spot, reading.colour, reading.value) == ("aagewwer", "red", 1)
    assert reading.center_mm == pytest.approx((-57.0, 62.0), abs=0.6)
    assert reading.confidence > 0.8


def test_an_empty_mat_shows_no_die() -> None:
    picture = draw_mat([])
    assert look_pips(picture, seen(picture), LAYOUT) == []
    assert read_spots(picture, seen(picture), LAYOUT) == []


def test_dim_light_changes_no_colour() -> None:
    lying = [(c, 5, -90.0 + 36 * i, 0.0, 20.0) for i, c in enumerate(BGR)]
    picture = draw_mat(lying, light=0.45)
    dice = look_pips(picture, seen(picture), LAYOUT)
    assert sorted(d.colour or "?" for d in dice) == sorted(BGR)


@pytest.mark.parametrize(("colour", "paint"), [("yellow", (0.05, 0.55, 0.8)), ("brown", (0.05, 0.1, 0.19))])
def test_a_dim_warm_lamp_changes_no_colour_and_in_the_dark_none_is_told(
    colour: str, paint: tuple[float, float, float]
) -> None:
    lamp = np.array([0.006, 0.016, 0.026])
    best = name_colour(from_linear(paint * lamp), from_linear(PAPER * lamp), BGR)[0]
    assert best.name == colour
    assert best.confidence >= SURE_COLOUR
    in_the_dark = name_colour(from_linear(paint * lamp / 4), from_linear(PAPER * lamp / 4), BGR)[0]
    assert in_the_dark.confidence < SURE_COLOUR


def test_haze_over_the_picture_changes_no_colour() -> None:
    """Haze adds the same light to black and white; the light on the tags' black is subtracted everywhere."""
    lying = [(c, 5, -90.0 + 36 * i, 0.0, 20.0) for i, c in enumerate(BGR)]
    clear = draw_mat(lying)
    hazy = (0.45 * clear + 70).astype(np.uint8)
    dice = look_pips(hazy, seen(hazy), LAYOUT)
    assert [d.colour for d in sorted(dice, key=lambda d: d.center_mm)] == list(BGR)


def test_a_clear_picture_has_no_haze_and_a_hand_on_the_tags_is_none() -> None:
    picture = draw_mat([])
    fit = seen(picture)
    white = paper_white(picture, fit, LAYOUT)
    glare = veiling_glare(picture, fit, LAYOUT, white)
    assert glare is not None
    assert glare.max() < 0.01
    picture[:] = (120, 150, 210)
    assert veiling_glare(picture, fit, LAYOUT, white) is None


def test_what_hides_half_the_tags_changes_no_colour() -> None:
    """Rows painted by a loose cable once turned brown dice into green ones."""
    lying = [(c, 5, -90.0 + 36 * i, 0.0, 20.0) for i, c in enumerate(BGR)]
    picture = draw_mat(lying)
    fit = seen(picture)
    picture[650:] = (200, 40, 200)
    assert sorted(d.colour or "?" for d in look_pips(picture, fit, LAYOUT)) == sorted(BGR)


@needs("footage/dev-d6-stills")
def test_the_shared_stills_are_read_right() -> None:
    folder = SHARED / "footage/dev-d6-stills"
    layout = read_table(folder / "table.toml").layout
    for stem in ("0001", "0028", "0058"):
        picture = np.asarray(cv2.imread(str(folder / f"{stem}.jpg")), np.uint8)
        dice = look_pips(picture, register(picture, layout), layout)
        truth = json.loads((folder / f"{stem}.json").read_text())["dice"]
        assert sorted((d.colour, d.face) for d in dice) == sorted(
            (d["colour"], str(d["value"])) for d in truth
        )


def draw_plain(dice: list[tuple[int, tuple[int, int, int], tuple[int, int, int], int, int]]) -> Picture:
    """Draw dice of 40 px on a pale desk without tags: (value, body BGR, pip BGR, x, y), bodies marbled."""
    rng = np.random.default_rng(11)
    picture = np.full((360, 480, 3), (200, 205, 205), np.float32)
    marble = cv2.GaussianBlur(rng.normal(0, 90, (360, 480, 1)), (0, 0), 5)[..., None]
    for value, body, ink, x, y in dice:
        cast_shadow(picture, (x - 20, y - 20, x + 20, y + 20))
        picture[y - 20 : y + 20, x - 20 : x + 20] = body + marble[y - 20 : y + 20, x - 20 : x + 20]
        for u, v in PLACES[value]:
            cv2.circle(picture, (x + 10 * u, y + 10 * v), 4, ink, -1, cv2.LINE_AA)
    seen_ = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 1.5, picture.shape)
    return np.asarray(seen_.clip(0, 255), np.uint8)


def test_pips_of_another_hue_but_no_other_lightness_are_read() -> None:
    plain = [(5, (40, 35, 200), (235, 235, 235), 80, 80), (4, (150, 60, 20), (235, 235, 235), 380, 90)]
    hue = [(3, (85, 85, 85), (50, 50, 150), 240, 240), (6, (85, 85, 85), (50, 50, 150), 100, 270)]
    dice = look_pips(draw_plain(plain + hue))
    assert sorted(d.face or "?" for d in dice) == ["3", "4", "5", "6"]
