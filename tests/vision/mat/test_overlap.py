"""A card laid squarely on another is found by its print alone; light and straightening bring no card."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.evening import FACES, Evening, deck, downs, names
from vision.cards.reading import Reading
from vision.cards.recognition import FACE_PX
from vision.mat.overlap import OverlapReader
from vision.mat.tracked_card import TrackedCard
from vision.sightings import CardsGone, Guess
from vision.synthetic.scene import Light

DIM = Light(level=0.35, tint=(0.55, 0.8, 1.0))
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
    """What lies squarely on a card is whole; a third of a new card over it only lowers its likeness."""
    evening = Evening(light=DIM)
    evening.play("S1", "green-3", (-20.0, -10.6), 134.28)
    evening.play("S2", "blue-5", (-72.5, -10.6), 145.63)
    evening.play("S3", "green-5", (-20.0, -10.6), 118.08)
    evening.wait(20)
    assert "blue-3" not in names(evening)


def lying(key: int, name: str, columns: slice) -> TrackedCard:
    """A card on a coarse grid of 20 x 20 pixels, all of it visible."""
    place = np.zeros((20, 20), bool)
    place[5:15, columns] = True
    found: Any = SimpleNamespace(reading=Reading((Guess(name, 1.0),), 0.95, 0.9, False))
    return TrackedCard(key, 0.0, found, place, place.copy(), None, None, np.zeros(3, np.float32))


def test_white_paper_over_a_pip_of_an_eight_makes_no_seven_of_it() -> None:
    """A card laid squarely on the ace covers the eight beside it: the likelier of the two is new."""
    ace, eight = lying(1, "spade-1", slice(3, 10)), lying(2, "diamond-8", slice(8, 16))
    read = {"spade-1": ("diamond-1", 0.99), "diamond-8": ("diamond-7", 0.82)}

    def in_place(_picture: Any, _t: float, before: Any, _hands: Any) -> Any:
        name, likeness = read[before.reading.name]
        reading = Reading((Guess(name, 0.9),), likeness, 0.9, False)
        return SimpleNamespace(reading=reading, sure=True, doubtful=False)

    searcher: Any = SimpleNamespace(
        still_there=lambda *_: False, in_place=in_place, another=lambda found, before: 0.9
    )
    none = np.zeros((20, 20), bool)
    scene: Any = SimpleNamespace(hands=SimpleNamespace(mask=~none, now=True), moving=none, changed=none)
    for cards in ([ace, eight], [eight, ace]):
        look, tracker = OverlapReader(), SimpleNamespace(cards=cards)
        look.note_hands(tracker, scene, 1.0)  # type: ignore[arg-type]
        gone: Any = SimpleNamespace(hands=SimpleNamespace(mask=none, now=False), moving=none, changed=none)
        frame: Any = SimpleNamespace(picture=None)
        told = [
            found.reading.name
            for t in (1.1, 1.2)
            for found, _unseen in look.find(tracker, searcher, gone, frame, t)  # type: ignore[arg-type]
        ]
        assert told == ["diamond-1"]


def test_a_card_laid_crosswise_on_one_that_touches_another_is_neither_of_theirs() -> None:
    """Its white paper over half a two made it a one; with that taken as new, its own two became a three."""
    evening = Evening()
    evening.play("S1", "brown-3", (26.93, 14.42), -25.14)
    evening.play("S2", "green-2", (26.93, -38.08), 113.94)
    evening.play("S3", "brown-2", (26.93, 14.42), 22.9)
    evening.wait(2)
    assert names(evening) == ["brown-3", "green-2", "brown-2"]


def test_a_card_laid_nearly_squarely_on_one_that_was_read_again_half_covered_is_played() -> None:
    """A card once read clearly is not a pushed card of another name, however little of it shows now."""
    evening = Evening()
    evening.play("S1", "brown-5", (-19.38, 17.88), -138.43)
    evening.play("S2", "green-4", (-19.38, -34.62), -56.43)
    evening.play("S3", "blue-8", (-19.38, 17.88), -48.55)
    evening.play("S4", "red-1", (-19.38, -34.62), -46.27)
    evening.wait(2)
    assert names(evening) == ["brown-5", "green-4", "blue-8", "red-1"]


def test_white_paper_over_half_a_print_makes_no_other_card_of_it() -> None:
    """A five under the next card was read as a six before that card itself was seen."""
    evening = Evening(light=PUB)
    evening.play("S1", "blue-8", (-3.57, -2.07), 11.15)
    evening.play("S2", "green-5", (-38.57, -2.07), -115.2)
    evening.play("S3", "red-8", (-3.57, -2.07), 150.75)
    evening.wait(2)
    assert names(evening) == ["blue-8", "green-5", "red-8"]


def test_a_card_laid_askew_over_the_middle_of_another_is_read_in_its_own_place() -> None:
    """At the place of the card beneath, a turned nine explains enough to be believed, but is not whole."""
    evening = Evening(light=DIM)
    evening.play("S1", "brown-6", (-11.05, -1.49), -133.80)
    evening.play("S2", "blue-2", (-11.05, -36.49), 46.82)
    evening.play("S3", "brown-5", (-11.05, -71.49), -58.39)
    evening.play("S4", "brown-9", (-11.05, -36.49), -160.99)
    evening.wait(2)
    assert names(evening) == ["brown-6", "blue-2", "brown-5", "brown-9"]


def test_a_card_laid_on_a_half_covered_one_is_played_though_fingers_are_over_its_neighbour_only() -> None:
    evening = Evening(light=DIM)
    evening.play("S1", "brown-6", (-18.90, -10.69), -130.54)
    evening.play("S2", "blue-5", (-53.90, -10.69), -176.42)
    evening.play("S3", "red-1", (-18.90, -10.69), 159.41)
    evening.play("S4", "red-2", (-53.90, -10.69), -173.94)
    evening.wait(2)
    assert names(evening) == ["brown-6", "blue-5", "red-1", "red-2"]


def test_a_card_laid_a_little_askew_on_a_half_covered_one_like_it_is_played() -> None:
    """For the half of the card beneath that shows, a turned five is as like as half of its six."""
    evening = Evening(light=DIM)
    evening.play("S1", "blue-8", (14.22, -11.30), -66.28)
    evening.play("S2", "brown-6", (-20.78, -11.30), -116.89)
    evening.play("S3", "brown-4", (-20.78, 23.70), -162.92)
    evening.play("S4", "brown-5", (-20.78, -11.30), 68.14)
    evening.wait(2)
    assert names(evening) == ["blue-8", "brown-6", "brown-4", "brown-5"]


def test_half_a_print_that_is_told_before_the_card_that_covers_it_is_no_card() -> None:
    """A five under white paper was clearly read as a six in its very place, with hardly any change there."""
    evening = Evening(light=Light(tint=(1.0, 0.95, 0.8), slope=(0.5, -0.6)))
    evening.play("S1", "red-1", (12.26, 17.02), 158.16)
    evening.play("S2", "blue-5", (12.26, -35.48), 1.16)
    evening.play("S3", "green-5", (12.26, 17.02), 28.05)
    evening.play("S4", "green-7", (-40.24, 17.02), -35.70)
    evening.wait(2)
    assert names(evening) == ["red-1", "blue-5", "green-5", "green-7"]
