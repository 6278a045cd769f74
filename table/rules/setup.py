"""What a game is played with: who sits where, which preset, which options; options are typed data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from table.catalogue import Fact, fact
from table.rules.events import EventError, nearest

SWITCH: tuple[Any, ...] = (True, False)
_ON_OFF: dict[Any, bool] = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: its name, what it may be, and the line of RULES.md that it belongs to.

    `choices` None means a whole number from 1, or None ("not agreed", which TOML can only say as `"none"`).
    """

    name: str
    rule: str
    default: Any
    choices: tuple[Any, ...] | None
    most: ClassVar[int | None] = None
    """The greatest value of a numeric option that has a limit; such an option may also be 0."""

    def read(self, value: Any) -> Any:
        """Return the value in its own type. Raises EventError that says what it may be."""
        if self.choices is None:
            if value is None or value == "none":
                return None
            if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
                return value
            raise EventError(self.wrong(value, fact("remedy.whole-or-none")))
        if self.choices == SWITCH:
            value = _ON_OFF.get(value, value) if isinstance(value, str) else value
            if isinstance(value, bool):
                return value
            raise EventError(self.wrong(value, fact("remedy.switch")))
        for choice in self.choices:
            if str(choice) == str(value) and not isinstance(value, bool):
                return choice
        raise EventError(self.wrong(value, fact("remedy.choices", choices=either(map(str, self.choices)))))

    def wrong(self, value: Any, remedy: Fact) -> Fact:
        """Return the message for a value that the option cannot have."""
        return fact("opening.option", option=self.name, value=repr(value), remedy=remedy)


def either(names: Iterable[str]) -> Fact:
    """Return "this or that" for some names."""
    first, *more = names
    told = fact("either.one", name=first)
    for name in more:
        told = fact("either.or", this=told, that=name)
    return told


def read_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Check given options; return only those given. Raises EventError for an unknown one."""
    by_name = {option.name: option for option in options}
    for name in given:
        if name not in by_name:
            raise EventError(fact("opening.option.none", option=name, remedy=nearest(name, by_name)))
    return {name: by_name[name].read(value) for name, value in given.items()}


@dataclass(frozen=True, slots=True)
class Setup:
    """A game as its `game` event opens it; `options` is complete (defaults, preset, then the log's own)."""

    game: str
    preset: str
    seats: tuple[str, ...]
    players: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    """Everything else in the game line (DoppelX: `field`, `bets`), as it was given."""
