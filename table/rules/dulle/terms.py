"""Dulle's cards and tables: order, follow duties, Augen, thresholds, tariff (U-01 to U-18, UA-1 to UA-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from table.catalogue import fact
from table.rules.cards import FRENCH_CARDS, RANKS, SUITS
from table.rules.events import EventError, nearest
from table.rules.evidence import Duty
from table.rules.setup import Option
from table.rules.tricks import Contract, Play

TRUMPS: tuple[str, ...] = ("HT", "DT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA")
"""Highest first: große Dulle, kleine Dulle, Damen, Bauern, Karo Ass (U-03)."""
LOW_TEN: tuple[str, ...] = ("HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ", "DA", "DT")
"""The same order with Karo Zehn as the lowest trump (U-04)."""
PLAIN: tuple[str, ...] = ("CA", "CT", "SA", "ST", "HA")
"""The Fehlkarten, one of which is called (U-02, U-19)."""
PARTNER: dict[str, str] = {"CA": "CT", "CT": "CA", "SA": "ST", "ST": "SA"}
"""The partner of each Fehlkarte, which its holder must show (U-12); Herz Ass has none (U-13)."""
PACK: dict[str, int] = dict.fromkeys(TRUMPS + PLAIN, 1)
HAND_SIZE = 4
CALLER_CARD = "CQ"
"""Its holder calls (U-19)."""
AUGEN: dict[str, int] = {"A": 11, "T": 10, "Q": 3, "J": 2}
"""Augen by rank; 104 in all (U-07)."""
NEEDED = 53
"""Augen that the Rufspielpaar or the soloist needs (U-08)."""
SOLOS: tuple[str, ...] = ("solo", "solodu")
ANSAGEN: tuple[str, ...] = ("schneider", "schwarz")
SAYINGS: tuple[str, ...] = (*(f"ruf:{card}" for card in PLAIN), *SOLOS, "stoss", *ANSAGEN)
"""Every saying of Dulle."""

TRUMP = 0
"""The follow class of all trumps; then one class for each suit's Fehlkarten."""


def augen(card: str) -> int:
    """Return a card's Augen; 0 for a card not in the pack."""
    return AUGEN[card[1]] if card in PACK else 0


def is_schneider(points: int, caller: bool, rule: str) -> bool:
    """Return whether a losing side is Schneider: the caller's or soloist's at 27, others 26 (U-10, UA-1)."""
    top = 27 if caller else 26
    return points <= (top if rule == "inclusive" else top - 1)


@dataclass(frozen=True)
class DulleContract(Contract):
    """Dulle's duties: a higher trump on trump, then any trump (U-15 to U-17); else the partner card (U-12).

    A trump lead dominates: then nobody owes a partner card (UA-2), and a seat without trump plays any
    Fehlkarte (U-17).
    """

    partner_any: bool = True
    higher: tuple[int, ...] = ()
    """For each strength: all trumps above it."""

    def duties(self, trick: Sequence[Play]) -> tuple[Duty, ...]:
        """Return what the next seat owes to the trick."""
        led = trick[0].card
        if led < 0:
            return ()
        if self.class_of[led] == TRUMP:
            strength = self.strength[TRUMP]
            best = max(strength[play.card] for play in trick if play.card >= 0)
            trumps = Duty("trump_duty", "U-15", self.members[TRUMP])
            above = self.higher[best - TRUMP_POWER]
            return (Duty("overtrump_duty", "U-15", above), trumps) if above else (trumps,)
        partners = 0
        for play in trick if self.partner_any else trick[:1]:
            if play.name in PARTNER:
                partners |= 1 << FRENCH_CARDS.number[PARTNER[play.name]]
        return (Duty("partner_duty", "U-12", partners),) if partners else ()


TRUMP_POWER = 100
"""Strength of the lowest trump; each higher one adds 1."""


@cache
def contract(karo10: str = "kleine_dulle", partner_duty: str = "any_position") -> DulleContract:
    """Return Dulle's tables. A card not in the pack is a Fehlkarte of its suit and ranks by its number."""
    order = tuple(reversed(TRUMPS if karo10 == "kleine_dulle" else LOW_TEN))
    ranks = {rank: place for place, rank in enumerate(("7", "8", "9", "J", "Q", "K", "T", "A"), 1)}
    names = FRENCH_CARDS.names
    class_of = tuple(TRUMP if name in order else 1 + SUITS.index(name[0]) for name in names)
    power = [TRUMP_POWER + order.index(name) if name in order else ranks[name[1]] for name in names]
    strength = tuple(
        tuple(power[n] if class_of[n] in (TRUMP, led) else 0 for n in range(len(names)))
        for led in range(1 + len(SUITS))
    )
    members = tuple(
        sum(1 << n for n, name in enumerate(names) if class_of[n] == which and name in PACK)
        for which in range(1 + len(SUITS))
    )
    higher = tuple(FRENCH_CARDS.mask(order[place + 1 :]) for place in range(len(order)))
    assert len(RANKS) == len(ranks)
    return DulleContract("Dulle", class_of, members, strength, 0, partner_duty == "any_position", higher)


TARIFF: dict[str, int] = {
    "win": 1,
    "schneider": 1,
    "schwarz": 1,
    "ansage": 1,
    "stoss": 2,
    "solo": 1,
    "solodu": 2,
    "bock": 2,
}
"""UA-3: win, Schneider, Schwarz and every Ansage are added; Stoß, Solo, SoloDu and Bock multiply."""


@dataclass(frozen=True, slots=True)
class TariffOption(Option):
    """The tariff as a table; an entry that is left out keeps its value."""

    def read(self, value: Any) -> Any:
        """Return the whole table. Raises EventError for an unknown entry or one that is not a number."""
        if not isinstance(value, Mapping):
            raise EventError(self.wrong(value, fact("remedy.tariff")))
        table = dict(self.default)
        for key, amount in value.items():
            if (name := str(key).lower()) not in TARIFF:
                raise EventError(fact("opening.tariff.none", key=str(key), remedy=nearest(str(key), TARIFF)))
            number = str(amount).lstrip("+×x")
            if isinstance(amount, bool) or not number.isdecimal():
                raise EventError(fact("opening.tariff", key=str(key), value=repr(amount)))
            table[name] = int(number)
        return table
