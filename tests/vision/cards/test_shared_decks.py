"""Decks photographed by others: on wood and on a chequered cloth every card is found where it lies."""

from __future__ import annotations

import pytest

from table.settings import read_table
from tests.shared import FOOTAGE, needs
from vision.cards.deck import load_deck
from vision.cards.outline import sides_of


@needs("footage")
@pytest.mark.parametrize("clip", ["dev-dubbe4-wood", "dev-dubbe4-check"])
def test_a_deck_on_a_difficult_ground_is_learnt_at_the_card(clip: str) -> None:
    folder = FOOTAGE / clip
    deck = load_deck(folder / "deck", read_table(folder / "table.toml").layout)
    assert len(deck.cards) == 60
    assert deck.refused == ()
    assert deck.size_mm == pytest.approx((59, 91), abs=0.6)
    assert not deck.all_alike
    for taken in deck.taken:
        x, y = taken.corners.mean(axis=0)
        assert 560 < x < 740
        assert 300 < y < 460
        assert sides_of(taken.corners)[0] == pytest.approx(sides_of(deck.taken[0].corners)[0], rel=0.04)
