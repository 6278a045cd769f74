"""Courts show a figure and number cards their pips: that distinguishes them where no corner can be read."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.print_layout import COURT, layout_likeness, layouts
from vision.cards.siblings import misnamed
from vision.sightings import Picture

PIPS = {
    "A": [(40, 60)],
    "9": [(x, y) for x in (26, 54) for y in (24, 48, 72, 96)] + [(40, 60)],
    "T": [(x, y) for x in (26, 54) for y in (24, 48, 72, 96)] + [(40, 36), (40, 84)],
}
INKS = {"C": (50, 50, 50), "S": (45, 48, 50), "H": (40, 30, 190), "D": (45, 35, 195)}


def face(suit: str, rank: str, seed: int) -> Picture:
    """Pips of the suit's colour, or a figure that fills its frame; the corners are worn off."""
    chance = np.random.default_rng(seed)
    picture = np.full((120, 80, 3), (222, 228, 230), np.uint8)
    for at in PIPS.get(rank, []):
        cv2.circle(picture, at, 6, INKS[suit], -1)
    if rank not in PIPS:
        cv2.rectangle(picture, (16, 16), (64, 104), (60, 120, 190), -1)
        for _ in range(14):
            at = tuple(int(v) for v in chance.integers((18, 18), (62, 60)))
            colour = tuple(int(v) for v in chance.integers(20, 230, 3))
            cv2.circle(picture, at, 5, colour, -1)
            cv2.circle(picture, (80 - at[0], 120 - at[1]), 5, colour, -1)
    return np.clip(picture + chance.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def deck() -> dict[str, Picture]:
    """Twenty-four cards by name."""
    names = [f"{suit}{rank}" for suit in INKS for rank in "9TAJQK"]
    return {name: face(name[0], name[1], n) for n, name in enumerate(names)}


def doubted(pictures: dict[str, Picture]) -> set[str]:
    """The names that are refused or doubted."""
    names = list(pictures)
    said = misnamed(dict(enumerate(names)), dict(enumerate(pictures.values())))
    return {names[at] for at in (*said.wrong, *said.doubted)}


def test_a_ten_and_a_jack_of_one_suit_that_bear_each_others_name_are_doubted() -> None:
    pictures = deck()
    assert doubted(pictures) == set()
    pictures["HT"], pictures["HJ"] = pictures["HJ"], pictures["HT"]
    assert doubted(pictures) == {"HT", "HJ"}


def test_a_nine_and_a_ten_of_one_suit_that_bear_each_others_name_are_doubted() -> None:
    pictures = deck()
    pictures["ST"], pictures["S9"] = pictures["S9"], pictures["ST"]
    assert doubted(pictures) == {"ST", "S9"}


def test_courts_are_one_kind_and_lie_alike_either_way_up() -> None:
    assert layouts(("K", "T", "J")) == (COURT, "T", COURT)
    one = face("C", "9", 1)
    like = layout_likeness([one, np.ascontiguousarray(one[::-1, ::-1]), face("C", "K", 2)])
    assert like[0, 1] > 0.95 > like[0, 2]
    assert like[0, 0] == -1
