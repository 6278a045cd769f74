"""The eye over a box: a drawn box with drawn dice, frame by frame, from enrolment to the dice's places."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import (
    BODIES,
    FPS,
    LAYOUT,
    NOISE,
    SIZE,
    THROW,
    Drawn,
    Film,
    draw,
    lit,
    lying,
    shifted,
)
from vision.box.background import Ground
from vision.box.dice import BoxLook
from vision.box.dice_set import DiceSet
from vision.box.glyph import X
from vision.box.pipeline import BoxEye
from vision.box.pose_fit import register_box
from vision.box.print_parameters import PRINT
from vision.box.print_rejection import is_print
from vision.box.reader import BoxReader
from vision.box.shadow_removal import relit
from vision.dice.face import Face
from vision.dice.pips import EDGE_PX
from vision.errors import TagsNotFoundError
from vision.layout import Layout
from vision.sightings import LightPoor, Picture, ThrowSeen


def test_dice_that_come_to_rest_are_told_early_and_late(film: Film) -> None:
    film.fly()
    early, late, last = film.show(THROW, 16)
    assert lying(early) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]
    assert early.rolled
    assert early.rest_s < 0.2 < 0.4 <= late.rest_s < 0.5 < 0.75 < last.rest_s
    assert last.dice == late.dice == early.dice
    red = next(d for d in early.dice if d.colour == "red")
    assert red.center_mm == pytest.approx((-40.0, 20.0), abs=0.4)
    assert abs((red.yaw_deg - 10.0 + 45) % 90 - 45) < 2


def test_a_rest_that_a_hand_ends_is_still_told_twice(film: Film) -> None:
    film.fly()
    said = film.show(THROW, 6) + film.show(THROW, 1, hand=200)
    assert [s.rest_s > 0.2 for s in said] == [False, True]


def test_a_hand_over_the_box_is_waited_for_and_what_it_takes_is_gone(film: Film) -> None:
    film.show(THROW, 16)
    assert film.show(THROW, 8, hand=300) == []
    (seen,) = film.show(THROW[1:], 6)
    assert lying(seen) == [("white", "X", "field", "2x")]
    assert not seen.rolled


def test_a_bet_is_seen_on_its_tile(film: Film) -> None:
    """X-23."""
    film.show(THROW, 16)
    (seen,) = film.show([*THROW, Drawn("green", "2", -130.0, 110.0)], 6)
    assert ("green", "2", "bet:A", None) in lying(seen)


def test_a_turned_box_is_found_again_and_no_die_has_moved_in_it(film: Film) -> None:
    film.show(THROW, 16)
    film.turned = 14.0
    film.show(THROW, 1, hand=300)
    before = film.show(THROW, 8)
    assert lying(before[-1]) == [("red", "3", "field", "1x"), ("white", "X", "field", "2x")]
    red = next(d for d in before[-1].dice if d.colour == "red")
    assert red.center_mm == pytest.approx((-40.0, 20.0), abs=0.5)
    assert not before[-1].rolled


def test_a_die_pushed_by_two_millimetres_is_read_again(film: Film) -> None:
    film.show(THROW, 16)
    film.show(THROW, 1, hand=200)
    (seen,) = film.show([Drawn("red", "3", -38.0, 20.0), THROW[1]], 6)
    red = next(d for d in seen.dice if d.colour == "red")
    assert red.center_mm[0] == pytest.approx(-38.0, abs=0.4)


def test_a_die_that_cannot_be_read_lies_there_all_the_same(film: Film) -> None:
    """Otherwise it would count as lost."""
    film.fly()
    seen = film.show([THROW[0], Drawn("green", "none", 40.0, 60.0)], 6)[0]
    (green,) = [d for d in seen.dice if d.colour == "green"]
    assert (green.face, green.where) == (None, "field")
    assert "face" in green.doubt


def test_a_die_within_a_millimetre_of_a_line_is_in_doubt(film: Film) -> None:
    """X-16: the edge of its foot is half a millimetre beside the line between 1x and 2x."""
    film.fly()
    seen = film.show([Drawn("red", "2", -8.5, 20.0, 0.0)], 6)[0]
    (red,) = seen.dice
    assert "line" in red.doubt
    assert red.margin_mm == pytest.approx(0.5, abs=0.5)


def test_a_box_that_is_nowhere_says_what_to_do(enrolled: DiceSet) -> None:
    eye = BoxEye(LAYOUT, enrolled)
    blank = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    assert eye.see(blank, 0.0) == eye.see(blank, 0.1) == []
    with pytest.raises(TagsNotFoundError, match="too few"):
        eye.see(blank, 0.2)


def test_a_hard_shadow_is_taken_off_the_paint_it_lies_on(enrolled: DiceSet) -> None:
    cut = np.full((80, 80, 3), 60, np.uint8)
    cut[18:62, 18:62] = BODIES["red"]
    cut[40:62] = cut[40:62] // 2
    tried = [lit for colour, lit in relit(cut, None, enrolled.bodies) if colour == "red"]
    assert len(tried) == 2, "with a soft rim, and with a hard one"
    assert all(np.abs(lit[50, 40].astype(int) - lit[30, 40]).max() < 12 for lit in tried)
    assert not [c for c, _ in relit(cut[:38], None, enrolled.bodies) if c == "red"], "all in the light"


def test_a_die_that_comes_to_lie_on_another_is_not_believed_to_stand_on_the_floor(film: Film) -> None:
    """XA-7: the lower die is seen nowhere else, so it is still there."""
    film.show(THROW, 16)
    film.fly()
    said = film.show([THROW[0], Drawn("green", "2", -42.0, 22.0, 50.0), THROW[1]], 5)[0]
    green = next(d for d in said.dice if d.colour == "green")
    red = next(d for d in said.dice if d.colour == "red")
    assert green.cocked
    assert green.doubt == ("cocked",)
    assert "face" in red.doubt
    assert next(d for d in said.dice if d.colour == "white").doubt == ()


def test_a_die_stands_on_no_other_where_none_shows_beside_it(film: Film) -> None:
    """The red one was knocked away or taken."""
    film.show(THROW, 16)
    film.fly()
    said = film.show([Drawn("green", "2", -44.0, 24.0, 50.0), THROW[1]], 5)[0]
    assert [(d.colour, d.cocked, d.doubt) for d in said.dice if d.colour != "white"] == [("green", False, ())]


def test_a_camera_that_gives_way_a_little_turns_no_box_and_moves_no_die(enrolled: DiceSet) -> None:
    reader = BoxReader(LAYOUT, enrolled)
    reader.read(draw([]))
    changed = np.ones((150, 200), bool)
    found = reader.read(shifted(draw(THROW), 0.9), changed)
    assert not reader.pose.turned
    red = next(f.die for f in found if f.die.colour == "red")
    assert red.center_mm == pytest.approx((-40.0, 20.0), abs=0.3)


def test_a_tag_measured_badly_does_not_turn_the_box_at_every_rest(enrolled: DiceSet) -> None:
    tags = (replace(LAYOUT.tags[0], center_mm=(-120.0, 2.5, 0.0)), *LAYOUT.tags[1:])
    reader = BoxReader(replace(LAYOUT, tags=tags), enrolled)
    reader.read(draw([]))
    reader.read(draw(THROW), np.ones((150, 200), bool))
    assert not reader.pose.turned


def test_the_error_of_a_foot_grows_with_coarser_pictures_and_worse_tags(enrolled: DiceSet) -> None:
    picture = draw([])
    small = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    free = replace(LAYOUT, camera=None)

    def error_mm(picture: Picture, layout: Layout) -> float:
        fit = register_box(picture, layout)
        scale = fit.px_per_mm((30.0, 30.0), 16.0)
        return BoxLook(picture, fit, layout, enrolled).classifier.error_mm((30.0, 30.0), scale)

    tags = (replace(LAYOUT.tags[0], center_mm=(-120.0, 4.0, 0.0)), *LAYOUT.tags[1:])
    fine = error_mm(picture, free)
    assert fine < 1.1
    assert error_mm(small, free) > 1.5 * fine
    assert error_mm(picture, replace(LAYOUT, tags=tags)) > 1.2 * fine


def test_dice_that_only_look_a_little_different_are_not_lost(enrolled: DiceSet) -> None:
    """A noisy camera, a lamp: a die that does not look quite as before is read again."""
    reader = BoxReader(LAYOUT, enrolled)
    reader.read(draw([]))
    before = reader.read(draw(THROW), np.ones((150, 200), bool))
    noise = np.random.default_rng(3).normal(0, 25, (SIZE[1], SIZE[0], 3))
    dimmed = np.clip(draw(THROW) * 0.8 + noise, 0, 255).astype(np.uint8)
    found = reader.read(dimmed, np.zeros((150, 200), bool))
    assert [f.die.colour for f in before] == ["white", "red"]
    assert sorted(f.die.colour or "" for f in found) == ["red", "white"]


def test_a_lamp_turned_down_moves_nothing(enrolled: DiceSet) -> None:
    """Bright print loses more steps than dark print; that is neither motion nor a hand."""
    eye, bright = BoxEye(LAYOUT, enrolled), draw(THROW)
    said = [seen for k in range(16) for seen in eye.see(cv2.add(bright, NOISE[k % 3]), k / FPS)]
    assert said
    dim = lit(bright, (0.5, 0.5, 0.5))
    assert [seen for k in range(16, 32) for seen in eye.see(cv2.add(dim, NOISE[k % 3]), k / FPS)] == []


def test_print_that_another_lamp_gives_the_colour_of_a_die_is_no_die(enrolled: DiceSet) -> None:
    light = (1.6, 1.0, 0.6)
    patch = lit(np.array([[BODIES["red"]]], np.uint8), (1 / 1.6, 1.0, 1 / 0.6))[0, 0].tolist()

    def printed(dice: list[Drawn]) -> Picture:
        picture = draw(dice)
        cv2.rectangle(picture, (280, 250), (304, 274), patch, -1)
        return picture

    empty = printed([])
    ground = Ground.of(empty, register_box(empty, LAYOUT), LAYOUT)
    reader = BoxReader(LAYOUT, replace(enrolled, ground=ground))
    found = reader.read(lit(printed([Drawn("white", "X", -55.0, -6.0, 30.0)]), light))
    assert [(f.die.colour, f.die.face) for f in found] == [("white", "X")]


def test_the_light_is_measured_place_by_place_beside_what_lies_on_the_floor(enrolled: DiceSet) -> None:
    bright = draw(THROW)
    shaded = bright.copy()
    shaded[:, : SIZE[0] // 2] = lit(bright, (0.3, 0.35, 0.4))[:, : SIZE[0] // 2]
    light = BoxLook(shaded, register_box(shaded, LAYOUT), LAYOUT, enrolled).light
    assert light is not None
    assert light.at((-60.0, 0.0)) == pytest.approx((0.3, 0.35, 0.4), rel=0.4)
    assert light.at((THROW[0].x, THROW[0].y)) == pytest.approx((0.3, 0.35, 0.4), rel=0.4)
    assert light.at((60.0, -50.0)) == pytest.approx((1.0, 1.0, 1.0), rel=0.15)


def test_print_that_looks_like_a_die_is_none_also_where_a_die_lies_over_a_part_of_it() -> None:
    then = np.full((53, 53, 3), (80.0, 0.0, 70.0), np.float32)
    for k in (1, -1):
        cv2.line(then, (26 - 10, 26 - 10 * k), (26 + 10, 26 + 10 * k), (30.0, 10.0, 30.0), 5)
    now = then.copy()
    now[32:, 20:] = (35.0, 20.0, -50.0)
    now[22:, 36:] = (15.0, 0.0, 0.0)
    body, ink = (80.0, 0.0, 70.0), (30.0, 10.0, 30.0)
    face = Face(26.0, 26.0, EDGE_PX, 0.0, {X: 1.0}, 1.0, body, ink, frozenset(), 1.0)
    assert is_print(now, now, then, face, PRINT.other_colour)
    assert not is_print(then, then, np.full_like(then, 80.0) * (1.0, 0.0, 0.9), face, PRINT.other_colour)
    white = then * np.array((1.0, 0.0, 0.0), np.float32)
    in_a_hole = replace(face, body=(80.0, 0.0, 0.0), pip=(30.0, 0.0, 0.0))
    assert not is_print(
        white, white, np.full_like(then, 30.0) * (1.0, 0.0, 0.0), in_a_hole, PRINT.other_colour
    )


@pytest.mark.parametrize("face", ["2", "3"])
def test_a_die_too_blurred_to_be_read_is_not_lost(enrolled: DiceSet, face: str) -> None:
    picture = draw([Drawn("green", face, 40.0, 30.0, 20.0)])
    picture[180:260, 380:470] = cv2.GaussianBlur(picture[180:260, 380:470], (0, 0), 3.2)
    (found,) = BoxReader(LAYOUT, enrolled).read(picture)
    assert (found.die.colour, found.die.face, found.die.where) == ("green", None, "field")


@pytest.mark.parametrize("yaw", [0.0, 20.0, 40.0, 71.0])
def test_an_x_on_print_of_its_dies_own_colour_is_read(enrolled: DiceSet, yaw: float) -> None:
    """A blue die on the blue ground of the field: hardly an edge shows round its top."""

    def printed(dice: list[Drawn]) -> Picture:
        picture = draw([])
        cv2.rectangle(picture, (400, 200), (500, 300), BODIES["red"], -1)
        die = draw(dice)
        changed = np.abs(die.astype(int) - draw([])).max(axis=2) > 0
        picture[changed] = die[changed]
        return picture

    empty = printed([])
    ground = Ground.of(empty, register_box(empty, LAYOUT), LAYOUT)
    reader = BoxReader(LAYOUT, replace(enrolled, ground=ground))
    (found,) = reader.read(printed([Drawn("red", "X", 56.0, 12.0, yaw)]))
    assert (found.die.colour, found.die.face, found.die.doubt) == ("red", "X", ())


def test_a_die_without_a_name_is_not_remembered_where_it_cannot_be_read(enrolled: DiceSet) -> None:
    """Glare hides its colour; after the die is taken away, the glare still shows more than print."""
    reader = BoxReader(LAYOUT, enrolled)
    reader.read(draw([]))
    everywhere = np.ones((150, 200), bool)
    (red,) = reader.read(draw(THROW[:1]), everywhere)
    reader._found = [replace(red, die=replace(red.die, colour=None))]
    bright = draw([])
    cv2.circle(bright, (296, 238), 9, (250, 250, 250), -1)
    bright[220:256, 278:314] = cv2.GaussianBlur(bright, (0, 0), 2.0)[220:256, 278:314]
    assert reader.read(bright, everywhere) == []


def test_a_die_taken_from_where_a_shadows_edge_lies_is_gone(enrolled: DiceSet) -> None:
    """To the band-pass, the shadow's edge shows more than print, but it is print."""
    reader = BoxReader(LAYOUT, enrolled)
    reader.read(draw([]))
    everywhere = np.ones((150, 200), bool)
    assert reader.read(draw(THROW[:1]), everywhere)
    shaded = draw([])
    shaded[200:280, 297:420] = lit(shaded, (0.25, 0.25, 0.25))[200:280, 297:420]
    shaded[230:236, 280:297] = lit(shaded, (0.25, 0.25, 0.25))[230:236, 280:297]
    assert reader.read(shaded, everywhere) == []


def test_without_colours_no_die_is_sure_of_its_name_and_the_reason_is_told_once(film: Film) -> None:
    film.colourless = True
    said = film.show([], 16)
    film.fly()
    said += film.show(THROW, 16)
    assert [each.measured for each in said if isinstance(each, LightPoor)] == [{"colours": 0}]
    throws = [each for each in said if isinstance(each, ThrowSeen) and each.dice]
    assert throws
    assert all("colour" in die.doubt for throw in throws for die in throw.dice)
