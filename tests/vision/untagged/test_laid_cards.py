"""Cards laid before a stationary camera without a table are reported once each, by name, in pixels."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.evening import FACES, deck
from vision.sightings import CardDown, Picture
from vision.untagged.laid_cards import LaidCards

Places = dict[str, tuple[float, float, float]]
"""Name of a card to its centre x, y in pixels, and its angle in degrees."""


def photograph(cards: Places, seed: int = 0, shift: float = 0.0) -> Picture:
    """Cards on green felt, 80 pixels wide, with a little noise."""
    picture = np.full((480, 640, 3), (70, 110, 40), np.uint8)
    for name, (x, y, turn) in cards.items():
        face = FACES[name]
        height, width = face.shape[:2]
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 80 / width)
        warp[:, 2] += (x + shift - width / 2, y - height / 2)
        cv2.warpAffine(
            face, warp, (640, 480), dst=picture, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
        )
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def film(eye: LaidCards, scenes: list[tuple[Places, float]]) -> list[list[CardDown]]:
    """The reports for each scene (cards, shift of the camera in pixels), each a second long."""
    told, t = [], 0.0
    for number, (cards, shift) in enumerate(scenes):
        said = []
        for frame in range(10):
            said += eye.see(photograph(cards, 100 * number + frame, shift), t)
            t += 0.1
        told.append(said)
    return told


def test_every_card_is_told_once_when_it_rests() -> None:
    one: Places = {"red-7": (150, 150, 10)}
    two = one | {"blue-5": (400, 200, 75)}
    slid = two | {"blue-5": (430, 260, 60)}
    taken = {"blue-5": (430, 260, 60)}
    told = film(LaidCards(deck()), [({}, 0), (one, 0), (two, 0), (slid, 0), (taken, 0)])
    assert [[card.guesses[0].name for card in said] for said in told] == [[], ["red-7"], ["blue-5"], [], []]
    card = told[2][0]
    assert card.sure
    assert np.allclose(np.mean(card.corners_mm, axis=0), (400, 200), atol=4)
    assert (card.zone, card.hand, card.at_start) == (None, None, False)


def test_a_camera_that_was_pushed_plays_no_card() -> None:
    cards: Places = {"red-7": (150, 150, 10), "green-6": (320, 330, -30)}
    told = film(LaidCards(deck()), [({}, 0), (cards, 0), (cards, 90)])
    assert [len(said) for said in told] == [0, 2, 0]


def test_what_lay_there_first_is_said_to_have_lain_there() -> None:
    (said,) = film(LaidCards(deck()), [({"green-9": (300, 240, 0)}, 0)])
    assert [(card.guesses[0].name, card.at_start) for card in said] == [("green-9", True)]


def test_a_hand_that_stirs_elsewhere_delays_no_card() -> None:
    eye, said = LaidCards(deck()), []
    cards: Places = {"red-7": (150, 150, 10)}
    for frame in range(16):
        picture = photograph(cards if frame > 6 else {}, frame)
        if frame > 5:
            cv2.circle(picture, (560, 300 + 30 * (frame % 4)), 60, (130, 150, 190), -1)
        said += [(card, frame) for card in eye.see(picture, 0.1 * frame)]
    assert [(card.guesses[0].name, card.sure) for card, _ in said if isinstance(card, CardDown)] == [
        ("red-7", True)
    ]
    assert said[0][1] < 14  # it stirs on


def test_a_card_under_a_hand_that_stirs_still_lies_there() -> None:
    eye, names = LaidCards(deck()), []
    lying: Places = {"green-9": (520, 240, 0)}
    for frame in range(26):
        picture = photograph(lying | ({"red-7": (150, 150, 10)} if frame > 8 else {}), frame)
        if 8 < frame < 18:
            cv2.circle(picture, (520, 210 + 20 * (frame % 4)), 80, (130, 150, 190), -1)
        names += [
            card.guesses[0].name for card in eye.see(picture, 0.1 * frame) if isinstance(card, CardDown)
        ]
    assert names == ["green-9", "red-7"]


def test_of_two_like_cards_the_second_is_told_while_an_arm_sways_over_the_first() -> None:
    eye, said = LaidCards(deck()), list[CardDown]()
    one: Places = {"red-7": (150, 240, 10)}
    for frame in range(45):
        cards = {} if frame < 8 else one
        picture = photograph(cards, frame)
        if frame >= 22:
            if frame >= 26:
                picture = np.where(
                    np.arange(640)[:, None] > 320, photograph({"red-7": (460, 240, 40)}), picture
                )
            sway = 12 * (frame % 3)
            picture[190 : 290 + sway, : 170 + sway] = (130, 160, 210)
        said += eye.see(picture, frame / 10)
    assert [
        (card.guesses[0].name, round(float(np.mean(card.corners_mm, axis=0)[0]), -1)) for card in said
    ] == [
        ("red-7", 150.0),
        ("red-7", 460.0),
    ]
