"""Stills that each show one card, and what was learnt from them: cards, their places, refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from vision.arrays import Float64
from vision.cards.reasons import Reason
from vision.errors import SourceError
from vision.layout import Point
from vision.sightings import Picture


@dataclass(frozen=True)
class Still:
    """A picture with exactly one card; `where` identifies it in errors."""

    name: str
    where: str
    source: Picture | Callable[[], Picture]
    """The picture, or a function that reads it anew at each use."""

    @property
    def picture(self) -> Picture:
        """(h, w, 3) BGR. Raises SourceError if it is read now and cannot be."""
        return self.source() if callable(self.source) else self.source

    @cached_property
    def form(self) -> tuple[int, ...]:
        """The picture's shape, read once: pictures of one camera share a form."""
        return self.picture.shape


class Pictures(Sequence[Picture]):
    """The pictures of some stills, by their `numbers`, each read on request."""

    def __init__(self, stills: Sequence[Still], numbers: Sequence[int]) -> None:
        self._stills = [stills[number] for number in numbers]

    def __len__(self) -> int:
        return len(self._stills)

    @overload
    def __getitem__(self, at: int) -> Picture: ...
    @overload
    def __getitem__(self, at: slice) -> list[Picture]: ...
    def __getitem__(self, at: int | slice) -> Picture | list[Picture]:
        if isinstance(at, slice):
            return [still.picture for still in self._stills[at]]
        return self._stills[at].picture


@dataclass(frozen=True, slots=True)
class Refusal:
    """A still from which nothing was learnt: which card it should show, which picture, and why not."""

    name: str
    where: str
    reason: Reason


def readable(stills: Iterable[Still]) -> tuple[list[Still], list[Refusal]]:
    """The stills whose pictures can be read, and the refusals of the others."""
    read: list[Still] = []
    unread: list[Refusal] = []
    for still in stills:
        try:
            _ = still.form
        except SourceError as wrong:
            why = str(wrong).removeprefix(f"{still.where}: ")
            unread.append(Refusal(still.name, still.where, Reason("unread", "{why}", why=why)))
        else:
            read.append(still)
    return read, unread


@dataclass(frozen=True, slots=True)
class Taken:
    """A card that was learnt: `where` its still is, and its corners (4, 2) in that picture's pixels."""

    name: str
    where: str
    corners: Float64


@dataclass(frozen=True, slots=True)
class Learnt:
    """Flattened faces (120, 80, 3) by name, size in mm (None without a table), long side by short side.

    `odd` names the cards whose outline has an unusual shape: cut out roughly, or no card at all;
    `doubted` those that may be another card than named, and which; `unchecked` suits, or ranks, for which
    no measure could tell whether two cards bear each other's name.
    `taken` is where each face was found, in the order of the names; `refused` what could not be learnt.
    """

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    size_mm: Point | None
    ratio: float
    odd: tuple[str, ...]
    doubted: tuple[tuple[str, str], ...]
    unchecked: tuple[tuple[str, ...], ...]
    taken: tuple[Taken, ...]
    refused: tuple[Refusal, ...]
