"""The table without its threads: sightings go in, lamps, page and health come out.

Everything here belongs to one thread. `runtime` drives it in a house; tests drive it by hand.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from datetime import time as clock_time
from typing import Protocol

from firmware_bridge.lamps import RGB, dimmed
from firmware_bridge.status import LinkStatus
from table import markers
from table.catalogue import Fact, fact
from table.eye_words import light_told
from table.health import Health, HealthPart
from table.journal import JournalError
from table.jpeg import jpeg, preview
from table.rules.events import Event
from table.rules.view import View
from table.session import Session, SessionError
from table.settings import BOARD_BUTTONS, Button, LampPlan
from table.ties import in_turn
from vision.sightings import (
    CardDown,
    FieldClear,
    FieldCovered,
    LightFine,
    LightPoor,
    Picture,
    SightBack,
    Sighting,
    SightLost,
)

log = logging.getLogger(__name__)

REFUSED_S = 30.0
"""How long the page shows that the game refused something seen."""


class Interprets(Protocol):
    """`table.interpret.Interpreter`."""

    def hear(self, sighting: Sighting, view: View) -> Sequence[Event]:
        """Return what the sighting means in the current game."""

    def written(self, event: Event, number: int, game: int) -> None:
        """Note the number that an event of `hear` got in the game's journal."""

    def close(self) -> Sequence[Event]:
        """Return the events still outstanding; no further sighting will come."""


class HearsNothing:
    """An interpreter that ignores every sighting: the events come from elsewhere, or there is no game."""

    def hear(self, _sighting: Sighting, _view: View) -> Sequence[Event]:
        """Return no event."""
        return ()

    def written(self, _event: Event, number: int, game: int) -> None:
        """Ignore the number."""

    def close(self) -> Sequence[Event]:
        """Return no event."""
        return ()


LIT: RGB = (150, 150, 150)
"""Colour and brightness of a lamp that somebody tries out."""

TRIED_S = 60.0
"""How long a tried lamp shines at most; then the lamps show the game again."""


class Table:
    """The table without its threads: sightings in, lamps and page out. All its calls belong to one thread.

    Tests drive it by hand; `Runtime` drives it in a house.
    """

    def __init__(
        self,
        session: Session,
        interpreter: Interprets,
        plan: LampPlan | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.session = session
        self.plan = plan
        self.board_buttons: tuple[Button, ...] = BOARD_BUTTONS
        """What the lamp board's buttons do; `run` sets what the table file specifies."""
        self.health = Health()
        self.frame: Callable[[], Picture | None] = lambda: None
        """The newest camera frame, for a preview; None while there is none."""
        self.frames_hz: Callable[[], float | None] = lambda: None
        """Frames examined per second; None while unknown."""
        self.frames_seen: Callable[[], float | None] = lambda: None
        """Share 0..1 of the camera's frames that are examined; None for a camera that skips none."""
        self.link: Callable[[], LinkStatus | None] = lambda: None
        """Counters of the wire to the lamp board; None while there is no board."""
        self._tried: int | None = None
        self._tried_until = 0.0
        self._interpreter = interpreter
        self._clock = clock
        self._wall = wall
        self._heard: deque[Sighting] = deque()
        self._unwritten: deque[tuple[Event, bytes | None]] = deque()
        self._refused_until = 0.0
        self._chosen: tuple[str, str] | None = None
        """The brightness chosen by button, and the brightness that the clock called for at that time."""
        self._lying: Picture | None = None
        session.glimpse = self._glimpse
        self._watchers: list[Callable[[], None]] = []
        self._mended_in: tuple[object, ...] | None = None
        if session.lost is not None:
            self.ail("journal", "mended", session.lost)
        if session.apart is not None:
            self.ail("journal", "apart", session.apart)

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` whenever view or health may have changed."""
        self._watchers.append(watcher)
        self.session.listen(lambda _view: watcher())

    def hear(self, sighting: Sighting) -> None:
        """Take in one sighting: interpret it, write its events to the journal and fold them.

        While the journal cannot be written (disk full), sightings and events wait in order; `tick` retries.
        """
        match sighting:
            case LightPoor():
                self.ail("light", "poor", light_told(sighting))
            case LightFine():
                self.ail("light", "fine")
            case FieldCovered():
                self.ail("mat", "covered")
            case FieldClear():
                self.ail("mat", "fine")
            case SightLost():
                self.ail("sight", sighting.why)
            case SightBack():
                self.ail("sight", "fine")
        self._heard.append(sighting)
        self._write()
        if isinstance(sighting, CardDown):
            self._lying = self.frame()  # a card that the eye misses lies in the same picture

    def hear_all(self, sightings: Sequence[Sighting]) -> None:
        """Take in what was seen at the same time, in the order in which it is to be written."""
        for sighting in in_turn(sightings, self.session.view):
            self.hear(sighting)

    def rearrange(self, interpreter: Interprets, plan: LampPlan | None) -> None:
        """Switch to another table setup, which `interpreter` knows; earlier sightings are discarded.

        So are the last eye's reports on sight, light and mat: the new eye reports its own. If the last eye
        was blind at the end, that is still written down.
        """
        self._heard.clear()
        self._unwritten.clear()
        self._lying = None
        last, self._interpreter, self.plan = self._interpreter, interpreter, plan
        if self.session.game is not None:
            self._unwritten.extend((event, None) for event in last.close())
        self.ail("sight", "fine")
        self.ail("light", "fine")
        self.ail("mat", "fine")
        self._write()

    def close(self) -> None:
        """Write the interpreter's outstanding events; no further sighting will come."""
        self._unwritten.extend((event, None) for event in self._interpreter.close())
        self._write()

    def tick(self) -> None:
        """Do what is due; call about every `markers.REDRAW_S`."""
        if self.health.rules.what == "refused" and self._clock() > self._refused_until:
            self.ail("rules", "fine")
        self._write()
        try:
            self.session.tend()
        except JournalError as wrong:
            log.warning("%s", wrong)  # the next line to be written fails as well and shows it on the page

    def press(self, buttons: int) -> None:
        """Do what the board's pressed buttons ask for; `buttons` is a bit mask, bit 0 = the first (D2).

        By default the first button takes back the last event. The second goes on: the next round after a
        settled one, another game after a finished one, and the answer "no" where the table asks whether a
        hand committed an offence. The third chooses the next darker brightness.
        """
        for button in self.board_buttons:
            if buttons >> button.pin & 1:
                self.push(button.does, button.seat, button.what)

    def push(self, does: str, seat: str | None = None, what: str | None = None) -> None:
        """Do what a button asks for: undo, go-on, brightness, or say `what` for `seat`. Log a refusal."""
        try:
            match does:
                case "undo":
                    self.session.undo()
                case "go-on":
                    self.session.go_on()
                case "brightness":
                    self._choose_brightness()
                case "say" if what is not None:
                    self.session.say(seat, what)
        except SessionError as wrong:
            log.info("button %s: %s", what or does, wrong)
        except JournalError as wrong:
            self.ail("journal", "stuck", wrong.fact)

    def lamps(self, plan: LampPlan | None = None) -> tuple[RGB, ...]:
        """The colours that the lamps of `plan` (default: the table's) should show; empty without a plan."""
        plan = plan or self.plan
        if plan is None:
            return ()
        return markers.picture(self.session.view, plan, self._clock(), blind=self.health.sightless)

    def strip(self) -> tuple[RGB, ...]:
        """`lamps` at the brightness for this hour, in the strip's own order of colours."""
        if self.plan is None:
            return ()
        if self._tried is not None and self._clock() < self._tried_until:
            lit = [LIT if index == self._tried else markers.OFF for index in range(self.plan.count)]
            return self.plan.on_wire(lit)
        by_clock = self._by_clock(self.plan)
        if self._chosen is not None and self._chosen[1] != by_clock:
            self._chosen = None
        name = by_clock if self._chosen is None else self._chosen[0]
        return self.plan.on_wire(dimmed(self.lamps(), self.plan.brightness.share(name)))

    def try_lamp(self, index: int | None) -> None:
        """Light one lamp of the chain alone for a while to show where it is; None returns to the game."""
        self._tried, self._tried_until = index, self._clock() + TRIED_S

    def _by_clock(self, plan: LampPlan) -> str:
        return plan.brightness.by_clock(self._hour())

    def _hour(self) -> clock_time:
        return datetime.fromtimestamp(self._wall()).time()

    def _choose_brightness(self) -> None:
        """Choose the next darker brightness (day follows night); it holds until the clock changes it."""
        if self.plan is None:
            return
        by_clock = self._by_clock(self.plan)
        now = by_clock if self._chosen is None else self._chosen[0]
        self._chosen = ({"day": "evening", "evening": "night", "night": "day"}[now], by_clock)

    def ail(self, part: HealthPart, what: str, detail: Fact | None = None) -> None:
        """Set the health of a part; log it and call the watchers if it changed."""
        before, health = self.health, self.health.now(part, what, self._wall(), detail)
        if health is self.health:
            return
        self.health = health
        if detail is not None:
            tried = "; checked again every second" if what == "lost" else ""
            log.warning("%s %s: %s%s", part, what, detail, tried)
        elif what == "fine" and any(part == ailing for ailing, _ in before.troubles()):
            log.warning("%s: all is well again", part)
        else:
            log.info("%s: %s", part, what)
        for watcher in self._watchers:
            watcher()

    def _write(self) -> None:
        try:
            while self._unwritten or self._heard:
                while self._unwritten:
                    self._add(*self._unwritten[0])
                    self._unwritten.popleft()
                if self._heard:  # interpreted only now: a sighting's meaning depends on the lines before it
                    self._sense(self._heard.popleft())
        except JournalError as wrong:
            self.ail("journal", "stuck", wrong.fact)
            return
        if self.session.owed is not None:
            self.ail("journal", "stuck", self.session.owed)
            return
        self._journal_works()
        if self.session.choked:
            self.ail("rules", "stuck", fact("rules.stuck", n=self.session.choked[-1]))

    def _journal_works(self) -> None:
        """Note that the journal works; report what a damaged one lost until that round is over."""
        if self.session.apart is not None:
            self.ail("journal", "apart", self.session.apart)
            return
        if self.session.lost is not None:
            now = (self.session.game, self.session.view.round)
            self._mended_in = self._mended_in or (now if self.session.game is not None else None)
            if self._mended_in in (None, now):
                self.ail("journal", "mended", self.session.lost)
                return
        self.ail("journal", "fine")

    def _add(self, event: Event, crop: bytes | None) -> None:
        try:
            number = self.session.add(event, crop)
            self._interpreter.written(event, number, self.session.game or 0)
        except JournalError:
            raise
        except SessionError as wrong:  # nobody asked for this event: the camera cannot correct what it saw
            log.warning("what was seen makes no sense in this game: %s: %s", wrong, event)
            self.refuse(wrong.fact)
        except Exception as fault:  # a fault may cost one event, not the evening
            log.exception("an event caused a fault; the table goes on: %s", event)
            self.refuse(fact("program.fault", why=repr(fault)))

    def refuse(self, why: Fact) -> None:
        """Show for `REFUSED_S` that the game refused something."""
        self._refused_until = self._clock() + REFUSED_S
        self.ail("rules", "refused", why)

    def _glimpse(self) -> bytes | None:
        return None if self._lying is None else preview(self._lying)

    def _sense(self, sighting: Sighting) -> None:
        crop: Picture | None = getattr(sighting, "crop", None)
        try:
            events = self._interpreter.hear(sighting, self.session.view)
        except Exception as fault:
            log.exception("a sighting caused a fault; the table goes on")
            self.refuse(fact("program.fault", why=repr(fault)))
            return
        if self.session.game is None:  # nobody has chosen a game yet: there is no journal to write to
            return
        for event in events:
            pictured = event.kind in ("unsure", "throw") or "doubt" in event.fields
            self._unwritten.append((event, jpeg(crop) if pictured and crop is not None else None))
