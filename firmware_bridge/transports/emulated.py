"""The real firmware on an emulated board: `hardware/board` in simavr, its port a pseudo terminal.

Only in a checkout: an installed package has no firmware. The emulator is a program of its own (GPL, as
simavr is); it is started here and spoken to over pipes.
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
"""Writes and events remembered (about 5 MB): a demo runs for hours, and a fast machine writes thousands a
second. A caller that must see every one uses `EmulatedBoard.watch`."""

START_S = 30.0
"""How long a busy machine may take to start the emulator, or to show what it was sent."""

BoardPace: TypeAlias = Literal["real", "asked", "lockstep"]
"""`real`: the board's time follows the clock on the wall. `asked`: it moves, as fast as it can, only
while there is work or on `EmulatedBoard.wait`; for tests. `lockstep`: only on `wait` (see `lockstep.py`)."""


@dataclass(frozen=True, slots=True)
class BoardSetup:
    """The emulated board and what is connected to it."""

    lamps: int = 60
    """Length of the strip."""
    dtr: bool = False
    """A rising DTR resets it, as a Nano (its port is opened first, or its last user let DTR fall)."""
    bootloader: Path | None = None
    """A bootloader, Intel HEX (`firmware.bootloader` finds two); it implies `dtr`, runs after each reset."""
    eeprom: Path | None = None
    """A file with what the board keeps without power."""
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
    """One write of the strip as its data line showed it. Times are seconds of the board's own clock."""

    colours: LampColours
    """The whole strip afterwards, lamp 0 first, red green blue."""
    started_s: float
    ended_s: float
    """Rise of the first bit, fall of the last."""
    bits: int
    violations: int
    """Edges outside the WS2812B data sheet's windows, and bits that fill no lamp."""


class EmulatedBoard(Closing):
    """A running emulator. `port` is what a serial program opens; `written` is what the strip showed last."""

    def __init__(
        self,
        setup: BoardSetup = _NANO,
        *,
        pace: BoardPace = "real",
        on_written: Callable[[Written], None] | None = None,
        memory: int = MEMORY,
    ) -> None:
        """Build if needed and start.

        `on_written` is called from the reading thread for each write of the strip, the first included.
        `memory` is how many writes and events are kept.

        Raises:
            EmulatorError: it cannot run here.
        """
        build()
        command = [str(RUNNER), "--pace", pace, *setup.options()]
        self.port = ""
        self.now_s = 0.0
        """The board's own time at its last command; with `asked` and `lockstep` it is its present time."""
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
            start_new_session=True,  # Ctrl-C is for us: the lamps are to go out before the board does
        )
        self._reader = threading.Thread(target=self._read, name="emulated board", daemon=True)
        self._reader.start()
        if not self._until(lambda: bool(self.port) or self._ended, START_S) or not self.port:
            self.close()
            raise EmulatorError(f"the emulated board did not start: {self._last_words()}")

    @property
    def pid(self) -> int:
        """Process number of the emulator."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """False when the emulator has ended by itself."""
        return not self._ended

    @property
    def written(self) -> tuple[Written, ...]:
        """The last writes of the strip, oldest first; older ones than `memory` are forgotten."""
        with self._changed:
            return tuple(self._written)

    @property
    def colours(self) -> LampColours | None:
        """What the strip shows now; None before its first write."""
        with self._changed:
            return self._written[-1].colours if self._written else None

    @contextlib.contextmanager
    def watch(self) -> Iterator[Sequence[Written]]:
        """Every write of the strip from now until the block ends, oldest first, without limit.

        A write before the call that is reported after it is not included; the last write is.
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
        """Wait until the strip shows `colours` (of the strip's length); False if it never does."""
        return self._until(lambda: self.colours == colours, timeout_s)

    def wait(self, seconds: float) -> None:
        """Let this much of the board's time pass; returns when it has."""
        self._tell(f"wait {seconds:.6f}")

    def press(self, button: int) -> None:
        """Push button 0..3 down (pin D2..D5 to ground)."""
        self._tell(f"press {button}")

    def release(self, button: int) -> None:
        """Let it go."""
        self._tell(f"release {button}")

    def reset(self, why: Literal["power", "button", "brown-out"] = "power") -> None:
        """Restart the chip; only `power` darkens the strip."""
        self._tell(f"reset {why}")

    def hang(self) -> None:
        """Let the firmware loop for ever: only its watchdog can help."""
        self._tell("hang")

    def counts(self) -> dict[str, int]:
        """Bytes `received`, `sent`, `overrun` (destroyed in the UART), `deaf` (came while it was off)."""
        answer = self._tell("stats")
        return {name: int(answer[name]) for name in ("received", "sent", "overrun", "deaf")}

    def close(self) -> None:
        """Switch the board off. Its port vanishes as if unplugged."""
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
    """A transport that brings its own emulated board and switches it off when closed."""

    def __init__(self, board: EmulatedBoard | None = None) -> None:
        """Start a board unless one is given; raises `EmulatorError`."""
        self.board = board or EmulatedBoard()
        super().__init__(self.board.port)
        self.name = "emulated"

    def close(self) -> None:
        """Close the port and switch the board off."""
        super().close()
        self.board.close()
