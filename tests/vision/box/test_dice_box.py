"""Dice of the box game: the X glyph drawn here, enrolment errors, and the shared stills end to end."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.settings import read_table
from tests.shared import FOOTAGE, shared
from vision.box.dice import BoxLook, look_box
from vision.box.dice_set import DiceSet, enrol_dice
from vision.box.glyph import X, find_x, plain_x
from vision.box.patch_atlas import Cut, PatchAtlas
from vision.box.pose_fit import register_box
from vision.dice.pips import EDGE_PX, to_lab
from vision.errors import DeckError, SourceError
from vision.layout import Layout, Tag
from vision.sightings import Picture

EMPTY_LAYOUT = Layout("field", (280.0, 280.0), (Tag(10, (0.0, 150.0, 45.0), 24.0),))


def draw_x(body: tuple[int, int, int], ink: tuple[int, int, int], yaw: float, square: bool = True) -> Picture:
    """Draw a die's top with an X on a blue floor; without `square`, only an X printed on the floor."""
    picture = np.full((200, 200, 3), (140, 80, 30), np.uint8)
    c, s = np.cos(np.deg2rad(yaw)), np.sin(np.deg2rad(yaw))
    turn = np.array([[c, s], [-s, c]])
    half = EDGE_PX / 2
    if square:
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) @ turn + 100
        cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], body, cv2.LINE_AA)
    for arm in ([[-1, -1], [1, 1]], [[-1, 1], [1, -1]]):
        a, b = np.rint(np.array(arm) * 0.25 * EDGE_PX @ turn + 100).astype(int)
        cv2.line(picture, a.tolist(), b.tolist(), ink, round(0.13 * EDGE_PX), cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("yaw", [0.0, 20.0, 45.0, 71.0])
@pytest.mark.parametrize(
    ("body", "ink"),
    [((30, 30, 200), (240, 240, 240)), ((40, 210, 250), (20, 20, 20)), ((25, 25, 25), (235,) * 3)],
)
def test_an_x_is_read_dark_on_light_and_light_on_dark(
    body: tuple[int, int, int], ink: tuple[int, int, int], yaw: float
) -> None:
    """X-02: faces show 1, 2, 3 or X."""
    (face,) = find_x(PatchAtlas.of([Cut(to_lab(draw_x(body, ink, yaw)))]), plain_x())
    assert face.value == X
    assert face.belief[X] > 0.9
    assert (face.x, face.y) == pytest.approx((100, 100), abs=1.0)
    assert abs((face.yaw_deg - yaw + 45) % 90 - 45) < 4


def test_an_x_printed_on_the_floor_is_no_die() -> None:
    bare = to_lab(draw_x((0, 0, 0), (240, 240, 240), 20.0, square=False))
    assert find_x(PatchAtlas.of([Cut(bare)]), plain_x()) == []


def test_a_folder_without_dice_says_what_to_take(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"<colour>-<face>\.jpg"):
        enrol_dice(tmp_path, EMPTY_LAYOUT)
    (tmp_path / "red-1.jpg").write_bytes(b"")
    with pytest.raises(DeckError, match=r"lacks empty\.jpg"):
        enrol_dice(tmp_path, EMPTY_LAYOUT)


def test_a_folder_that_is_not_there_and_a_colour_that_no_die_has_are_named(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="nix: there is no such folder of dice"):
        enrol_dice(tmp_path / "nix", EMPTY_LAYOUT)
    for name in ("red-1.jpg", "blau-3.jpg", "empty.jpg"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(DeckError, match=r"blau-3\.jpg: no die has the name 'blau'"):
        enrol_dice(tmp_path, EMPTY_LAYOUT)


def test_a_picture_named_after_a_face_that_no_die_has_is_told(tmp_path: Path) -> None:
    for name in ("red-1.jpg", "red-x.jpg", "white-5.jpg", "empty.jpg"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(
        DeckError, match=r"red-x\.jpg: no face of a die has the name 'x'; the faces are 1, 2, 3, X"
    ):
        enrol_dice(tmp_path, EMPTY_LAYOUT)


def test_an_unreadable_picture_is_named(tmp_path: Path) -> None:
    for name in ("red-1.jpg", "empty.jpg"):
        (tmp_path / name).write_bytes(b"no picture")
    with pytest.raises(SourceError, match=r"empty\.jpg: cannot be read"):
        enrol_dice(tmp_path, EMPTY_LAYOUT)


@pytest.fixture(scope="module")
def enrolled() -> DiceSet:
    stills = shared("footage/dev-dice-stills")
    return enrol_dice(stills / "enrol", read_table(stills / "table-I.toml").layout)


def test_all_nine_dice_are_learnt(enrolled: DiceSet) -> None:
    nine = {"black", "blue", "green", "orange", "pink", "purple", "red", "white", "yellow"}
    assert set(enrolled.bodies) == nine


@pytest.mark.parametrize("stem", ["0001", "0012"])
def test_a_box_of_dice_is_read_to_half_a_millimetre(enrolled: DiceSet, stem: str) -> None:
    truth = json.loads((FOOTAGE / "dev-dice-stills" / f"{stem}.json").read_text())
    layout = read_table(FOOTAGE / "dev-dice-stills" / truth["table"]).layout
    picture = np.asarray(cv2.imread(str(FOOTAGE / "dev-dice-stills" / f"{stem}.jpg")), np.uint8)
    found = look_box(picture, register_box(picture, layout), layout, enrolled)
    seen = {f.die.colour: f.die for f in found if f.die.where == "field"}
    lying = [d for d in truth["dice"] if d["where"] == "field"]
    assert sorted(seen) == sorted(d["colour"] for d in lying)
    for die in lying:
        mine = seen[die["colour"]]
        assert (mine.face, mine.counts_as) == (die["face"], die["counts_as"])
        assert mine.center_mm == pytest.approx(die["center"], abs=0.5)


def test_dice_photographed_in_another_box_with_the_same_tags_are_learnt(enrolled: DiceSet) -> None:
    """The pictures show box I, the table file describes box II: the dice are learnt, the print is not."""
    stills = shared("footage/dev-dice-stills")
    other = enrol_dice(stills / "enrol", read_table(stills / "table-II.toml").layout)
    assert set(other.bodies) == set(enrolled.bodies)
    for colour, body in other.bodies.items():
        assert np.linalg.norm(body - enrolled.bodies[colour]) < 4.0


@pytest.mark.parametrize(
    ("stem", "colour", "words"),
    [("0121", "green", ("cocked",)), ("0068", "purple", ("face",))],
    ids=["over a hole, on other dice", "on its edge"],
)
def test_a_die_that_leans_is_not_simply_believed(
    enrolled: DiceSet, stem: str, colour: str, words: tuple[str, ...]
) -> None:
    """XA-7."""
    truth = json.loads((FOOTAGE / "dev-dice-stills" / f"{stem}.json").read_text())
    layout = read_table(FOOTAGE / "dev-dice-stills" / truth["table"]).layout
    picture = np.asarray(cv2.imread(str(FOOTAGE / "dev-dice-stills" / f"{stem}.jpg")), np.uint8)
    look = BoxLook(picture, register_box(picture, layout), layout, enrolled)
    places = enrolled.ground.places(picture, look.fit, layout)
    (die,) = [f.die for f in look.best(look.in_places(places)) if f.die.colour == colour]
    assert die.where == "field"
    assert set(words) <= set(die.doubt)
