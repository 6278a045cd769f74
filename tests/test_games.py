"""Logs of whole and broken games, with results worked out by hand that `replay --json` must reproduce."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.cli import main
from table.rules.games import GAMES

LOGS = sorted((Path(__file__).parent / "data" / "games").glob("*.jsonl"))


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_log_gives_its_result(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log), "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    want = json.loads(log.with_suffix(".result.json").read_text("utf-8"))
    assert {key: got.get(key) for key in want} == want
    assert ("open" in got) == ("open" in want)
    assert all(entry.get("audit", True) for entry in got["rounds"])


def test_there_are_logs_of_every_game() -> None:
    games = {json.loads(log.read_text("utf-8").splitlines()[0])["game"] for log in LOGS}
    assert games == set(GAMES)
