"""In a photograph, print finds cards where no outline helps: white on white, covered, cut off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import FACES, deck
from vision.cards import recognition
from vision.cards.look_px import CardOutlined, look_cards_px
from vision.cards.outline import sides_of
from vision.cards.quads import quads_in
from vision.cards.recognition import FACE_PX
from vision.sightings import Picture

DECK = deck()
WIDE = 130.0
"""Width of a card in the photographs, in pixels."""


def photograph(*cards: tuple[str, float, float, float], ground: int = 60) -> Picture:
    """Cards (name, middle x, y, degrees), each on top of those before it."""
    picture = np.full((480, 640, 3), ground, np.uint8)
    for name, x, y, turn in cards:
        face = FACES[name]
        height, width = face.shape[:2]
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn, WIDE / width)
        warp[:, 2] += (x - width / 2, y - height / 2)
        cv2.warpAffine(
            face, warp, (640, 480), dst=picture, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
        )
    noise = np.random.default_rng(7).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def names(cards: list[CardOutlined]) -> set[str | None]:
    return {card.reading.name for card in cards if card.sure}


def test_a_white_card_on_a_white_cloth_is_found_by_its_print() -> None:
    (card,) = look_cards_px(
        photograph(("red-7", 300, 240, 25), ground=int(FACES["red-7"][6, 118].mean())), DECK
    )
    assert names([card]) == {"red-7"}
    assert np.allclose(card.corners_px.mean(axis=0), (300, 240), atol=3)


def test_of_a_large_photograph_a_print_is_told_in_its_own_pixels() -> None:
    """Points are searched for in a smaller copy."""
    large = cv2.resize(photograph(("red-7", 300, 240, 25)), (1280, 960), interpolation=cv2.INTER_CUBIC)
    best = DECK.prints.find(np.asarray(large, np.uint8))[0]
    assert DECK.names[best.face].endswith("-7"), "points are grey"
    assert np.allclose(best.corners_px.mean(axis=0), (600.5, 480.5), atol=6)


def test_points_are_kept_in_bytes_that_hold_all_that_was_measured() -> None:
    kept = DECK.prints.arrays()["counts"]
    measured = [
        cv2.SIFT.create(200, contrastThreshold=0.02).detectAndCompute(
            cv2.cvtColor(
                cv2.resize(face, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), cv2.COLOR_BGR2GRAY
            ),
            None,
        )[1]
        for face in DECK.pictures[:3]
    ]
    whole = np.concatenate(measured)
    assert kept.dtype == np.uint8
    assert np.array_equal(kept[: len(whole)], whole)


def test_a_card_that_reaches_beyond_the_picture_is_outlined_as_far_as_it_shows() -> None:
    cards = look_cards_px(photograph(("blue-5", 40, 240, 0)), DECK)
    assert names(cards) == {"blue-5"}
    assert cards[0].shown < 0.9
    assert cards[0].shown_px[:, 0].min() == pytest.approx(0, abs=3)
    assert cards[0].corners_px[:, 0].min() < -15


def test_a_card_half_under_another_is_named_and_its_strip_outlined() -> None:
    cards = look_cards_px(photograph(("green-6", 250, 240, 0), ("red-2", 350, 240, 0)), DECK)
    assert names(cards) == {"green-6", "red-2"}
    strip = next(card for card in cards if card.reading.name == "green-6")
    assert strip.shown == pytest.approx(100 / WIDE, abs=0.06)
    assert np.ptp(strip.shown_px[:, 0]) == pytest.approx(100, abs=6)


def test_a_narrow_strip_beside_the_cover_does_not_widen_what_is_outlined() -> None:
    """Above the cover a strip of the lower card shows over the whole width; it is no part of the outline."""
    cards = look_cards_px(photograph(("green-6", 250, 230, 0), ("red-2", 350, 242, 0)), DECK)
    strip = next(card for card in cards if card.reading.name == "green-6")
    assert np.ptp(strip.shown_px[:, 0]) == pytest.approx(100, abs=6)


def test_where_no_card_lies_no_print_is_found() -> None:
    rough = np.random.default_rng(1).integers(0, 255, (180, 240, 3), dtype=np.uint8)
    assert look_cards_px(cv2.GaussianBlur(rough, (0, 0), 1.5).astype(np.uint8), DECK) == []


def test_the_backs_of_cards_are_not_named() -> None:
    assert names(look_cards_px(photograph(("back", 300, 240, 10)), DECK)) == set()


def test_cards_in_a_heap_are_completed_from_the_corners_that_show() -> None:
    """`heaps=True`: two cards on each other are one piece of the picture; each is proposed all the same."""
    picture = photograph(("green-6", 300, 240, 0), ("red-2", 370, 280, 20))
    size = np.array([WIDE, WIDE * FACES["red-2"].shape[0] / FACES["red-2"].shape[1]])

    def proposed(heaps: bool, x: float, y: float) -> bool:
        found = [quad for _, quad in quads_in(picture, heaps=heaps)]
        near = [quad for quad in found if np.hypot(*(quad.mean(axis=0) - (x, y))) < 5]
        return any(np.abs(sides_of(quad) - size).max() < 4 for quad in near)

    assert proposed(True, 300, 240)
    assert proposed(True, 370, 280)
    assert not proposed(False, 370, 280)


def test_cards_of_known_size_are_placed_by_their_print_at_any_turn() -> None:
    """The place of a card is found as exactly as by an outline, though there is none."""
    picture = np.full((300, 420, 3), 243, np.uint8)
    laid = {(110.0, 140.0): -63.0, (300.0, 150.0): 20.0}
    for (x, y), turn in laid.items():
        face = cv2.resize(FACES["blue-4"], FACE_PX, interpolation=cv2.INTER_AREA)
        warp = cv2.getRotationMatrix2D((39.5, 59.5), -turn, 1.0)
        warp[:, 2] += (x - 39.5, y - 59.5)
        cv2.warpAffine(face, warp, (420, 300), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    everywhere = np.ones(picture.shape[:2], bool)
    found = DECK.prints.places(picture, everywhere, 6)
    for at, turn in laid.items():
        near = [angle for middle, angle in found if np.hypot(*np.subtract(middle, at)) < 2]
        assert any(abs(np.sin(angle - np.deg2rad(turn))) < 0.03 for angle in near)
    left = everywhere & (np.arange(420) < 200)
    assert {round(middle[0], -1) for middle, _ in DECK.prints.places(picture, left, 6)} == {110.0}
    assert DECK.prints.places(np.full_like(picture, 243), everywhere, 6) == []


def test_a_photograph_is_searched_for_colours_once_however_many_cards_lie_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Picture] = []
    monkeypatch.setattr(recognition, "is_colourless", lambda picture: asked.append(picture))
    seen = names(look_cards_px(photograph(("green-6", 250, 240, 0), ("red-2", 350, 240, 0)), DECK))
    assert seen == {"green-6", "red-2"}
    assert len(asked) == 1
