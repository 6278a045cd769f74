"""Orgi with few cards, for the tests of irregularities."""

from __future__ import annotations

from tests.rules.klapperjas_table import Klapper


def orgi(players: int = 3, turned: str = "HA", **options: object) -> Klapper:
    """S1 plays the Orgi."""
    table = Klapper(players, turned, **options)
    table.say("orgi")
    return table
