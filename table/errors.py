"""Errors that end a command: one sentence that says what, where and what to do."""

from __future__ import annotations

from table.catalogue import Fact, foreign


def not_text(wrong: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read as text, without Python's own words."""
    if isinstance(wrong, UnicodeDecodeError):
        return f"byte {wrong.start + 1} is no UTF-8"
    return (wrong.strerror or str(wrong)).lower()


MOST_LETTERS = 60
"""So much is said of a value that somebody gave; a megabyte of it would help nobody."""


def shortened(value: str) -> str:
    """A value as it is shown in a sentence: a long one is cut, with … in the place of the rest."""
    return value if len(value) <= MOST_LETTERS else f"{value[: MOST_LETTERS - 1]}…"


class StammtischError(Exception):
    """The work failed; `fact` is for the user, and `str()` its English sentence. Exit status 1."""

    def __init__(self, said: str | Fact = "") -> None:
        super().__init__(said)
        self.fact = said if isinstance(said, Fact) else foreign(said)


class UsageError(StammtischError):
    """The command was used wrongly. Exit status 2."""
