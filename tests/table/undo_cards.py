"""Cards played before they are undone."""

from __future__ import annotations

from table.rules.events import Event


def card(seat: str, name: str) -> Event:
    return Event("card", {"seat": seat, "card": name})


PLAYS = [("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1")]
