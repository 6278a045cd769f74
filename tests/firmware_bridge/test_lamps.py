"""Pictures of lamps: what fits, what the supply allows, what the eye perceives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import PictureError
from firmware_bridge.lamps import (
    DARK,
    RGB,
    LampColours,
    changes,
    check,
    current_ma,
    dark,
    dim,
    dimmed,
    limit,
    sets,
)
from firmware_bridge.messages import Set

parts = st.integers(0, 255)
colours = st.tuples(parts, parts, parts)
pictures = st.lists(colours, max_size=200).map(tuple)


def test_a_short_picture_is_dark_to_the_end() -> None:
    assert check([(1, 2, 3)], 3) == ((1, 2, 3), DARK, DARK)


@pytest.mark.parametrize(
    "wrong", [[(0, 0, 256)], [(0, -1, 0)], [(0, 0)], [(0, 0, 0.5)], [(0, 0, 0)] * 4, [("a", 0, 0)]]
)
def test_what_no_strip_can_show_is_refused(wrong: list[Any]) -> None:
    with pytest.raises(PictureError):
        check(wrong, 3)


@given(pictures, st.integers(0, 12_000))
def test_the_power_budget_is_kept_and_colours_stay_colours(picture: LampColours, budget_ma: int) -> None:
    shown = limit(picture, budget_ma)
    assert len(shown) == len(picture)
    assert current_ma(shown) <= max(budget_ma, current_ma(dark(len(picture)))) + 1e-6
    for before, after in zip(picture, shown, strict=True):
        assert all(a <= b for a, b in zip(after, before, strict=True))
    if current_ma(picture) <= budget_ma:
        assert shown == picture


def test_sixty_white_lamps_draw_3_7_amperes() -> None:
    """Data sheet: 20 mA per colour, 1 mA for the controller."""
    assert current_ma([(255, 255, 255)] * 60) == pytest.approx(3660)


@given(colours, st.floats(0, 1))
def test_dimming_keeps_dark_dark_and_what_is_lit_lit(colour: RGB, share: float) -> None:
    shown = dim(colour, share)
    for before, after in zip(colour, shown, strict=True):
        assert after <= before
        assert (after == 0) == (before == 0 or share == 0)
    assert dim(colour, 1.0) == colour


def test_half_the_light_for_the_eye_is_a_fifth_for_the_lamp() -> None:
    assert dimmed([(255, 100, 0), DARK], 0.5) == ((55, 22, 0), DARK)


def applied(before: LampColours, pieces: list[Set]) -> LampColours:
    colours = list(before)
    for piece in pieces:
        colours[piece.first : piece.first + len(piece.colours)] = piece.colours
    return tuple(colours)


@given(pictures, st.sampled_from([14, 122, 250]))
def test_a_picture_goes_out_in_pieces_and_is_shown_with_the_last(
    picture: LampColours, frame_max: int
) -> None:
    pieces = list(sets(picture, frame_max))
    assert tuple(colour for piece in pieces for colour in piece.colours) == picture
    assert all(len(piece.payload()) + 5 <= frame_max for piece in pieces)
    assert [piece.latch for piece in pieces] == [False] * (len(pieces) - 1) + [True] * bool(pieces)


@given(st.data(), st.integers(1, 120))
def test_what_has_changed_is_all_that_is_sent(data: st.DataObject, lamps: int) -> None:
    strip = st.lists(st.sampled_from([DARK, (9, 9, 9)]), min_size=lamps, max_size=lamps).map(tuple)
    before, after = data.draw(strip), data.draw(strip)
    pieces = list(sets(after, 122, before))
    assert applied(before, pieces) == after
    assert [piece.latch for piece in pieces] == [False] * (len(pieces) - 1) + [True] * bool(pieces)
    for first, end in changes(before, after):
        assert before[first] != after[first]
        assert before[end - 1] != after[end - 1]


def test_one_lamp_of_a_long_strip_is_one_small_frame() -> None:
    (piece,) = sets((*dark(90), (1, 2, 3), *dark(59)), 122, dark(150))
    assert (piece.first, len(piece.colours), piece.latch) == (90, 1, True)
