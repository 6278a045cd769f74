"""Cards as small numbers: a family of cards has an order, and sets of cards are bit masks over it.

Everything that is decided often (follow classes, who wins, what may be played) is looked up in tables
by these numbers; names (`green-11`, `CQ`) are used only at the edges.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

COLOURS: tuple[str, ...] = ("blue", "brown", "yellow", "green", "red")
"""Dubbe's card colours (D-01)."""
SUITS: tuple[str, ...] = ("C", "S", "H", "D")
"""Kreuz, Pik, Herz, Karo."""
RANKS: tuple[str, ...] = ("7", "8", "9", "T", "J", "Q", "K", "A")


@dataclass(frozen=True)
class Family:
    """All cards of one kind that a table could ever see, including those that a game leaves in the box."""

    names: tuple[str, ...]
    number: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", {name: i for i, name in enumerate(self.names)})

    def mask(self, names: Iterable[str]) -> int:
        """Return the set of these cards as bits."""
        bits = 0
        for name in names:
            bits |= 1 << self.number[name]
        return bits

    def listed(self, bits: int) -> list[str]:
        """Return the names in a set, in the family's order."""
        return [name for i, name in enumerate(self.names) if bits >> i & 1]


DUBBE_CARDS = Family(tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, 16)))
"""75 cards, colour by colour, values 1 to 15 (D-01)."""
FRENCH_CARDS = Family(tuple(suit + rank for suit in SUITS for rank in RANKS))
"""32 names, suit by suit from 7 to ace."""

DIE_COLOURS: tuple[str, ...] = (
    *("blue", "green", "yellow", "red", "purple", "orange", "black", "pink", "brown"),
    "white",
)
"""Colours of dice (events.md#throws); the last one is DoppelX' neutral die."""
_NAMES = frozenset((*DUBBE_CARDS.names, *FRENCH_CARDS.names))
_EVERY: dict[str, str] = {name.casefold(): name for name in _NAMES}


def respelt(name: str) -> str | None:
    """Return the card that `name` misspells (`Blue 1`, `ca`); None: it is spelt right, or no card."""
    if name in _NAMES:
        return None
    return _EVERY.get("-".join(name.replace("_", " ").casefold().split()))
