"""A card photographed on another one that sticks out: enrolment learns the upper one, or refuses by name."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.cards.test_nested import CARD, filled, printed
from tests.vision.enrolment_series import RIGHT, overlap
from vision.arrays import Float64
from vision.cards.deck import learn
from vision.cards.outline import order_corners, sides_of
from vision.cards.second_below import upper_cards
from vision.cards.series import Series
from vision.cards.still import Still
from vision.sightings import Picture

OFF = np.array([30.0, -24.0])
"""How far the lower card lies from the upper one, in pixels."""
WHITE, BACK, SHADOW = (235, 238, 240), (120, 60, 40), (70, 72, 75)
TALL = (CARD[0] + float(OFF[0]), CARD[1] - float(OFF[1]))
"""The size of both together, in pixels."""


def pictures(has_edges: bool) -> list[tuple[Picture, Float64]]:
    """Eight cards that lie on another one, and their middles; without edges the two look like one thing."""
    chance = np.random.default_rng(5)
    cloth = np.full((480, 640, 3), 90, np.uint8) + chance.integers(0, 12, (480, 640, 3), np.uint8)
    taken = []
    for number in range(8):
        picture = cloth.copy()
        at = chance.uniform((140, 170), (500, 310))
        below = at + OFF + chance.normal(0, 2, 2)
        filled(picture, below, CARD, 0, WHITE)
        if has_edges:
            filled(picture, below, (CARD[0] - 12, CARD[1] - 12), 0, BACK)
            filled(picture, at, (CARD[0] + 4, CARD[1] + 4), 0, SHADOW)
        filled(picture, at, CARD, 0, WHITE)
        if has_edges:
            printed(picture, at, 0, number)
        soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
        taken.append((np.clip(soft + chance.normal(0, 2, soft.shape), 0, 255).astype(np.uint8), at))
    return taken


def box(middle: Float64, size: tuple[float, float]) -> Float64:
    """The corners (4, 2) of an upright rectangle."""
    return order_corners(cv2.boxPoints((tuple(float(v) for v in middle), size, 0)))


def test_a_card_on_another_one_is_learnt_without_it() -> None:
    taken = pictures(has_edges=True)
    deck = learn([Still(f"red-{n}", f"red-{n}.jpg", picture) for n, (picture, _) in enumerate(taken)])
    truth = {f"red-{n}": box(middle, CARD) for n, (_, middle) in enumerate(taken)}
    assert deck.refused == ()
    assert {each.name for each in deck.taken} == set(truth)
    assert all(overlap(each.corners, truth[each.name]) > RIGHT for each in deck.taken)


def test_nothing_is_learnt_of_two_cards_of_which_none_is_seen_to_be_the_upper_one() -> None:
    taken = pictures(has_edges=False)
    both = {n: box(middle + OFF / 2, TALL) for n, (_, middle) in enumerate(taken)}
    assert upper_cards(Series([picture for picture, _ in taken]), both, sides_of(both[0])) == {}


def test_single_cards_are_no_two_cards() -> None:
    taken = pictures(has_edges=True)
    alone = {n: box(middle, CARD) for n, (_, middle) in enumerate(taken)}
    assert upper_cards(Series([picture for picture, _ in taken]), alone, sides_of(alone[0])) is None
