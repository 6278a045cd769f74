"""Where dice are searched for, and how an isolated body supports a faint face: drawn desks."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.dice.face import Face
from vision.dice.pips import EDGE_PX, to_lab
from vision.dice.reading import look_pips
from vision.dice.second_look import second_look, settle
from vision.dice.standing import Bodies, unread_parts
from vision.dice.views import COARSE, Views, tiles
from vision.sightings import Picture

PLACES = {
    1: [(0, 0)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
WHITE, RED = (235, 235, 235), (40, 35, 200)
Die = tuple[int, tuple[int, int, int], tuple[int, int, int], int, int]  # value, body, pips, x, y


def desk(dice: list[Die], size: tuple[int, int] = (360, 480)) -> Picture:
    """Draw dice of 40 px on a pale desk, each with its shadow."""
    rng = np.random.default_rng(11)
    picture = np.full((*size, 3), (200, 205, 205), np.float32)
    for value, body, ink, x, y in dice:
        picture[y - 20 : y + 28, x - 14 : x + 28] -= 30
        picture[y - 20 : y + 20, x - 20 : x + 20] = body
        for u, v in PLACES[value]:
            cv2.circle(picture, (x + 10 * u, y + 10 * v), 4, ink, -1, cv2.LINE_AA)
    return noisy(picture, rng)


def noisy(picture: np.ndarray, rng: np.random.Generator) -> Picture:
    seen = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 1.5, picture.shape)
    return np.asarray(seen.clip(0, 255), np.uint8)


CLEAR: list[Die] = [(5, RED, WHITE, 80, 80), (4, RED, WHITE, 380, 90), (5, RED, WHITE, 90, 270)]


def test_a_six_seen_far_aslant_is_no_four() -> None:
    """Two of its rows could be a four's, but the third lies on the same body and is as oblong."""
    picture = cv2.resize(desk([*CLEAR, (6, RED, WHITE, 240, 180)]), None, fx=1.0, fy=1.5)
    there = [d for d in look_pips(picture) if np.hypot(d.center_mm[0] - 240, d.center_mm[1] - 270) < 30]
    assert [d.face for d in there if d.face != "6"] in ([], [None])


def test_a_body_of_a_dies_size_carries_a_face_in_its_middle_only() -> None:
    """Its shadow is not part of it, and two dice side by side are not the body of one die."""
    dark = (45, 45, 45)
    picture = desk([(1, dark, WHITE, 260, 230), (1, dark, WHITE, 100, 100), (1, dark, WHITE, 141, 100)])
    bodies = Bodies(unread_parts(Views(picture), 40.0, [], crisp=True), COARSE * EDGE_PX / 40.0)
    assert bodies.carries(replace(face(1, 260.0, 0.3), y=230.0)) is True
    assert bodies.carries(replace(face(1, 276.0, 0.3), y=230.0)) is False, "a side"
    assert bodies.carries(replace(face(1, 100.0, 0.3), y=100.0)) is None
    assert bodies.carries(replace(face(1, 400.0, 0.3), y=200.0)) is None, "bare desk"


def test_what_a_face_explains_is_no_longer_unread() -> None:
    views = Views(desk(CLEAR))
    assert unread_parts(views, 40.0, []).any()
    assert not unread_parts(views, 40.0, [(x, y, 40.0) for *_, x, y in CLEAR]).any()


def test_a_plain_round_thing_of_a_dies_size_is_no_die() -> None:
    drawn = desk(CLEAR).astype(np.float32)
    cv2.circle(drawn, (260, 230), 20, (120, 120, 120), -1, cv2.LINE_AA)
    dice = look_pips(noisy(drawn, np.random.default_rng(2)))
    from_the_top = sorted(CLEAR, key=lambda die: (die[4], die[3]))
    assert [die.face for die in dice] == [str(value) for value, *_ in from_the_top], "in reading order"


def face(value: int, x: float, score: float, edge: float = 20.0) -> Face:
    return Face(
        x, 50.0, edge, 0.0, {value: 1.0}, score, (40.0, 0.0, 0.0), (90.0, 0.0, 0.0), frozenset(), score
    )


def test_a_pip_of_a_two_is_not_a_one_beside_it() -> None:
    """The 1 fits a little better, but explains only one of two pips."""
    one, two = face(1, 50.0, 0.50), replace(face(2, 55.0, 0.45), y=55.0)
    (read,) = settle([one, two], [], lambda _: None)
    assert (read.value, read.belief[2] > 0.9) == (2, True)


def test_a_pip_unlike_the_others_is_none() -> None:
    """A 6 with five pips, the sixth place as dark as the body, is believed little more than half as much."""
    whole, lacking = (best_six(missing) for missing in (None, 2))
    assert whole > 0.5
    assert lacking < 0.6 * whole


def best_six(missing: int | None) -> float:
    """Score of the best 6 read on a die; one of its pips may be `missing`."""
    picture = np.full((120, 120, 3), (200, 205, 205), np.float32)
    picture[38:82, 38:82] = (40, 30, 30)
    for k, (u, v) in enumerate((u, v) for u in (-1, 1) for v in (-1, 0, 1)):
        if k != missing:
            cv2.circle(picture, (60 + 11 * u, 60 + 11 * v), 4, (70, 60, 160), -1, cv2.LINE_AA)
    unread = np.zeros((120, 120), np.uint8)
    unread[38:82, 38:82] = 1
    found = second_look(to_lab(noisy(picture, np.random.default_rng(5))), unread)
    return max((f.score for f in found if f.value == 6), default=0.0)


@pytest.mark.parametrize(("score", "other", "sure"), [(0.6, 0.5, True), (0.3, 0.27, False)])
def test_faint_fits_must_differ_as_much_as_noise_does(score: float, other: float, sure: bool) -> None:
    (read,) = settle([face(6, 50.0, score), face(4, 50.0, other)], [], lambda _: True)
    assert (max(read.belief.values()) > 0.9) == sure


def test_a_face_off_the_middle_of_its_body_is_a_side() -> None:
    assert settle([face(5, 50.0, 0.8)], [], lambda _: False) == []


def test_what_stands_alone_may_be_fainter() -> None:
    faint = face(1, 50.0, 0.28)
    assert settle([faint], [], lambda _: None) == []
    assert [f.value for f in settle([faint], [], lambda _: True)] == [1]


def test_the_edge_of_a_box_is_cut_into_pieces_and_no_place_is_lost() -> None:
    drawn = np.full((900, 1200, 3), 200, np.float32)
    cv2.rectangle(drawn, (40, 40), (1160, 860), (60, 60, 60), 6)
    views = Views(noisy(drawn, np.random.default_rng(1)))
    area = views.near(40.0)
    found = tiles(views, 40.0, area)
    assert sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in (t.rect for t in found)) < 0.5 * 900 * 1200
    scale = 1200 / area.shape[1]
    for y, x in np.argwhere(area)[::97] * scale:
        mine = [t.rect for t in found if t.owns(x, y)]
        assert any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in mine)
