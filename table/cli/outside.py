"""Events outside a running command: its output disappears, the system ends it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


def say(line: str) -> None:
    """Print a line of a running table; if nobody can read it, the table goes on.

    A closed pipe (`run … | head -1`), a closed terminal or a log on a full disk costs the line, not
    the evening.
    """
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


class SystemEnd(KeyboardInterrupt):
    """The system ends the command: like Ctrl-C, but the sender of the signal does not expect a failure."""


_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Ignore signals while closing: a second Ctrl-C must not cut off the closing of journal and lamps."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.signal(each, signal.SIG_IGN) for each in _ENDS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def ended_by_the_system() -> Iterator[None]:
    """Raise SystemEnd at SIGTERM or SIGHUP, which would kill the process outright.

    Only the first signal raises, so that a second one does not disturb the closing. An ignored signal
    stays ignored, to respect `nohup`.
    """
    heard: list[int] = []

    def end(number: int, _: object) -> None:
        heard.append(number)
        if len(heard) == 1:
            raise SystemEnd

    ours: list[int] = []
    if threading.current_thread() is threading.main_thread():
        ours = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    for each in ours:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)
