"""Enrolment without a table: which rectangle of a still is the card, whatever else is in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.enrolment import Still, find_single, learn_stills
from vision.cards.outline import sides_of
from vision.errors import DeckError
from vision.sightings import Picture

CARD_PX = (120, 180)


def on_ground(ground: tuple[int, int, int], seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 2, (420, 560, 3))
    return np.clip(np.full((420, 560, 3), ground) + noise, 0, 255).astype(np.uint8)


def still(number: int, sheet: bool = False) -> Still:
    """A light card with a dark bar on dark ground; with `sheet` a larger sheet of paper lies beside it."""
    picture = on_ground((50, 60, 55), number)
    cv2.rectangle(picture, (60, 100), (59 + CARD_PX[0], 99 + CARD_PX[1]), (215, 220, 215), -1)
    cv2.rectangle(picture, (90, 130 + 8 * number), (150, 145 + 8 * number), (30, 30, 160), -1)
    if sheet:
        cv2.rectangle(picture, (260, 20), (519, 399), (250, 252, 250), -1)
    return Still(
        f"card-{number}", f"card-{number}.png", cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.uint8)
    )


def test_a_still_with_a_larger_sheet_beside_the_card_agrees_with_the_others_on_its_size() -> None:
    stills = [still(0), still(1), still(2), still(3), still(4, sheet=True)]
    alone = find_single(stills[4].picture)
    assert alone is not None
    assert sides_of(alone)[0] > 1.5 * CARD_PX[0]  # by itself the sheet is the better card
    learnt = learn_stills(stills)
    pictures = learnt.pictures
    assert learnt.size_mm is None
    assert learnt.odd == ()
    assert abs(learnt.ratio - CARD_PX[1] / CARD_PX[0]) < 0.03
    ink = [picture[..., 2].astype(float) - picture[..., 0] > 60 for picture in pictures]
    assert all(0.02 < mask.mean() < 0.1 for mask in ink)  # every face bears its bar, the sheet has none


def test_three_stills_are_too_few_to_overrule_one_another() -> None:
    pictures = learn_stills([still(0), still(1), still(4, sheet=True)]).pictures
    assert (pictures[2][..., 2].astype(float) - pictures[2][..., 0] > 60).mean() < 0.02


def test_a_card_that_runs_together_with_paper_beside_it_is_found_by_the_size_of_the_others() -> None:
    """No piece of the picture has a card's shape; taken as it is, the whole picture would be the face."""
    merged = still(4)
    cv2.rectangle(merged.picture, (20, 140), (60, 240), (215, 220, 215), -1)
    cv2.rectangle(merged.picture, (180, 180), (540, 300), (215, 220, 215), -1)
    corners = find_single(merged.picture)
    assert corners is not None
    assert sides_of(corners)[0] > 1.5 * CARD_PX[0]
    learnt = learn_stills([still(0), still(1), still(2), still(3), merged])
    pictures = learnt.pictures
    assert abs(learnt.ratio - CARD_PX[1] / CARD_PX[0]) < 0.03
    ink = pictures[4][..., 2].astype(float) - pictures[4][..., 0] > 60
    assert 0.02 < ink.mean() < 0.1
    assert np.abs(pictures[4][5:-5, 5:-5][~ink[5:-5, 5:-5]].astype(float) - 218).mean() < 12


def test_a_still_without_any_card_among_stills_of_one_camera_is_named_in_the_error() -> None:
    empty = Still("none", "none.png", on_ground((50, 60, 55), 9))
    with pytest.raises(DeckError, match=r"none\.png: no card"):
        learn_stills([still(0), still(1), still(2), still(3), empty])


def test_a_picture_of_something_of_another_shape_is_named() -> None:
    """A beer mat among the cards would be learnt as one and seen wherever one lies."""
    mat = on_ground((50, 60, 55), 7)[:380]
    cv2.rectangle(mat, (100, 60), (399, 309), (215, 220, 215), -1)
    learnt = learn_stills([still(0), still(1), still(2), Still("mat", "mat.png", mat)])
    assert learnt.odd == ("mat",)


def test_a_card_whose_edge_looks_like_the_ground_is_named_for_its_shape() -> None:
    """A strip of print as dark as the ground is cut off: faces cut out unlike are read for one another."""
    cut = still(4)
    cv2.rectangle(cut.picture, (55, 264), (184, 290), (50, 60, 55), -1)
    learnt = learn_stills([still(0), still(1), still(2), still(3), cut])
    assert learnt.odd == ("card-4",)
