"""Ends what `stammtisch hub demo` has started where that is killed and cannot do it itself (SIGKILL).

It is a process of its own, and reads from a pipe that only the demo holds open: each line is a process to
look after, the last line of an orderly end is `done`. Where the pipe ends without it, the demo is gone.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

_DONE = "done"
_PATIENCE_S = 10.0
_LOOK_S = 0.1


class Watchdog:
    """The demo's end of the pipe, for `with`; `folder` holds what engines and tables write and is removed."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "table.cli.hub_watchdog", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the demo
            text=True,
        )

    def watch(self, pid: int) -> None:
        """Look after this process, too."""
        self._say(str(pid))

    def __enter__(self) -> Watchdog:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _wrong: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Everything has ended in order."""
        self._say(_DONE)
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait(_PATIENCE_S)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # somebody killed the watchdog: the demo goes on without
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()


def _guard(lines: Iterable[str], folder: Path) -> None:
    """Read until the pipe ends, then end what is still there unless all was in order."""
    watched: dict[int, str] = {}
    for line in lines:
        if line.strip() == _DONE:
            return
        pid = int(line)
        watched[pid] = _begun(pid)
    for file in folder.glob(
        "*/data/postmaster.pid"
    ):  # the database makes itself independent of who starts it
        with suppress(OSError, ValueError, IndexError):
            pid = int(file.read_text("utf-8").split()[0])
            watched[pid] = _begun(pid)
    _end(watched, signal.SIGINT)
    until = time.monotonic() + _PATIENCE_S
    while _left(watched) and time.monotonic() < until:
        time.sleep(_LOOK_S)
    _end(watched, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def _begun(pid: int) -> str:
    """When a process began, in the kernel's ticks: another one that gets its number began later. "": gone."""
    with suppress(OSError, IndexError):
        told = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        if told[0] != "Z":
            return told[19]
    return ""


def _left(watched: dict[int, str]) -> list[int]:
    return [pid for pid, begun in watched.items() if begun and _begun(pid) == begun]


def _end(watched: dict[int, str], with_signal: signal.Signals) -> None:
    for pid in _left(watched):
        with suppress(OSError):
            os.kill(pid, with_signal)


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the terminal was closed: the demo ends by itself
    _guard(sys.stdin, Path(sys.argv[1]))
