"""The forms of what `/api/setup` answers, as `answers` has those of all else."""

from __future__ import annotations

from typing import Any

import msgspec

from table.web.answers import CheckupTold


class SetupLamp(msgspec.Struct):
    """One lamp of the chain: what it shows, for which seat and character; `none`: nothing."""

    index: int
    shows: str
    seat: str | None
    character: str | None


class SetupGame(msgspec.Struct):
    """A game for which a deck can be learnt, and how many different cards it has."""

    name: str
    title: str
    cards: int


class SetupShown(msgspec.Struct):
    """The result of the card that was last laid; `again`: it was learnt before."""

    name: str
    again: bool


class SetupRefused(msgspec.Struct):
    """A card that could not be learnt, and why, as `{code, args}`."""

    card: str
    why: dict[str, Any]


class SetupDeck(msgspec.Struct):
    """The deck that is being learnt: `phase` is ground, cards, learning or learnt; `alike` the doubtful pairs
    with the share of their ink that differs, `doubted` cards that look rather like another of another rank or
    suit, `unchecked` whether no print told which name is right of some."""

    game: str
    phase: str
    asked: str | None
    learnt: list[str]
    missing: int
    last: SetupShown | None
    alike: list[tuple[str, str, float]]
    refused: list[SetupRefused]
    doubted: list[tuple[str, str]]
    unchecked: bool


class SetupLens(msgspec.Struct):
    """The lens that is being measured; errors and `reached` are null until it is. Not `reached`: the sheet
    never came near the picture's corners, the lens is guessed there."""

    views: int
    wanted: int
    seen: bool
    error_px: float | None
    error_mm: float | None
    reached: bool | None


class SetupAnswer(msgspec.Struct):
    """How far the table is set up. `keeps`: a deck is kept here, `measures`: lens and corners are."""

    keeps: bool
    measures: bool
    camera: bool
    board: str
    lamps: list[SetupLamp]
    games: list[SetupGame]
    lens: SetupLens | None
    deck: SetupDeck | None


class SetupDone(msgspec.Struct):
    """How far it is then; `kept` is the file that was written."""

    now: SetupAnswer
    kept: str | None


class SetupPlace(msgspec.Struct):
    """What the camera's picture is like. `corners` of the table are shares of its sides, clockwise from the
    upper left; `tags` are seen, `of` there; `error_mm` is null where none is."""

    checks: list[CheckupTold]
    corners: list[tuple[float, float]]
    tags: list[int]
    of: int
    error_mm: float | None
    by_hand: bool
