"""What a game declares about itself: to the referee, what is played; to house, page and demo, how.

    game = GAMES["dubbe"]
    game.title, game.kinds, game.sayings(view)

A game subclasses `Game` (a trick game `EngineGame`) and implements what is abstract; the rest has a default.
Code outside a game's own package never asks for the game's name; it asks the game object.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, ClassVar, Protocol, Self

from table.catalogue import fact
from table.rules.events import Event, EventError, nearest
from table.rules.sayings import Saying
from table.rules.setup import Option, Setup
from table.rules.story import Story
from table.rules.tricks import DealtHands, TrickRound
from table.rules.view import Doubt, Finding, View

CARD_KINDS = ("card", "say", "collected", "touch", "round", "end")
"""Kinds of events that people may report in any trick game."""


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

    @property
    def odd(self) -> int:
        """How irregular the round is; 0 while all is in order."""

    def add(self, number: int, event: Event) -> None:
        """Fold one event; never refuse it."""

    def copy(self) -> Self:
        """Return an independent copy."""

    def doubts(self) -> tuple[Doubt, ...]:
        """Return what keeps the round open besides `unsure` cards."""

    def handed_on(self) -> Any:
        """Return what the next round must know about this one, as a value that can be compared."""

    def outcome(self) -> tuple[bool, tuple[str, ...]] | None:
        """Return (game over, winners) where that depends on who was first; None where the totals decide."""

    def points(self) -> dict[str, int]:
        """Return each seat's points from this round so far."""

    def ledger(self) -> dict[str, Any]:
        """Return the round as plain values."""

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what a seat (its number in `seats`) might say now, and until when."""

    def shown(self) -> dict[str, Any]:
        """Return the round's fields of the View."""


class Game(ABC):
    """A game as data and a few decisions."""

    name: ClassVar[str]
    title: ClassVar[str]
    """The name that people use; the same in every language."""
    presets: ClassVar[tuple[str, ...]]
    """Names of its house rules; the first is the usual one."""
    preset_folder: ClassVar[Traversable] = files("table.rules") / "presets"
    """The folder that holds them, each as `NAME.toml`."""
    options: ClassVar[tuple[Option, ...]]
    players: ClassVar[tuple[int, ...]]
    """How many may play."""

    # What the referee asks --------------------------------------------------------------------------------

    @abstractmethod
    def check_setup(self, setup: Setup) -> None:
        """Raise EventError when the game cannot be played with this setup."""

    def check_options(self, options: Mapping[str, Any]) -> None:  # noqa: B027
        """Raise EventError for options that contradict each other; `options` is complete."""

    @abstractmethod
    def check_event(self, event: Event, setup: Setup) -> None:
        """Raise EventError for an event that this game cannot understand."""

    @abstractmethod
    def pack(self, setup: Setup) -> dict[str, int]:
        """Return every card name with its number of copies."""

    def hidden(self, setup: Setup) -> int:
        """Return the number of cards of the pack that nobody plays."""
        return 0

    @abstractmethod
    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> Round:
        """Begin a round; `before` is what the last one passed on, None before the first."""

    @abstractmethod
    def next_dealer(self, setup: Setup, before: Any) -> str | None:
        """Return who deals next; None where nobody deals."""

    def is_dealer_sure(self, setup: Setup, before: Any) -> bool:
        """Return whether every group agrees who `next_dealer` is."""
        return True

    @abstractmethod
    def begins_round(self, event: Event) -> bool:
        """Return whether, after a settled round, this event can only belong to the next one."""

    @abstractmethod
    def finished(self, setup: Setup, complete: int, points: Mapping[str, int]) -> bool:
        """Return whether the game is over after this number of complete rounds."""

    def score_marks(self, setup: Setup, points: Mapping[str, int]) -> dict[str, Any]:
        """Return where the score's markers should lie, as fields of the View."""
        return {}

    def winners(self, setup: Setup, points: Mapping[str, int]) -> tuple[str, ...]:
        """Return who has won, in seat order: those with the most points."""
        return tuple(seat for seat in setup.seats if points[seat] == max(points.values()))

    # What house, page and demo ask ------------------------------------------------------------------------

    kinds: ClassVar[tuple[str, ...]] = CARD_KINDS
    """Kinds of events that people may report (events.md#kinds)."""
    boxed: ClassVar[bool] = False
    """Whether it is played with dice in a box and players are named after them; else with cards on a mat."""
    colours: ClassVar[tuple[str, ...]] = ()
    """The colours to choose from where players are named after their dice; empty where they have seats."""
    character_dice: ClassVar[bool] = False
    """Whether coloured dice lie on the mat's marked places and are moved in play."""
    pieces: ClassVar[tuple[str, ...]] = ()
    """What its booklet prints in addition to rules, mat and trays: `deck`, `dice`, `figures`, `tiles`."""
    mat_row: ClassVar[tuple[str, ...]] = ()
    """What its mat shows: the trumps of the usual game from the highest down, or suits by a single letter;
    empty where there is no trump."""
    endless: ClassVar[bool] = False
    """Whether it is finished after every round, yet lasts until somebody ends it (events.md#results)."""
    left_leads: ClassVar[bool] = False
    """Whether the dealer's left neighbour always leads, whatever happened before."""
    story: ClassVar[type[Story]] = Story
    """The class that puts a result into words."""

    def sayings(self, view: View) -> tuple[str, ...]:
        """Return every saying of this game (events.md#sayings), in the order in which to offer them."""
        return ()

    def playing(self, seats: Sequence[str]) -> Sequence[str]:
        """Return who plays a round; `seats` are all, clockwise from the dealer's left, the dealer last."""
        return seats

    def usual_options(self, players: int) -> dict[str, Any]:
        """Return the options that a demo with this many players adds to the usual house rules."""
        return {}


class EngineGame(Game):
    """A trick game: the engine can deal and play it."""

    def check_setup(self, setup: Setup) -> None:
        """Check the number of seats against `players`. Raises EventError."""
        if (n := len(setup.seats)) in self.players:
            return
        if len(self.players) == 1:
            raise EventError(fact("opening.exactly", game=self.title, right=self.players[0], n=n))
        least, most = min(self.players), max(self.players)
        raise EventError(fact("opening.range", game=self.title, least=least, most=most, n=n))

    def check_event(self, event: Event, setup: Setup) -> None:
        """Refuse every `say`: a game without sayings needs no more. Raises EventError."""
        self.check_said(event, ())

    def check_said(self, event: Event, known: Collection[str]) -> None:
        """Check that a `say` uses one of the `known` words. Raises EventError."""
        if event.kind != "say" or (what := str(event.get("what"))) in known:
            return
        if not known:
            raise EventError(fact("rules.says.nothing", what=what, game=self.title))
        raise EventError(fact("rules.says", what=what, game=self.title, remedy=nearest(what, known)))

    @abstractmethod
    def open_round(self, setup: Setup, number: int, event: Event, before: Any) -> TrickRound:
        """Begin a round; `before` is what the last one passed on, None before the first."""

    def next_dealer(self, setup: Setup, before: Any) -> str:
        """Return the seat after `before`, the last dealer; before the first round (None) the last seat."""
        seats = setup.seats
        return seats[-1] if before is None else seats[(seats.index(before) + 1) % len(seats)]

    def begins_round(self, event: Event) -> bool:
        """Return whether, after a settled round, this event can only belong to the next one: a card."""
        return event.kind in ("card", "unsure")

    def finished(self, setup: Setup, complete: int, points: Mapping[str, int]) -> bool:
        """Return whether any round is complete: without an agreed end each complete round may be the last."""
        return complete > 0

    def choose(self, opened: Any, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
        """Choose one of a seat's legal `moves`, as the house's own player does.

        `hands` are all hands in seat order; a fair player looks only at his own.
        """
        return moves[0]
