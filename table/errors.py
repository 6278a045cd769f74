"""Errors that end a command: one sentence that says what, where and what to do."""

from __future__ import annotations

import shlex
import sys

from table.catalogue import Fact, foreign


def installing(*packages: str) -> str:
    """The command that gives these packages to this very Python, whatever other `pip` is on the path."""
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])


def not_text(wrong: OSError | UnicodeDecodeError, remedy: str = "mend it") -> str:
    """Why a file cannot be read as text and what to do, without Python's own words."""
    if isinstance(wrong, IsADirectoryError):
        return "is a folder; give a file"
    if isinstance(wrong, UnicodeDecodeError):
        return f"cannot be read as text: byte {wrong.start + 1} is no UTF-8; {remedy}"
    return f"cannot be read as text: {(wrong.strerror or str(wrong)).lower()}; {remedy}"


class StammtischError(Exception):
    """The work failed; `fact` is for the user, and `str()` its English sentence. Exit status 1."""

    def __init__(self, said: str | Fact = "") -> None:
        super().__init__(said)
        self.fact = said if isinstance(said, Fact) else foreign(said)


class UsageError(StammtischError):
    """The command was used wrongly. Exit status 2."""
