"""Where no face was found, the eye searches for print less and less often."""

from __future__ import annotations

import numpy as np

from vision.mat.patch import Patch
from vision.mat.print_proposals import Vain


def looks(vain: Vain, patches: list[Patch], card_at: int = -1, from_s: float = 0.0) -> list[int]:
    taken = []
    for number, patch in enumerate(patches):
        t = from_s + number / 15
        if vain.worth(patch, t):
            taken.append(number)
            vain.note(patch, t, card=number == card_at)
    return taken


def patch(x: int, y: int) -> Patch:
    return Patch(np.zeros((60, 40), np.float32), (x, y), (20.0, 30.0), 1.0)


def test_a_place_without_a_face_is_looked_at_less_often() -> None:
    assert looks(Vain(), [patch(10 + n % 2, 20) for n in range(24)]) == [0, 2, 6, 14, 22]


def test_a_card_found_there_begins_anew() -> None:
    assert looks(Vain(), [patch(10, 20)] * 9, card_at=2) == [0, 2, 3, 5]


def test_a_place_that_was_left_alone_for_seconds_is_looked_at_at_once() -> None:
    """What lies there now came later: a trick is played where the trick before it lay."""
    vain = Vain()
    looks(vain, [patch(10, 20)] * 24)
    assert looks(vain, [patch(10, 20)] * 8, from_s=5.0) == [0, 2, 6]


def test_another_place_is_looked_at_at_once() -> None:
    assert looks(Vain(), [patch(10, 20), patch(100, 20), patch(10, 20)]) == [0, 1]
