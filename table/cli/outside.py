"""What the computer does to a running command: its output goes away, the system ends it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator


def say(line: str) -> None:
    """Print what a running table tells its caller; the table goes on where nobody reads that.

    A pipe that ended (`run … | head -1`), a closed terminal or a log on a full disk costs the line, not
    the evening.
    """
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


class SystemEnd(KeyboardInterrupt):
    """The system wants the command to end: as Ctrl-C, but the sender of the signal expects no failure."""


_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let no signal interrupt the closing: who asks twice waits for journal and lamps all the same."""
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
    """Raise SystemEnd at SIGTERM or SIGHUP, which would kill without a word.

    Only the first one raises: a second one does not disturb the closing. A signal that is ignored
    stays so: a user who says `nohup` means it.
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
