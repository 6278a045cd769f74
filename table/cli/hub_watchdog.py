"""Ends the processes of `stammtisch hub demo` when the demo is killed and cannot do so itself (SIGKILL).

The watchdog is a separate process. It reads from a pipe that only the demo holds open; an orderly end sends
`done`. When the pipe closes, the watchdog ends every process whose command line names the demo's folder, also
one that was just being started.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

_DONE = "done"
_PATIENCE_S = 10.0
_LOOK_S = 0.1
_CALM = 5
"""Looks in a row that must find nothing: a process just started does not name the folder yet."""

_ASKED_BY = {b"python": signal.SIGTERM, b"mosquitto": signal.SIGTERM, b"postgres": signal.SIGINT}
"""The signal that asks each program to end: at SIGTERM a database would wait for its clients."""


class Watchdog:
    """The demo's end of the pipe, for `with`.

    Args:
        folder: where broker, database and tables write; the watchdog removes it if the demo was killed.
    """

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "table.cli.hub_watchdog", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the demo
            text=True,
        )

    def __enter__(self) -> Watchdog:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _wrong: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Report an orderly end."""
        assert self._process.stdin is not None
        with suppress(OSError):  # somebody killed the watchdog
            self._process.stdin.write(_DONE)
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2 * _PATIENCE_S)


def _guard(told: str, folder: Path) -> None:
    """End the processes that are left; remove the folder unless the end was orderly."""
    until = time.monotonic() + _PATIENCE_S
    calm, asked = 0, set[int]()
    while calm < _CALM:
        left = _left(folder)
        calm = 0 if left else calm + 1
        for pid, request in left.items():
            late = time.monotonic() > until
            if late or pid not in asked:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL if late else request)
        asked |= left.keys()
        time.sleep(_LOOK_S)
    if told != _DONE:
        shutil.rmtree(folder, ignore_errors=True)


def _left(folder: Path) -> dict[int, signal.Signals]:
    """The demo's processes that are left, by pid, with the signal to end each; found by the folder's name."""
    found = dict[int, signal.Signals]()
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = file.read_bytes()
            program = os.path.basename(words.partition(b"\0")[0])
            request = next((how for name, how in _ASKED_BY.items() if program.startswith(name)), None)
            if request is not None and os.fsencode(folder) in words:
                found[int(file.parent.name)] = request
    found.pop(os.getpid(), None)
    return found


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # if the terminal is closed, the demo ends by itself
    _guard(sys.stdin.read(), Path(sys.argv[1]))
