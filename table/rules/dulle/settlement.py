"""A Dulle round's value: who won, what adds, what multiplies (U-08 to U-11, U-22 to U-27, UA-1, UA-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from table.rules.dulle.parties import CALLER, OTHERS
from table.rules.dulle.terms import NEEDED, is_schneider


class Item(NamedTuple):
    """One line of the settlement: `amount` is added (`times` False) or multiplies the sum so far."""

    what: str
    amount: int
    times: bool
    rule: str


class DulleSettlement(NamedTuple):
    """Who has won, each line of the value, and what every seat gets: it sums to zero."""

    winner: int
    augen: tuple[int, int]
    items: tuple[Item, ...]
    value: int
    points: tuple[int, ...]


class Terms(NamedTuple):
    """Everything besides the tricks that the value depends on."""

    solo: str | None = None
    """`solo`, `solodu`, or None for a call."""
    stosses: int = 0
    ansagen: Mapping[int, Sequence[str]] = {}
    bock: bool = False
    schneider: str = "inclusive"


def settle(
    parties: Sequence[int],
    augen: Sequence[int],
    tricks: Sequence[int],
    terms: Terms,
    tariff: Mapping[str, int],
) -> DulleSettlement:
    """Settle a round: `parties`, `augen` and `tricks` by seat. Each loser pays each winner's share (UA-3)."""
    total, taken = _by_party(augen, parties), _by_party(tricks, parties)
    winner, decided_by = _winner(total, taken, terms)
    loser = 1 - winner
    items = [Item("win", tariff["win"], False, decided_by)]
    if is_schneider(total[loser], loser == CALLER, terms.schneider):
        items.append(Item("schneider", tariff["schneider"], False, "U-10"))
    if taken[loser] == 0:
        items.append(Item("schwarz", tariff["schwarz"], False, "U-11"))
    for said in (*terms.ansagen.get(CALLER, ()), *terms.ansagen.get(OTHERS, ())):
        items.append(Item(f"ansage:{said}", tariff["ansage"], False, "U-24"))
    items += [Item("stoss", tariff["stoss"], True, "U-22")] * terms.stosses
    if terms.solo is not None:
        items.append(Item(terms.solo, tariff[terms.solo], True, "U-26" if terms.solo == "solodu" else "U-25"))
    if terms.bock:
        items.append(Item("bock", tariff["bock"], True, "U-27"))
    value = 0
    for item in items:
        value = value * item.amount if item.times else value + item.amount
    alone = parties.count(CALLER) == 1  # three against one: he pays or gets three times (UA-3)
    points = tuple(
        (value if party == winner else -value) * (3 if alone and party == CALLER else 1) for party in parties
    )
    return DulleSettlement(winner, total, tuple(items), value, points)


def _by_party(amounts: Sequence[int], parties: Sequence[int]) -> tuple[int, int]:
    sums = [0, 0]
    for amount, party in zip(amounts, parties, strict=True):
        sums[party] += amount
    return sums[CALLER], sums[OTHERS]


def _winner(total: Sequence[int], taken: Sequence[int], terms: Terms) -> tuple[int, str]:
    """Return who has won, and the rule that decides it.

    SoloDu needs all four tricks, whatever was said (U-26); otherwise a missed Ansage loses (U-24, UA-3), and
    the caller's side needs 53 Augen (U-08, U-25).
    """
    if terms.solo == "solodu":
        return CALLER if taken[OTHERS] == 0 else OTHERS, "U-26"
    missed = [party for party in (CALLER, OTHERS) if not _kept(party, total, taken, terms)]
    if len(missed) == 1:
        return 1 - missed[0], "U-24"
    return CALLER if total[CALLER] >= NEEDED else OTHERS, "U-08"


def _kept(party: int, total: Sequence[int], taken: Sequence[int], terms: Terms) -> bool:
    """Return whether a side made what it announced."""
    other = 1 - party
    made: dict[str, Any] = {
        "schneider": is_schneider(total[other], other == CALLER, terms.schneider),
        "schwarz": taken[other] == 0,
    }
    return all(made[said] for said in terms.ansagen.get(party, ()))
