"""Enrolment without a table: which rectangle of a still is the card, whatever else is in the picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tests.vision.cards.enrolment_stills import CARD_PX, on_ground, still
from vision.cards.enrolment import learn_stills
from vision.cards.lone import Lone
from vision.cards.outliers import refuse_within
from vision.cards.outline import sides_of
from vision.cards.second_card import TWO_CARDS, refuse_second
from vision.cards.single import find_single
from vision.cards.still import Still


def test_a_still_with_a_larger_sheet_beside_the_card_agrees_with_the_others_on_its_size() -> None:
    stills = [still(0), still(1), still(2), still(3), still(4, sheet=True)]
    alone = find_single(stills[4].picture)
    assert alone is not None
    assert sides_of(alone)[0] > 1.5 * CARD_PX[0]  # by itself, the sheet is the better card
    learnt = learn_stills(stills)
    pictures = learnt.pictures
    assert learnt.size_mm is None
    assert learnt.odd == ()
    assert abs(learnt.ratio - CARD_PX[1] / CARD_PX[0]) < 0.03
    ink = [picture[..., 2].astype(float) - picture[..., 0] > 60 for picture in pictures]
    assert all(0.02 < mask.mean() < 0.1 for mask in ink)  # every face bears its bar, the sheet has none


def test_a_sheet_that_shows_no_print_is_refused_even_where_too_few_stills_overrule_it() -> None:
    learnt = learn_stills([still(0), still(1), still(4, sheet=True)])
    assert learnt.names == ("card-0", "card-1")
    assert "no print" in learnt.refused[0].reason


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


def test_a_still_without_any_card_is_refused_by_name_and_costs_no_other() -> None:
    empty = Still("none", "none.png", on_ground((50, 60, 55), 9))
    learnt = learn_stills([*(still(number) for number in range(6)), empty])
    assert learnt.names == tuple(f"card-{number}" for number in range(6))
    assert [refusal.where for refusal in learnt.refused] == ["none.png"]
    assert "no card" in learnt.refused[0].reason


def test_a_thing_of_another_shape_is_no_card_of_the_deck() -> None:
    """A beer mat among the cards would be learnt as one and then seen wherever one lies."""
    mat = on_ground((50, 60, 55), 7)[:380]
    cv2.rectangle(mat, (100, 60), (475, 259), (215, 220, 215), -1)
    cv2.circle(mat, (280, 160), 70, (160, 40, 30), -1)
    learnt = learn_stills([still(0), still(1), still(2), Still("mat", "mat.png", mat)])
    assert learnt.names == ("card-0", "card-1", "card-2")
    assert "times as long as wide" in learnt.refused[0].reason


def test_a_card_whose_edge_looks_like_the_ground_is_named_for_its_shape() -> None:
    """A strip of print as dark as the ground is cut off: faces cut differently are easily confused."""
    cut = still(4)
    cv2.rectangle(cut.picture, (55, 264), (184, 290), (50, 60, 55), -1)
    learnt = learn_stills([still(0), still(1), still(2), still(3), cut])
    assert learnt.odd == ("card-4",)


def test_one_picture_under_two_names_teaches_neither() -> None:
    learnt = learn_stills([still(0), still(1), still(2), replace(still(2), name="card-3", where="copy.png")])
    assert learnt.names == ("card-0", "card-1")
    assert {refusal.where for refusal in learnt.refused} == {"card-2.png", "copy.png"}
    assert "the same face" in learnt.refused[0].reason


def test_a_card_seen_askew_is_learnt_though_one_pair_of_its_sides_looks_shorter() -> None:
    """Crops of photographs as strangers take them, each of another size: a slant is no other shape."""
    crops = [still(n).picture[: 340 - 3 * n, : 240 + 5 * n] for n in range(7)]
    height, width = crops[6].shape[:2]
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    slant = np.array([[25, 25], [width - 25, 0], [width - 25, height], [25, height - 25]], np.float32)
    turn = cv2.getPerspectiveTransform(ends, slant)
    crops[6] = cv2.warpPerspective(crops[6], turn, (width, height), borderValue=(50, 60, 55)).astype(np.uint8)
    learnt = learn_stills([Still(f"card-{n}", f"card-{n}.png", crop) for n, crop in enumerate(crops)])
    assert learnt.names == tuple(f"card-{n}" for n in range(7))
    assert learnt.odd == ("card-6",)


def _beside(own: Still, other: int) -> Still:
    """The same still with another card of the deck beside its own, 240 pixels to the right."""
    strip = still(other).picture[80:300, 40:200]
    own.picture[80:300, 280:440] = strip
    return own


def test_a_still_that_shows_two_cards_is_refused_and_costs_no_other() -> None:
    """The better outline of the two used to be learnt under the picture's name, silently."""
    learnt = learn_stills([still(0), still(1), still(2), _beside(still(3), 4), still(5)])
    assert learnt.names == ("card-0", "card-1", "card-2", "card-5")
    assert [refusal.where for refusal in learnt.refused] == ["card-3.png"]
    assert "two cards" in learnt.refused[0].reason


def test_the_pack_that_lies_beside_each_card_is_no_second_card() -> None:
    pictures = [Lone(_beside(still(number), 9).picture, None) for number in range(6)]
    for number, each in enumerate(pictures):
        x, y = 60 + 3 * (4 - number), 100 + (4 - number)
        each.take(np.array([[x, y], [x + 120, y], [x + 120, y + 180], [x, y + 180]], np.float64))
    refuse_second(pictures)
    assert [each.reason for each in pictures] == [None] * 6
    refuse_second(pictures[:1])
    assert pictures[0].reason == TWO_CARDS  # a single picture does not show what is fixed there


def test_a_card_of_another_size_is_refused_with_the_size_of_the_others() -> None:
    """The size in the message could be taken for that of this picture's card."""
    pictures = [Lone(still(number).picture, None) for number in range(6)]
    for number, each in enumerate(pictures):
        wide, high = (180, 270) if number == 5 else CARD_PX
        x, y = 20 + 7 * number, 30 + 5 * number
        each.take(np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float64))
    refuse_within(pictures)
    assert "(theirs are 120 x 180 px)" in str(pictures[5].reason)
