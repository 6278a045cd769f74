"""Progress of a long command: on a terminal one line that is overwritten, elsewhere nothing."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

EVERY_S = 0.2


class ProgressLine:
    """A line on stderr, removed at the end; none if stderr or stdout is not a terminal.

    Call `told` before the command's own output, so that the line does not mix with it.
    """

    def __init__(self, what: str, whole: float | None = None, place: TextIO | None = None) -> None:
        """`whole` is the total amount of work, in any unit; None: unknown."""
        self._what, self._whole = what, whole
        self._place = sys.stderr if place is None else place
        self._on = self._place.isatty() and sys.stdout.isatty()
        self._begun = self._last = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _wrong: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.told()

    def reach(self, done: float, words: str = "") -> None:
        """Show how much is done; `words` say it in the command's own unit."""
        now = time.monotonic()
        if not self._on or now - self._last < EVERY_S:
            return
        self._last = now
        parts = [self._what, words]
        if self._whole and done > 0:
            left_s = (now - self._begun) * max(0.0, self._whole / done - 1)
            parts += [f"{min(1.0, done / self._whole):.0%}", f"{_clock(left_s)} left"]
        print("\r\x1b[K" + "  ".join(part for part in parts if part), end="", file=self._place, flush=True)
        self._shown = True

    def told(self) -> None:
        """Remove the line, before output or at the end."""
        if self._shown:
            print("\r\x1b[K", end="", file=self._place, flush=True)
            self._shown = False


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
