"""The lens on the page /setup: which pictures of the sheet count, and what is said about the corners."""

from __future__ import annotations

import numpy as np
import pytest

from table.errors import StammtischError
from table.setup.lens import LensMeasuring
from tests.table.test_calibrate import TURNS, seen
from vision.sightings import Picture

IN_PLACE = ((0, 0), (40, 0), (-40, 0), (0, 40), (0, -40))


def held(lens: LensMeasuring, pictures: list[np.ndarray]) -> None:
    """Each picture twice, as if held still."""
    for at, picture in enumerate(pictures):
        shown: Picture = np.asarray(np.dstack([picture] * 3) if picture.ndim == 2 else picture, np.uint8)
        for again in range(2):
            lens.see(shown, 0.6 * at + 0.3 * again)


def test_a_sheet_that_is_tilted_at_one_place_shows_something_new() -> None:
    lens = LensMeasuring(900)
    held(lens, [seen(turn, far_mm=600) for turn in IN_PLACE])
    assert lens.state().views == len(IN_PLACE)
    held(lens, [seen((1, 1), far_mm=600)])
    assert lens.state().views == len(IN_PLACE), "nor does one that hardly moved"


@pytest.mark.parametrize(("far_mm", "reached"), [(330, True), (420, False)])
def test_a_lens_is_kept_for_what_it_is_where_no_corner_was_reached(far_mm: float, reached: bool) -> None:
    lens = LensMeasuring(900)
    held(lens, [seen(turn, far_mm=far_mm) for turn in TURNS])
    assert lens.state().reached is None
    lens.measure()
    assert lens.state().reached is reached


def test_a_sheet_held_in_the_middle_alone_is_refused_with_the_remedy() -> None:
    lens = LensMeasuring(900)
    held(lens, [seen(turn, far_mm=700) for turn in TURNS])
    with pytest.raises(StammtischError, match="hold it in the corners, too"):
        lens.measure()
