"""Long work done one piece at a time, so that a camera's next frame need not wait for all of it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Generic, TypeVar

Finished = TypeVar("Finished")
Pieces = Generator[int, None, Finished]
"""Work that yields after each piece the size of that piece: the pixels that were examined."""


class Begun(Generic[Finished]):
    """Work in progress; done in one go or in pieces, its result is the same."""

    def __init__(self, pieces: Pieces[Finished]) -> None:
        self._pieces = pieces
        self._result: list[Finished] = []

    def go_on(self, pixels: float) -> None:
        """Do pieces until this many pixels have been examined, or the work is done."""
        while not self._result and pixels > 0:
            try:
                pixels -= next(self._pieces)
            except StopIteration as end:
                self._result.append(end.value)

    def finish(self) -> Finished:
        """Do the rest and return the result."""
        self.go_on(float("inf"))
        return self._result[0]
