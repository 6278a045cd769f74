"""Print that looks like a die from afar: suits, rows of dots, tags; and dice that resemble such print."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.dice_pieces import cast_shadow
from vision.dice.reading import look_pips
from vision.sightings import Picture

CLOTH = (70, 95, 60)
PAPER = (238, 242, 244)
RED = (50, 40, 200)
FIVE = ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1))


def blank() -> Picture:
    return np.full((400, 400, 3), CLOTH, np.uint8)


def seen(picture: Picture) -> list[str | None]:
    """Faces read in a picture as a camera takes it: a little soft, a little noisy."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32)
    noise = np.random.default_rng(7).normal(0, 2.0, soft.shape)
    return [die.face for die in look_pips(np.asarray((soft + noise).clip(0, 255), np.uint8))]


def diamond(picture: Picture, x: int, y: int, r: int) -> None:
    points = np.array([(x - r, y), (x, y - r - 2), (x + r, y), (x, y + r + 2)])
    cv2.fillConvexPoly(picture, points, RED, cv2.LINE_AA)


def disc(picture: Picture, x: int, y: int, r: int) -> None:
    cv2.circle(picture, (x, y), r, RED, -1, cv2.LINE_AA)


@pytest.mark.parametrize(("draw", "told"), [(diamond, []), (disc, ["5"])])
def test_a_five_of_diamonds_on_a_square_of_paper_is_no_die(
    draw: Callable[[Picture, int, int, int], None], told: list[str]
) -> None:
    picture = blank()
    cast_shadow(picture, (140, 140, 260, 260))
    cv2.rectangle(picture, (140, 140), (260, 260), PAPER, -1)
    for u, v in FIVE:
        draw(picture, 200 + 32 * u, 200 + 32 * v, 12)
    assert seen(picture) == told


def test_an_ace_is_no_die() -> None:
    picture = blank()
    cv2.rectangle(picture, (140, 120), (260, 290), PAPER, -1)
    diamond(picture, 200, 205, 12)
    assert seen(picture) == []


def test_a_row_of_dots_along_a_cards_edge_is_no_die() -> None:
    picture = blank()
    cv2.rectangle(picture, (60, 150), (340, 340), PAPER, -1)
    for x in range(76, 330, 14):
        disc(picture, x, 162, 4)
    assert seen(picture) == []


@pytest.mark.parametrize("name", range(6))
def test_a_tag_is_no_die(name: int) -> None:
    picture = blank()
    cv2.rectangle(picture, (140, 140), (259, 259), PAPER, -1)
    tags = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    tag = cv2.aruco.generateImageMarker(tags, name, 84)
    picture[158:242, 158:242] = (20 + 0.86 * tag[..., None]).astype(np.uint8)
    assert seen(picture) == []


def test_pips_of_a_six_that_run_together_are_pips() -> None:
    picture = blank()
    cv2.rectangle(picture, (180, 180), (220, 220), PAPER, -1)
    for u in (-1, 0, 1):
        for v in (-1, 1):
            disc(picture, 200 + 10 * u, 200 + 10 * v, 5)
    assert seen(picture) == ["6"]


def test_lamps_that_shine_in_hollow_pips_leave_them_round() -> None:
    picture = blank()
    cast_shadow(picture, (140, 140, 260, 260))
    cv2.rectangle(picture, (140, 140), (260, 260), PAPER, -1)
    for u, v in FIVE:
        disc(picture, 200 + 30 * u, 200 + 30 * v, 12)
        cv2.ellipse(picture, (197 + 30 * u, 196 + 30 * v), (5, 2), 45, 0, 360, PAPER, -1, cv2.LINE_AA)
    assert seen(picture) == ["5"]
