"""The structs of answers about games: those in the journal, and those that can be played here."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from table.catalogue import Fact, Language
from table.web.answers import LoggedEvent


class KeptGame(msgspec.Struct):
    """A game of the journal; `began` and `ended` in seconds since 1970, `open` = number of open doubts."""

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
    """A line at which a replay stops; `crop`: the id under which its picture is found."""

    crop: int | msgspec.UnsetType = msgspec.UNSET


class GameSteps(msgspec.Struct):
    """Lines of a game, oldest first."""

    game: int
    newest: int
    steps: list[GameStep]
    left_out: int


class GamePreset(msgspec.Struct):
    """A named set of rules."""

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
    """For a number: its greatest value, or null for a number from 1 without a limit."""


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
