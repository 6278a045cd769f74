"""Doppelkopf's words and numbers: Augen, sides, announcements, sayings (K-01, K-08, K-19)."""

from __future__ import annotations

from typing import NamedTuple

from table.rules.cards import FRENCH_CARDS, SUITS

_NUMBER = FRENCH_CARDS.number
CQ, CJ, HT, DA, D7 = (_NUMBER[name] for name in ("CQ", "CJ", "HT", "DA", "D7"))
"""Kreuz Dame, Kreuz Bube, Herz 10 (Dulle), Karo As (Fuchs), Karo 7 (Spitze)."""
CARD_POINTS: tuple[int, ...] = (
    *({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(name[1], 0) for name in FRENCH_CARDS.names),
    0,
)
"""The Augen of each card, by its number (K-01); an unknown card, -1, counts nothing."""
RE, KONTRA = 1, 2
"""The sides; 0 stands for an unknown side."""
SIDES: tuple[str, ...] = ("?", "re", "kontra")
LEVELS: tuple[str, ...] = ("ansage", "k90", "k60", "k30", "schwarz")
"""An Ansage (re, kontra) and the Absagen, by level."""
ABSAGEN: dict[str, int] = {name: level for level, name in enumerate(LEVELS) if level}
ANSAGEN: dict[str, int] = {"re": RE, "kontra": KONTRA}
SOLI: tuple[str, ...] = ("damen", "buben", "as", "trumpf", *SUITS)
"""The soli that can be named; `trumpf` and `D` are the same game (K-52)."""
HOCHZEITEN: tuple[str, ...] = ("fehl", "trumpf", "fremd")
"""Which trick finds the partner (K-54)."""
RESERVATIONS: frozenset[str] = frozenset({"solo", "pflichtsolo", "hochzeit", "armut", "schmeissen"})
"""What a Vorbehalt may turn out to be."""


class Bid(NamedTuple):
    """A named Vorbehalt: the word, what came after the colon, and the event that said it."""

    word: str
    detail: str
    event: int


class Call(NamedTuple):
    """An Ansage or Absage that was in time: who said it, its level, and the side it was said for."""

    event: int
    seat: int
    level: int
    side: int
    after: int = 0
    """The level that its side must have announced before it; higher ones may be included (K-22)."""
    veiled: bool = False
    """Whether it is valid only for a stille Hochzeit, whose Re nobody needs to say (KA-18)."""


class DoppelkopfHanded(NamedTuple):
    """What a round passes on to the next one."""

    dealer: str
    again: bool = False
    """Whether the same dealer deals again (K-68)."""
    is_sure: bool = True
    """Whether the rules say who deals next (K-68)."""
    bock: int = 0
    """Number of Bock games still to come (K-70)."""
    owed: tuple[int, ...] = ()
    """Number of Pflichtsoli that every seat still owes, in the table's seat order (K-69)."""


def sayings() -> tuple[str, ...]:
    """Return every saying of Doppelkopf (events.md#sayings); `armut-zurueck:` takes a number."""
    return (
        "gesund",
        "vorbehalt",
        "hochzeit",
        *(f"hochzeit:{kind}" for kind in HOCHZEITEN),
        *(f"solo:{kind}" for kind in SOLI),
        *(f"pflichtsolo:{kind}" for kind in SOLI),
        "armut",
        "armut-nehmen",
        *(f"armut-zurueck:{number}" for number in range(13)),
        "schmeissen",
        "schweinchen",
        *ANSAGEN,
        *ABSAGEN,
    )


SAYINGS: frozenset[str] = frozenset(sayings())
