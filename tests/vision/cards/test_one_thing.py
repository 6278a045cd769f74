"""Faces that are not cards': paper without print, and one thing found in all pictures."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.deck import Deck
from vision.cards.one_thing import are_one_thing, has_print
from vision.cards.recognition import FACE_PX
from vision.sightings import Picture

WIDTH, HEIGHT = FACE_PX


def paper(random: np.random.Generator) -> Picture:
    """A face without print in uneven light, with a camera's noise."""
    light = np.linspace(0.9, 1.05, HEIGHT)[:, None, None]
    noisy = 170 * light + random.normal(0, 3, (HEIGHT, WIDTH, 3))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def printed(
    random: np.random.Generator, text: str, colour: tuple[int, int, int], shift_px: float = 0.7
) -> Picture:
    """The same with a large figure, cut out slightly off."""
    face = paper(random)
    cv2.putText(face, text, (20, 78), cv2.FONT_HERSHEY_SIMPLEX, 1.6, colour, 5, cv2.LINE_AA)
    beside = np.array([[1, 0, 0], [0, 1, 0]], np.float32)
    beside[:, 2] = random.normal(0, shift_px, 2)
    return np.asarray(cv2.warpAffine(face, beside, FACE_PX, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_sheet_of_paper_in_uneven_light_shows_no_print_and_an_ace_does() -> None:
    random = np.random.default_rng(1)
    assert not has_print(paper(random))
    ace = paper(random)
    cv2.circle(ace, (WIDTH // 2, HEIGHT // 2), 6, (30, 30, 150), -1)
    assert has_print(ace)


def test_a_frame_round_nothing_is_a_back_and_shows_no_print() -> None:
    back = paper(np.random.default_rng(2))
    cv2.rectangle(back, (4, 4), (WIDTH - 5, HEIGHT - 5), (120, 30, 30), 3)
    assert not has_print(back)


def test_one_back_under_many_names_is_one_thing_however_roughly_it_was_cut_out() -> None:
    random = np.random.default_rng(3)
    assert are_one_thing([printed(random, "S", (40, 90, 20)) for _ in range(6)])


def test_a_deck_whose_suits_differ_in_colour_alone_is_not_one_thing() -> None:
    random = np.random.default_rng(4)
    suits = ((20, 20, 180), (180, 60, 20), (30, 120, 30), (20, 180, 200))
    assert not are_one_thing([printed(random, text, suit) for text in "1234" for suit in suits])


def ornamented(random: np.random.Generator, text: str) -> Picture:
    """A red card with a white panel and rings, the same on all, and a small figure in the middle."""
    face = np.full((HEIGHT, WIDTH, 3), (40, 30, 180), np.uint8)
    cv2.rectangle(face, (10, 15), (69, 104), (225, 228, 226), -1)
    for x, y in ((x, y) for x in (22, 40, 58) for y in (30, 90)):
        cv2.circle(face, (x, y), 5, (40, 30, 180), 2)
    cv2.putText(face, text, (30, 68), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 30, 180), 2, cv2.LINE_AA)
    beside = np.array([[1, 0, 0], [0, 1, 0]], np.float32)
    beside[:, 2] = random.normal(0, 0.7, 2)
    face = np.asarray(cv2.warpAffine(face, beside, FACE_PX, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return np.clip(face + random.normal(0, 3, face.shape), 0, 255).astype(np.uint8)


def test_a_deck_whose_ornament_outweighs_its_figures_is_not_one_thing() -> None:
    random = np.random.default_rng(5)
    assert not are_one_thing([ornamented(random, text) for text in "1234567"])
    assert are_one_thing([ornamented(random, "4") for _ in range(6)])


def test_a_deck_whose_figures_are_little_of_its_ink_is_no_deck_of_one_face() -> None:
    random = np.random.default_rng(6)
    deck = Deck(tuple("1234567"), tuple(ornamented(random, text) for text in "1234567"))
    assert len(deck.look_alikes(0.03)) >= 3
    assert not deck.all_alike
    assert Deck(tuple("123456"), tuple(ornamented(random, "4") for _ in range(6))).all_alike
