"""A deck from which cards are missing: the table asks about a possible missing card, and never guesses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evening import deck
from vision.cards.deck import Deck
from vision.cards.proposal import why_unsure
from vision.sightings import Picture


def without(name: str, partial: bool) -> tuple[Deck, Picture]:
    """The drawn deck without one card, and that card's face."""
    whole = deck()
    at = whole.names.index(name)
    names = whole.names[:at] + whole.names[at + 1 :]
    pictures = whole.pictures[:at] + whole.pictures[at + 1 :]
    return replace(whole, names=names, pictures=pictures, partial=partial), whole.pictures[at]


def noisy(face: Picture) -> Picture:
    noise = np.random.default_rng(1).normal(0, 3, face.shape)
    return np.clip(face * 0.9 + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", ["red-6", "blue-8", "green-2"])
def test_a_card_without_a_face_is_never_sure(name: str) -> None:
    lacking, face = without(name, partial=True)
    lacking.expect([name])
    reading = lacking.faces.read(noisy(face))
    assert reading.margin == 0.0
    assert name in [guess.name for guess in reading.guesses]


def test_a_card_with_a_face_is_as_sure_as_in_a_whole_deck() -> None:
    lacking, _ = without("red-6", partial=True)
    lacking.expect(["red-6"])
    for name, face in zip(lacking.names[::7], lacking.pictures[::7], strict=True):
        reading = lacking.faces.read(noisy(face))
        assert reading.name == name
        assert reading.margin > 0.2


def test_a_whole_deck_doubts_nothing() -> None:
    whole, face = without("red-6", partial=False)
    whole.expect(["red-6"])
    assert whole.faces.read(noisy(face)).name != "red-6"


@pytest.mark.parametrize("least_likeness", [0.1, 0.99])
def test_why_a_card_without_a_face_is_not_read_names_the_face_that_was_really_compared(
    least_likeness: float,
) -> None:
    lacking, face = without("red-6", partial=True)
    lacking.expect(["red-6"])
    assert lacking.lacking == ("red-6",)
    reading = lacking.faces.read(noisy(face))
    why = why_unsure(reading, least_likeness, 0.2)
    assert why is not None
    assert "of which this deck has no picture" in why
    likest = why.partition("the likest known face is ")[2].partition(",")[0]
    assert likest in lacking.cards
    whole = replace(lacking, partial=False)
    assert whole.lacking == ()
    assert likest == whole.faces.read(noisy(face)).name
