"""Hands that have gone are remembered as long as anything may ask for them, and no longer."""

from __future__ import annotations

import numpy as np

from vision.mat.hand import Hand
from vision.mat.hand_parameters import HANDS
from vision.mat.hand_register import HandRegister


def test_a_table_that_stands_for_weeks_forgets_its_old_hands() -> None:
    register, last = HandRegister(), np.full((4, 4), -1, np.int32)
    last[0, 0] = 3  # nobody has reached over that place since
    for number in range(1, 20 * HANDS.remembered):
        register.end(Hand(number, float(number), number + 0.5, float(number)))
        last[1, 1] = number
        register.forget_old(last)
        assert len(register) <= 2 * HANDS.remembered + 2
    newest = 20 * HANDS.remembered - 1
    assert register.by_number(3) is not None
    assert register.by_number(4) is None
    assert all(register.by_number(newest - back) is not None for back in range(HANDS.remembered))
    assert register.there_since(newest - 1.0) == {newest - 1, newest}
