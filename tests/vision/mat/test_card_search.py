"""What lies in an island of change is found once, and what bears no face is not named."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import CARD_MM, LAYOUT, Evening, deck, names
from vision.cards.outline import box_corners
from vision.cards.reading import Reading
from vision.cards.recognition import Faces, Glimpse
from vision.geometry import register
from vision.mat.card_search import CardSearch, CardsSought
from vision.mat.moment import Moment
from vision.mat.scene import MatScene
from vision.sightings import Picture
from vision.synthetic.scene import CardLying


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Glimpse]:
    """The flattened cards that the deck is asked to name."""
    cards: list[Glimpse] = []
    name = Faces.name

    def listen(self: Faces, glimpse: Glimpse, fairly: bool = False) -> Reading:
        cards.append(glimpse)
        return name(self, glimpse, fairly)

    monkeypatch.setattr(Faces, "name", listen)
    return cards


def one_card_laid(ground: tuple[int, int, int] = (70, 105, 45)) -> tuple[Picture, Picture, MatScene]:
    """A table before and after a red 8 was laid at (10, -20) mm, and its scene."""
    evening = Evening(ground=ground)
    before = evening.picture()
    scene = MatScene(register(before, LAYOUT, None), LAYOUT, cv2.resize(before, None, fx=0.25, fy=0.25))
    evening.cards.append(CardLying("red-8", (10.0, -20.0), 25.0))
    return before, evening.picture(), scene


def test_backs_that_are_dealt_are_not_asked_for_their_names(asked: list[Glimpse]) -> None:
    """A packet of backs is searched at every movement beside it; comparing faces took most of the time."""
    evening = Evening()
    evening.play("S1", "back", (-20.0, -30.0), 12.0)
    evening.play("S1", "back", (-14.0, -25.0), 30.0)
    evening.wait(6)
    assert asked == []
    evening.play("S2", "blue-5")
    assert names(evening) == ["blue-5"]
    assert asked


def test_a_card_in_an_island_larger_than_itself_is_found_once() -> None:
    """The rest of the island must not bring up the same rectangle again."""
    _, picture, scene = one_card_laid()
    corners = np.array([(-60.0, -90.0), (110.0, -90.0), (110.0, 40.0), (-60.0, 40.0)])
    island = scene.coarse.fill(corners)
    nothing = np.zeros_like(island)
    searcher = CardSearch(scene.fine, scene.coarse, CardsSought(deck(), CARD_MM))
    moment = Moment(picture, 0.0, island, nothing, nothing, lambda place: float(place.any()))
    assert [found.reading.name for found in searcher.search(moment, island) if found.sure] == ["red-8"]


@pytest.mark.parametrize("glare", [0.0, 230.0], ids=["even light", "a lamp's glare on it"])
def test_a_card_without_an_outline_is_found_by_its_print(glare: float) -> None:
    """On ground of its own colour a card has no edge, and only a part of it has changed."""
    before, picture, scene = one_card_laid((243, 243, 243))
    island = scene.coarse.fill(np.array([(-20.0, -50.0), (40.0, -50.0), (40.0, 10.0), (-20.0, 10.0)]))
    print_px = scene.registration.to_px(box_corners((10.0, -20.0), (47.0, 79.0), np.deg2rad(25.0)))
    inside = cv2.fillConvexPoly(np.zeros(before.shape[:2], np.uint8), print_px.round().astype(np.int32), 1)
    ink = (np.abs(picture.astype(int) - before).max(axis=2) > 40) & (inside > 0)
    picture = np.where(ink[..., None], picture, before)
    ys, xs = np.mgrid[: picture.shape[0], : picture.shape[1]]
    x, y = print_px[0]
    lamp = glare * np.exp(-(((xs - x) / 60) ** 2) - ((ys - y) / 60) ** 2)
    picture = np.minimum(picture + lamp[..., None], 255).astype(np.uint8)
    moment = Moment(picture, 0.0, island, np.zeros_like(island))
    found = CardSearch(scene.fine, scene.coarse, CardsSought(deck(), CARD_MM)).search(moment, island)
    assert [card.reading.name for card in found if card.sure] == ["red-8"]
    assert found[0].box.support < 0.5
    assert np.allclose(found[0].corners_mm.mean(axis=0), (10.0, -20.0), atol=1.0)


def test_a_card_as_light_as_its_ground_is_outlined_by_its_colour() -> None:
    """Green cards on brown wood have no edges in grey; the change is a rectangle of a card's size."""
    before, picture, scene = one_card_laid()
    corners = box_corners((10.0, -20.0), CARD_MM, np.deg2rad(25.0))
    card = cv2.fillConvexPoly(
        np.zeros(before.shape[:2], np.uint8), scene.registration.to_px(corners).round().astype(np.int32), 1
    )
    dyed = picture * (np.array([150.0, 100.0, 25.0]) / 243)
    picture = np.where(card[..., None] > 0, dyed, picture).astype(np.uint8)
    island = scene.coarse.fill(corners)
    moment = Moment(picture, 0.0, island, np.zeros_like(island))
    found = CardSearch(scene.fine, scene.coarse, CardsSought(deck(), CARD_MM)).search(moment, island)
    assert [card.reading.name for card in found if card.sure] == ["red-8"]
    assert found[0].box.support > 0.75
    assert np.allclose(found[0].corners_mm.mean(axis=0), (10.0, -20.0), atol=1.0)
