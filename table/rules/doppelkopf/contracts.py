"""What the cards mean in each of Doppelkopf's games, as tables (K-01, K-04 to K-12, KA-8, KA-17)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from table.rules.cards import FRENCH_CARDS, RANKS, SUITS
from table.rules.doppelkopf.terms import D7, DA
from table.rules.tricks import Contract

TRUMP = len(SUITS)
"""The follow class of trumps; a plain suit's class is its place in SUITS (K-06)."""
CLASSES: tuple[str, ...] = (*SUITS, "trump")
"""The follow classes by name."""
_PLAIN = "ATKQJ987"


def _trumps(kind: str) -> list[str]:
    """Return the trumps from the highest down, also those not in the pack (they rank by their number)."""
    queens, jacks = [suit + "Q" for suit in SUITS], [suit + "J" for suit in SUITS]
    match kind:
        case "damen":
            return queens
        case "buben":
            return jacks
        case "as":
            return []
        case _:
            suit = "D" if kind in ("normal", "trumpf") else kind
            order = ["HT", *queens, *jacks, *(suit + rank for rank in "ATK987")]
            return list(dict.fromkeys(order))  # in a Herz solo the Herz 10 stays high (K-12)


USUAL_TRUMPS: tuple[str, ...] = tuple(card for card in _trumps("normal") if card[1] not in "87")
"""The trumps of the usual game, from the highest down (K-05)."""


def has_fuchs(kind: str) -> bool:
    """Return whether the Karo As is a trump in this game."""
    return "DA" in _trumps(kind)


@cache
def contract(
    kind: str, top: int | None = None, later: tuple[str, ...] = (), spitze: bool = False
) -> Contract:
    """Return the tables of a game: `normal` or one of SOLI.

    `top` is a card above the Herz 10 (Schweinchen, Spitze: K-66); of two cards named in `later` the second
    wins where they are trumps (K-07, KA-7). A Spitze that is not on top ranks as the Herz 9 that it replaces
    in the pack, only lower (KA-8).
    """
    names = tuple(
        "H7" if spitze and card == D7 and top != D7 else name for card, name in enumerate(FRENCH_CARDS.names)
    )
    trumps = _trumps(kind)
    if top is not None:
        name = FRENCH_CARDS.names[top]
        trumps = [name, *(card for card in trumps if card != name)]
    power = {card: 100 + len(trumps) - place for place, card in enumerate(trumps)}
    class_of = tuple(TRUMP if name in power else SUITS.index(name[0]) for name in names)
    members = tuple(
        sum(1 << card for card, its in enumerate(class_of) if its == one) for one in range(TRUMP + 1)
    )
    strength = tuple(
        tuple(
            power.get(name) or (len(RANKS) - _PLAIN.index(name[1]) if class_of[card] == led else 0)
            for card, name in enumerate(names)
        )
        for led in range(TRUMP + 1)
    )
    return Contract(kind, class_of, members, strength, FRENCH_CARDS.mask(set(later) & set(power)))


def trump_count(hand: Sequence[str], kind: str = "normal") -> int:
    """Return the number of trumps in a hand."""
    table = contract(kind)
    return sum(table.class_of[FRENCH_CARDS.number[card]] == TRUMP for card in hand)


def pack(cards: int, spitze: bool = False) -> dict[str, int]:
    """Return every card and its number of copies: 48 cards with Neunen or 40 without (K-01, K-50).

    With the Spitze the Karo 7 replaces one Herz 9 (K-66).
    """
    ranks = "9TJQKA" if cards == 48 else "TJQKA"
    full = {suit + rank: 2 for suit in SUITS for rank in ranks}
    if spitze:
        full["H9"] -= 1
        full["D7"] = 1
    return full


def top_card(kind: str, swine: bool, spitze: bool, spitze_in_solo: bool) -> int | None:
    """Return the card above the Herz 10, if this game has one (K-66, KA-8)."""
    if kind not in ("normal", "trumpf", "D"):
        return None
    if swine:
        return DA
    return D7 if spitze and (kind == "normal" or spitze_in_solo) else None
