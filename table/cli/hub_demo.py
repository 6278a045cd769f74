"""`stammtisch hub demo`: broker, database, hub and virtual tables on one machine, each in its own process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from table.cli.hub_watchdog import Watchdog
from table.errors import StammtischError
from table.hub.engines import Mosquitto, Postgres, free_port
from table.rules.games import TRICK_GAMES

GAMES = tuple(TRICK_GAMES)
NAMES = ("window", "corner", "bar", "hearth", "garden", "cellar")
_PATIENCE_S = 10.0
_LOOK_S = 0.2


def play(tables: int, port: int, speed: float, seconds: float | None) -> int:
    """Start everything, print the addresses, wait for Ctrl-C or `seconds`, end everything.

    Raises:
        StammtischError: a part has ended by itself.
    """
    with contextlib.ExitStack() as stack:
        ended = stack.enter_context(_told_to_end())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stammtisch-hub-")))
        folder.chmod(0o755)  # when we are root, the database runs as another user
        stack.enter_context(Watchdog(folder))
        broker = Mosquitto(folder / "broker").start()
        stack.callback(broker.stop)
        database = Postgres(folder / "database", lasting=False)
        stack.callback(database.stop)
        database.start()
        print(f"broker: 127.0.0.1:{broker.port}\ndatabase: {database.dsn}", flush=True)
        at = ("--broker", f"127.0.0.1:{broker.port}", "--database", database.dsn, "--port", str(port))
        running = {"the hub": _start(stack, "hub", "serve", *at)}
        for number in range(tables):
            if ended.is_set():
                break
            name = NAMES[number] if number < len(NAMES) else f"table-{number + 1}"
            page = free_port()
            running[f"table {name}"] = _start(
                stack,
                *("demo", "--game", GAMES[number % len(GAMES)], "--speed", str(speed), "--no-browser"),
                *("--journal", str(folder / f"{name}.sqlite"), "--port", str(page)),
                *("--mqtt", f"127.0.0.1:{broker.port}/{name}"),
                quiet=True,
            )
            print(f"table {name}: http://127.0.0.1:{page}", flush=True)
        _wait(running, ended, seconds)
    return 0


def _start(stack: contextlib.ExitStack, *words: str, quiet: bool = False) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "table", *words],
        stdout=subprocess.DEVNULL if quiet else None,
        start_new_session=True,  # Ctrl-C reaches only us: we end them in order
        env=os.environ,
    )
    stack.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()  # not SIGINT: a process started in a shell's background ignores it
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def _told_to_end() -> Iterator[threading.Event]:
    """Set an event at Ctrl-C, SIGTERM or SIGHUP.

    An exception instead could come between the start of a process and its entry on the exit stack.
    """
    told = threading.Event()
    before = {
        each: signal.getsignal(each)
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(each) is not signal.SIG_IGN  # respect `nohup`
    }
    for each in before:
        signal.signal(each, lambda *_: told.set())
    try:
        yield told
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _wait(
    running: Mapping[str, subprocess.Popen[bytes]], ended: threading.Event, seconds: float | None
) -> None:
    end = None if seconds is None else time.monotonic() + seconds
    while not ended.wait(_LOOK_S) and (end is None or time.monotonic() < end):
        for name, process in running.items():
            if (status := process.poll()) is not None:
                raise StammtischError(f"{name} has ended by itself (status {status}); see the lines above")
