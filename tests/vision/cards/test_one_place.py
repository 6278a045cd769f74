"""Cards laid to one mark: what was found elsewhere is another thing, however like a card."""

from __future__ import annotations

import numpy as np

from vision.cards.changes import Fit, Fitted
from vision.cards.one_place import strays
from vision.cards.outline import box_corners
from vision.cards.together import _believed
from vision.cards.views import drawn

MARK, WIDTH = np.array([300.0, 200.0]), 60.0


def fit_at(middle: np.ndarray) -> Fit:
    """A card beyond doubt, as far as it alone is looked at."""
    corners = box_corners(middle, (WIDTH, 92.0), 0.1)
    return Fit(corners, corners, support=0.9, filled=0.95, step=12.0, known=0.9, beside=0.0)


def test_a_note_that_came_beside_the_mark_of_all_cards_is_not_learnt_for_its_card() -> None:
    picture = np.zeros((420, 600, 3), np.uint8)
    views = [drawn(picture, np.eye(3), 1.0, np.eye(3)) for _ in range(8)]
    fits = [fit_at(MARK + np.array([number, -number])) for number in range(7)] + [
        fit_at(MARK + np.array([180.0, 60.0]))
    ]
    learnt = _believed(8, range(8), views, Fitted(fits, np.array([WIDTH, 92.0]), on_table=True))
    assert sorted(learnt.corners) == list(range(7))
    assert learnt.reasons[7].code == "place"


def test_cards_that_were_laid_here_and_there_have_no_mark() -> None:
    middles = [MARK + np.array([90.0 * number, 0.0]) for number in range(8)]
    assert not any(strays(middles, 0.3 * WIDTH, WIDTH))
    assert not any(strays([MARK, None, MARK + np.array([200.0, 0.0])], 0.3 * WIDTH, WIDTH))
