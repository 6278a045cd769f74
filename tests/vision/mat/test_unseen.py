"""Places that changed while nothing was seen stay marked until it is known what is there."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from vision.arrays import Mask
from vision.mat.unseen import UnseenPlaces

SHAPE = (40, 60)


def area(x0: int, y0: int, x1: int, y1: int) -> Mask:
    mask = np.zeros(SHAPE, np.bool_)
    mask[y0:y1, x0:x1] = True
    return mask


NOTHING, CARD = area(0, 0, 0, 0), area(20, 10, 35, 30)


class Table:
    """Frame by frame: what looks different, and the hands over it by number."""

    def __init__(self) -> None:
        self.places, self.t = UnseenPlaces(), 0.0
        self.places.begin()

    def see(self, frames: int, changed: Mask, **hands: Mask) -> None:
        for _ in range(frames):
            self.t += 1 / 15
            now = [
                SimpleNamespace(number=int(name[1:]), mask=mask, since_t=0.0, seen_t=self.t)
                for name, mask in hands.items()
            ]
            over = np.logical_or.reduce([NOTHING, *hands.values()])
            scene = SimpleNamespace(
                changed=changed, moving=NOTHING, hands=SimpleNamespace(mask=over, now=now)
            )
            self.places.follow(scene)  # type: ignore[arg-type]


def test_what_lay_there_when_sight_came_back_came_unseen_though_a_hand_was_over_it_since() -> None:
    table = Table()
    table.see(8, CARD)
    table.see(10, CARD, h7=CARD)
    assert table.places.laid(CARD)
    table.see(3, CARD)
    assert table.places.laid(CARD)


def test_where_a_hand_came_over_what_nobody_saw_free_it_may_have_laid_it() -> None:
    table = Table()
    table.see(6, NOTHING, h1=CARD)
    table.see(4, NOTHING, h7=CARD)
    table.see(3, CARD)
    assert not table.places.laid(CARD)


def test_what_is_laid_on_a_card_that_was_told_came_seen() -> None:
    table = Table()
    table.see(8, CARD)
    table.places.note_told(CARD)
    assert not table.places.laid(CARD)


def test_a_place_that_looks_as_it_did_is_forgotten() -> None:
    table = Table()
    table.see(8, CARD)
    table.see(9, NOTHING)
    assert not table.places.laid(CARD)


def test_what_looks_otherwise_beside_every_hand_when_sight_comes_back_is_no_hands_doing() -> None:
    """A card beside it need not wait for a hand to show itself there, not even in the first frame."""
    table, hand = Table(), area(0, 0, 10, 40)
    assert table.places.handless is None
    table.see(1, CARD, h1=hand)
    assert table.places.handless is not None
    assert (table.places.handless == CARD).all()
    table.see(8, CARD, h1=hand)
    assert table.places.handless is not None
    assert (table.places.handless == CARD).all()
