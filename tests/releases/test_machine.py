"""The computer during a change of release: what its table answers, which form its journal has."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from table.journal import Journal
from table.journal.copying import backup
from table.releases.machine import Machine
from table.releases.shelf import Shelf
from tests.table.running_page import OPENING, House


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(Shelf(tmp_path))
    machine.state.mkdir(parents=True)
    return machine


@pytest.mark.parametrize(
    ("wanted", "listens"),
    [
        ("127.0.0.2", "127.0.0.2"),
        ("0.0.0.0", "0.0.0.0"),
        ("192.0.2.77", "127.0.0.1"),  # an address it does not have now: `run` listens here alone
    ],
)
def test_a_table_is_asked_at_the_address_where_it_listens(
    machine: Machine, wanted: str, listens: str
) -> None:
    with Journal.open(machine.state / "evening.sqlite") as journal:
        house = House(journal, listen=listens)
        house.session.begin(OPENING)
        house.open()
        try:
            settings = f'listen = "{wanted}"\nport = {house.page.port}\n'
            (machine.state / "stammtisch.toml").write_text(settings)
            answer = machine.answer()
            assert answer is not None
            assert answer.playing
            for url in (house.page.url, machine.page):
                page = httpx.get(url, trust_env=False)
                assert page.status_code == 200, "where run and the screen look for the page, it is"
        finally:
            house.close()


def test_a_journal_of_a_newer_form_than_its_copy_is_told_from_others(machine: Machine) -> None:
    path, copy = machine.state / "evening.sqlite", machine.state / "copy"
    with Journal.open(path) as journal:
        journal.new_game(opening=OPENING)
        backup(path, copy)
        assert not machine.outgrown(copy)
        journal.new_game(opening=OPENING)
        assert not machine.outgrown(copy), "more lines are no other form"
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 9")
        base.commit()
        assert machine.outgrown(copy), "also while it is in the -wal file alone"
    path.unlink()
    assert not machine.outgrown(copy), "where there is none, nothing is known"
