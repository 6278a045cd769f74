"""The contents of a table file as plain values: layout, lamps, board, pins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from pathlib import Path

from firmware_bridge.messages import RGB
from table.errors import StammtischError
from vision.layout import Layout

CHARACTERS = ("aagewwer", "weschwieschmaennchen", "jammerlabbe", "jo-lossen", "gliggsridder")
"""The five Dubbe characters in the order of their printed die values (D-20)."""

LEAST_TAGS = 3
"""Smallest number of tags: with fewer, one hidden tag would suffice to lose the table."""


class SettingsError(StammtischError):
    """A table or settings file cannot be used; the text names file, place and remedy."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp on the chain: what it shows, and for whom.

    `shows` is character, trump, turn, finding, doubt or black (Dubbe's black die). `pip` (1..6) makes a
    character lamp one pip of the die's value; None lets a single lamp show colour and value.
    """

    index: int
    shows: str
    seat: str | None = None
    character: str | None = None
    pip: int | None = None
    name: str | None = None
    place_mm: tuple[float, float] | None = None
    """Where the camera saw the lamp."""

    @property
    def title(self) -> str:
        """The lamp's own name, or what it shows and for whom, such as `S1 turn`."""
        parts = (self.seat, self.character, None if self.character else self.shows)
        return self.name or " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Brightness:
    """How bright the lamps are by day, in the evening and at night (shares as the eye perceives them).

    The clock changes the brightness at the given times; a button at any time, until the clock's next change.
    """

    day: float = 1.0
    evening: float = 0.7
    night: float = 0.45
    day_from: time | None = None
    evening_from: time | None = None
    night_from: time | None = None

    def by_clock(self, now: time) -> str:
        """`day`, `evening` or `night`; always `day` if no time is given."""
        given = [("day", self.day_from), ("evening", self.evening_from), ("night", self.night_from)]
        begun = sorted((begins, name) for name, begins in given if begins is not None)
        before = [name for begins, name in begun if begins <= now]
        return before[-1] if before else begun[-1][1] if begun else "day"

    def share(self, name: str) -> float:
        """The share of light for `day`, `evening` or `night`."""
        return {"day": self.day, "evening": self.evening, "night": self.night}[name]


@dataclass(frozen=True, slots=True)
class LampPlan:
    """What each lamp of the chain shows; `limit_ma` is what the power supply delivers.

    `signs` gives each colour a blinking sign in addition to its hue.
    """

    lamps: tuple[Lamp, ...]
    count: int
    limit_ma: int = 2000
    signs: bool = False
    brightness: Brightness = Brightness()
    order: str = "GRB"
    """Order in which the strip takes its colours."""

    def on_wire(self, picture: Sequence[RGB]) -> tuple[RGB, ...]:
        """The colours to send so that the strip shows the picture, as the board sends green, red, blue."""
        if self.order == "GRB":
            return tuple(picture)
        second, first, third = ("RGB".index(self.order[at]) for at in (1, 0, 2))
        return tuple((rgb[second], rgb[first], rgb[third]) for rgb in picture)


@dataclass(frozen=True, slots=True)
class Button:
    """A push button: `does` is undo, go-on, brightness or say (`what` for `seat`).

    `pin` is a BCM number of the computer, or 0 to 3 for D2 to D5 of the lamp board.
    """

    pin: int
    does: str
    seat: str | None = None
    what: str | None = None


BOARD_BUTTONS = (Button(0, "undo"), Button(1, "go-on"), Button(2, "brightness"))
"""What the lamp board's buttons do by default."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where the lamp board is connected (port "auto" searches for it), and what its buttons do."""

    port: str = "auto"
    buttons: tuple[Button, ...] = BOARD_BUTTONS


@dataclass(frozen=True, slots=True)
class PinPlan:
    """What is connected to the pins of a Raspberry Pi; the pin `leds[i]` shows lamp `i` of `led_plan`."""

    buttons: tuple[Button, ...] = ()
    leds: tuple[int, ...] = ()
    led_plan: LampPlan = LampPlan((), 0)
    camera_light: int | None = None
    brightness: float = 1.0
    board_reset: int | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is connected."""
        return not self.buttons and not self.leds and self.camera_light is None and self.board_reset is None


@dataclass(frozen=True, slots=True)
class TableFile:
    """The contents of one table file."""

    layout: Layout
    lamps: LampPlan
    board: BoardPlace
    pins: PinPlan
    path: Path


def default_lamps(seats: tuple[str, ...]) -> LampPlan:
    """The default lamps: trump, doubt, then for each seat five characters, turn, finding.

    A dice box has no seats and no trump: it has a turn lamp for the next thrower, and doubt.
    """
    lamps = [Lamp(0, "trump" if seats else "turn"), Lamp(1, "doubt")]
    for seat in seats:
        for character in CHARACTERS:
            lamps.append(Lamp(len(lamps), "character", seat, character))
        lamps.append(Lamp(len(lamps), "turn", seat))
        lamps.append(Lamp(len(lamps), "finding", seat))
    return LampPlan(tuple(lamps), len(lamps))


def box_lamps(players: Sequence[str]) -> LampPlan:
    """The default lamps of a dice box during a game: next thrower, doubt, then each player's turn."""
    usual = default_lamps(())
    turns = [Lamp(at, "turn", player) for at, player in enumerate(players, usual.count)]
    return LampPlan((*usual.lamps, *turns), usual.count + len(turns))
