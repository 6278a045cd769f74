"""What a seat may say now, and until when: what the rules allow, from public knowledge (G-14).

A game names what might be said (`TrickGame.may_say`); only what its own fold accepts without a finding and
without a remark is offered. Hands are hidden: a seat that is offered Re need not hold a Kreuz Dame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, Self

from table.rules.events import Event
from table.rules.view import Finding

NOW = "now"
"""The table waits for it."""
FIRST_CARD = "first_card"
"""Until the first card of the round falls."""
OWN_CARD = "own_card"
"""Until the seat plays its `n`th card."""
OWN_LEAD = "own_lead"
"""Until the seat leads its `n`th trick."""
PAIR = "pair"
"""With the first of the two cards, or a little after."""
THROW = "throw"
"""Until the next throw."""
ROUND = "round"
"""As long as the round is played."""

_TRIAL = 1 << 62
"""Id of an event that is only tried."""


@dataclass(frozen=True, slots=True)
class Saying:
    """Something that may be said: the word of the `say` event, and until when, in the rules' own terms."""

    what: str
    until: str
    n: int | None = None
    """Which card or lead of the seat, where `until` counts them; 1 is the first."""
    seated: bool = True
    """Whether the event names the seat; False where everybody may say the same (DoppelX)."""

    def event(self, seat: str) -> Event:
        """Return the table event to write when this seat says it."""
        return Event("say", {**({"seat": seat} if self.seated else {}), "what": self.what})


class Tried(Protocol):
    """A round on which a word can be tried."""

    @property
    def findings(self) -> list[Finding]:
        """What is proven so far."""

    def add(self, number: int, event: Event) -> None:
        """Fold one event."""

    def copy(self) -> Self:
        """Return an independent copy."""


_RECORDS = frozenset({"evidence", "log", "last_said"})
"""Fields that only record that something was said: a word that changes nothing else is not accepted."""


def accepted(opened: Tried, seat: str, sayings: Iterable[Saying]) -> tuple[Saying, ...]:
    """Keep the words, each once, that change the round's fold and bring no finding or remark."""
    once = {saying.what: saying for saying in reversed([*sayings])}
    return tuple(saying for saying in reversed(once.values()) if _takes(opened, saying.event(seat)))


def _takes(opened: Tried, event: Event) -> bool:
    twin = opened.copy()
    twin.add(_TRIAL, event.numbered(_TRIAL))
    before, after = vars(opened), vars(twin)
    if twin.findings != opened.findings or after.get("remarks") != before.get("remarks"):
        return False
    return any(after[name] != value for name, value in before.items() if name not in _RECORDS)
