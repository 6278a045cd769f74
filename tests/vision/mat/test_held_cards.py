"""Guests hold their cards over the rim and sway: no play, little work, and cards beside them are seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import LAYOUT, Evening, names
from tests.vision.held_cards import Guests
from vision.arrays import Mask
from vision.cards.found import FoundCard
from vision.mat.candidate_parameters import CANDIDATES
from vision.mat.candidates import Candidates
from vision.mat.card_search import CardSearch
from vision.mat.moment import Moment
from vision.mat.tracker_parameters import CARD_TRACKER
from vision.mat.vain_searches import VainSearches
from vision.sightings import Picture
from vision.synthetic.scene import CardLying

SECOND = 15


def with_fans(evening: Evening) -> Evening:
    """Let each guest hold a fan of cards over the rim from now on."""
    guests = Guests(LAYOUT, evening.picture())
    evening.lamps = lambda picture, t: guests.house(picture, round(t * SECOND))
    return evening


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The times at which an island is searched."""
    moments: list[float] = []
    search = CardSearch.search

    def listen(self: CardSearch, moment: Moment, island: Mask, most: int = 4) -> list[FoundCard]:
        moments.append(moment.t)
        return search(self, moment, island, most)

    monkeypatch.setattr(CardSearch, "search", listen)
    return moments


def test_cards_that_sway_over_the_rim_are_no_play_and_seldom_searched(searches: list[float]) -> None:
    evening = with_fans(Evening())
    evening.wait(12 * SECOND)
    assert names(evening) == []
    assert len(searches) <= 50, "68 by an eye that looks at each change anew"


def test_a_clear_card_is_told_though_what_lies_against_it_never_comes_to_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The island of both differs in every frame; the card's own place is calm."""
    monkeypatch.setattr(Candidates, "_grew", lambda *_: True)
    evening = Evening()
    evening.cards.append(CardLying("blue-5", (0.0, -60.0), 4.0))
    x, y = (round(float(v)) for v in evening.painter.to_px([(70.0, -60.0)], 0.0)[0])

    def cloth(picture: Picture, _: float) -> Picture:
        return cv2.ellipse(picture.copy(), ((x, y), (120, 260), 20.0), (90, 120, 200), -1)  # type: ignore[return-value]

    evening.lamps = cloth
    evening.wait(round(CARD_TRACKER.alone_wait_s * SECOND) - 2)
    assert names(evening) == []
    evening.wait(6)
    assert names(evening) == ["blue-5"]


def place(left: int, right: int) -> Mask:
    mask = np.zeros((8, 40), np.bool_)
    mask[:, left:right] = True
    return mask


def tired(until_t: float, tries: int = CANDIDATES.vain_after) -> VainSearches:
    """Places whose left half was searched in vain every .1 s."""
    places = VainSearches((8, 40))
    for number in range(tries):
        places.note_vain(place(0, 20), until_t - 0.1 * (tries - 1 - number))
    return places


def test_a_place_is_left_alone_only_after_several_searches_in_vain() -> None:
    assert not tired(5.0, CANDIDATES.vain_after - 1).waits(place(0, 20), 40, 5.1)
    assert tired(5.0).waits(place(0, 20), 40, 5.1)


def test_it_is_searched_again_after_a_pause_that_grows_up_to_a_longest() -> None:
    first = CANDIDATES.vain_pause_s
    assert not tired(5.0).waits(place(0, 20), 40, 5.0 + first + 0.01)
    assert tired(5.0, CANDIDATES.vain_after + 1).waits(place(0, 20), 40, 5.0 + first + 0.01)
    assert not tired(5.0, 200).waits(place(0, 20), 40, 5.0 + CANDIDATES.vain_longest_s + 0.01)


def test_what_comes_to_lie_beside_it_is_searched_at_once() -> None:
    assert tired(5.0).waits(place(0, 24), 40, 5.1), "32 new cells are a sliver"
    assert not tired(5.0).waits(place(0, 26), 40, 5.1)
    assert not tired(5.0).waits(place(20, 40), 40, 5.1)


def test_a_place_that_was_calm_for_long_or_bore_a_card_is_new() -> None:
    assert not tired(5.0, 200).waits(place(0, 20), 40, 5.01 + CANDIDATES.vain_forget_s)
    again = tired(5.0)
    again.note_vain(place(0, 20), 5.01 + CANDIDATES.vain_forget_s)
    assert not again.waits(place(0, 20), 40, 5.02 + CANDIDATES.vain_forget_s), "counted from one"
    found = tired(5.0)
    found.note_found(place(0, 20))
    assert not found.waits(place(0, 20), 40, 5.1)
