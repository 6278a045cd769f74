"""Dubbe: the places of disc and chip (D-38, D-39, D-V3, DA-8)."""

from __future__ import annotations

import pytest

from table.rules.dubbe.terms import disc
from tests.rules.evening import Evening


def test_d_38_d_v3_seventeen_is_the_chip_of_ten_and_the_disc_on_seven() -> None:
    """The box's own example: 10 points, then 7 more."""
    assert disc(10 + 7) == (10, 7)


@pytest.mark.parametrize(
    ("total", "shown"),
    [(17, (10, 7)), (10, (0, 10)), (-13, (-10, 3)), (0, (0, 0)), (-10, (0, 10)), (9, (0, 9)), (20, (10, 10))],
)
def test_d_39_where_the_disc_lies(total: int, shown: tuple[int, int]) -> None:
    assert disc(total) == shown


def test_d_39_ten_may_also_be_shown_with_the_chip_alone() -> None:
    assert disc(10, "chip") == (10, 0)
    assert disc(-10, "chip") == (-10, 0)
    assert disc(9, "chip") == (0, 9)


def test_da_8_beyond_twenty_the_disc_stays_at_the_end_and_the_number_holds() -> None:
    assert disc(23) == (10, 10)
    assert disc(-31) == (-10, 10)


def test_d_38_the_view_says_where_everybodys_disc_should_lie() -> None:
    t = Evening()
    t.trump("red")
    t.play("red-5 red-8 red-3")
    assert t.view.discs == {"S1": (0, 1), "S2": (0, 0), "S3": (0, 0)}
