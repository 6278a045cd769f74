"""Black bars round a picture: nothing is seen under them, and a hand comes in at their inner edge."""

from __future__ import annotations

import numpy as np
import pytest

from vision.imgproc.black_bars import Bars, black_bars


def picture(bars: Bars, level: int = 16) -> np.ndarray:
    """A noisy picture (90, 160, 3) between bars of a level."""
    noisy = np.random.default_rng(1).integers(30, 200, (90, 160, 3)).astype(np.uint8)
    framed = np.full_like(noisy, level)
    inside = np.s_[bars.top : 90 - bars.bottom, bars.left : 160 - bars.right]
    framed[inside] = noisy[inside]
    return framed


@pytest.mark.parametrize("bars", [Bars(), Bars(top=9, bottom=9), Bars(left=20, right=20), Bars(9, 8, 16, 15)])
def test_bars_are_found_on_each_side(bars: Bars) -> None:
    assert black_bars(picture(bars)) == bars


def test_a_dark_edge_with_some_light_in_it_is_no_bar() -> None:
    dark = picture(Bars(left=20))
    dark[40:44, ::5] = 40
    assert black_bars(dark) == Bars()


def test_a_dark_floor_beside_the_table_is_no_bar() -> None:
    """Measured: in dim light up to 15 of 320 columns of a film of a blue mat are no lighter than a bar."""
    dim = picture(Bars())
    dim[:, :15] = np.random.default_rng(2).integers(4, 19, (90, 15, 3))
    assert black_bars(dim) == Bars()


def test_a_covered_lens_is_no_bar() -> None:
    assert black_bars(np.zeros((90, 160, 3), np.uint8)) == Bars()
