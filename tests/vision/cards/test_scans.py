"""Pictures that are a card from edge to edge, scans or a printer's files, teach a deck when that is said."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.evening import FACES, NAMES
from tests.vision.strange_decks import INKS, framed
from tests.vision.untagged.test_laid_cards import photograph
from vision.cards.deck import learn_folder
from vision.cards.look_px import look_cards_px


def test_cards_learnt_from_scans_are_known_in_a_photograph(tmp_path: Path) -> None:
    for name in NAMES:
        cv2.imwrite(str(tmp_path / f"{name}.png"), FACES[name])
    deck = learn_folder(tmp_path, scans=True)
    assert deck.cards == tuple(sorted(NAMES))
    assert deck.refused == ()
    seen = look_cards_px(photograph({"red-7": (200, 240, 20), "blue-3": (420, 240, -30)}), deck)
    assert {card.reading.name for card in seen if card.sure} == {"red-7", "blue-3"}


def test_scans_are_learnt_whole_though_a_frame_on_each_looks_like_a_card(tmp_path: Path) -> None:
    """As pictures of a table they would be white cards of which all but the number is alike."""
    for colour, ink in INKS.items():
        for number in (1, 4, 7, 12):
            cv2.imwrite(str(tmp_path / f"{colour}-{number}.png"), framed(number, ink))
    deck = learn_folder(tmp_path, scans=True)
    assert len(deck.cards) == 20
    height, width = framed(1, INKS["red"]).shape[:2]
    for taken in deck.taken:
        assert (taken.corners.min(axis=0) == -0.5).all()
        assert tuple(taken.corners.max(axis=0)) == (width - 0.5, height - 0.5)


def test_a_scan_that_lies_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    for name in NAMES:
        turned = cv2.rotate(FACES[name], cv2.ROTATE_90_CLOCKWISE) if name == "red-7" else FACES[name]
        cv2.imwrite(str(tmp_path / f"{name}.png"), turned)
    seen = look_cards_px(photograph({"red-7": (300, 240, 0)}), learn_folder(tmp_path, scans=True))
    assert [card.reading.name for card in seen if card.sure] == ["red-7"]


def test_one_scan_under_two_names_teaches_neither(tmp_path: Path) -> None:
    for name in NAMES:
        cv2.imwrite(str(tmp_path / f"{name}.png"), FACES["red-7" if name == "blue-3" else name])
    deck = learn_folder(tmp_path, scans=True)
    assert {refusal.name for refusal in deck.refused} == {"red-7", "blue-3"}
    assert deck.missing == ("blue-3", "red-7")


@pytest.mark.parametrize("margin", [60, 300])
def test_a_scan_with_a_white_rim_is_cropped_to_the_card(tmp_path: Path, margin: int) -> None:
    """It was learnt with the rim, and no card of that deck was known on the table."""
    chance = np.random.default_rng(4)
    for name in NAMES:
        card = cv2.resize(FACES[name], None, fx=1.5, fy=1.5)
        left, top = chance.integers(margin, margin + 20, 2).tolist()
        scan = cv2.copyMakeBorder(card, top, margin, left, margin, cv2.BORDER_CONSTANT, value=(253, 254, 253))
        noisy = scan.astype(np.float32) + chance.normal(0, 1, scan.shape)
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.clip(noisy, 0, 255).astype(np.uint8))
    deck = learn_folder(tmp_path, scans=True)
    assert deck.refused == ()
    height, width = card.shape[:2]
    for taken in deck.taken:
        assert np.ptp(taken.corners, axis=0) == pytest.approx([width, height], abs=3)
    seen = look_cards_px(photograph({"red-7": (200, 240, 20), "blue-3": (420, 240, -30)}), deck)
    assert {each.reading.name for each in seen if each.sure} == {"red-7", "blue-3"}


def test_a_white_card_keeps_its_own_rim_and_its_index_in_it(tmp_path: Path) -> None:
    """A court card's frame is no card's edge."""
    for name in NAMES:
        card = np.full((364, 236, 3), 250, np.uint8)
        cv2.rectangle(card, (44, 50), (192, 314), (120, 60, 40), -1)
        for at in ((6, 28), (206, 354)):
            cv2.putText(card, name[0] + name[-1], at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2)
        cv2.putText(card, name[-1], (90, 210), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (250, 250, 250), 5)
        cv2.imwrite(str(tmp_path / f"{name}.png"), card)
    for taken in learn_folder(tmp_path, scans=True).taken:
        assert tuple(np.ptp(taken.corners, axis=0)) == (236, 364)
