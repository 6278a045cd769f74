"""A sheet moved along under each card is a good rectangle and no card: enrolment refuses it by name."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.deck import Deck, learn
from vision.cards.nested import hold_cards
from vision.cards.outline import order_corners
from vision.cards.still import Still
from vision.sightings import Picture

SHEET, CARD = (150.0, 212.0), (96.0, 140.0)


def series(sheet: bool) -> Deck:
    """What eight cards teach that lie about on a grey cloth, each on a sheet of its own or on none."""
    chance = np.random.default_rng(3)
    cloth = np.full((480, 640, 3), 90, np.uint8) + chance.integers(0, 12, (480, 640, 3), np.uint8)
    stills = []
    for number in range(8):
        picture = cloth.copy()
        middle = chance.uniform((230, 200), (410, 280))
        if sheet:
            filled(picture, middle, SHEET, chance.normal(0, 3), (60, 150, 200))
        at = middle + chance.normal(0, 9, 2)
        filled(picture, at, CARD, turn := chance.normal(0, 5), (235, 238, 240))
        printed(picture, at, turn, number)
        soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
        loud = np.clip(soft + chance.normal(0, 2, soft.shape), 0, 255).astype(np.uint8)
        stills.append(Still(f"red-{number}", f"red-{number}.jpg", loud))
    return learn(stills)


def filled(
    picture: Picture, middle: np.ndarray, size: tuple[float, float], turn: float, colour: tuple[int, int, int]
) -> None:
    """Fill a rectangle of the picture with one colour."""
    box = cv2.boxPoints((tuple(float(v) for v in middle), size, float(turn)))
    cv2.fillConvexPoly(picture, (box * 16).round().astype(np.int32), colour, cv2.LINE_AA, 4)


def printed(picture: Picture, middle: np.ndarray, turn: float, number: int) -> None:
    """Draw spots that differ for each number."""
    for at in np.random.default_rng(number).uniform((-32, -52), (32, 52), (9, 2)):
        x, y = middle + cv2.getRotationMatrix2D((0, 0), -turn, 1)[:, :2] @ at
        cv2.circle(picture, (round(x), round(y)), 7, (40, 30, 180), -1, cv2.LINE_AA)


def test_cards_on_a_bare_cloth_are_learnt() -> None:
    deck = series(sheet=False)
    assert len(deck.names) == 8
    assert deck.refused == ()


def test_a_sheet_that_goes_along_under_each_card_is_refused_by_name() -> None:
    deck = series(sheet=True)
    assert deck.names == ()
    assert {refusal.name for refusal in deck.refused} == {f"red-{n}" for n in range(8)}
    assert {refusal.reason.code for refusal in deck.refused} == {"sheet"}


def test_a_frame_printed_at_one_place_is_no_card_though_cards_lie_either_way_up() -> None:
    """Off the middle by a tenth, like a picture card's: turned round, it lies at the opposite place."""
    pictures, finds = [], []
    for number in range(8):
        picture = np.full((400, 300, 3), 235, np.uint8)
        cv2.rectangle(picture, (60, 50), (240, 300), (60, 120, 40), -1)
        cv2.circle(picture, (90 + 15 * number, 150), 20, (200, 220, 230), -1)
        pictures.append(np.ascontiguousarray(picture[::-1, ::-1] if number % 2 else picture))
        finds.append(order_corners([[0, 0], [299, 0], [299, 399], [0, 399]]))
    assert not hold_cards(pictures, finds)


def test_a_panel_printed_at_differing_heights_is_no_card_on_a_sheet() -> None:
    """Like a quartet's photograph below a title of one line or of three."""
    pictures, finds = [], []
    for number in range(9):
        picture = np.full((400, 300, 3), 235, np.uint8)
        top = (50, 75, 100)[number % 3]
        cv2.rectangle(picture, (40, top), (260, top + 210), (60, 120, 40), -1)
        cv2.circle(picture, (90 + 15 * number, 180), 20, (200, 220, 230), -1)
        pictures.append(picture)
        finds.append(order_corners([[0, 0], [299, 0], [299, 399], [0, 399]]))
    assert not hold_cards(pictures, finds)
