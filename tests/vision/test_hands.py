"""Hands as pieces of change that hang together with the rim: what creeps there is none of them."""

from __future__ import annotations

import numpy as np
from evening import LAYOUT, Evening

from vision.geometry import register
from vision.hands import Hands
from vision.motion import COARSE_MM, Mask
from vision.plan import Plan


def plan() -> Plan:
    """The coarse plan of the tests' table."""
    registration = register(Evening().picture(), LAYOUT)
    return Plan(registration, LAYOUT.size_mm, COARSE_MM)


def column(like: Mask, left: int, right: int, top: int = 0) -> Mask:
    """A strip from the lower rim up to a row."""
    mask = np.zeros_like(like)
    mask[top:, left:right] = True
    return mask


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
