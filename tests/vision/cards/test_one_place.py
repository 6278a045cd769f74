"""Cards laid at one mark: a find elsewhere is another thing, however much it looks like a card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.cards.test_enrolment_together import chequered, overlap
from vision.cards.changes import Fit, Fitted, fit_series
from vision.cards.one_place import strays
from vision.cards.outline import box_corners
from vision.cards.quads import SHORT_SIDE_MM
from vision.cards.series import Series
from vision.cards.together import _believed
from vision.cards.views import drawn

MARK, WIDTH = np.array([300.0, 200.0]), 60.0


def fit_at(middle: np.ndarray) -> Fit:
    """A card beyond doubt, judged by itself."""
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


@pytest.mark.parametrize(("about_px", "note"), [(4, True), (8, True), (8, False)])
def test_ground_that_no_picture_shows_is_taken_from_none_and_cards_have_one_size(
    about_px: float, note: bool
) -> None:
    """Ten cards on one mark of a chequered cloth, and beside one of them a note that is larger than it.

    The picture with the note showed its card at the mark all the same, but was taken for the bare ground.
    """
    stills, truth = chequered(10, about_px)
    frames = []
    for number, each in enumerate(stills):
        picture = each.picture.copy()
        if note and number == 4:
            cv2.rectangle(picture, (470, 60), (565, 210), (40, 160, 60), -1)
        small = cv2.resize(picture, None, fx=2 / 3, fy=2 / 3, interpolation=cv2.INTER_AREA)
        frames.append(np.asarray(small, np.uint8))
    fits, _ = fit_series(Series(frames), None, SHORT_SIDE_MM)
    true = [(corners + 0.5) * 2 / 3 - 0.5 for corners in truth]
    assert all(fit and overlap(fit.corners, at) > 0.94 for fit, at in zip(fits, true, strict=True))
