"""A monitor outside the house can learn whether a table may be disturbed."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from table.journal import Journal
from table.live import HearsNothing, Table
from table.session import Session
from table.web.health import PAUSE_S, health
from tests.table.running_page import OPENING


class Watch:
    """A clock that the test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def table_at(journal: Journal, clock: Watch) -> Table:
    return Table(Session(journal, clock=clock), HearsNothing())


def test_a_game_is_played_until_half_an_hour_after_its_last_line(tmp_path: Path) -> None:
    clock = Watch()
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = table_at(journal, clock)
        began = clock.now

        def playing() -> bool:
            return health(table, clock.now - began).playing

        assert not playing(), "nobody has begun"
        clock.now += 10 * PAUSE_S
        table.session.begin(OPENING)
        assert playing()
        clock.now += PAUSE_S - 1
        assert playing()
        clock.now += 2
        assert not playing(), "a game that everybody left is not disturbed"
        told = health(table, clock.now - began)
        assert (told.process, told.version, told.newest) == (os.getpid(), version("stammtisch"), [1, 3])
        assert told.parts["journal"] == "fine"


def test_a_game_that_a_start_resumed_may_be_gone_on_with(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table_at(journal, Watch()).session.begin(OPENING)
    clock = Watch()
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = table_at(journal, clock)
        assert table.session.resume()
        assert health(table, 5.0).playing
        clock.now += PAUSE_S + 1
        assert not health(table, PAUSE_S + 6).playing


def test_a_release_says_its_name_and_a_checkout_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    from table.web.health import release

    assert release() is None
    monkeypatch.setattr(sys, "prefix", "/opt/stammtisch/releases/0.2.0-1f3a9c04")
    assert release() == "0.2.0-1f3a9c04"
