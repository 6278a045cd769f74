"""The real firmware on an emulated board: `hardware/board` in simavr, with a pseudo terminal as its port.

Only in a checkout: an installed package has no firmware. The emulator is a separate program (GPL, as
simavr is); this module starts it and talks to it over pipes.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from firmware_bridge.closing import Closing
from firmware_bridge.errors import EmulatorError
from firmware_bridge.lamps import LampColours
from firmware_bridge.transports.firmware import ELF, RUNNER, build
from firmware_bridge.transports.serial_port import SerialPort

CLOCK_HZ = 16_000_000

MEMORY = 1_000
"""Number of writes and events that are kept (about 5 MB): a demo runs for hours, and a fast machine writes
thousands a second. A caller that must see all of them uses `EmulatedBoard.watch`."""

START_S = 30.0
"""How long a busy machine may take to start the emulator, or to show what it was sent."""

BoardPace: TypeAlias = Literal["real", "asked", "lockstep"]
"""`real`: the board's time follows the wall clock. `asked`: it advances, as fast as it can, only while
there is work or on `EmulatedBoard.wait`; for tests. `lockstep`: only on `wait` (see `lockstep.py`)."""


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """The emulated board and what is connected to it."""

    lamps: int = 60
    """Length of the strip."""
    dtr: bool = False
    """Whether a rising DTR resets the board, as with a Nano (on the first opening, or after DTR fell)."""
    bootloader: Path | None = None
    """A bootloader as Intel HEX (`firmware.bootloader` finds two), run after each reset; implies `dtr`."""
    eeprom: Path | None = None
    """A file with the board's EEPROM."""
    trace: bool = False
    """Whether every byte is reported."""

    def options(self) -> list[str]:
        """The setup as the emulator's command-line options."""
        told = ["--lamps", str(self.lamps)]
        if self.dtr:
            told.append("--dtr")
        if self.bootloader is not None:
            told += ["--bootloader", str(self.bootloader)]
        if self.eeprom is not None:
            told += ["--eeprom", str(self.eeprom)]
        if self.trace:
            told.append("--trace")
        return told


_NANO = BoardSetup()


@dataclass(frozen=True, slots=True)
class Written:
    """One write of the strip, decoded from its data line. Times are seconds of the board's own clock."""

    colours: LampColours
    """The whole strip afterwards, lamp 0 first, red green blue."""
    started_s: float
    ended_s: float
    """Rise of the first bit, fall of the last."""
    bits: int
    violations: int
    """Number of edges outside the WS2812B data sheet's windows, and of bits that fill no lamp."""


class EmulatedBoard(Closing):
    """A running emulator. `port` is the path for serial programs; `written` has the strip's writes."""

    def __init__(
        self,
        setup: BoardSetup = _NANO,
        *,
        pace: BoardPace = "real",
        on_written: Callable[[Written], None] | None = None,
        memory: int = MEMORY,
    ) -> None:
        """Build the emulator if needed and start it.

        `on_written` is called from the reading thread for each write of the strip, the first included.
        `memory` is the number of writes and events that are kept.

        Raises:
            EmulatorError: the emulator cannot run here.
        """
        build()
        command = [str(RUNNER), "--pace", pace, *setup.options()]
        self.port = ""
        self.now_s = 0.0
        """The board's own time at the last command; with `asked` and `lockstep` also its current time."""
        self._written: deque[Written] = deque(maxlen=memory)
        self._watches: list[list[Written]] = []
        self.events: deque[dict[str, Any]] = deque(maxlen=memory)
        """The emulator's other latest reports: `reset`, `rx`, `tx`, …"""
        self._on_written = on_written
        self._changed = threading.Condition()
        self._answers: deque[dict[str, Any]] = deque()
        self._ended = False
        self._process = subprocess.Popen(
            [*command, str(ELF)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,  # Ctrl-C must reach only us: the lamps go out before the board ends
        )
        self._reader = threading.Thread(target=self._read, name="emulated board", daemon=True)
        self._reader.start()
        if not self._until(lambda: bool(self.port) or self._ended, START_S) or not self.port:
            self.close()
            raise EmulatorError(f"the emulated board did not start: {self._last_words()}")

    @property
    def pid(self) -> int:
        """Process id of the emulator."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the emulator still runs."""
        return not self._ended

    @property
    def written(self) -> tuple[Written, ...]:
        """The last `memory` writes of the strip, oldest first."""
        with self._changed:
            return tuple(self._written)

    @property
    def colours(self) -> LampColours | None:
        """What the strip shows now; None before its first write."""
        with self._changed:
            return self._written[-1].colours if self._written else None

    @contextlib.contextmanager
    def watch(self) -> Iterator[Sequence[Written]]:
        """Collect every write of the strip from now until the block ends, oldest first, without limit.

        A write from before the call is not included, even if reported later; the last one in the block is.
        """
        self.counts()
        seen: list[Written] = []
        with self._changed:
            self._watches.append(seen)
        try:
            yield seen
            if self.running:
                self.counts()
        finally:
            with self._changed:
                self._watches = [watch for watch in self._watches if watch is not seen]

    def await_colours(self, colours: LampColours, timeout_s: float = START_S) -> bool:
        """Wait until the strip shows `colours` (of the strip's length); return False if it never does."""
        return self._until(lambda: self.colours == colours, timeout_s)

    def wait(self, seconds: float) -> None:
        """Let this much of the board's time pass; return when it has."""
        self._tell(f"wait {seconds:.6f}")

    def press(self, button: int) -> None:
        """Push button 0..3 down (pin D2..D5 to ground)."""
        self._tell(f"press {button}")

    def release(self, button: int) -> None:
        """Release a button."""
        self._tell(f"release {button}")

    def reset(self, why: Literal["power", "button", "brown-out"] = "power") -> None:
        """Restart the chip; only `power` darkens the strip."""
        self._tell(f"reset {why}")

    def hang(self) -> None:
        """Let the firmware loop forever, so that only its watchdog can help."""
        self._tell("hang")

    def counts(self) -> dict[str, int]:
        """Bytes `received`, `sent`, `overrun` (lost in the UART), `deaf` (arrived while it was off)."""
        answer = self._tell("stats")
        return {name: int(answer[name]) for name in ("received", "sent", "overrun", "deaf")}

    def close(self) -> None:
        """Switch off the board. Its port vanishes as if unplugged."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None and not pipe.closed:
                pipe.close()

    def _tell(self, command: str) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._answers.clear()
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as wrong:
            raise EmulatorError(f"the emulated board has ended: {self._last_words()}") from wrong
        if not self._until(lambda: bool(self._answers) or self._ended, 60.0) or not self._answers:
            raise EmulatorError(f"the emulated board did not obey {command!r}: {self._last_words()}")
        return self._answers.popleft()

    def _until(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        end_s = time.monotonic() + timeout_s
        with self._changed:
            while not condition():
                left_s = end_s - time.monotonic()
                if left_s <= 0 or not self._changed.wait(left_s):
                    return condition()
            return True

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            written = _written(event) if event["event"] == "lamps" else None
            with self._changed:
                match event["event"]:
                    case "port":
                        self.port = event["path"]
                    case "done" | "waited" | "refused":
                        self.now_s = event["t"]
                        self._answers.append(event)
                    case "lamps":
                        assert written is not None
                        self._written.append(written)
                        for watch in self._watches:
                            watch.append(written)
                    case _:
                        self.events.append(event)
                self._changed.notify_all()
            if written is not None and self._on_written is not None:
                self._on_written(written)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _last_words(self) -> str:
        if self._process.poll() is None or self._process.stderr is None or self._process.stderr.closed:
            return "no reason given"
        return self._process.stderr.read().strip() or f"exit status {self._process.returncode}"


def _written(event: dict[str, Any]) -> Written:
    return Written(
        tuple((int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)) for text in event["colours"]),
        event["first_edge"] / CLOCK_HZ,
        event["last_edge"] / CLOCK_HZ,
        event["bits"],
        event["violations"],
    )


class EmulatedPort(SerialPort):
    """A transport with its own emulated board, which it switches off when closed."""

    def __init__(self, board: EmulatedBoard | None = None) -> None:
        """Start a board unless one is given; raises `EmulatorError`."""
        self.board = board or EmulatedBoard()
        super().__init__(self.board.port)
        self.name = "emulated"

    def close(self) -> None:
        """Close the port and switch off the board."""
        super().close()
        self.board.close()
