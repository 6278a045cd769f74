"""A menu laid over lying cards is told while it lies there; what changed beneath was done unseen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import SEATS, Evening, downs, names, play_and_take
from vision.layout import Point
from vision.sightings import CardsGone, FieldClear, FieldCovered, Picture
from vision.synthetic.scene import Arm, CardLying

WIDE_MM, HIGH_MM = 220.0, 150.0
OVER_S1: Point = (0.0, -100.0)


class WithMenu(Evening):
    """An evening at which a menu slides in from the right, and out again."""

    def __init__(self) -> None:
        self.menu: Point | None = None
        super().__init__(lamps=self._over)

    def slide(self, place: Point, *, away: bool = False) -> None:
        """Somebody pushes the menu to a place from the right, or takes it away from there."""
        ways = [place[0] + 80.0 * step for step in range(6)]
        for x in ways if away else ways[::-1]:
            self.menu = (x, place[1])
            self.show()
        self.menu = None if away else place

    def told(self) -> list[type]:
        return [type(one) for one in self.seen if isinstance(one, FieldCovered | FieldClear)]

    def _over(self, picture: Picture, _t: float) -> Picture:
        registration = self.eye.registration
        if self.menu is None or registration is None:
            return picture
        (x, y), picture = self.menu, picture.copy()
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (WIDE_MM / 2, HIGH_MM / 2) + (x, y)
        cv2.fillConvexPoly(picture, np.rint(registration.to_px(corners)).astype(np.int32), (215, 228, 235))
        for row in np.linspace(-HIGH_MM / 2 + 15, HIGH_MM / 2 - 15, 8):
            line = np.array([(x - WIDE_MM / 2 + 15, y + row), (x + WIDE_MM / 2 - 25, y + row)])
            a, b = np.rint(registration.to_px(line)).astype(int).tolist()
            cv2.line(picture, a, b, (60, 60, 70), 2)
        return picture


@pytest.fixture
def evening() -> WithMenu:
    evening = WithMenu()
    evening.play("S1", "red-8")
    evening.wait(10)
    return evening


def test_a_menu_over_a_card_is_told_within_two_seconds_until_it_is_gone(evening: WithMenu) -> None:
    evening.slide(OVER_S1)
    rested_t = evening.t
    evening.wait(45)
    (covered,) = (one for one in evening.seen if isinstance(one, FieldCovered))
    assert covered.t - rested_t < 2.0
    evening.wait(60)
    assert evening.told() == [FieldCovered], "for as long as it lies there"
    evening.slide(OVER_S1, away=True)
    evening.wait(20)
    assert evening.told() == [FieldCovered, FieldClear]
    assert names(evening) == ["red-8"]
    assert not [one for one in evening.seen if isinstance(one, CardsGone)]
    evening.play("S4", "blue-3")
    assert [card.hand for card in downs(evening)] == ["S1", "S4"], "the game goes on as before"


def test_nobody_is_told_to_have_played_what_was_played_under_a_menu(evening: WithMenu) -> None:
    evening.slide(OVER_S1)
    evening.wait(45)
    evening.cards.append(CardLying("green-9", (-70.0, -100.0), 3.0))
    evening.wait(15)
    evening.slide(OVER_S1, away=True)
    evening.wait(30)
    assert [(card.guesses[0].name, card.hand, card.after_gap) for card in downs(evening)] == [
        ("red-8", "S1", False),
        ("green-9", None, True),
    ]


def test_nobody_is_told_to_have_taken_what_went_under_a_menu(evening: WithMenu) -> None:
    evening.slide(OVER_S1)
    evening.wait(45)
    evening.cards.clear()
    evening.slide(OVER_S1, away=True)
    evening.wait(40)
    (gone,) = (one for one in evening.seen if isinstance(one, CardsGone))
    assert (gone.hand, gone.after_gap) == (None, True)


def test_a_trick_that_is_taken_in_sight_after_a_menu_has_gone_was_seen_to_be_taken() -> None:
    """Cards mostly under the others of their trick passed for unseen ever after."""
    evening = WithMenu()
    for seat, name, at, yaw in (
        ("S1", "red-8", (-5.0, -20.0), 0.0),
        ("S2", "blue-3", (-15.0, 0.0), 60.0),
        ("S3", "green-9", (5.0, 15.0), 20.0),
        ("S4", "brown-4", (15.0, -5.0), -50.0),
    ):
        evening.play(seat, name, at, yaw)
    evening.wait(10)
    evening.slide((0.0, 0.0))
    evening.wait(45)
    evening.slide((0.0, 0.0), away=True)
    evening.wait(30)
    assert evening.told() == [FieldCovered, FieldClear]
    evening.reach("S2", (0.0, 0.0), take=True)
    evening.wait(20)
    (gone,) = (one for one in evening.seen if isinstance(one, CardsGone))
    assert (len(gone.keys), gone.hand, gone.after_gap) == (4, "S2", False)


def test_a_menu_beside_the_cards_and_one_on_the_bare_mat_are_not_told(evening: WithMenu) -> None:
    evening.slide((0.0, 95.0))
    evening.wait(60)
    assert not evening.told()


def test_an_arm_that_rests_on_a_card_and_a_trick_that_is_taken_are_not_told() -> None:
    evening = WithMenu()
    play_and_take(evening)
    evening.play("S1", "red-9")
    enters = SEATS["S1"][1]
    for _ in range(75):
        evening.show([Arm((enters[0], enters[1] * 1.6), OVER_S1)])
    evening.wait(10)
    assert not evening.told()
