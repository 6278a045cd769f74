"""A card laid squarely on another is told by its print alone; light and straightening bring no card."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest
from evening import FACES, Evening, deck, downs, names

from vision.cards.naming import FACE_PX
from vision.sightings import CardsGone
from vision.synthetic.scene import Light

PUB = Light(level=0.6, tint=(0.3, 0.7, 1.0), slope=(-0.4, 0.3))


def test_a_card_laid_squarely_on_another_is_played() -> None:
    evening = Evening(light=PUB)
    evening.play("S1", "blue-9", (20.0, -30.0), 14.0)
    evening.play("S2", "blue-5", (21.0, -29.0), 15.5)
    evening.play("S3", "red-1", (19.5, -31.5), -167.0)
    evening.wait(4)
    assert names(evening) == ["blue-9", "blue-5", "red-1"]
    assert all(card.sure for card in downs(evening))
    assert [card.hand for card in downs(evening)] == ["S1", "S2", "S3"]
    evening.reach("S4", (15.0, -20.0), take=True)
    (gone,) = [s for s in evening.seen if isinstance(s, CardsGone)]
    assert set(gone.keys) == {card.key for card in downs(evening)}


def test_a_card_laid_on_one_that_others_half_cover_is_played() -> None:
    evening = Evening()
    evening.play("S1", "blue-7", (-15.0, -1.0), 97.0)
    evening.play("S2", "brown-8", (-15.0, -36.0), 76.0)
    evening.play("S3", "red-2", (20.0, -36.0), -126.0)
    evening.play("S4", "brown-6", (-14.7, -36.0), -89.0)
    evening.wait(4)
    assert names(evening) == ["blue-7", "brown-8", "red-2", "brown-6"]


def test_a_card_that_is_touched_straightened_and_lit_otherwise_stays_one_card() -> None:
    evening = Evening()
    evening.play("S1", "red-6", (20.0, -30.0), 14.0)
    evening.play("S2", "red-9", (45.0, -10.0), 60.0)
    for turn, light in ((-9.0, PUB), (3.0, Light(tint=(1.0, 0.9, 0.6), slope=(0.4, 0.0)))):
        evening.light = light
        evening.touch(
            "S3", (20.0, -30.0), turn=lambda card, by=turn: replace(card, yaw_deg=card.yaw_deg + by)
        )  # type: ignore[misc]
        evening.wait(5)
    assert names(evening) == ["red-6", "red-9"]


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.3, 0.6, 0.9)])
def test_a_face_is_held_against_the_card_that_lay_there(light: tuple[float, float, float]) -> None:
    enrolled = deck()
    red_6, red_9 = (
        cv2.resize(FACES[name], FACE_PX, interpolation=cv2.INTER_AREA) for name in ("red-6", "red-9")
    )
    dim = cv2.multiply(red_9, (*light, 0.0))
    assert enrolled.rather("red-9", dim, than=red_6) > 0.5
    assert enrolled.rather("red-6", dim, than=red_9) < -0.5


def test_a_card_half_covered_by_a_new_one_is_no_other_card() -> None:
    """What lies squarely on a card is whole; a third of a new card over it only spoils its likeness."""
    evening = Evening(light=Light(level=0.35, tint=(0.55, 0.8, 1.0)))
    evening.play("S1", "green-3", (-20.0, -10.6), 134.28)
    evening.play("S2", "blue-5", (-72.5, -10.6), 145.63)
    evening.play("S3", "green-5", (-20.0, -10.6), 118.08)
    evening.wait(20)
    assert "blue-3" not in names(evening)
