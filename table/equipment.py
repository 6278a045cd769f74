"""What the table has, whatever is played: its seats, its bets, and which games its cards or dice suit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from table.rules.view import View
from vision.layout import Layout


def _nothing(_view: View) -> None:
    """Accept every game, and prepare nothing."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What a sitting has to play with."""

    seats: tuple[str, ...] = ()
    """The seats of the mat, clockwise; a dice box has none."""
    bets: tuple[str, ...] = ()
    """The bet tiles at the dice box."""
    colours: tuple[str, ...] = ()
    """The colours of the players' dice at the dice box; empty: all that the game knows."""
    suits: Callable[[View], None] = _nothing
    """Raises StammtischError where cards, dice or table file do not suit the game of the view."""
    prepare: Callable[[View], None] = _nothing
    """Called with the view of a game that begins or is resumed, before anything is seen of it."""
    faces: Mapping[str, bytes] = field(default_factory=dict)
    """JPEGs of the enrolled cards by name; empty where no deck was enrolled."""
    faces_mark: str | None = field(init=False, default=None)
    """A digest of these pictures; None where there are none."""
    layout: Layout | None = None
    """The mat or box itself; None where it is not known."""
    drawn: bool = False
    """Whether the table is only drawn: a demo that plays by itself."""
    alike: Callable[[], tuple[tuple[str, str], ...] | None] = lambda: None
    """Pairs of cards that look alike, the most alike first; None where no camera reads cards."""

    def __post_init__(self) -> None:
        """Compute `faces_mark` once."""
        if self.faces:
            told = hashlib.sha256()
            for name in sorted(self.faces):
                told.update(name.encode() + self.faces[name])
            object.__setattr__(self, "faces_mark", told.hexdigest()[:8])
