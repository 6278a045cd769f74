"""Pictures that are a card from edge to edge, such as scans or a printer's files, teach a deck on request."""

from __future__ import annotations

from pathlib import Path

import cv2

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
    """As pictures of a table they would be white cards that are alike in all but the number."""
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
