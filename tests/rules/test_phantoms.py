"""An unsure card that was no card at all accuses nobody (G-I2)."""

from __future__ import annotations

import pytest

from table.rules.chance import Chance
from tests.rules.spoilt import GAMES, Log, cards, folded, true_round

SEEDS = range(1, 7)


def with_phantom(log: Log, chance: Chance) -> Log:
    """Insert an unsure phantom with three candidates between two cards, for the seat that plays next."""
    places = cards(log)[1:-1]
    at = places[chance.below(len(places))]
    names = [log[places[chance.below(len(places))]]["card"] for _ in range(3)]
    looks = [[name, share] for name, share in zip(names, (0.7, 0.2, 0.1), strict=True)]
    phantom = {"kind": "unsure", "seat": log[at]["seat"], "candidates": looks}
    return [{**line, "id": n} for n, line in enumerate([*log[:at], phantom, *log[at:]], 1)]


@pytest.mark.parametrize("game", GAMES)
def test_g_i2_two_cards_of_which_one_is_in_doubt_are_not_two(game: str) -> None:
    """The back of a pile was once read as a card, and its player was accused of two cards."""
    for seed in SEEDS:
        log = true_round(game, seed)
        if len(cards(log)) < 8:
            continue
        for more in range(4):
            referee = folded(with_phantom(log, Chance(10 * seed + more)))
            assert referee.findings() == []


def test_g_i2_two_cards_that_were_surely_seen_are_two() -> None:
    """Nothing is in doubt here."""
    log = true_round("dubbe", 1)
    second = cards(log)[1]
    free = next(
        name
        for name in (f"{c}-{n}" for c in ("red", "blue", "green", "yellow", "brown") for n in range(1, 13))
        if all(line.get("card") != name for line in log)
    )
    again = {"kind": "card", "seat": log[second]["seat"], "card": free}
    doubled = [*log[: second + 1], again, *log[second + 1 :]]
    found = folded([{**line, "id": n} for n, line in enumerate(doubled, 1)]).findings()
    assert "two_cards" in [one.finding for one in found]
