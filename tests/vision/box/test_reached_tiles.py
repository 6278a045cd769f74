"""Hands at bet tiles that extend over the picture's edge."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from table.settings import read_table
from tests.shared import FOOTAGE, needs
from tests.vision.box.drawn_box import LAYOUT, draw
from tests.vision.box.test_tile import raised
from vision.arrays import Mask
from vision.box.dice_set import enrol_dice
from vision.box.frame_diff import small_copy
from vision.box.pipeline import BoxEye
from vision.box.pose_fit import register_box
from vision.box.reached_tiles import ReachedTiles
from vision.frame import as_frame
from vision.geometry import Registration
from vision.sightings import ThrowSeen

CUT = raised(draw([]), 90)
SMALL = small_copy(as_frame(CUT)).shape[:2]


@pytest.fixture(scope="module")
def cut() -> Registration:
    """Registration of a box whose tile A lies half beyond the picture's upper edge."""
    return register_box(CUT, LAYOUT)


def arm(fit: Registration, *mm: tuple[float, float]) -> Mask:
    """An arm along these places of the box (mm), in a small copy of the picture."""
    mask = np.zeros(SMALL, np.uint8)
    at = np.rint(np.asarray(fit.to_px(mm)) * (SMALL[1] / fit.size_px[0])).astype(np.int32)
    cv2.polylines(mask, [at], isClosed=False, color=(1,), thickness=20)
    return mask > 0


def box(fit: Registration) -> Mask:
    mask = np.zeros(SMALL, np.uint8)
    w, h = (side / 2 for side in LAYOUT.size_mm)
    at = fit.to_px([(-w, -h), (w, -h), (w, h), (-w, h)]) * (SMALL[1] / fit.size_px[0])
    cv2.fillConvexPoly(mask, np.rint(at).astype(np.int32), (1,))
    return mask > 0


def reached(fit: Registration, hand: Mask, *times: float) -> tuple[str, ...]:
    tiles = ReachedTiles(LAYOUT)
    for t in times:
        tiles.see(hand, hand, box(fit), fit, t)
    return tiles.letters


def test_a_hand_that_stays_at_a_tile_was_there_and_one_that_passes_was_not(cut: Registration) -> None:
    (bet,) = LAYOUT.bets
    at_tile = arm(cut, (bet.center_mm[0], 300.0), bet.center_mm[:2])
    assert reached(cut, at_tile, 0.0, 0.07, 0.14) == ("A",)
    assert reached(cut, at_tile, 0.0, 0.07) == ()
    over_it = at_tile | arm(cut, bet.center_mm[:2], (0.0, 0.0), (60.0, -60.0))
    assert reached(cut, over_it, 0.0, 0.07, 0.14, 0.21) == ()


def test_of_a_tile_that_is_whole_in_the_picture_nothing_is_asked(cut: Registration) -> None:
    whole = register_box(draw([]), LAYOUT)
    (bet,) = LAYOUT.bets
    hand = arm(whole, (bet.center_mm[0], 300.0), bet.center_mm[:2])
    assert reached(whole, hand, 0.0, 0.07, 0.14) == ()
    tiles = ReachedTiles(LAYOUT)
    tiles.see(hand, hand, box(cut), cut, 0.0)
    tiles.see(hand, hand, box(cut), cut, 0.2)
    tiles.forget()
    assert tiles.letters == ()


@needs("footage/dev-doppelx6")
def test_in_a_film_a_die_is_laid_on_a_tile_that_the_picture_cuts(tmp_path: Path) -> None:
    """Green is taken out of a hole and laid beyond the picture's lower edge; a hand is seen going there."""
    clip = FOOTAGE / "dev-doppelx6"
    layout = read_table(clip / "table.toml").layout
    for still in (clip / "enrol").glob("*.jpg"):
        if still.stem.split("-")[0] in ("empty", "green"):
            (tmp_path / still.name).symlink_to(still)
    eye = BoxEye(layout, enrol_dice(tmp_path, layout))
    film, rests = cv2.VideoCapture(str(clip / "clip.mp4")), list[ThrowSeen]()
    for frame in range(81):
        film.grab()
        if frame < 47 or 50 < frame < 66:  # until the hand has taken it up
            continue
        told = eye.see(np.asarray(film.retrieve()[1], np.uint8), frame / 15)
        rests += [seen for seen in told if isinstance(seen, ThrowSeen)]
    assert [die.where for die in rests[0].dice if die.colour == "green"] == ["hole"]
    assert [die for die in rests[-1].dice if die.colour == "green"] == []
    assert (rests[0].reached_bets, rests[-1].reached_bets) == ((), ("H",))
