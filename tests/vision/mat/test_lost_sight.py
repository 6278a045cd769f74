"""While a camera does not show its table nothing is reported; later changes are, as seen after a gap."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from copy import deepcopy
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.disturbed import Cut, Picture, disturbed
from tests.vision.evening import SEATS, Evening, downs, names
from vision.sightings import CardsGone, CardsTouched, CardWithdrawn, SightBack, SightLost
from vision.synthetic.scene import CardLying

TRICK = (("S4", "red-8"), ("S1", "blue-3"), ("S2", "green-9"), ("S3", "brown-6"))


class Disturbed(Evening):
    """An evening whose camera suddenly fails."""

    def __init__(self) -> None:
        self._film: Iterator[tuple[Picture, float]] | None = None
        self._feed: deque[tuple[Picture, float]] = deque()
        super().__init__()

    def fail(self, kind: str, frames: int, **named: float) -> None:
        """Let the camera fail from the next frame on for so many frames."""
        cut = Cut(kind, self.t - 1e-6, frames / 15, **named)  # type: ignore[arg-type]
        self._feed.append(self._last)
        self._film = disturbed(iter(self._feed.popleft, None), cut)
        next(self._film)

    def picture(self, *arguments: object, **named: object) -> Picture:  # type: ignore[override]
        """The camera's picture."""
        whole = super().picture(*arguments, **named)  # type: ignore[arg-type]
        self._last = (whole, self.t)
        if self._film is None:
            return whole
        self._feed.append(self._last)
        return next(self._film)[0]


def lying_trick() -> Disturbed:
    """Four cards lie on the table."""
    return deepcopy(_lying_trick())


@cache
def _lying_trick() -> Disturbed:
    evening = Disturbed()
    for seat, name in TRICK:
        evening.play(seat, name)
    evening.wait(16)
    return evening


def told(evening: Evening) -> list[tuple[str, str | None]]:
    """What was reported of cards: names that came, and how many went with whom."""
    out: list[tuple[str, str | None]] = []
    for seen in evening.seen:
        match seen:
            case CardsGone():
                out.append((f"{len(seen.keys)} gone", seen.hand))
            case CardsTouched() | CardWithdrawn():
                out.append((type(seen).__name__, None))
    return [*((card.guesses[0].name, card.zone) for card in downs(evening)), *out]


KINDS = ["black", "grey", "white", "skin", "dark", "freeze", "torn", "other", "shifted"]


def test_a_trick_that_lay_there_before_lies_there_after() -> None:
    """In nine ways, each for a moment and for a second."""
    evening = lying_trick()
    before = told(evening)
    for kind in KINDS:
        for frames in (3, 14):
            evening.fail(kind, frames)
            evening.wait(frames + 16)
            assert told(evening) == before, kind
    told_of = [s for s in evening.seen if isinstance(s, SightLost | SightBack)]
    assert len(told_of) == 2 * len(KINDS), "a moment is passed over without a word"
    evening.reach("S2", (0.0, 0.0), take=True)
    assert told(evening) == [*before, ("4 gone", "S2")], "and is taken as ever"


@pytest.mark.parametrize(("kind", "ramp"), [("slide", 7), ("dark", 8)])
def test_no_onset_tells_of_cards_that_went(kind: str, ramp: int) -> None:
    evening = lying_trick()
    before = told(evening)
    evening.fail(kind, 40, ramp=ramp)
    evening.wait(80)
    assert told(evening) == before
    assert [type(s) for s in evening.seen if isinstance(s, SightLost | SightBack)] == [SightLost, SightBack]


@pytest.mark.parametrize("kind", ["skin", "dark", "freeze"])
def test_what_happened_unseen_is_told_after_the_gap_and_belongs_to_no_hand(kind: str) -> None:
    """A trick is taken and the next card laid while nothing is seen."""
    evening = lying_trick()
    evening.fail(kind, 40)
    evening.reach("S2", (0.0, 0.0), take=True)
    evening.play("S2", "red-1", (-130.0, 30.0), 70.0)
    evening.wait(60)
    after = evening.seen[[isinstance(s, SightBack) for s in evening.seen].index(True) :]
    gone = [s for s in after if isinstance(s, CardsGone)]
    assert sum(len(s.keys) for s in gone) == 4
    assert {(s.hand, s.after_gap) for s in gone} == {(None, True)}
    card = downs(evening)[-1]
    assert names(evening)[4:] == ["red-1"]
    assert (card.zone, card.hand, card.after_gap) == ("S2", None, True)
    order = [type(s) for s in after if isinstance(s, SightBack | CardsGone) or s is card]
    assert order[:3] == [SightBack, CardsGone, type(card)]
    evening.play("S3", "blue-7")
    card = downs(evening)[-1]
    assert (card.zone, card.hand, card.after_gap) == ("S3", "S3", False), "what is seen is seen"


def test_a_card_on_others_that_came_unseen_is_told_at_once() -> None:
    """The part of them that shows cannot be read, and came before any hand: no hiding hand is waited for."""
    evening = Disturbed()
    evening.wait(8)
    evening.fail("skin", 25)
    evening.cards += [CardLying("green-4", (0.0, 10.0), 60.0), CardLying("blue-2", (-10.0, -20.0), 20.0)]
    evening.cards.append(CardLying("red-1", (-20.0, 10.0), 60.0))
    evening.wait(60)
    back = next(s for s in evening.seen if isinstance(s, SightBack))
    (card,) = (card for card in downs(evening) if card.guesses[0].name == "red-1")
    assert card.after_gap
    assert card.t - back.t < 0.4


def test_a_card_that_came_unseen_and_lies_free_in_one_picture_is_read_in_it() -> None:
    """Sight was back only in the frame after which the next hand hides the card."""
    evening = Disturbed()
    evening.wait(8)
    evening.fail("skin", 12)
    evening.cards.append(CardLying("red-8", (0.0, -10.0), 0.0))
    evening.wait(14)
    evening.play("S3", "green-9", (-5.0, 0.0), 70.0)
    evening.wait(25)
    assert names(evening) == ["red-8", "green-9"]
    assert downs(evening)[0].after_gap


def test_a_trick_that_was_taken_while_nothing_was_seen_is_not_the_next_hands() -> None:
    """The place is hidden by a hand when sight is back, and another is over it before it is seen bare."""
    evening = lying_trick()
    evening.fail("skin", 25)
    evening.reach("S1", (0.0, 0.0), take=True)
    evening.reach("S2", (0.0, 0.0), frames=25)
    evening.reach("S3", (0.0, 0.0), frames=4)
    evening.wait(30)
    gone = [s for s in evening.seen if isinstance(s, CardsGone)]
    assert sum(len(s.keys) for s in gone) == 4
    assert all(s.after_gap for s in gone)


def test_a_card_that_went_unseen_and_on_whose_place_another_lies_was_taken_by_nobody() -> None:
    """The card reported there is no longer unseen; the rest of the old card's place is."""
    evening = lying_trick()
    evening.fail("skin", 40)
    evening.reach("S2", (0.0, 0.0), take=True)
    x, y = evening.middle("S4")
    evening.play("S4", "red-1", (x + 10.0, y + 14.0))
    evening.wait(30)
    evening.reach("S1", (x, y - 60.0), frames=6)
    evening.wait(30)
    gone = [s for s in evening.seen if isinstance(s, CardsGone)]
    assert sum(len(s.keys) for s in gone) == 4
    assert {(s.hand, s.after_gap) for s in gone} == {(None, True)}


def test_a_card_laid_squarely_on_another_unseen_is_found() -> None:
    evening = lying_trick()
    evening.fail("skin", 40)
    evening.play("S2", "red-1")
    evening.wait(70)
    assert names(evening)[4:] == ["red-1"]
    assert downs(evening)[-1].after_gap


def test_a_hand_that_lay_over_the_table_is_forgotten() -> None:
    """Sight is lost while a hand is over the trick; when it is back, nobody is there."""
    evening = lying_trick()
    for _ in range(2):
        evening.reach("S2", (0.0, 0.0), frames=3)
    before = told(evening)
    evening.bring("S3", "green-1", (0.0, 60.0))
    evening.cards.pop()
    evening.fail("black", 30)
    evening.wait(70)
    assert told(evening) == before


def test_light_that_comes_back_otherwise_is_no_news() -> None:
    evening = lying_trick()
    before = told(evening)
    evening.fail("black", 20)
    evening.wait(20)
    evening.lamps = lambda picture, t: np.clip(picture * np.array([0.6, 0.72, 0.8]), 0, 255).astype(np.uint8)
    evening.wait(60)
    assert told(evening) == before


def test_a_camera_that_was_pushed_meanwhile_finds_its_table_and_its_cards() -> None:
    evening = lying_trick()
    before = told(evening)
    evening.fail("black", 20)
    evening.wait(20)
    move = np.array([[1, 0, 14], [0, 1, -9]], np.float32)

    def pushed(picture: Picture, t: float) -> Picture:
        size = (picture.shape[1], picture.shape[0])
        return np.asarray(cv2.warpAffine(picture, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    evening.lamps = pushed
    evening.wait(60)
    assert told(evening) == before
    evening.play("S1", "green-2", (0.0, -20.0))
    assert names(evening)[4:] == ["green-2"]


def test_a_blink_while_a_hand_lays_a_card_costs_nothing() -> None:
    evening = lying_trick()
    enters = SEATS["S1"][1]
    assert enters
    evening.reach("S2", (0.0, 0.0), take=True)
    evening.fail("black", 2)
    evening.play("S1", "green-2")
    card = downs(evening)[-1]
    assert (card.guesses[0].name, card.hand, card.after_gap) == ("green-2", "S1", False)
