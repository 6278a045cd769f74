"""Cards laid before a camera without a table: covering the lens makes no card be reported again."""

from __future__ import annotations

import pytest

from tests.vision.disturbed import BLINDING, Cut, Framed, disturbed
from tests.vision.evening import deck
from tests.vision.untagged.test_laid_cards import Places, photograph
from vision.sightings import CardDown
from vision.untagged.laid_cards import LaidCards

ONE: Places = {"red-7": (150, 150, 10)}
TWO = ONE | {"blue-5": (400, 200, 75)}
THREE = TWO | {"green-6": (320, 380, -30)}


def watch(*cuts: Cut) -> list[CardDown]:
    frames: list[Framed] = []
    for cards, count in (({}, 20), (ONE, 20), (TWO, 50), (THREE, 40)):
        frames += [(photograph(cards, len(frames) + k), (len(frames) + k) / 10) for k in range(count)]
    eye = LaidCards(deck())
    told = [said for picture, t in disturbed(frames, *cuts) for said in eye.see(picture, t)]
    return [said for said in told if isinstance(said, CardDown)]


@pytest.mark.parametrize("kind", BLINDING)
def test_cards_that_lie_as_they_lay_are_not_told_again(kind: str) -> None:
    told = watch(Cut(kind, 5.5, 1.8, seed=2))
    assert [card.guesses[0].name for card in told] == ["red-7", "blue-5", "green-6"]
    assert not any(card.after_gap for card in told)


def test_a_card_laid_in_a_gap_is_told_as_seen_after_it() -> None:
    told = watch(Cut("grey", 7.5, 3.0))
    assert [(card.guesses[0].name, card.after_gap) for card in told] == [
        ("red-7", False),
        ("blue-5", False),
        ("green-6", True),
    ]
