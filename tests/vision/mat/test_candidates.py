"""Islands of change: when each came, and when it is searched."""

import numpy as np
import pytest

from tests.vision.evening import CARD_MM, LAYOUT, Evening
from vision.frame import as_frame
from vision.geometry import register
from vision.imgproc.change_detection import COARSE_MM
from vision.mat.candidates import Candidates
from vision.mat.card_tracker import CardTracker
from vision.mat.scene import MatScene


def test_a_card_is_no_older_than_itself_though_a_speck_lay_there_before() -> None:
    """Otherwise a card seen only in part would be believed, or reported as unsure, the moment it comes."""
    picture = Evening().picture()
    scene = MatScene(register(picture, LAYOUT), LAYOUT, as_frame(picture).small)
    candidates, tracker = Candidates(CARD_MM), CardTracker()
    speck, card = (np.zeros(scene.changed.shape, np.bool_) for _ in range(2))
    speck[40:44, 60:64] = True
    card[38:60, 58:72] = True
    for frame in range(12):
        assert not list(candidates.due(tracker, scene, speck, frame / 15))
    ((pending, _),) = candidates.due(tracker, scene, card, 0.8)
    assert pending.since_t == 0.8
    assert candidates.now == [pending]


def test_a_card_beside_an_older_change_is_younger_than_that() -> None:
    """Otherwise it would become part of the table together with the other, before anybody searched it."""
    picture = Evening().picture()
    scene = MatScene(register(picture, LAYOUT), LAYOUT, as_frame(picture).small)
    candidates, tracker = Candidates(CARD_MM), CardTracker()
    older, card = (np.zeros(scene.changed.shape, np.bool_) for _ in range(2))
    older[40:54, 40:60] = True
    card[40:62, 60:74] = True
    for frame in range(12):
        list(candidates.due(tracker, scene, older, frame / 15))
    ((pending, _),) = candidates.due(tracker, scene, older | card, 0.8)
    assert pending.since_t == 0.8


@pytest.mark.parametrize(("share", "searched"), [(0.2, True), (0.1, False)])
def test_a_card_of_the_grounds_colour_is_searched_where_only_its_print_looks_changed(
    share: float, searched: bool
) -> None:
    """Brown paper on brown wood: change in a share of a card's place is enough, a speck is not."""
    picture = Evening().picture()
    scene = MatScene(register(picture, LAYOUT), LAYOUT, as_frame(picture).small)
    candidates, tracker = Candidates(CARD_MM), CardTracker()
    ink = np.zeros(scene.changed.shape, np.bool_)
    side = round(float(np.sqrt(share * CARD_MM[0] * CARD_MM[1])) / COARSE_MM)
    ink[40 : 40 + side, 60 : 60 + side] = True
    looked = [len(list(candidates.due(tracker, scene, ink, frame / 15))) for frame in range(4)]
    assert any(looked) == searched
