"""The structs of the answers at `/api/setup`; `answers` has those of all other addresses."""

from __future__ import annotations

from typing import Any

import msgspec

from table.web.answers import CheckupTold


class SetupLamp(msgspec.Struct):
    """One lamp of the chain: what it shows (`none`: nothing), for which seat and character."""

    index: int
    shows: str
    seat: str | None
    character: str | None


class SetupGame(msgspec.Struct):
    """A game for which a deck can be learnt, and its number of different cards."""

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
    """The deck that is being learnt.

    `phase` is ground, cards, learning or learnt; `alike` the doubtful pairs with the share of their ink that
    differs; `doubted` the cards that look more like one of another rank or suit, each with that one;
    `unchecked` whether some cards could not be compared with each other.
    """

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
    """The lens that is being measured; errors and `reached` are null until it has been.

    Not `reached`: the sheet never came near the picture's corners, so the lens is a guess there.
    """

    views: int
    wanted: int
    seen: bool
    error_px: float | None
    error_mm: float | None
    reached: bool | None


class SetupAnswer(msgspec.Struct):
    """How far the table is set up. `keeps`: a deck can be stored; `measures`: lens and corners can."""

    keeps: bool
    measures: bool
    camera: bool
    board: str
    lamps: list[SetupLamp]
    games: list[SetupGame]
    lens: SetupLens | None
    deck: SetupDeck | None


class SetupDone(msgspec.Struct):
    """The progress after a step; `kept` is the file that was written."""

    now: SetupAnswer
    kept: str | None


class SetupPlace(msgspec.Struct):
    """The quality of the camera's picture, and the table in it.

    `corners` of the table are shares of the picture's sides, clockwise from the upper left; `tags` are those
    seen, `of` is their total number; `error_mm` is null if none is seen.
    """

    checks: list[CheckupTold]
    corners: list[tuple[float, float]]
    tags: list[int]
    of: int
    error_mm: float | None
    by_hand: bool
