"""A menu laid over cards is reported while it lies there; what changed beneath it was done unseen."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from tests.vision.evening import SEATS, Evening, downs, names, play_and_take
from vision.layout import Point
from vision.sightings import CardsGone, FieldClear, FieldCovered, Picture
from vision.synthetic.scene import Arm, CardLying, Scene

WIDE_MM, HIGH_MM = 220.0, 150.0
OVER_S1: Point = (0.0, -100.0)


PAPER, BLUE, PINK = (215, 228, 235), (120, 70, 40), (120, 160, 230)
"""Colours (blue, green, red) of menus: of paper, of the mat's own hue but darker, blue, and pink."""


class WithMenu(Evening):
    """An evening at which a menu slides in from the right, and out again."""

    def __init__(self, ink: tuple[int, int, int] = PAPER, size_mm: Point = (WIDE_MM, HIGH_MM)) -> None:
        self.ink, self.size_mm = ink, size_mm
        self.menus: dict[tuple[int, int, int], Point] = {}
        self._beneath = 0
        super().__init__()

    def picture(self, arms: Iterable[Arm] = (), carried: Iterable[CardLying] = ()) -> Picture:
        """The camera's picture: what has been laid since the first menu came lies on it."""
        beneath = tuple(self.cards[: self._beneath] if self.menus else self.cards)
        bare = self._drawn(Scene(beneath, (), (), (), (), self.light))
        whole = self._drawn(Scene(tuple(self.cards), (), tuple(arms), tuple(carried), (), self.light))
        if not self.menus:
            return whole
        above = (cv2.absdiff(whole, bare).max(axis=2) > 14).astype(np.uint8)
        above = cv2.morphologyEx(above, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        return np.where(above[..., None] > 0, whole, self._over(bare))

    def _drawn(self, scene: Scene) -> Picture:
        return self.painter.render(scene, seed=self.frame)

    def slide(self, place: Point, *, away: bool = False, ink: tuple[int, int, int] | None = None) -> None:
        """Slide a menu in from the right, or take it away; two menus differ in `ink`."""
        if not self.menus:
            self._beneath = len(self.cards)
        ways = [place[0] + 80.0 * step for step in range(6)]
        for x in ways if away else ways[::-1]:
            self.menus[ink or self.ink] = (x, place[1])
            self.show()
        if away:
            del self.menus[ink or self.ink]

    def lay_beneath(self, card: CardLying) -> None:
        """Lay a card under the menu."""
        self.cards.insert(self._beneath, card)
        self._beneath += 1

    def told(self) -> list[type]:
        return [type(one) for one in self.seen if isinstance(one, FieldCovered | FieldClear)]

    def _over(self, picture: Picture) -> Picture:
        registration = self.eye.registration
        assert registration is not None
        picture, (wide, high) = picture.copy(), self.size_mm
        for ink, (x, y) in self.menus.items():
            corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (wide / 2, high / 2) + (x, y)
            cv2.fillConvexPoly(picture, np.rint(registration.to_px(corners)).astype(np.int32), ink)
            for row in np.linspace(-high / 2 + 15, high / 2 - 15, 8):
                line = np.array([(x - wide / 2 + 15, y + row), (x + wide / 2 - 25, y + row)])
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
    evening.lay_beneath(CardLying("green-9", (-70.0, -100.0), 3.0))
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
    """Cards mostly under the others of their trick used to count as unseen ever after."""
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


def test_a_second_menu_on_the_first_is_no_end_of_the_cover(evening: WithMenu) -> None:
    evening.slide(OVER_S1)
    evening.wait(45)
    evening.slide((25.0, -85.0), ink=PINK)
    evening.wait(45)
    evening.slide((25.0, -85.0), away=True, ink=PINK)
    evening.wait(45)
    assert evening.told() == [FieldCovered], "for as long as one of them lies there"
    evening.slide(OVER_S1, away=True)
    evening.wait(20)
    assert evening.told() == [FieldCovered, FieldClear]
    assert names(evening) == ["red-8"]


def test_a_card_under_a_menu_is_not_taken_with_what_lay_on_it() -> None:
    evening = WithMenu(BLUE, (420.0, 280.0))
    evening.play("S1", "red-8")
    evening.wait(10)
    evening.slide((0.0, 0.0))
    evening.wait(45)
    for seat, name in (("S2", "blue-3"), ("S3", "green-9"), ("S4", "brown-4")):
        evening.play(seat, name)
        evening.wait(12)
    evening.wait(30)
    under = downs(evening)[0]
    evening.touch("S3", (0.0, 0.0), lambda card: card if card.face == "red-8" else None)
    evening.wait(40)
    evening.slide((0.0, 0.0), away=True)
    evening.wait(40)
    gone = [one for one in evening.seen if isinstance(one, CardsGone)]
    assert gone, "what lay on it was taken in sight"
    assert all(under.key not in one.keys for one in gone)
    assert names(evening).count("red-8") == 1
