"""Several cut-outs on one sheet: each is read as if it were alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.box.dice_set import DiceSet
from vision.box.face_detection import top_faces
from vision.box.patch_atlas import Cut, SheetSearch
from vision.dice.pips import EDGE_PX, Lab, to_lab

_PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)]}


def _cut(value: int, at: tuple[int, int], size: tuple[int, int]) -> Cut:
    picture = np.full((size[1], size[0], 3), (60, 70, 60), np.uint8)
    half = round(EDGE_PX / 2)
    cv2.rectangle(picture, (at[0] - half, at[1] - half), (at[0] + half, at[1] + half), (30, 30, 200), -1)
    for u, v in _PIPS[value]:
        cv2.circle(picture, (at[0] + 11 * u, at[1] + 11 * v), 5, (235, 235, 235), -1, cv2.LINE_AA)
    return Cut(to_lab(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)))


CUTS = [_cut(3, (60, 62), (121, 125)), _cut(1, (30, 60), (150, 120)), _cut(2, (80, 28), (140, 133))]


def test_dice_are_read_on_a_sheet_as_they_are_alone(enrolled: DiceSet) -> None:
    """This includes dice at the rim of their cut-out, and cut-outs of any size beside them."""
    alone = [top_faces([cut], enrolled)[0] for cut in CUTS]
    assert [len(faces) for faces in alone] == [1, 1, 1]
    for one, two in zip(alone, top_faces(CUTS, enrolled), strict=True):
        for face, again in zip(one, two, strict=True):
            assert (again.x, again.y, again.yaw_deg) == pytest.approx(
                (face.x, face.y, face.yaw_deg), abs=1e-3
            )
            assert again.quality == pytest.approx(face.quality, abs=1e-4)
            assert again.belief == pytest.approx(face.belief, abs=1e-4)


def test_pips_of_two_cutouts_make_no_face_together() -> None:
    """The two pips of a 2 lie in two cut-outs, one below the other."""
    blank = np.full((60, 60, 3), (30, 30, 200), np.uint8)
    low, high = blank.copy(), blank.copy()
    cv2.circle(high, (30, 48), 5, (235, 235, 235), -1, cv2.LINE_AA)
    cv2.circle(low, (30, 12), 5, (235, 235, 235), -1, cv2.LINE_AA)
    search = SheetSearch.over([Cut(to_lab(half)) for half in (high, low)])
    assert search.tile.tolist() == [0, 1]
    together = search.sisters(np.array([0, 1]))
    assert together.tolist() == [[True, False], [False, True]]


def test_the_floor_behind_is_asked_for_in_each_cutouts_own_pixels(enrolled: DiceSet) -> None:
    """A die on print of its own colour, with two visible sides, lies below a cut-out with another die."""
    violet, half, asked = (125, 38, 105), round(EDGE_PX / 2), []
    picture = np.full((140, 140, 3), violet, np.uint8)
    cv2.circle(picture, (70, 66), 5, (225, 235, 240), -1, cv2.LINE_AA)
    picture[66 + half : 71 + half, 70 - half : 75 + half] = (50, 27, 45)
    picture[66 - half : 71 + half, 70 + half : 75 + half] = (50, 27, 45)
    floor = to_lab(np.array([[violet]], np.uint8))[0, 0]

    def floor_at(x: float, y: float) -> Lab:
        asked.append((round(x), round(y)))
        return floor

    (_, (face,)) = top_faces(
        [CUTS[0], Cut(to_lab(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)), floor_at)],
        enrolled,
    )
    assert face.value == 1
    assert (70, 66) in asked
