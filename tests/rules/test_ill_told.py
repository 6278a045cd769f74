"""Whatever of a true round is told badly, nobody who followed the rules is accused (events.md#doubts)."""

from __future__ import annotations

import pytest

from tests.rules.ill_told import WAYS, accused
from tests.rules.spoilt import GAMES


@pytest.mark.parametrize("way", WAYS)
def test_a_round_that_was_told_badly_accuses_nobody(way: str) -> None:
    """G-I1, G-I2, G-I9, G-12"""
    for seed, game in enumerate(GAMES, 210):
        assert not accused(game, seed, way), (game, seed)


@pytest.mark.soak
@pytest.mark.parametrize("way", WAYS)
def test_of_hundreds_of_rounds_that_were_told_badly_hardly_one_accuses_somebody(way: str) -> None:
    found = [accused(game, seed, way) for seed in range(300, 340) for game in GAMES]
    assert sum(bool(one) for one in found) <= 2
