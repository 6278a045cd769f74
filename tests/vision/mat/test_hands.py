"""Hands are pieces of change connected to the rim; anything that creeps along the rim is no part of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.evening import LAYOUT
from tests.vision.mat.drawn_hands import column, plan
from vision.arrays import Mask
from vision.mat.hand import as_seen
from vision.mat.hands import Hands


def test_a_strip_of_light_that_creeps_along_the_rim_is_no_part_of_the_hand_beside_it() -> None:
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    for frame in range(10):
        strip = column(nothing, 60, 62 + frame)
        assert not hands.follow(strip, nothing, frame / 15)
    strip, arm = column(nothing, 60, 72), column(nothing, 74, 90, coarse.height // 2)
    arm[-20:, 70:90] = True
    hands.follow(strip | arm, arm, 10 / 15)
    assert len(hands.now) == 1
    assert (hands.mask & arm).sum() == arm.sum()
    assert (hands.mask & strip).sum() < 0.3 * strip.sum()


def test_a_hand_between_two_seats_may_be_of_both_also_when_it_has_gone() -> None:
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    column_px = int(coarse.to_px([(-235.0, 0.0)])[0][0])
    arm = column(nothing, column_px - 5, column_px + 5, coarse.height // 2)
    for frame in range(4):
        hands.follow(arm, arm, frame / 15)
    (hand,) = hands.now
    assert (hand.seat, set(hand.seats)) == (None, {"S1", "S2"})
    for frame in range(4, 12):
        hands.follow(nothing, nothing, frame / 15)
    assert not hands.now
    assert set(hands.register.seats_of(hand.number)) == {"S1", "S2"}
    assert hands.register.seat_of(hand.number) is None


def test_a_hand_that_comes_over_a_card_before_it_is_named_did_not_bring_it() -> None:
    """Card search may need an unobstructed view: a second hand is over the card by then."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    middle = coarse.width // 2
    card = nothing.copy()
    card[coarse.height // 2 - 12 : coarse.height // 2 + 12, middle - 8 : middle + 8] = True
    first = column(nothing, middle - 5, middle + 5, coarse.height // 2)
    second = nothing.copy()
    second[coarse.height // 2 - 5 : coarse.height // 2 + 5, middle - 8 :] = True
    t = 0.0
    for arm, frames in ((first, 6), (nothing, 12), (second, 4)):
        for _ in range(frames):
            hands.follow(arm | card, arm, t)
            t += 1 / 15
    assert len(hands.now) == 1
    assert hands.now[0].number == 2
    assert hands.over(card) == 1


def test_of_no_hand_is_told_whose_it_is_while_the_whole_table_stirs() -> None:
    """Blocks flipped by an overloaded link join one hand to another; the next hand is separate again."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    column_px = int(coarse.to_px([(0.0, 0.0)])[0][0])
    arm = column(nothing, column_px - 5, column_px + 5, coarse.height // 2)
    blocks = nothing.copy()
    blocks[4:-4:8, 4:-4:8] = True
    hands.follow(arm, arm, 0.0)
    (hand,) = hands.now
    whose = hand.seat
    assert whose is not None
    for frame in range(1, 4):
        hands.follow(arm | blocks, arm | blocks, frame / 15)
    assert hands.register.seat_of(hand.number) == whose  # cuffs and shadows stir as much for a moment
    for frame in range(4, 12):
        hands.follow(arm | blocks, arm | blocks, frame / 15)
    assert hands.register.seats_of(hand.number) == ()
    for frame in range(12, 30):
        hands.follow(nothing, nothing, frame / 15)
    hands.follow(arm, arm, 2.0)
    assert [hand.seat for hand in hands.now] == [whose]


def test_what_is_laid_under_two_hands_that_have_become_one_piece_is_of_neither() -> None:
    """A newspaper that comes over the rim merges with the hand that is there."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    middle, rows = coarse.width // 2, slice(coarse.height // 2 - 5, coarse.height // 2 + 5)
    side, sheet, more = nothing.copy(), nothing.copy(), nothing.copy()
    side[rows, : middle - 20] = True
    sheet[coarse.height - 8 :, middle - 15 : middle + 25] = True
    more[20:, : middle + 25] = True
    card = nothing.copy()
    card[coarse.height // 2 - 12 : coarse.height // 2 + 12, middle : middle + 16] = True
    t = 0.0
    for now, frames in ((side, 5), (side | sheet, 1), (more, 3), (more | card, 3)):
        for _ in range(frames):
            hands.follow(now, now, t)
            t += 1 / 15
    assert hands.over(card) is None


def test_what_a_hand_lays_alone_is_its_own() -> None:
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    side, card = nothing.copy(), nothing.copy()
    side[coarse.height // 2 - 5 : coarse.height // 2 + 5, : coarse.width // 2] = True
    card[coarse.height // 2 - 10 : coarse.height // 2 + 10, coarse.width // 2 - 16 : coarse.width // 2] = True
    for frame in range(6):
        hands.follow(side | card, side | card, frame / 15)
    assert hands.over(card) == 1


def two_hands_in_one_piece() -> tuple[Hands, Mask, Mask, float]:
    """S2's and S4's hands have merged over a card; returns the hands, the piece, the card, and the time."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    left, right = (np.zeros((coarse.height, coarse.width), np.bool_) for _ in range(2))
    middle, rows = coarse.width // 2, slice(coarse.height // 2 - 5, coarse.height // 2 + 5)
    left[rows, : middle + 8] = True
    right[rows, coarse.width - 30 :] = True
    card = np.zeros_like(left)
    card[coarse.height // 2 - 10 : coarse.height // 2 + 10, middle - 7 : middle + 7] = True
    for frame in range(4):
        hands.follow(left | right, left | right, frame / 15)
    assert [hand.seat for hand in hands.now] == ["S2", "S4"]
    right[rows, middle + 2 :] = True
    both = left | right
    for frame in range(4, 10):
        hands.follow(both, both, frame / 15)
    return hands, both, card, 10 / 15


def test_a_piece_that_holds_two_hands_takes_and_touches_for_nobody() -> None:
    hands, _, _, _ = two_hands_in_one_piece()
    (hand,) = hands.now
    assert hands.register.seats_at(hand.number, 1 / 15) == ("S2",)
    assert hands.register.seats_at(hand.number, 9 / 15) == ("S2", "S4")
    assert (hand.seat, as_seen(hand).seat) == (None, None)


def test_a_third_hand_over_a_card_that_two_in_one_piece_laid_makes_it_nobodys_still() -> None:
    hands, both, card, t = two_hands_in_one_piece()
    nothing = np.zeros_like(card)
    third = column(nothing, card.shape[1] // 2 - 7, card.shape[1] // 2 + 7, card.shape[0] // 2 - 2)
    for now, moving, frames in (
        (both | card, both | card, 2),
        (card, nothing, 12),
        (card | third, third, 4),
    ):
        for _ in range(frames):
            hands.follow(now, moving, t)
            t += 1 / 15
    assert hands.over(card) is None


def test_hands_in_one_piece_stay_so_when_the_table_is_found_anew() -> None:
    old, both, card, t = two_hands_in_one_piece()
    hands = Hands(LAYOUT, plan())
    hands.take_over(old)
    for _ in range(4):
        hands.follow(both | card, both | card, t)
        t += 1 / 15
    assert hands.over(card) is None


def test_hands_in_one_piece_stay_so_over_a_moment_without_sight() -> None:
    hands, both, _, t = two_hands_in_one_piece()
    for _ in range(3):
        hands.follow(both, both, t + 0.3)
        t += 1 / 15
    (hand,) = hands.now
    assert hands.register.seats_at(hand.number, t) == ("S2", "S4")
    assert hand.seat is None


def test_an_arm_from_which_another_has_parted_lays_its_own_cards_again() -> None:
    hands, both, card, t = two_hands_in_one_piece()
    alone = both.copy()
    alone[:, card.shape[1] // 2 + 8 :] = False
    for now, frames in ((alone, 12), (alone | card, 4)):
        for _ in range(frames):
            hands.follow(now, now, t)
            t += 1 / 15
    number = hands.over(card)
    assert number is not None
    assert hands.register.seat_of(number) == "S2"


@pytest.mark.parametrize(("rows", "seat"), [(0.35, "S1"), (0.9, None)])
def test_what_covers_a_part_of_the_table_at_once_is_no_hand_and_of_no_seat(
    rows: float, seat: str | None
) -> None:
    """A newspaper falls over the rim where S1 sits; an arm is smaller in its first frame."""
    coarse = plan()
    hands = Hands(LAYOUT, coarse)
    nothing = np.zeros((coarse.height, coarse.width), np.bool_)
    middle = coarse.width // 2
    wide = coarse.width // 8
    for frame in range(6):
        hands.follow(nothing, nothing, frame / 15)
    thing = column(nothing, middle - wide, middle + wide, round((1 - rows) * coarse.height))
    for frame in range(6, 9):
        hands.follow(thing, thing if frame == 6 else nothing, frame / 15)
    (hand,) = hands.now
    assert hand.seat == seat
