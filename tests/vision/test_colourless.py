"""A camera in night mode shows no colours: the table asks for cards that differ only in colour."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.dice.test_reading import LAYOUT, draw_mat
from tests.vision.evening import FACES, Evening, deck, downs, names
from vision.cards.recognition import FACE_PX, Faces
from vision.dice.reading import look_pips, read_spots
from vision.geometry import register
from vision.imgproc.colourless import is_colourless, without_colours
from vision.sightings import LightFine, LightPoor, Picture

COLOURS = ("blue", "brown", "green", "red")


def seen(name: str, gain: float = 0.8) -> Picture:
    """The cut-out of a card as a camera shows it: darker, and with noise."""
    face = cv2.resize(FACES[name], FACE_PX, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 2, FACE_PX[::-1])[..., None]
    return np.clip(face * gain + noise, 0, 255).astype(np.uint8)


def packed(picture: Picture) -> Picture:
    """The picture after JPEG compression."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def test_only_a_picture_without_any_colour_is_colourless() -> None:
    table = draw_mat([("red", 3, 0.0, 0.0, 10.0)])
    assert not is_colourless(packed(table))
    assert is_colourless(packed(without_colours(table)))
    lamp = np.array([0.93, 0.98, 1.0])
    paper = np.full((480, 640, 3), 225) * lamp + np.random.default_rng(2).normal(0, 2, (480, 640, 3))
    assert not is_colourless(packed(paper.astype(np.uint8))), "white paper in a lamp's light is a little warm"


@pytest.mark.parametrize("name", ["red-8", "brown-3", "green-1", "blue-6"])
def test_a_card_that_only_its_colour_tells_is_asked_for_among_all_of_that_print(name: str) -> None:
    picture = without_colours(seen(name))
    reading = deck().faces.in_picture(picture).read(picture)
    assert reading.margin == 0.0
    value = name.split("-")[1]
    assert {guess.name for guess in reading.guesses[:4]} == {f"{colour}-{value}" for colour in COLOURS}


@pytest.mark.parametrize("name", ["red-8", "brown-3"])
def test_a_card_of_which_there_is_one_print_is_told_without_colours(name: str) -> None:
    red = [face for face in deck().names if face.split("-")[0] == name.split("-")[0]]
    faces = Faces(red, [seen(card, 1.0) for card in red])
    picture = without_colours(seen(name))
    reading = faces.in_picture(picture).read(picture)
    assert reading.name == name
    assert reading.margin > 0.5


def test_in_colour_the_faces_are_as_they_were_learnt() -> None:
    faces = deck().faces
    assert faces.in_picture(seen("red-8")) is faces
    assert faces.read(seen("red-8")).margin > 0.5


def test_a_card_that_is_missing_from_the_deck_is_asked_for_without_colours_too() -> None:
    whole = deck()
    kept = [number for number, name in enumerate(whole.names) if name != "red-8"]
    names, pictures = (tuple(each[number] for number in kept) for each in (whole.names, whole.pictures))
    lacking = replace(whole, names=names, pictures=pictures, partial=True)
    picture = without_colours(seen("red-8"))
    assert lacking.faces.in_picture(picture).read(picture).margin == 0.0
    lacking.expect(["red-8"])
    asked = lacking.faces.in_picture(picture).read(picture)
    assert asked.margin == 0.0
    assert "red-8" in {guess.name for guess in asked.guesses}


def test_colours_that_go_in_mid_evening_are_told_once_and_so_is_their_return() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    evening.lamps = lambda picture, t: without_colours(picture)
    evening.wait(80)
    evening.play("S2", "blue-4")
    evening.wait(15)
    evening.lamps = lambda picture, t: picture
    evening.wait(80)
    evening.play("S3", "green-7")
    told = [each for each in evening.seen if isinstance(each, LightPoor | LightFine)]
    assert [type(each) for each in told] == [LightPoor, LightFine]
    assert "colours" in getattr(told[0], "measured", {})
    assert [card.sure for card in downs(evening)] == [True, False, True]
    assert [names(evening)[at] for at in (0, 2)] == ["red-8", "green-7"]


def test_a_die_keeps_its_value_without_colours_and_no_name_is_likelier() -> None:
    """The black die accuses a player (D-30), so a grey die must not be taken for it."""
    picture = without_colours(draw_mat([("yellow", 1, -57.0, 62.0, 40.0), ("blue", 3, 0.0, -40.0, 10.0)]))
    table = register(picture, LAYOUT)
    (spot,) = read_spots(picture, table, LAYOUT)
    assert (spot.colour, spot.value) == (None, 1)
    assert [(die.colour, die.face) for die in look_pips(picture, table, LAYOUT)] == [(None, "1"), (None, "3")]
    assert {die.colour for die in look_pips(picture)} == {None}
