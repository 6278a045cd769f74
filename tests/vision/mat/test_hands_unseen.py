"""Hands before a camera that loses frames or takes few: whose is what came between two frames."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.evening import LAYOUT
from tests.vision.mat.drawn_hands import column, plan
from vision.mat.hands import Hands


def test_a_hand_that_is_there_when_sight_is_back_need_not_be_of_the_seat_whose_rim_it_touches_first() -> None:
    """It turns a die at the far rim, and its arm runs along that rim: its seat shows when it draws back."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    right = max(LAYOUT.seats, key=lambda seat: seat.enters_from_mm[0]).name
    along, drawn_back = nothing.copy(), nothing.copy()
    along[:8, coarse.width // 2 - 30 : coarse.width // 2 + 30] = True
    drawn_back[coarse.height // 2 - 5 : coarse.height // 2 + 5, coarse.width // 2 :] = True
    between = nothing.copy()
    between[: coarse.height // 2 + 5, coarse.width // 2 :] = True
    hands.forget_all()
    for frame in range(42):
        arm = along if frame < 9 else between if frame < 11 else drawn_back
        hands.follow(arm, arm, frame / 15)
    (hand,) = hands.now
    assert hand.seats[0] == right


def test_a_hand_that_is_there_after_a_moment_without_sight_may_be_another() -> None:
    """A torn picture for a third of a second: one arm had left and the next had come to the same place."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    left, right = nothing.copy(), nothing.copy()
    rows = slice(coarse.height // 2 - 5, coarse.height // 2 + 5)
    left[rows, : coarse.width // 2 + 8] = True
    right[rows, coarse.width // 2 - 8 :] = True
    card = nothing.copy()
    card[coarse.height // 2 - 10 : coarse.height // 2 + 10, coarse.width // 2 - 7 : coarse.width // 2 + 7] = (
        True
    )
    for frame in range(6):
        hands.follow(left | card, left | card, frame / 15)
    (before,) = hands.now
    after_s = 6 / 15 + 0.35
    for frame in range(3):
        hands.follow(right | card, right, after_s + frame / 15)
    (now,) = hands.now
    assert now.number != before.number
    assert (before.seat, now.seat) == ("S2", "S4")
    assert hands.over(card) is None, "nobody knows which of them laid it"


@pytest.mark.parametrize("frames_later", [0, 12], ids=["there", "gone meanwhile"])
@pytest.mark.parametrize(("reach", "brought"), [(0.1, False), (0.5, True)], ids=["apart", "over it"])
def test_a_card_that_came_between_two_frames_is_no_hands_that_lies_apart_from_it(
    reach: float, brought: bool, frames_later: int
) -> None:
    """A dark cloth slid over half of the table and back; nobody saw who laid the card meanwhile.

    What counts is where a hand was in the first frame afterwards, even if it has left since.
    """
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    cloth = np.zeros((coarse.height, coarse.width), np.bool_)
    card = cloth.copy()
    cloth[: round(reach * coarse.height), 30:-30] = True
    card[coarse.height // 2 - 6 : coarse.height // 2 + 6, coarse.width // 2 - 4 : coarse.width // 2 + 4] = (
        True
    )
    for frame in range(4):
        hands.follow(cloth, cloth, frame / 15)
    for frame in range(3):
        hands.follow(cloth | card, cloth, 0.7 + frame / 15)
    for frame in range(frames_later):
        hands.follow(card, cloth if not frame else np.zeros_like(cloth), 0.9 + frame / 15)
    assert bool(hands.now) != bool(frames_later)
    assert (hands.over(card) is not None) == brought


def test_a_slow_camera_keeps_its_hands_from_frame_to_frame() -> None:
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    arm = column(np.zeros((coarse.height, coarse.width), np.bool_), 80, 90, coarse.height // 2)
    for frame in range(6):
        hands.follow(arm, arm, frame * 0.5)
    assert [hand.number for hand in hands.now] == [1]


def test_an_arm_that_leaps_from_one_side_to_another_is_anothers() -> None:
    """Five frames a second: one hand has left and the next has come, and the laid card touches both."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    middle = coarse.width // 2, coarse.height // 2
    left, card = nothing.copy(), nothing.copy()
    left[middle[1] - 5 : middle[1] + 5, : middle[0]] = True
    card[middle[1] - 10 : middle[1] + 10, middle[0] - 7 : middle[0] + 7] = True
    below = column(nothing, middle[0] - 5, middle[0] + 5, middle[1])
    for frame in range(3):
        hands.follow(left | card, left | card, frame * 0.2)
    (hand,) = hands.now
    assert hand.seat == "S2"
    hands.follow(below | card, below | card, 0.6)
    assert [other.number for other in hands.now] == [hand.number]
    assert hand.seat is None
    assert set(hands.register.seats_at(hand.number, 0.3)) == {"S2"}
    assert len(hands.register.seats_at(hand.number, 0.6)) == 2
    assert hands.over(card) == hand.number, "it lay there before"
    second = np.roll(card, 20, axis=1)
    for frame in range(3):
        hands.follow(below | card | second, below | second, 0.8 + frame * 0.2)
    assert hands.over(second) is None


def test_a_thumb_on_another_sides_rim_is_no_way_in_while_the_arm_reaches_to_its_own() -> None:
    """Its first frames were lost, and the dark sleeve ends a little before the rim."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    middle, rows = coarse.width // 2, slice(coarse.height // 2 - 8, coarse.height // 2 + 8)
    arm, thumb = nothing.copy(), nothing.copy()
    arm[rows, : middle + 5] = True
    thumb[coarse.height // 2 :, middle : middle + 4] = True
    hands.follow(arm | thumb, arm | thumb, 0.0)
    short = arm.copy()
    short[:, :4] = False
    for frame in range(1, 20):
        hands.follow(short | thumb, short | thumb, frame / 15)
    (hand,) = hands.now
    assert hand.seat == "S2"


def test_what_came_between_two_frames_of_a_slow_camera_is_the_only_hands_that_was_there() -> None:
    """It had drawn back when the card was first seen, and the next player's hand comes as it is read."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    rows = slice(coarse.height // 2 - 5, coarse.height // 2 + 5)
    left, right, card = nothing.copy(), nothing.copy(), nothing.copy()
    left[rows, :20] = True
    right[rows, -20:] = True
    card[rows, coarse.width // 2 - 7 : coarse.width // 2 + 7] = True
    shown = [(left, left), (left | card, left | card), (card, left), (card | right, right)]
    for frame, (now, stirs) in enumerate(shown):
        hands.follow(now, stirs, frame * 0.2)
    number = hands.over(card)
    assert number is not None
    assert hands.register.seat_of(number) == "S2"


@pytest.mark.parametrize("laid", [True, False])
def test_of_a_card_that_another_covers_before_it_was_read_the_later_hand_is_doubted(laid: bool) -> None:
    """Five frames a second: the place looks strange since the first card, and has changed again since."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    rows = slice(coarse.height // 2 - 5, coarse.height // 2 + 5)
    left, right, card = nothing.copy(), nothing.copy(), nothing.copy()
    left[rows, : coarse.width // 2 - 18] = True
    right[rows, coarse.width // 2 - 7 :] = True
    card[rows, coarse.width // 2 - 7 : coarse.width // 2 + 7] = True
    light = np.zeros((3, *card.shape), np.float32)
    for frame, (now, stirs) in enumerate(
        [
            (left, left),
            (left | card, left),
            (card, left),
            (card | right, right),
            (card, right),
            (card, nothing),
        ]
    ):
        hands.follow(now, stirs, frame * 0.2, light)
    number = hands.over(card, lambda before, place: 0.5 if laid else 0.0)
    assert (None if number is None else hands.register.seat_of(number)) == (None if laid else "S2")


@pytest.mark.parametrize("unseen_s", [0.2, 0.35])
def test_a_hand_that_reaches_in_where_it_did_before_a_slow_frame_is_the_same(unseen_s: float) -> None:
    """The eye itself makes such pauses while it reads a card; the card that lies there is that hand's."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    arm, card = (np.zeros((coarse.height, coarse.width), np.bool_) for _ in range(2))
    arm[coarse.height // 2 - 5 : coarse.height // 2 + 5, : coarse.width // 2] = True
    card[coarse.height // 2 - 10 : coarse.height // 2 + 10, coarse.width // 2 - 16 : coarse.width // 2] = True
    t, gone = 0.0, []
    laid = ((arm, arm, 5, 0.0), (arm | card, arm | card, 3, unseen_s), (arm | card, arm, 3, 0.0))
    for now, moving, frames, pause_s in (*laid, (card, np.zeros_like(card), 10, 0.0)):
        for _ in range(frames):
            gone += hands.follow(now, moving, t)
            t += 1 / 15
        t += pause_s
    assert [(hand.number, hand.since_t, hand.seat) for hand in gone] == [(1, 0.0, "S2")]
    assert hands.over(card) == 1


def test_a_hand_that_went_unseen_is_told_once_and_only_for_as_long_as_it_was_seen() -> None:
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    arm = column(nothing, 80, 90, coarse.height // 2)
    gone, t = [], 0.0
    for now, pause_s in ((arm, 1.0), (nothing, 0.0)):
        for _ in range(6):
            gone += hands.follow(now, now, t)
            t += 1 / 15
        t += pause_s
    assert [(hand.number, round(hand.seen_t * 15)) for hand in gone] == [(1, 5)]
