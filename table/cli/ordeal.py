"""The outcome of a game that a table played under a fault."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Ordeal:
    """One game under one fault, and the outcome."""

    fault: str
    game: str
    strikes: int = 0
    lost: int = 0
    doubled: int = 0
    points_same: bool = True
    said: list[str] = field(default_factory=list)
    wrong: str = ""

    @property
    def well(self) -> bool:
        """Whether nothing was lost, doubled or miscounted, and the page said what it should."""
        return not (self.lost or self.doubled or self.wrong) and self.points_same

    @property
    def in_words(self) -> str:
        """The outcome, for people."""
        if self.well:
            return "every event once, the points are right"
        scores = "" if self.points_same else ", wrong points"
        return f"{self.lost} lost, {self.doubled} doubled{scores} {self.wrong}"
