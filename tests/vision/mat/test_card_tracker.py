"""What the eye remembers of cards that lie on each other."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.evening import LAYOUT, Evening
from vision.frame import as_frame
from vision.geometry import register
from vision.mat.card_tracker import CardTracker
from vision.mat.scene import MatScene
from vision.mat.tracked_card import TrackedCard
from vision.mat.unseen import UnseenPlaces
from vision.sightings import CardsGone, Guess


def lying() -> tuple[TrackedCard, MatScene]:
    """A card that was played, and its table as seen by a tracker that knows no card."""
    evening = Evening()
    evening.play("S1", "red-8", (0.0, -60.0))
    (card,) = evening.eye.tracker.cards
    picture = evening.picture()
    return card, MatScene(register(picture, LAYOUT), LAYOUT, as_frame(picture).small)


def laid() -> tuple[CardTracker, TrackedCard, MatScene]:
    """A tracker with one card, that card, and its table, which was first seen bare."""
    evening = Evening()
    before = evening.picture()
    evening.play("S1", "red-8", (0.0, -60.0))
    (played,) = evening.eye.tracker.cards
    scene = MatScene(register(before, LAYOUT), LAYOUT, as_frame(before).small)
    for _ in range(3):  # it has come to rest
        evening.frame += 1
        scene.take_in(as_frame(evening.picture()).small)
    tracker = CardTracker()
    return tracker, tracker.add(played.found, scene, 1.0, None), scene


def uncovered(scene: MatScene, card: TrackedCard) -> NDArray[np.float32]:
    """How the table (3, h, w) looks once it shows where a card lay."""
    return np.where(card.place, scene.bare, scene.light)


def turned(corners: NDArray[np.float64], by_deg: float, way_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Corners (4, 2) turned about their middle and moved."""
    c, s = np.cos(np.deg2rad(by_deg)), np.sin(np.deg2rad(by_deg))
    middle = corners.mean(axis=0)
    return (corners - middle) @ np.array([[c, s], [-s, c]]) + middle + way_mm


def test_a_card_that_still_lies_where_it_lay_was_not_pushed_by_one_with_its_name() -> None:
    """The other card covers more than half of it, so much of its place looks different."""
    first, scene = lying()
    tracker = CardTracker()
    tracker.add(first.found, scene, 1.0, None)
    corners = turned(first.found.corners_mm, 35.0, (12.0, 8.0))
    second = replace(first.found, corners_mm=corners)
    scene.changed |= scene.coarse.fill(corners)
    assert not tracker.follow_moved(second, scene)
    uncovered = tracker.cards[0].visible & ~scene.coarse.fill(corners)
    scene.light = scene.light - np.float32(0.5) * uncovered
    assert tracker.follow_moved(second, scene)


@pytest.mark.parametrize(("apart_mm", "turned_deg", "same"), [(10.0, 1.0, True), (10.0, 12.0, False)])
def test_a_card_that_was_read_while_it_still_slid_over_another_is_not_laid_twice(
    apart_mm: float, turned_deg: float, same: bool
) -> None:
    """A strip of its first place shows paper as white as its own: the card beneath."""
    card, scene = lying()
    tracker = CardTracker()
    tracker.add(card.found, scene, 1.0, None)
    slid = turned(card.found.corners_mm, turned_deg, (0.0, apart_mm))
    assert tracker.follow_moved(replace(card.found, corners_mm=slid), scene) == same


def test_a_card_that_shows_again_was_hidden_and_not_taken() -> None:
    """A hand as dark as the wood was over it, so wood seemed to show in its place."""
    tracker, card, scene = laid()
    card.gone_t, card.takers = 2.0, frozenset({1})
    tracker.note_gone(scene, 2.0, UnseenPlaces())
    assert card.gone_t is None
    scene.light = uncovered(scene, card)
    card.gone_t = 2.0
    tracker.note_gone(scene, 2.0, UnseenPlaces())
    assert card.gone_t == 2.0


@pytest.mark.parametrize(
    ("over", "gone"),
    [((0.0, 0.0, 0.0), True), ((-0.3, -0.3, -0.3), True), ((0.15, -0.04, -0.15), False)],
    ids=["nothing", "an arm's shadow", "a hand as brown as the wood"],
)
def test_in_noise_a_whole_place_tells_a_brown_hand_from_bare_wood(
    over: tuple[float, float, float], gone: bool
) -> None:
    """Each cell by itself may be either: it flickers by as much as the hand differs from the wood."""
    tracker, card, scene = laid()
    scene.unrest._level[:] = 0.1
    noise = np.random.default_rng(3).normal(0, 0.06, scene.light.shape).astype(np.float32)
    seen = scene.bare + noise + np.array(over, np.float32)[:, None, None]
    scene.light = np.where(card.place, seen, scene.light)
    assert not (scene.not_bare() & card.place).any()
    tracker.note_gone(scene, 2.0, UnseenPlaces())
    assert (card.gone_t is not None) is gone


def test_a_clear_card_of_another_name_was_not_pushed_to_where_one_lies_that_went_unseen() -> None:
    """The trick before it left while nothing was seen; one of its cards had lain as this one does."""
    evening = Evening()
    evening.play("S1", "red-8", (0.0, -60.0))
    evening.play("S2", "green-4", (120.0, 40.0))
    first, second = evening.eye.tracker.cards
    picture = evening.picture()
    scene = MatScene(register(picture, LAYOUT), LAYOUT, as_frame(picture).small)
    known = replace(first.found, reading=replace(first.found.reading, likeness=0.89))
    tracker = CardTracker()
    tracker.add(known, scene, 1.0, None)
    middle = known.corners_mm.mean(axis=0)
    fallen = replace(second.found, corners_mm=known.corners_mm + np.array([3.0, -2.0]))
    scene.changed |= scene.coarse.fill(known.corners_mm)
    assert fallen.told_by_print
    assert np.hypot(*(fallen.corners_mm.mean(axis=0) - middle)) < 5
    wide = middle + 3 * (known.corners_mm - middle)
    other = replace(known.reading, guesses=(Guess("blue-1", 0.89), *known.reading.guesses[1:]))
    tracker.add(replace(known, corners_mm=wide, reading=other), scene, 2.0, None)
    scene.changed &= ~scene.coarse.fill(fallen.corners_mm)
    assert not tracker.follow_moved(fallen, scene)


@pytest.mark.parametrize(("before_s", "taken"), [(0.1, False), (1.0, True)])
def test_what_looked_bare_just_before_a_card_as_brown_as_the_wood_lies_there_was_that_card(
    before_s: float, taken: bool
) -> None:
    first, scene = lying()
    tracker = CardTracker()
    lower = tracker.add(first.found, scene, 1.0, None)
    lower.gone_t, lower.takers = 5.0 - before_s, frozenset({1})
    tracker.add(replace(first.found, corners_mm=first.found.corners_mm + 6.0), scene, 5.0, None)
    assert (lower.gone_t is not None) == taken
    assert bool(lower.takers) == taken


@pytest.mark.parametrize("shown", [False, True])
def test_a_card_that_nobody_saw_lie_there_since_sight_came_back_went_unseen(shown: bool) -> None:
    """A hand lay over its place all the time; whose hand it is does not show who took the card."""
    tracker, card, scene = laid()
    tracker.recall(scene)
    if shown:
        tracker.note_gone(scene, 2.0, UnseenPlaces())
    scene.light = uncovered(scene, card)
    tracker.note_gone(scene, 2.0, UnseenPlaces())
    assert card.gone_t == 2.0
    assert card.unseen is not shown


def test_a_card_under_others_goes_with_them() -> None:
    """Nobody sees it, so it need not be seen again when sight comes back."""
    card, scene = lying()
    tracker = CardTracker()
    below, above = (tracker.add(card.found, scene, t, None) for t in (1.0, 2.0))
    tracker.recall(scene)
    assert (below.stirred, above.stirred) == (False, True)


@pytest.mark.parametrize(
    ("last_over", "hand", "may_be"),
    [
        ((1, 2), None, ("S3", "S4")),  # over each card was last who laid it: that is no taking
        ((1, 5), "S4", ()),  # over one of them who took them
    ],
)
def test_a_guest_who_laid_a_card_and_holds_his_others_beside_it_is_no_surer_a_taker(
    last_over: tuple[int, int], hand: str | None, may_be: tuple[str, ...]
) -> None:
    """Two hands are there when the cards of hands 1 and 2 go: S3's 2, at rest with his cards, and S4's 5."""
    card, _ = lying()
    gone = {"gone_t": 6.0, "takers": frozenset({2, 5})}
    cards = [replace(card, key=key, hand=key, place=card.place.copy(), **gone) for key in (1, 2)]
    over = {id(one.place): number for one, number in zip(cards, last_over, strict=True)}
    register = SimpleNamespace(seats_at=lambda number, t: ({2: "S3", 5: "S4"}[number],))
    scene = SimpleNamespace(
        hands=SimpleNamespace(now=[], over=lambda place: over[id(place)], register=register)
    )
    tracker = CardTracker()
    tracker.cards = list(cards)
    (seen,) = tracker.part([], scene, 6.5)  # type: ignore[arg-type]
    assert isinstance(seen, CardsGone)
    assert (seen.hand, seen.may_be, seen.after_gap) == (hand, may_be, False)
