"""A table driven in its own verbs: a test plays, waits, looks at lamps and points, and moves the time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware_bridge.lamps import RGB
from firmware_bridge.link import Link
from firmware_bridge.messages import ResetCause
from firmware_bridge.transports.loopback import Loopback, VirtualBoard
from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.rules.events import Event
from table.session import Session
from table.settings import TableFile, read_table
from table.web.state import state
from vision.layout import Point
from vision.sightings import (
    CardDown,
    CardsGone,
    CardsTouched,
    DieDown,
    Guess,
    HandSeen,
    LightFine,
    LightPoor,
    Sighting,
)

TABLES = Path(__file__).parents[2] / "hardware" / "tables"
NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Elke")


class PubTable:
    """Passes sightings through interpreter, journal, rules, lamps and wire to a board in memory."""

    def __init__(self, folder: Path, seats: int, **options: Any) -> None:
        self.file: TableFile = read_table(TABLES / f"mat-{seats}-A2.toml")
        self._path = folder / "evening.sqlite"
        self._now = 1000.0
        self._keys: list[int] = []
        self._key = 0
        self.board = VirtualBoard(self.file.lamps.count, now_s=self._now)
        self._wire = Loopback(self.board, clock=lambda: self._now)
        self._link = Link(lambda: self._wire, clock=lambda: self._now, budget_ma=self.file.lamps.limit_ma)
        self._open()
        names = [seat.name for seat in self.file.layout.seats]
        game = {"kind": "game", "game": "dubbe", "options": options, "seats": names}
        dealt = {"kind": "round", "dealer": names[-1]}
        self.session.begin(
            [Event.from_dict({**game, "players": list(NAMES[:seats])}), Event.from_dict(dealt)]
        )
        self.wait(0)

    def _open(self) -> None:
        self.journal = Journal.open(self._path)
        self.session = Session(self.journal, clock=lambda: self._now)
        interpreter = Interpreter(self.file.layout)
        self.live = Table(self.session, interpreter, self.file.lamps, clock=lambda: self._now)

    # --- what people do ------------------------------------------------------------------------------

    def play(self, card: str, seat: str) -> None:
        """A card comes to rest before a seat."""
        self._see(self._down((Guess(card, 0.97),), True, seat))

    def play_unclear(self, seat: str, *candidates: tuple[str, float]) -> None:
        """A card comes to rest and the eye is unsure of it."""
        self._see(self._down(tuple(Guess(*c) for c in candidates), False, seat))

    def lay_die(self, colour: str, value: int, spot: str) -> None:
        """A die comes to rest on a character's spot."""
        self._see(DieDown(self._now, colour, value, spot, self._spot(spot), 0.99))

    def collect(self, seat: str) -> None:
        """A hand takes the cards away."""
        keys, self._keys = tuple(self._keys), []
        self._see(CardsGone(self._now, keys, seat))

    def touch(self, seat: str) -> None:
        """A hand lies on the cards and withdraws."""
        self._see(CardsTouched(self._now, tuple(self._keys), seat))

    def reach_over(self, seat: str) -> None:
        """A hand comes in and withdraws without changing anything."""
        self._see(HandSeen(self._now, self._now + 0.5, seat))

    def dim_the_light(self) -> None:
        """It gets too dark to read cards."""
        self._see(LightPoor(self._now, "too dark"))

    def light_the_lamp(self) -> None:
        """There is enough light again."""
        self._see(LightFine(self._now))

    def tap(self, event: int, card: str | None, seat: str | None = None) -> None:
        """Somebody corrects an event on the page; None: it never happened."""
        right = None if card is None else Event("card", {"seat": seat, "card": card})
        self.session.correct(event, right)
        self.wait(0)

    def say(self, seat: str, what: str) -> None:
        """Somebody enters on the page what was said."""
        self.session.say(seat, what)
        self.wait(0)

    def undo(self) -> None:
        """Somebody taps undo."""
        self.session.undo()
        self.wait(0)

    def pull_the_plug(self) -> None:
        """Table, lamps and page lose power, and it comes back."""
        self.journal.close()
        self.board.reset(ResetCause.POWER, self._now)
        self._open()
        assert self.session.resume(), "the game is gone"
        self.wait(0)

    def freeze(self, seconds: float) -> None:
        """The computer hangs, sends nothing to the board, then continues."""
        self._now += seconds
        self.board.tick(self._now)

    def wait(self, seconds: float) -> None:
        """Let time pass in steps of the table's own redraw."""
        end = self._now + seconds
        while True:
            self.live.tick()
            self._link.show(self.live.lamps())
            if self._now >= end:
                return
            self._now = min(end, self._now + 0.1)

    # --- what people see -----------------------------------------------------------------------------

    def lamp(self, shows: str, seat: str | None = None, character: str | None = None) -> RGB:
        """The colour that the board shows at a lamp."""
        for lamp in self.file.lamps.lamps:
            if (lamp.shows, lamp.seat, lamp.character) == (shows, seat, character):
                return self.board.shown[-1][1][lamp.index]
        raise AssertionError(f"this table has no lamp for {shows} {seat} {character}")

    def blinks(self, *lamp: str) -> bool:
        """Whether a lamp changes within the next second."""
        seen = set()
        for _ in range(10):
            seen.add(self.lamp(*lamp))
            self.wait(0.1)
        return len(seen) > 1

    @property
    def points(self) -> dict[str, int]:
        """The points shown on the page."""
        return dict(self.page["view"]["points"])

    @property
    def trick(self) -> list[str | None]:
        """The cards of the trick shown on the page."""
        return [played["card"] for played in self.page["view"]["trick"]]

    @property
    def findings(self) -> list[tuple[str, str]]:
        """The findings shown on the page: what and who."""
        return [(f["finding"], f["seat"]) for f in self.page["view"]["findings"]]

    @property
    def page(self) -> dict[str, Any]:
        """The state sent to the page."""
        return state(self.live, "de")

    # --- inside --------------------------------------------------------------------------------------

    def _see(self, sighting: Sighting) -> None:
        self.live.hear(sighting)
        self.wait(0.3)

    def _down(self, guesses: tuple[Guess, ...], sure: bool, seat: str) -> CardDown:
        self._key += 1
        self._keys.append(self._key)
        place = next(s for s in self.file.layout.seats if s.name == seat)
        x, y = (sum(p[i] for p in place.zone_mm) / len(place.zone_mm) for i in (0, 1))
        corners = ((x - 29, y - 45), (x + 29, y - 45), (x + 29, y + 45), (x - 29, y + 45))
        return CardDown(self._now, self._key, guesses, sure, corners, seat, seat)

    def _spot(self, name: str) -> Point:
        return next(s.center_mm for s in self.file.layout.spots if s.name == name)
