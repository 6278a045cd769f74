"""Patterns: a lamp's state depends on the time alone."""

from __future__ import annotations

from itertools import groupby

import pytest

from firmware_bridge.lamps import DARK, RGB, dim
from firmware_bridge.patterns import LOW, blink, chase, count, pulse

RED: RGB = (200, 0, 0)
STEPS = [step / 10 + 0.01 for step in range(100)]


def runs(colours: list[RGB]) -> list[RGB]:
    return [colour for colour, _ in groupby(colours)]


def test_a_blink_is_lit_for_its_share_of_each_period() -> None:
    seen = [blink(RED, t, 1.0, 0.3) for t in STEPS]
    assert seen.count(RED) == 30
    assert set(seen) == {RED, DARK}
    assert {pulse(RED, t, 1.0, 0.3) for t in STEPS} == {RED, dim(RED, LOW)}


def test_a_chase_lights_one_lamp_after_the_other() -> None:
    seen = [chase(RED, t * 0.2 + 0.01, 4, 0.2) for t in range(8)]
    assert [row.index(RED) for row in seen] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all(row.count(DARK) == 3 for row in seen)
    assert chase(RED, 1.0, 0, 0.2) == ()


@pytest.mark.parametrize("number", range(7))
def test_winks_can_be_counted(number: int) -> None:
    seen = runs([count(RED, t, number, 0.6) for t in STEPS])
    assert seen.count(dim(RED, LOW)) == number
    assert seen[-1] == RED
