"""Decks of kinds that no set has: no card gets a wrong name that would be told."""

from __future__ import annotations

import pytest

from tests.vision.strange_decks import DECKS, named

READABLE = [name for name in DECKS if name != "tiny"]


@pytest.mark.parametrize("deck", READABLE)
def test_no_card_of_a_strange_deck_is_surely_named_as_another(deck: str) -> None:
    _, surely, _ = named(DECKS[deck], 40, seed=11)
    assert surely == 0


@pytest.mark.soak
@pytest.mark.parametrize("lamp", [False, True])
@pytest.mark.parametrize("deck", READABLE)
def test_of_hundreds_of_cards_of_a_strange_deck_hardly_one_is_surely_named_as_another(
    deck: str, lamp: bool
) -> None:
    """Two of 400 at most, and only where a small number alone tells the cards apart."""
    _, surely, _ = named(DECKS[deck], 400, lamp, seed=12)
    assert surely <= (2 if deck in ("ornate", "one_picture") else 0)
