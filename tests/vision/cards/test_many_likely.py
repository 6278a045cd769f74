"""Decks whose faces share nearly all of their ink: more are likely at first glance than are compared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.strange_decks import DECKS, INKS
from vision.cards.recognition import FACE_PX, Faces
from vision.sightings import Picture

_RED, _CREAM, _DARK = (40, 40, 190), (150, 200, 225), (25, 25, 90)
NUMBERS = range(1, 13)


def framed(told: int) -> Picture:
    """A red card with the same frame, glass and pips on each; a number in the middle and in one corner."""
    picture = np.full((240, 160, 3), _RED, np.uint8)
    cv2.rectangle(picture, (6, 6), (153, 233), _CREAM, 3)
    cv2.rectangle(picture, (45, 60), (115, 180), _DARK, -1)
    cv2.rectangle(picture, (45, 60), (115, 180), _CREAM, 5)
    cv2.circle(picture, (80, 120), 34, _CREAM, 4)
    for x, y in ((x, y) for x in (60, 80, 100) for y in (75, 165)):
        cv2.circle(picture, (x, y), 8, _CREAM, 3)
    cv2.putText(picture, str(told), (68, 132), cv2.FONT_HERSHEY_SIMPLEX, 0.9, _CREAM, 3, cv2.LINE_AA)
    cv2.putText(picture, str(told), (14, 34), cv2.FONT_HERSHEY_SIMPLEX, 0.8, _CREAM, 2, cv2.LINE_AA)
    return small(picture)


def small(card: Picture) -> Picture:
    """The card at the size of a face."""
    return np.asarray(cv2.resize(card, FACE_PX, interpolation=cv2.INTER_AREA), np.uint8)


def deck(drawn: str, *inks: str) -> dict[str, Picture]:
    """Twelve cards of each colour of an unfamiliar deck."""
    return {f"{ink}-{told}": small(DECKS[drawn](told, INKS[ink])) for ink in inks for told in NUMBERS}


def cut_out(card: Picture, aside: tuple[float, float], degrees: float = 0.0) -> Picture:
    """The card as a rough outline cuts it out, a little blurred."""
    warp = cv2.getRotationMatrix2D((40, 60), degrees, 1.0) + np.array([[0, 0, aside[0]], [0, 0, aside[1]]])
    seen = cv2.warpAffine(card.astype(np.float32), warp, FACE_PX, borderValue=(40, 90, 120))
    grain = np.random.default_rng(1).normal(0, 3, seen.shape)
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("aside", "degrees"), [((0.0, 1.3), -0.6), ((-1.5, 0.0), 0.4), ((0.8, -1.4), 0.0), ((1.6, 1.2), 0.3)]
)
def test_of_coloured_cards_with_one_frame_each_is_named(aside: tuple[float, float], degrees: float) -> None:
    """A nine was read as the five, likeness .99: a millimetre off its place, eight others were likelier."""
    faces = Faces([str(told) for told in NUMBERS], [framed(told) for told in NUMBERS])
    for told in NUMBERS:
        reading = faces.read(cut_out(framed(told), aside, degrees))
        assert reading.name == str(told)
        assert reading.margin > 0.6


@pytest.mark.parametrize(
    ("card", "aside", "degrees"),
    [("green-4", (0.0, -1.0), 0.0), ("green-8", (0.0, 1.3), -0.6), ("green-6", (-1.0, 1.5), -0.6)],
)
def test_where_only_a_small_number_tells_all_likely_cards_are_compared(
    card: str, aside: tuple[float, float], degrees: float
) -> None:
    """Each face is tried upright and turned, so six faces were only three cards."""
    cards = deck("tiny", "black", "green")
    faces = Faces(list(cards), list(cards.values()))
    assert faces.read(cut_out(cards[card], aside, degrees)).name == card


@pytest.mark.parametrize("degrees", [-1.0, 0.0, 0.4])
def test_a_card_that_is_like_another_one_turned_is_looked_for_in_its_own_place(degrees: float) -> None:
    """Eleven dots were read as twelve, turned and four pixels off, the twelfth beneath a finger."""
    cards = deck("dots", "blue")
    faces = Faces(list(cards), list(cards.values()))
    reading = faces.read(cut_out(cards["blue-11"], (-1.2, 2.8), degrees))
    assert (reading.name, reading.turned) == ("blue-11", False)
    assert reading.likeness > 0.95
