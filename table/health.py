"""Health of the table as a value for page and doctor: camera, sight, light, mat, board, pins, rules …"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from table.catalogue import Fact

HealthPart = Literal["camera", "sight", "light", "mat", "board", "pins", "journal", "rules"]

PARTS: tuple[HealthPart, ...] = (
    "camera",
    "sight",
    "light",
    "mat",
    "board",
    "pins",
    "journal",
    "rules",
)

QUIET = ("fine", "none", "starting", "learning", "ended")
"""States that need nobody's attention."""


@dataclass(frozen=True, slots=True)
class State:
    """`what` is a catalogue key, `detail` the fact of the error behind it, `since` seconds since 1970."""

    what: str
    detail: Fact | None = None
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Health:
    """One state for each part.

    camera: starting, learning (pictures of deck or dice), fine, lost (unplugged or stalled), blind (its
    picture does not show the table), ended (the film is over), unread (there is no deck with which to read
    its picture), safe (left alone after failed starts), unfit (left alone: the settings cannot be used),
    none. sight: fine, or why the camera's picture is unlike the table: covered, dark, frozen, moved, gone;
    starting while the demo lays another table. light: fine, poor. mat: fine, covered (something large lies
    over cards and hides what is played under it). board: none, starting, fine, lost. pins: none, fine,
    missing (the table file names pins that cannot be used). journal: fine, mended (it was damaged; the
    detail says what is lost), apart (it cannot be opened; the game is kept in memory), stuck. rules: fine,
    refused (something seen does not fit this game and was not noted), stuck (the rules failed on an event,
    which is kept and skipped).
    """

    camera: State = field(default=State("starting"))
    sight: State = field(default=State("fine"))
    light: State = field(default=State("fine"))
    mat: State = field(default=State("fine"))
    board: State = field(default=State("none"))
    pins: State = field(default=State("none"))
    journal: State = field(default=State("fine"))
    rules: State = field(default=State("fine"))

    def now(self, part: HealthPart, what: str, wall: float, detail: Fact | None = None) -> Health:
        """The health with one part changed; the same object if nothing changed."""
        old: State = getattr(self, part)
        if (old.what, old.detail) == (what, detail):
            return self
        since = old.since if old.what == what else wall
        return replace(self, **{part: State(what, detail, since)})

    @property
    def sightless(self) -> bool:
        """Whether the table sees nothing: no working camera, or a picture unlike the table."""
        if self.camera.what == "learning":
            return True
        return any(state.what not in QUIET for state in (self.camera, self.sight))

    def troubles(self) -> tuple[tuple[HealthPart, State], ...]:
        """The parts that need somebody's attention, in the order of PARTS."""
        states: list[tuple[HealthPart, State]] = [(part, getattr(self, part)) for part in PARTS]
        return tuple((part, state) for part, state in states if state.what not in QUIET)
