"""What looked like a card and was none, in doubt: nobody is accused because of it (G-I2)."""

from __future__ import annotations

import pytest

from table.rules.chance import Chance
from tests.rules.spoilt import GAMES, Log, cards, folded, true_round

SEEDS = range(1, 7)


def with_phantom(log: Log, chance: Chance) -> Log:
    """Something between two cards that is taken for one of three cards, of the seat that plays next."""
    places = cards(log)[1:-1]
    at = places[chance.below(len(places))]
    names = [log[places[chance.below(len(places))]]["card"] for _ in range(3)]
    looks = [[name, share] for name, share in zip(names, (0.7, 0.2, 0.1), strict=True)]
    phantom = {"kind": "unsure", "seat": log[at]["seat"], "candidates": looks}
    return [{**line, "id": n} for n, line in enumerate([*log[:at], phantom, *log[at:]], 1)]


@pytest.mark.parametrize("game", GAMES)
def test_g_i2_two_cards_of_which_one_is_in_doubt_are_not_two(game: str) -> None:
    """The back of a pile was taken for a card, and its player was told to have laid two."""
    for seed in SEEDS:
        log = true_round(game, seed)
        if len(cards(log)) < 8:
            continue
        for more in range(4):
            referee = folded(with_phantom(log, Chance(10 * seed + more)))
            assert referee.findings() == []


def test_g_i2_two_cards_that_were_surely_seen_are_two() -> None:
    """The second one goes back to the hand and is played later: as many cards fell as there are."""
    log = true_round("dubbe", 1)
    second = cards(log)[1]
    seat = log[second]["seat"]
    later = next(at for at in cards(log)[9:] if log[at]["seat"] == seat)
    again = {"kind": "card", "seat": seat, "card": log[later]["card"]}
    doubled = [*log[: second + 1], again, *log[second + 1 :]]
    found = folded([{**line, "id": n} for n, line in enumerate(doubled, 1)]).findings()
    assert [(one.finding, one.seat) for one in found] == [("two_cards", seat)]


def with_invented_card(log: Log, chance: Chance, seat: str = "") -> Log:
    """A line tells of a card that another plays later, as if the next player, or `seat`, had played it."""
    places = cards(log)[1:-8]
    at = places[chance.below(len(places))]
    seat = seat or log[at]["seat"]
    names = [log[place]["card"] for place in cards(log) if place > at and log[place]["seat"] != seat]
    own = {log[place]["card"] for place in cards(log) if place > at and log[place]["seat"] == seat}
    names = [name for name in names if name not in own] or names
    invented = {"kind": "card", "seat": seat, "card": names[chance.below(len(names))]}
    return [{**line, "id": n} for n, line in enumerate([*log[:at], invented, *log[at:]], 1)]


@pytest.mark.parametrize("game", GAMES)
def test_g_09_a_card_that_falls_once_too_often_was_none_the_first_time(game: str) -> None:
    """The eye invented a card: the round was counted with it, and nobody was asked."""
    for seed in SEEDS:
        log = true_round(game, seed)
        if len(cards(log)) < 8:
            continue
        right = folded([{**line, "id": n} for n, line in enumerate(log, 1)])
        for more in range(3):
            for seat in ("", "S1", "S3"):
                if seat not in {"", *(line.get("seat") for line in log)}:
                    continue
                told = folded(with_invented_card(log, Chance(10 * seed + more), seat))
                assert told.findings() == []
                assert told.points() == right.points() or told.result().get("open")
