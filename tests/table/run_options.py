"""Options of `run`."""

from __future__ import annotations

SEATS = ["S1", "S2", "S3", "S4"]


GAME = {"kind": "game", "game": "dubbe", "seats": SEATS, "players": ["A", "B", "C", "D"]}
