"""Strangers' films with random cuts: what a cut hides may be lost, but nothing is invented.

This is long, so `make soak` runs it. `python -m tests.table.cut_films` looks closer, with any number of cuts.
"""

from __future__ import annotations

import pytest

from tests.shared import shared
from tests.table.cut_films import BOX_FILMS, FILMS, cut_film, last_s, random_cuts


@pytest.mark.soak
@pytest.mark.parametrize("name", [*FILMS, *BOX_FILMS])
def test_cuts_invent_nothing_and_accuse_nobody(name: str) -> None:
    shared(f"footage/{name}")
    report = cut_film(name, random_cuts((*FILMS, *BOX_FILMS).index(name), last_s(name)))
    told = [
        thing
        for seen in (report.cards, report.taken, report.dice, report.throws)
        for thing in seen.invented + seen.twice
    ]
    assert not told + report.findings, report
