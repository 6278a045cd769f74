"""A veil over the picture, of haze or of a lamp in the lens, is removed before cards are sought."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tests.vision.evening import LAYOUT, TRICK, Evening, play_and_take
from vision.dehazing import Dehazing
from vision.frame import Frame
from vision.geometry import register
from vision.sightings import CardDown, Picture, SightBack, SightLost
from vision.synthetic.scene import Arm, CardLying

FOGGED_S = 40.0
WOOD = (60, 95, 130)


def hazy(picture: Picture, t: float) -> Picture:
    """A greasy lens: half the contrast, and light over everything."""
    return np.asarray((picture * 0.5 + 85).clip(0, 255), np.uint8)


class HazyEvening(Evening):
    """An evening under a greasy lens, from the first frame on."""

    def picture(self, arms: Iterable[Arm] = (), carried: Iterable[CardLying] = ()) -> Picture:
        return hazy(super().picture(arms, carried), self.t)


def test_cards_are_played_and_taken_through_haze() -> None:
    evening = HazyEvening(ground=WOOD)
    evening.wait(20)
    assert play_and_take(evening) == TRICK


@pytest.mark.parametrize("since_s", [1.0, 3.0])
def test_haze_that_comes_and_goes_over_lying_cards_is_no_news(since_s: float) -> None:
    evening = Evening(ground=WOOD)
    evening.wait(round(15 * since_s))
    evening.play("S1", "red-7")
    evening.play("S2", "blue-3")
    told = len(evening.seen)
    evening.lamps = hazy
    evening.wait(120)
    evening.lamps = lambda picture, t: picture
    evening.wait(120)
    assert not [one for one in evening.seen[told:] if not isinstance(one, SightLost | SightBack)]


def test_a_lens_that_slowly_fogs_is_no_news_and_play_goes_on() -> None:
    evening = Evening(ground=WOOD)
    evening.wait(30)
    evening.play("S1", "red-7")
    told, begun_s = len(evening.seen), evening.t

    def fogging(picture: Picture, t: float) -> Picture:
        share = min(1.0, (t - begun_s) / FOGGED_S)
        return np.asarray((picture * (1 - 0.5 * share) + 85 * share).clip(0, 255), np.uint8)

    evening.lamps = fogging
    evening.wait(round(15 * (FOGGED_S + 6)))
    assert not evening.seen[told:]
    evening.play("S2", "blue-3")
    evening.wait(15)
    cards = [(one.guesses[0].name, one.hand) for one in evening.seen[told:] if isinstance(one, CardDown)]
    assert cards == [("blue-3", "S2")]


def test_a_clear_picture_stays_as_it_is() -> None:
    picture = Evening(ground=WOOD).picture()
    dehazing, frame = Dehazing(), Frame(picture)
    dehazing.measure(picture, register(picture, LAYOUT), LAYOUT)
    assert dehazing.cleared(frame) is frame


def test_a_hazy_picture_gets_its_contrast_back() -> None:
    picture = Evening(ground=WOOD).picture()
    veiled, dehazing = hazy(picture, 0.0), Dehazing()
    dehazing.measure(veiled, register(veiled, LAYOUT), LAYOUT)
    assert float(dehazing.cleared_picture(veiled).std()) > 1.3 * float(veiled.std())


def test_a_veil_that_was_there_at_first_may_go() -> None:
    """A lamp shone into the lens when the table was found."""
    evening = Evening(ground=WOOD, lamps=lambda picture, t: hazy(picture, t) if t < 1.0 else picture)
    evening.wait(40)
    assert [type(one) for one in evening.seen] == [SightLost, SightBack]
    assert evening.seen[-1].t < 2.0
    evening.play("S1", "red-7")
    evening.wait(6)
    assert [one.guesses[0].name for one in evening.seen if isinstance(one, CardDown)] == ["red-7"]
