"""Mats as light as paper: little but the ink of a card differs from them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evening import LAYOUT, TRICK, Evening, names, play_and_take
from vision.geometry import register
from vision.imgproc.change_detection import Unrest
from vision.mat.scene import MatScene
from vision.sightings import CardsGone, CardWithdrawn, HandSeen

MATS = {"white": (244, 244, 244), "light grey": (200, 200, 200), "beige": (190, 215, 230)}


@pytest.mark.parametrize("mat", MATS)
def test_cards_on_a_mat_as_light_as_paper_are_played_and_taken(mat: str) -> None:
    evening = Evening(ground=MATS[mat])
    assert play_and_take(evening) == TRICK


def test_a_card_that_is_straightened_on_a_pale_mat_is_not_taken_back() -> None:
    evening = Evening(ground=(222, 230, 232))
    evening.play("S2", "blue-3", yaw=62.0)
    evening.touch("S2", (-120.0, 0.0), turn=lambda card: replace(card, yaw_deg=90.0))
    evening.wait(10)
    assert names(evening) == ["blue-3"]
    assert not [s for s in evening.seen if isinstance(s, (CardWithdrawn, CardsGone))]


def test_a_hand_over_a_white_mat_plays_nothing() -> None:
    evening = Evening(ground=MATS["white"])
    evening.reach("S2", (0.0, 0.0))
    assert names(evening) == []
    assert [s.seat for s in evening.seen if isinstance(s, HandSeen)] == ["S2"]


@pytest.mark.parametrize(
    ("ground", "pale"), [((244, 244, 244), True), ((190, 215, 230), True), ((120, 125, 130), False)]
)
def test_a_mat_is_pale_when_its_tags_paper_hardly_differs_from_it(
    ground: tuple[int, int, int], pale: bool
) -> None:
    evening = Evening(ground=ground)
    picture = evening.picture()
    assert MatScene(register(picture, LAYOUT), LAYOUT, picture[::4, ::4].copy()).mat.pale is pale


def test_on_a_pale_mat_narrow_dark_is_ink_and_wide_dark_is_shadow() -> None:
    bare = np.full((3, 60, 80), np.log(240.0), np.float32)
    now = bare.copy()
    now[:, 10:13, 10:13] -= 0.3
    now[:, 30:50, 30:60] -= 0.3
    changed = Unrest((60, 80), pale=True).changed(now, bare)
    assert changed[11, 11]
    assert not changed[30:50, 30:60].any()
    assert not Unrest((60, 80)).changed(now, bare).any()
