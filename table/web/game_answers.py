"""The forms of answers about games: those that are kept, and those that can be played here."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from table.catalogue import Fact, Language
from table.web.answers import LoggedEvent


class KeptGame(msgspec.Struct):
    """A game of the journal; `began` and `ended` in seconds since 1970, `open` = doubts nobody settled."""

    game: int
    began: float
    ended: float
    kind: str | None
    seats: list[str]
    players: list[str]
    rounds: int
    points: dict[str, int]
    winners: list[str]
    open: int
    boxed: bool
    title: str


class GamesKept(msgspec.Struct):
    """Games, newest first; `running` is the one that is played now."""

    running: int | None
    games: list[KeptGame]
    left_out: int


class GameStep(LoggedEvent, omit_defaults=True):
    """A line at which a replay stops; `crop` names the event that the picture belongs to."""

    crop: int | msgspec.UnsetType = msgspec.UNSET


class GameSteps(msgspec.Struct):
    """Lines of a game, oldest first."""

    game: int
    newest: int
    steps: list[GameStep]
    left_out: int


class GamePreset(msgspec.Struct):
    """A set of rules that has a name."""

    name: str
    title: str
    options: dict[str, Any]


class GameOption(msgspec.Struct):
    """A rule that a house may choose (`table.web.games`)."""

    name: str
    rule: str
    form: Literal["switch", "one", "some", "number", "table"]
    choices: list[Any]
    default: Any
    words: dict[Language, str]
    called: dict[Language, list[str]]
    most: int | msgspec.UnsetType | None = msgspec.UNSET
    """For a number: its greatest value, or null for a number from 1 without one."""


class GameOffered(msgspec.Struct):
    """A game, and why it cannot be played here, or null."""

    name: str
    players: list[int]
    colours: list[str]
    rounds: bool
    why_not: Fact | None
    presets: list[GamePreset]
    options: list[GameOption]


class GamesOffered(msgspec.Struct):
    """What can be played at this table."""

    seats: list[str]
    games: list[GameOffered]
