"""Thresholds of bet tiles beside the box (`tile`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class TileParameters:
    """Does a tile show its own print, and what lies on it?"""

    strange: float = threshold(
        0.35,
        "logarithm of light",
        (0.1, 0.8),
        "tiles in uneven light known against other print taken for a tile",
    )
    known: float = threshold(
        0.5, "share of the tile", (0.2, 0.9), "tiles under a hand known against other print taken for a tile"
    )
    least_seen: float = threshold(
        0.15,
        "share of the tile",
        (0.02, 0.6),
        "tiles at the rim of the picture judged against judgements on little",
    )
    around: float = threshold(
        0.95,
        "edges of the die",
        (0.7, 1.5),
        "a die's own shadow and sides put down to it against dice close by missed",
    )


TILE = TileParameters()
