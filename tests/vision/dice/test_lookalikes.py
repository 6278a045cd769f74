"""Things that look like dice or like other dice: buttons, dominoes, leaning dice, numerals."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.dice_pieces import cast_shadow
from tests.vision.strange_dice import judged, shot
from vision.dice.reading import look_pips

CLOTH, WHITE, RED, INK = (60, 100, 60), (225, 230, 230), (40, 35, 190), (25, 25, 25)


def cloth() -> np.ndarray:
    return np.full((400, 520, 3), CLOTH, np.float32)


def told(picture: np.ndarray) -> list[str | None]:
    """Faces read in a picture as a camera takes it: a little soft, a little noisy."""
    seen = cv2.GaussianBlur(picture, (0, 0), 0.8) + np.random.default_rng(3).normal(0, 1.5, picture.shape)
    return [die.face for die in look_pips(np.asarray(seen.clip(0, 255), np.uint8))]


def four(picture: np.ndarray, x: int, y: int, pitch: int, r: int) -> None:
    for u in (-1, 1):
        for v in (-1, 1):
            cv2.circle(picture, (x + pitch * u, y + pitch * v), r, INK, -1, cv2.LINE_AA)


@pytest.mark.parametrize("wide", [1.0, 0.9], ids=["from above", "aslant"])
def test_a_button_with_four_holes_is_no_die_that_shows_4(wide: float) -> None:
    picture = cloth()
    cv2.ellipse(picture, (260, 200), (40, round(40 * wide)), 0, 0, 360, WHITE, -1, cv2.LINE_AA)
    four(picture, 260, 200, 14, 6)
    assert told(picture) == [None]


def test_a_die_with_round_corners_is_a_die() -> None:
    picture = cloth()
    cast_shadow(picture, (232, 172, 288, 228))
    for x, y in ((248, 200), (272, 200), (260, 188), (260, 212)):
        cv2.rectangle(picture, (x - 16, y - 16), (x + 16, y + 16), WHITE, -1)
    for u in (-12, 12):
        for v in (-12, 12):
            cv2.circle(picture, (260 + u, 200 + v), 16, WHITE, -1, cv2.LINE_AA)
    four(picture, 260, 200, 14, 6)
    assert told(picture) == ["4"]


def halves(*, gap: int) -> np.ndarray:
    """Draw two fours in a line: dice with a gap of that many pixels, or, with none, a domino."""
    picture = cloth()
    cv2.rectangle(picture, (220, 180), (299, 219), WHITE, -1)
    picture[180:220, 260 - gap // 2 : 260 - gap // 2 + gap] = CLOTH
    if not gap:
        cv2.line(picture, (260, 184), (260, 215), INK, 1)
    for x in (240, 279):
        four(picture, x, 200, 10, 4)
    return picture


def test_the_halves_of_a_domino_are_no_two_dice() -> None:
    assert set(told(halves(gap=0))) <= {None}


def test_two_dice_in_one_line_beside_each_other_are_two_dice() -> None:
    assert told(halves(gap=10)) == ["4", "4"]


def numeral(text: str) -> np.ndarray:
    picture = cloth()
    for x, y in ((130, 130), (390, 270)):
        cv2.rectangle(picture, (x - 30, y - 30), (x + 30, y + 30), WHITE, -1)
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.75, 5)
        drawn = picture.astype(np.uint8)
        at = (x - w // 2, y + h // 2)
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.75, INK, 5, cv2.LINE_AA)
        picture = drawn.astype(np.float32)
    return picture


@pytest.mark.parametrize("text", ["0", "6", "8", "9"])
def test_the_loop_of_a_numeral_on_a_die_is_no_one(text: str) -> None:
    assert set(told(numeral(text))) <= {None}


def leaning(deg: float, edge: float) -> np.ndarray:
    """Draw a leaning red die: the 4 and the 5 beside it face the camera, the 5 in less light."""
    picture, a = cloth(), np.deg2rad(deg)
    turn = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    big = cv2.resize(picture, None, fx=3, fy=3)
    for value, shade, side in ((4, 1.0, np.eye(3)), (5, 0.75, np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]))):
        tex = np.full((120, 120, 3), np.multiply(RED, shade), np.float32)
        for u, v in ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0))[:value]:
            cv2.circle(
                tex, (60 + 30 * u, 60 + 30 * v), 11, np.multiply((235, 235, 235), shade), -1, cv2.LINE_AA
            )
        corners = (
            np.array([(-0.5, -0.5, 0.5), (0.5, -0.5, 0.5), (0.5, 0.5, 0.5), (-0.5, 0.5, 0.5)])
            @ side.T
            @ turn.T
        )
        at = np.float32(3 * (corners[:, :2] * edge + (260, 200)))
        to = cv2.getPerspectiveTransform(np.float32([(0, 0), (120, 0), (120, 120), (0, 120)]), at)
        seen = cv2.warpPerspective(tex, to, (big.shape[1], big.shape[0]), flags=cv2.INTER_AREA)
        inside = np.zeros(big.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, at.astype(np.int32), 1)
        big[inside > 0] = seen[inside > 0]
    return cv2.resize(big, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize(("deg", "edge"), [(38, 30), (38, 60), (40, 40), (42, 40)])
def test_two_sides_of_a_leaning_die_are_no_two_dice(deg: float, edge: float) -> None:
    faces = told(leaning(deg, edge))
    assert len([face for face in faces if face is not None]) < 2


@pytest.mark.parametrize(("kind", "number"), [("matchbox", 1005), ("matchbox", 1010), ("logo", 1001)])
def test_the_hole_in_a_ring_or_a_gear_is_no_one(kind: str, number: int) -> None:
    """The hole has the face's own colour; it would be a pip only if the ring were the face."""
    assert judged(shot(kind, number))[0]["wrong"] == 0


def test_a_letter_between_two_dots_is_no_three() -> None:
    """A poker die shows three spots in a row, but pips of one die do not differ so much in size."""
    assert judged(shot("poker", 1007))[0]["wrong"] == 0


def test_a_dot_and_a_figure_on_paper_are_no_two() -> None:
    """On a leaf of a calendar, a figure is no disc, and two spots in a row prove little."""
    assert judged(shot("calendar", 1001))[0]["wrong"] == 0


@pytest.mark.parametrize(("kind", "number"), [("screen", 2007), ("screen", 2012), ("printed", 2012)])
def test_a_die_on_a_screen_or_a_sheet_is_none(kind: str, number: int) -> None:
    """None of its sides shows and it casts no shadow, so it ends alike all round."""
    assert judged(shot(kind, number))[0]["wrong"] == 0
