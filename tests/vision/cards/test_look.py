"""Stills of a table: a card lies where its print lies, however seams and shadows pull at its outline."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evening import CARD_MM, LAYOUT, Evening, deck
from vision.cards.look import CardSeen, look_cards
from vision.cards.outline import order_corners
from vision.cards.recognition import FACE_PX
from vision.cards.rectangle import Box
from vision.cards.seek import follow_print
from vision.geometry import flatten_px, register
from vision.rectified import Plan, RegisteredPicture
from vision.synthetic.scene import CardLying, Scene

EVENING = Evening()
PICTURE = EVENING.painter.render(
    Scene(
        (CardLying("green-6", (20.0, -30.0), 25.0), CardLying("red-2", (60.0, -10.0), 80.0)),
        (),
        (),
        (),
        (),
        EVENING.light,
    ),
    seed=1,
)
REGISTRATION = register(PICTURE, LAYOUT)


@pytest.fixture(scope="module")
def cards() -> list[CardSeen]:
    return look_cards(RegisteredPicture(PICTURE, REGISTRATION, LAYOUT), CARD_MM, deck())


@pytest.mark.parametrize(("off", "turned"), [((2.0, -1.5), 0.03), ((-1.0, 2.0), -0.04)])
def test_a_rectangle_follows_the_print_that_was_read_in_it(
    cards: list[CardSeen], off: tuple[float, float], turned: float
) -> None:
    plan = Plan(REGISTRATION, LAYOUT.size_mm, 1.0, 20.0)
    red = next(card for card in cards if card.reading.name == "red-2")
    x, y = red.box.middle
    box: Box = replace(red.box, middle=(x + off[0], y + off[1]), angle=red.box.angle + turned)
    for _ in range(2):
        corners_px = order_corners(REGISTRATION.to_px(plan.to_mm(box.corners)))
        box = follow_print(plan, box, deck().faces.read(flatten_px(PICTURE, corners_px, FACE_PX)))
    assert np.hypot(box.middle[0] - x, box.middle[1] - y) < 0.4
    assert abs(box.angle - red.box.angle) < 0.01


def test_cards_of_a_heap_are_named_and_lie_where_they_were_laid(cards: list[CardSeen]) -> None:
    assert {card.reading.name for card in cards if card.sure} == {"red-2", "green-6"}
    for card, place in zip(cards, ((60.0, -10.0), (20.0, -30.0)), strict=True):
        assert np.abs(card.corners_mm.mean(axis=0) - place).max() < 1.0
