"""`stammtisch demo` as a user starts it: it plays, prints its address, survives a kill, ends on request."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from table.cli import main
from table.printables import plan_mat
from table.rules.events import Event
from table.rules.opening import as_event, open_game
from table.virtual import MatHands, Players, VirtualRound, VirtualTable, painter_for, stills
from vision.cards.deck import learn
from vision.cards.still import Still
from vision.mat.pipeline import Eye
from vision.sightings import CardDown

PATIENCE_S = 90.0
"""Long enough for these tests to pass on a busy machine with one slow core."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@contextmanager
def demo(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A running demo, with its state and its cached deck in `home`."""
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(home),
        "XDG_CACHE_HOME": str(home),
        "PYTHONUNBUFFERED": "1",
    }
    command = [
        sys.executable,
        "-m",
        "table",
        "demo",
        "--no-browser",
        "--speed",
        "20",
        "--players",
        "2",
        *words,
    ]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def line_with(process: subprocess.Popen[str], words: str) -> str:
    """Read its output up to a line that contains these words."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if words in line:
            return line
    raise AssertionError(f"it ended without saying {words!r}: {''.join(said)}")


def journal(home: Path) -> list[dict[str, Any]]:
    """The events of the newest game as they are on the disk now; checks the file's integrity."""
    path = home / "stammtisch" / "demo.sqlite"
    if not path.exists():
        return []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = base.execute(
            "SELECT json FROM events WHERE game = (SELECT max(id) FROM games) ORDER BY id"
        ).fetchall()
    return [json.loads(row[0]) for row in rows]


def await_cards(home: Path, number: int) -> list[str]:
    """Wait until the journal holds so many cards of the round."""
    end = time.monotonic() + PATIENCE_S
    cards: list[str] = []
    while time.monotonic() < end:
        cards = [event["card"] for event in journal(home) if event["kind"] == "card"]
        if len(cards) >= number:
            return cards
        time.sleep(0.2)
    raise AssertionError(f"only {cards} after {PATIENCE_S} s")


def test_a_killed_demo_goes_on_where_it_was_and_shows_its_page(home: Path) -> None:
    """Frames, eye, rules, journal, page and board together: `kill -9` between two cards loses nothing."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with demo(home, "--seed", "3", "--port", port) as first:
        assert port in line_with(first, "page:")
        before = await_cards(home, 3)
        first.send_signal(signal.SIGKILL)
        first.wait()
    before = [event["card"] for event in journal(home) if event["kind"] == "card"] or before
    with demo(home, "--seed", "4", "--port", port) as second:
        assert "round 1 goes on" in line_with(second, "journal:")
        line_with(second, "page:")
        cards = await_cards(home, len(before) + 2)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state") as answer:
            assert "dubbe" in answer.read().decode()
        second.send_signal(signal.SIGTERM)
        assert second.wait(PATIENCE_S) == 0
    assert cards[: len(before)] == before
    assert len(cards) >= len(before) + 2
    assert len(set(cards)) == len(cards), "no card is noted twice"


def test_the_eye_reads_the_virtual_table_also_when_a_card_lies_there_at_its_start() -> None:
    """A trick and the next lead after a power cut, from frames to names and seats."""
    open_cards = 1
    seats = ["S1", "S2"]
    setup = open_game(as_event({"kind": "game", "game": "dubbe", "seats": seats}))
    deal = {"kind": "round", "dealer": "S2", "seed": 7}
    plan, players = plan_mat(2, "A2"), Players()
    truth = VirtualRound(setup, Event.from_dict(deal))
    while len(truth.played) < 5:
        truth.deeds()
    so_far = [{"kind": "card", "seat": seat, "card": card} for seat, card in truth.played[:open_cards]]
    round_ = VirtualRound(setup, Event.from_dict(deal), [*map(Event.from_dict, so_far)])
    players.sit(round_)
    painter = painter_for(plan)
    pictures = stills(painter, [card for _, card in truth.played])
    eye = Eye(plan.layout, learn([Still(name, name, picture) for name, picture in pictures.items()]))
    hands = MatHands(plan, 1)
    table = VirtualTable(painter, hands, players, hands.opening(round_.lying))
    seen = list(truth.played[:open_cards])
    for frame in range(1000):
        for sighting in eye.see(table.frame(), frame / 15):
            if (
                isinstance(sighting, CardDown)
                and (at := (sighting.zone, sighting.guesses[0].name)) not in seen[:open_cards]
            ):
                assert sighting.sure
                seen.append(at)
        if len(seen) >= 4 or len(round_.played) > 4:
            break
    assert seen == truth.played[: len(seen)]
    assert len(seen) == 4


def test_a_second_demo_on_the_same_journal_is_told_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from table.journal import Journal

    with Journal.open(home / "held.sqlite"):
        assert main(["demo", "--journal", str(home / "held.sqlite"), "--no-browser"]) == 1
    said = capsys.readouterr().err
    assert "another table is writing this journal" in said
    assert said.count("\n") == 1


def test_a_taken_port_is_said_in_one_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["demo", "--journal", str(home / "a.sqlite"), "--no-browser", "--port", str(port)]) == 1
    said = capsys.readouterr().err
    assert f"port {port}" in said
    assert "--port" in said
    assert "--listen" not in said, "the demo has no such option"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "skat"], 'there is no game "skat"; known: doppelkopf'),
        (["--players", "6"], "2 to 5 players, not 6"),
        (["--speed", "0"], "--speed 0 is outside 0.1 to 20"),
        (["--rounds", "0"], "--rounds must be 1 or more"),
    ],
)
def test_wrong_wishes_are_refused_before_anything_starts(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *words]) == 2
    assert said in capsys.readouterr().err
