"""Dice on the marked spots stay what they are when the light is bad and when lamps change colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evening import LAYOUT, Evening
from vision.dice.reading import SpotReading
from vision.frame import Frame, as_frame
from vision.geometry import register
from vision.layout import Spot
from vision.mat.dice_spots import DiceSpots
from vision.mat.scene import MatScene
from vision.sightings import DieDown, DieGone, Picture, Sighting
from vision.synthetic.scene import Scene as Drawn

TABLE = replace(LAYOUT, spots=(Spot("jo-lossen", (0.0, 100.0), 30.0),))
DIE = SpotReading("jo-lossen", "brown", 3, (0.0, 100.0), 0.9, ())


class Watched:
    """One spot whose reader returns what the test sets; the test also changes the light."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.t = frame, 0.0
        self.reads: list[SpotReading] = []
        self.scene = MatScene(register(frame.picture, TABLE), TABLE, frame.small)
        self.spots = DiceSpots(TABLE, self.scene, lambda *_: self.reads)
        self.place = self.scene.coarse.fill([(-8, 92), (8, 92), (8, 108), (-8, 108)])
        self.cards = np.zeros_like(self.place)

    def stir(self, frames: int = 20) -> list[Sighting]:
        """Move something on the spot for a frame, then keep still; 20 frames are enough for three looks."""
        out: list[Sighting] = []
        for frame in range(frames):
            self.scene.moving[self.place] = frame == 0
            self.t += 0.1
            out += self.spots.watch(self.frame, self.scene, self.t, self.cards)
        return out

    def lay(self) -> list[Sighting]:
        """Lay a die on the empty spot and have it read."""
        self.stir()
        self.scene.light = self.scene.light - 0.8 * self.place.astype(np.float32)
        self.reads = [DIE]
        return self.stir()


@pytest.fixture(scope="module")
def picture() -> Picture:
    return Evening().painter.render(Drawn(), seed=1)


@pytest.fixture
def watched(picture: Picture) -> Watched:
    return Watched(as_frame(picture))


def test_a_die_that_is_not_read_for_once_has_not_gone(watched: Watched) -> None:
    assert [type(s) for s in watched.lay()] == [DieDown]
    watched.reads = []
    assert not watched.stir()
    watched.reads = [DIE]
    assert not watched.stir()


def test_a_die_half_read_while_the_light_comes_back_is_the_one_that_stood_there(watched: Watched) -> None:
    """A palm leaves the lens while its tint is still on the table: the pips are read, the colour is not."""
    watched.lay()
    lit = watched.scene.light
    watched.spots.recall(watched.t)
    watched.scene.light, watched.reads = lit - 0.4, [replace(DIE, colour=None, confidence=0.6)]
    watched.scene.light[:, watched.place] -= 0.3
    assert not watched.stir(frames=4)
    watched.scene.light, watched.reads = lit, [DIE]
    assert not watched.stir()


def test_a_die_under_a_dark_sleeve_that_hangs_still_has_not_gone_and_is_not_told_again(
    watched: Watched,
) -> None:
    watched.lay()
    stands, watched.reads = watched.scene.light, []
    watched.scene.light = stands - 0.9 * np.roll(watched.place, 2, axis=1).astype(np.float32)
    assert not watched.stir(frames=5)
    watched.scene.light, watched.reads = stands, [DIE]
    assert not watched.stir()


def test_a_die_that_stands_when_the_table_is_first_seen_is_told_so(watched: Watched) -> None:
    watched.reads = [DIE]
    (stands,) = watched.stir()
    assert isinstance(stands, DieDown)
    assert stands.at_start
    watched.reads = [replace(DIE, value=4)]
    (turned,) = watched.stir()
    assert isinstance(turned, DieDown)
    assert not turned.at_start


def test_a_die_that_is_laid_on_an_empty_spot_did_not_stand_there(watched: Watched) -> None:
    (laid,) = watched.lay()
    assert isinstance(laid, DieDown)
    assert not laid.at_start


def test_a_die_that_was_taken_away_has_gone_at_once(watched: Watched) -> None:
    watched.stir()
    empty = watched.scene.light
    watched.lay()
    watched.scene.light, watched.reads = empty, []
    assert [type(s) for s in watched.stir(frames=5)] == [DieGone]


def test_a_die_does_not_change_its_colour_where_it_stands(watched: Watched) -> None:
    watched.lay()
    watched.reads = [replace(DIE, colour="red")]
    assert not watched.stir()


def test_other_pips_on_the_same_die_are_believed_when_read_again_and_again(watched: Watched) -> None:
    watched.lay()
    watched.reads = [replace(DIE, value=4)]
    (turned,) = watched.stir()
    assert isinstance(turned, DieDown)
    assert turned.value == 4


def test_a_die_half_hidden_for_a_moment_by_a_hand_that_passes_for_a_shade_is_not_turned(
    watched: Watched,
) -> None:
    watched.lay()
    before, hand = watched.scene.light, watched.scene.coarse.fill([(20, 95), (30, 95), (30, 105), (20, 105)])
    watched.scene.light = before + 0.8 * watched.place.astype(np.float32)
    watched.scene.changed |= hand
    watched.reads = [replace(DIE, value=1)]
    assert watched.stir(frames=3) == []
    watched.scene.light, watched.reads = before, [DIE]
    watched.scene.changed &= ~hand
    assert watched.stir() == []


@pytest.mark.parametrize("beside", [False, True])
def test_a_die_that_a_hand_turned_is_told(watched: Watched, beside: bool) -> None:
    watched.lay()
    watched.scene.light = watched.scene.light + 0.8 * watched.place.astype(np.float32)
    watched.scene.changed |= beside & watched.scene.coarse.fill([(20, 95), (30, 95), (30, 105), (20, 105)])
    watched.reads = [replace(DIE, value=1)]
    (turned,) = watched.stir()
    assert isinstance(turned, DieDown)
    assert turned.value == 1


def test_a_die_that_was_taken_away_has_gone(watched: Watched) -> None:
    watched.lay()
    watched.scene.light = watched.scene.light + 0.8 * watched.place.astype(np.float32)
    watched.reads = []
    assert [type(s) for s in watched.stir()] == [DieGone]


def test_print_under_a_lamp_that_changes_colour_is_no_die(watched: Watched) -> None:
    watched.stir()
    watched.reads = [DIE]
    watched.scene.light = watched.scene.light + np.array([0.5, -0.2, 0.1], np.float32).reshape(3, 1, 1)
    assert not watched.stir()


def test_the_back_of_a_pile_half_over_a_spot_is_no_die(watched: Watched) -> None:
    watched.stir()
    pile = watched.scene.coarse.fill([(-5, 95), (54, 95), (54, 186), (-5, 186)])
    watched.scene.light = watched.scene.light - 0.8 * pile.astype(np.float32)
    watched.scene.changed = pile
    watched.reads = [DIE]
    assert not watched.stir()


def test_a_die_beside_a_card_that_was_laid_by_the_same_hand_is_told(watched: Watched) -> None:
    watched.stir()
    card = watched.scene.coarse.fill([(8, 95), (67, 95), (67, 186), (8, 186)])
    watched.scene.light = watched.scene.light - 0.8 * (card | watched.place).astype(np.float32)
    watched.scene.changed, watched.cards = card | watched.place, card
    watched.reads = [DIE]
    assert [type(s) for s in watched.stir()] == [DieDown]


@pytest.mark.parametrize("free", [[replace(DIE, value=2)], []])
def test_a_die_half_under_a_hand_at_rest_is_not_turned_until_the_hand_has_gone(
    watched: Watched, free: list[SpotReading]
) -> None:
    """Two pips of a four showed beyond the fingers; on such dark wood the hand was not recognised."""
    watched.lay()
    hand = watched.scene.coarse.fill([(-30, 20), (30, 20), (30, 98), (-30, 98)])
    before = watched.scene.light
    watched.scene.light = before - 0.6 * hand.astype(np.float32)
    watched.scene.changed = hand
    watched.reads = free
    assert not watched.stir(60)
    watched.scene.light = before
    watched.scene.changed = np.zeros_like(hand)
    watched.reads = [replace(DIE, value=5)]
    (told,) = watched.stir()
    assert isinstance(told, DieDown)
    assert told.value == 5


def test_a_die_that_a_blurred_picture_does_not_show_for_long_stands_there_still(watched: Watched) -> None:
    """No hand was over its spot, and the spot does not look empty."""
    watched.lay()
    focused = watched.scene.light.copy()
    watched.scene.light = focused + 0.5 * watched.place.astype(np.float32)
    watched.reads = []
    assert not watched.stir(60)
    watched.scene.light = focused
    watched.reads = [DIE]
    assert not watched.stir(60)


def test_a_die_that_a_blurred_picture_does_not_show_after_a_hand_was_there_is_believed_gone_late(
    watched: Watched,
) -> None:
    """The spot looks neither as with the die nor as without it."""
    watched.lay()
    focused = watched.scene.light.copy()
    watched.scene.hands.mask = watched.place
    watched.stir(2)
    watched.scene.hands.mask = np.zeros_like(watched.place)
    watched.scene.light = focused + 0.5 * watched.place.astype(np.float32)
    watched.reads = []
    assert not watched.stir(40)
    assert [type(s) for s in watched.stir(120)] == [DieGone]


def test_a_die_that_a_hand_of_the_tables_colour_held_over_its_spot_is_read_when_nothing_stirs_any_more(
    watched: Watched,
) -> None:
    """A camera that blends its frames, over wood: the hand leaves so softly that no movement is seen."""
    watched.stir()
    watched.scene.light = watched.scene.light - 0.8 * watched.place.astype(np.float32)
    assert not watched.stir(frames=4)
    watched.reads = [DIE]
    watched.scene.moving[:] = False
    told = []
    for _ in range(10):
        watched.t += 0.1
        told += watched.spots.watch(watched.frame, watched.scene, watched.t, watched.cards)
    assert [type(s) for s in told] == [DieDown]


def test_a_die_laid_on_a_spot_that_was_empty_before_the_table_was_pushed_came_now(watched: Watched) -> None:
    watched.stir()
    watched.spots.move(watched.scene)
    (die,) = watched.lay()
    assert isinstance(die, DieDown)
    assert not die.at_start


def test_a_die_that_stood_before_the_table_was_pushed_is_not_told_again(watched: Watched) -> None:
    watched.lay()
    watched.spots.move(watched.scene)
    assert not watched.stir()
