"""A card as light as what it lies on has no outline in grey; its print shows where it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.cli.look import look_at
from table.settings import read_table
from tests.shared import FOOTAGE, needs
from tests.vision.evening import CARD_MM, LAYOUT, Evening, deck
from vision.cards.deck import load_deck
from vision.cards.print_places import DrawnPlan, boxes_by_print, unlike_ground
from vision.cards.rectangle import EdgeImage
from vision.geometry import register
from vision.rectified import Plan
from vision.sightings import Picture
from vision.synthetic.scene import CardLying, Scene

WOOD = FOOTAGE / "dev-dubbe4-wood"


def drawn(*cards: CardLying) -> tuple[DrawnPlan, Picture]:
    evening = Evening()
    picture = evening.painter.render(Scene(cards, (), (), (), (), evening.light), seed=1)
    plan = Plan(register(picture, LAYOUT), LAYOUT.size_mm)
    top = plan.draw(picture)
    return DrawnPlan(
        picture, plan, EdgeImage.of(cv2.cvtColor(top, cv2.COLOR_BGR2GRAY).astype(np.float32))
    ), top


def test_a_rectangle_is_proposed_where_a_faces_points_lie() -> None:
    table, top = drawn(CardLying("green-6", (20.0, -30.0), 25.0), CardLying("red-2", (-90.0, 40.0), 80.0))
    boxes = boxes_by_print(table, CARD_MM, deck(), unlike_ground(top))
    middles = [table.plan.to_mm([box.middle])[0] for box in boxes]
    for place in ((20.0, -30.0), (-90.0, 40.0)):
        assert min(float(np.abs(middle - place).max()) for middle in middles) < 1.0


def test_where_nothing_may_lie_nothing_is_proposed() -> None:
    table, top = drawn(CardLying("green-6", (20.0, -30.0), 25.0))
    assert boxes_by_print(table, CARD_MM, deck(), np.zeros(top.shape[:2], np.bool_)) == []


@needs("footage/dev-dubbe4-wood")
@pytest.mark.parametrize(("t", "card"), [(76.03, "red-12"), (104.97, "red-1")])
def test_in_a_single_picture_a_red_card_on_wood_is_named_and_its_pips_are_no_die(t: float, card: str) -> None:
    film = cv2.VideoCapture(str(WOOD / "clip.mp4"))
    film.set(cv2.CAP_PROP_POS_MSEC, 1000 * t)
    picture = np.asarray(film.read()[1], np.uint8)
    layout = read_table(WOOD / "table.toml").layout
    told = look_at(picture, layout, load_deck(WOOD / "deck", layout, False))
    assert [each["card"] for each in told["cards"] if each["card"]] == [card]
    assert "white" not in {die["colour"] for die in told["dice"]}
