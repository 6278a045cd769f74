"""Differences between two pictures: new colours count, light and a trembling camera do not."""

from __future__ import annotations

import cv2
import numpy as np

from vision.dice.pieces import Begun, Pieces
from vision.imgproc.small_change import Small, changed, repainted, small_grey, tint_of
from vision.sightings import Picture

HIGH, WIDE = 540, 960


def table(*dice: tuple[int, int]) -> Picture:
    """A green box on a wooden table, and red squares in it."""
    picture = np.full((HIGH, WIDE, 3), (100, 140, 190), np.uint8)
    picture[60:480, 100:620] = (90, 120, 20)
    picture[60:480, 94:100] = picture[60:66, 94:620] = 230
    for x, y in dice:
        picture[y : y + 40, x : x + 40] = (40, 30, 170)
    return cv2.GaussianBlur(picture, (0, 0), 1.0)


def differing(one: Picture, two: Picture) -> tuple[float, Picture]:
    """Share of the picture found to be repainted, and where, at its full size."""
    changed, _ = repainted(*(Small(small_grey(p), tint_of(p)) for p in (one, two)))
    where = cv2.resize(changed, (WIDE, HIGH), interpolation=cv2.INTER_NEAREST)
    return float(where.mean()), np.asarray(where, np.uint8)


def test_a_die_is_paint() -> None:
    share, where = differing(table(), table((300, 200)))
    assert where[205:235, 305:335].all()
    assert share < 1.5 * 44 * 44 / (HIGH * WIDE)


def test_a_camera_that_lifts_its_blacks_paints_nothing() -> None:
    """A gain alone, the median one of the green, would be wrong for the wood."""
    lifted = (table((300, 200)) * np.array([0.95, 0.9, 0.85]) + (20, 16, 24)).clip(0, 255).astype(np.uint8)
    share, where = differing(table(), lifted)
    assert where[205:235, 305:335].all()
    assert share < 1.5 * 44 * 44 / (HIGH * WIDE)


def test_edges_that_a_hand_held_camera_moves_are_no_paint() -> None:
    moved = np.roll(table((300, 200)), (5, 6), (0, 1))[20:, 20:]
    moved = cv2.copyMakeBorder(moved, 20, 0, 20, 0, cv2.BORDER_REPLICATE)
    share, where = differing(table(), np.asarray(moved, np.uint8))
    assert where[212:238, 312:340].all()
    assert share < 2 * 44 * 44 / (HIGH * WIDE)


def test_a_die_beside_which_another_lay_is_paint_though_both_are_red() -> None:
    _, where = differing(table((300, 200)), table((320, 200)))
    assert where[205:235, 346:356].all()
    assert where[205:235, 304:314].all()


def test_on_a_black_ground_one_step_of_grey_is_no_movement() -> None:
    """By the ground there is a third more light; by the five dice it is unchanged."""
    before = np.full((112, 200), 2, np.uint8)
    for x in range(20, 180, 36):
        before[50:60, x : x + 10] = 225
    lifted = before + (before == 2).astype(np.uint8)
    assert not changed(before, lifted, 16).any()
    lifted[80:90, 100:110] = 225
    assert changed(before, lifted, 16).sum() == 100
    relit = (lifted * 0.7).astype(np.uint8)
    assert changed(before, relit, 16).sum() == 100, "a lamp that fades hides no die that came"


def test_work_in_pieces_comes_to_what_it_comes_to_in_one_go() -> None:
    done: list[int] = []

    def work() -> Pieces[int]:
        for piece in (5, 5, 5):
            done.append(piece)
            yield piece
        return sum(done)

    begun = Begun(work())
    begun.go_on(6)
    assert done == [5, 5], "no piece is begun when so much was done"
    assert begun.finish() == 15
    assert begun.finish() == 15, "it is not done twice"
