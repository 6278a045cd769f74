"""Decks of kinds that are in no test set: no card is reported under a wrong name."""

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
    """At most two of 400, and only where nothing but a small number distinguishes the cards."""
    _, surely, _ = named(DECKS[deck], 400, lamp, seed=12)
    assert surely <= (2 if deck in ("ornate", "one_picture") else 0)
