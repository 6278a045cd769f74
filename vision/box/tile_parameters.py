"""Thresholds for bet tiles beside the box (`tile`)."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold


@dataclass(frozen=True, slots=True)
class TileParameters:
    """Thresholds for whether a tile shows its own print, and what lies on it."""

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
    in_place: float = threshold(
        0.9,
        "correlation with the empty tile",
        (0.6, 0.98),
        "time: print that lies where it should is not sought, against print a little aside",
        "dev-doppelx3, -x4, -x6, 2026-11-29: bare tiles .96 to 1.0, 1 mm aside .6 to .9",
    )
    aside_mm: float = threshold(
        9.0, "mm", (2.0, 15.0), "print seen through another lens found against other print taken for it"
    )
    least_aside_mm: float = threshold(
        0.7, "mm", (0.3, 2.0), "print a little aside known against print that dice on it seem to move"
    )
    less_strange: float = threshold(
        0.93,
        "times what of the tile shows no print in place",
        (0.3, 1.0),
        "print seen through another lens known against print that dice on it seem to move",
        "20 tiles of dev-doppelx3 and -x4, bent, 2026-11-29: .46 to .90",
    )
    aside_px: float = threshold(2.5, "px for 1 mm", (1.0, 5.0), "how near print is brought against time")
    around: float = threshold(
        0.95,
        "edges of the die",
        (0.7, 1.5),
        "a die's own shadow and sides put down to it against dice close by missed",
    )


TILE = TileParameters()
