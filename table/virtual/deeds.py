"""What players do at the table, one deed after another, and what lies there before."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.rules.events import Event


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on the table: dice (colour, value) by spot, open trick (seat, card), pile in cards."""

    dice: dict[str, tuple[str, int]] = field(default_factory=dict)
    cards: tuple[tuple[str, str], ...] = ()
    pile: int = 0


@dataclass(frozen=True, slots=True)
class LayCard:
    """A player lays a card."""

    seat: str
    card: str


@dataclass(frozen=True, slots=True)
class LayDie:
    """A player lays a die of this colour on a spot with this value up, or turns the one that lies there."""

    seat: str
    colour: str
    value: int
    spot: str


@dataclass(frozen=True, slots=True)
class TakeTrick:
    """A player takes the trick and lays it face down on the pile."""

    seat: str


@dataclass(frozen=True, slots=True)
class ClearTable:
    """The dealer takes the pile, and what still lies open, and lays out the dice."""

    seat: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing happens for a while."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Tell:
    """A player says something: a table event that no camera sees. No hand moves in the meantime."""

    event: Event


Deed = LayCard | LayDie | TakeTrick | ClearTable | Wait | Tell
