"""The games the house knows, behind one small form: what the referee needs to open and to end them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, Self

from table.rules.doppelkopf import DOPPELKOPF
from table.rules.doppelx import DOPPELX
from table.rules.dubbe import DUBBE
from table.rules.dulle import DULLE
from table.rules.events import Event
from table.rules.klapperjas import KLAPPERJAS
from table.rules.sayings import Saying
from table.rules.setup import Option, Setup
from table.rules.tricks import TrickRound
from table.rules.view import Doubt, Finding


class Round(Protocol):
    """One round of any game, folded event by event."""

    over: bool
    broken_off: bool
    closed: bool
    dealer: str
    seats: tuple[str, ...]
    seen: dict[str, int]

    @property
    def findings(self) -> list[Finding]:
        """What is proven so far, in the order of the proofs."""

    def add(self, number: int, event: Event) -> None:
        """Fold one event; never refuse it."""

    def copy(self) -> Self:
        """Return an independent copy."""

    def doubts(self) -> tuple[Doubt, ...]:
        """Return what keeps the round open besides `unsure` cards."""

    def handed_on(self) -> Any:
        """Return what the next round must know of this one, as a value that can be compared."""

    def outcome(self) -> tuple[bool, tuple[str, ...]] | None:
        """Return (game over, who has won) where that hangs on who was first; None: the totals decide."""

    def points(self) -> dict[str, int]:
        """Return what the round has brought so far."""

    def ledger(self) -> dict[str, Any]:
        """Return the round as plain values."""

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what a seat (its number in `seats`) might say now, and until when."""

    def shown(self) -> dict[str, Any]:
        """Return the round's fields of the View."""


class Game(Protocol):
    """A game as data and a few decisions."""

    name: str
    presets: tuple[str, ...]
    options: tuple[Option, ...]
    players: tuple[int, ...]
    """How many may play."""
    colours: tuple[str, ...]
    """Where people are called after their dice: the colours to choose from; empty where they sit on seats."""

    def check_setup(self, setup: Setup) -> None:
        """Raise EventError when the game cannot be played so."""

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Raise EventError for options that contradict each other; `options` is complete."""

    def check_event(self, event: Event, setup: Setup) -> None:
        """Raise EventError for an event that this game cannot understand."""

    def pack(self, setup: Setup) -> dict[str, int]:
        """Return every card's name and how often it exists."""

    def hidden(self, setup: Setup) -> int:
        """Return how many cards of the pack nobody plays."""

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> Round:
        """Begin a round; `before` is what the last one handed on, None before the first."""

    def next_dealer(self, setup: Setup, before: Any) -> str | None:
        """Return who deals next; None where nobody deals."""

    def begins_round(self, event: Event) -> bool:
        """Tell whether, after a settled round, this event can only belong to the next one."""

    def finished(self, setup: Setup, complete: int, points: Mapping[str, int]) -> bool:
        """Tell whether the game is over after so many complete rounds."""

    def score_marks(self, setup: Setup, points: Mapping[str, int]) -> dict[str, Any]:
        """Return where the score's markers should lie, as fields of the View."""

    def winners(self, setup: Setup, points: Mapping[str, int]) -> tuple[str, ...]:
        """Return who has won, in seat order."""


class EngineGame(Game, Protocol):
    """A game of tricks: the engine can deal and play it."""

    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> TrickRound:
        """Begin a round; `before` is what the last one handed on, None before the first."""


TRICK_GAMES: dict[str, EngineGame] = {game.name: game for game in (DUBBE, DOPPELKOPF, DULLE, KLAPPERJAS)}
GAMES: dict[str, Game] = {**TRICK_GAMES, DOPPELX.name: DOPPELX}

ENDLESS = ("dulle", "doppelkopf")
"""Games without an end of their own: finished after every round, yet they may go on (events.md#results)."""
