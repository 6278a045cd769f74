"""What the computer does to a command that runs: its output goes away."""

from __future__ import annotations

import contextlib


def say(line: str) -> None:
    """Print what a running table tells whoever started it; the table goes on where nobody reads that.

    A pipe that ended (`run … | head -1`), a terminal that was closed and a log on a full disk take the line,
    not the evening.
    """
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)
