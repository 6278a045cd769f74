"""On a table's computer, commands refer to that table without being told where it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from table import cli
from table.journal import Journal
from table.web import Page, PageAddress
from tests.table.running_page import OPENING
from tests.table.running_table import Running

SETTINGS = """table = "tables/mat-4-A2.toml"
camera = "usb:0"
board = "none"
"""
"""Settings as tables have them that were installed before they named the journal."""


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This program runs as an installed release; the folder is its table's."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "opt/stammtisch/releases/1.0-aaaaaaaa"))
    state = tmp_path / "var/lib/stammtisch"
    state.mkdir(parents=True)
    (state / "stammtisch.toml").write_text(SETTINGS)
    return state


def played(state: Path) -> Path:
    with Journal.open(state / "evening.sqlite") as journal:
        journal.new_game(opening=OPENING)
    return state / "evening.sqlite"


@pytest.mark.parametrize("named", [False, True])
def test_the_installed_table_s_journal_is_copied_read_and_brought_back(
    state: Path, tmp_path: Path, named: bool
) -> None:
    journal = played(state)
    words = ["--config", str(state / "stammtisch.toml")] if named else []
    assert cli.main(["backup", str(tmp_path / "copy"), *words]) == 0
    assert cli.main(["export", str(tmp_path / "evening.json"), *words]) == 0
    journal.unlink()
    assert cli.main(["restore", str(tmp_path / "copy"), *words]) == 0
    assert journal.exists()


def test_another_journal_is_meant_where_one_is_named(state: Path, tmp_path: Path) -> None:
    played(state)
    assert cli.main(["backup", str(tmp_path / "copy"), "--journal", str(tmp_path / "none.sqlite")]) == 1


def test_the_doctor_asks_the_table_that_the_service_runs(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(state / "evening.sqlite") as journal:
        house = Running(journal)
        page = Page(house.table, PageAddress(0))
        (state / "stammtisch.toml").write_text(f"{SETTINGS}port = {page.port}\n")
        house.start(page.serve)
        try:
            cli.main(["doctor"])
        finally:
            house.stop()
    asked = f"the running table (process {os.getpid()}) shows it at port {page.port}"
    assert asked in capsys.readouterr().out


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_what_root_brings_back_is_the_table_s_own(state: Path, tmp_path: Path) -> None:
    played(state)
    assert cli.main(["backup", str(tmp_path / "copy")]) == 0
    for each in (state, *state.iterdir()):
        os.chown(each, 65534, 65534)
    assert cli.main(["restore", str(tmp_path / "copy")]) == 0
    assert {each.stat().st_uid for each in state.iterdir()} == {65534}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_who_may_not_read_it_hears_how(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played(state)
    state.chmod(0o700)
    with nobody():
        assert cli.main(["backup", "copy"]) == 2
    assert "run with sudo" in capsys.readouterr().err


@contextmanager
def nobody() -> Iterator[None]:
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
