"""A table without a chosen game watches and records nothing; then the first game begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from table import cli
from table.cli import seeing
from table.equipment import Equipment
from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.rules.events import Event
from table.runtime import Runtime
from table.session import Session
from table.settings import read_table
from tests.table.running_page import OPENING
from tests.table.running_table import down
from tests.table.test_interpret import LAYOUT, PLAY
from vision.sightings import CardsGone, HandSeen

MAT = Path(__file__).parents[2] / "hardware" / "tables" / "mat-4-A2.toml"


def test_what_is_seen_before_the_first_game_is_told_nobody(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "e.sqlite") as journal:
        session = Session(journal)
        table = Table(session, Interpreter(LAYOUT))
        table.hear_all([HandSeen(0.5, 0.6, "S2"), down("red-7", "S2", key=1), down("red-9", "S3", key=2)])
        table.tick()
        assert table.health.rules.what == "fine", "nothing is refused"
        assert table.lamps() == ()
        assert journal.games() == ()
        session.start(OPENING)
        table.hear(CardsGone(1.5, (1, 2), "S3"))
        assert session.entries[-1].event.kind == "die", "a hand that clears the table takes no trick"
        table.hear(down("red-8", "S2", key=3))
        assert [(play.seat, play.card) for play in session.view.trick] == [("S2", "red-8")]
        table.hear(down("red-5", "S3", key=4))
        table.hear(CardsGone(2.5, (4,), "S1"))
        assert len(session.view.trick) == 2, "cards of this game are known by their keys"


def test_cards_of_a_game_that_was_broken_off_are_no_trick_of_the_next_one() -> None:
    ears = Interpreter(LAYOUT)
    assert ears.hear(down("red-8", "S2", key=5), PLAY)[0].kind == "card"
    fresh = replace(PLAY, trick=(), trick_number=1, seen={"red-5": 0, "red-8": 0})
    assert ears.hear(CardsGone(3.0, (5,), "S2"), fresh) == []


def test_run_without_a_game_starts_and_says_where_to_choose_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[Runtime] = []
    monkeypatch.setattr(seeing, "eye_for", lambda *_: (None, Equipment(("S1", "S2", "S3", "S4"))))
    monkeypatch.setattr(Runtime, "run", lambda runtime, *_: ran.append(runtime))
    words = ["run", "--table", str(MAT), "--port", "0", "--journal", str(tmp_path / "e.sqlite")]
    assert cli.main([*words, "--board", "none"]) == 0
    assert "no game is on: choose one on the page" in capsys.readouterr().out
    (runtime,) = ran
    assert runtime.table.session.view.game is None
    assert runtime.table.plan is not None, "the lamps are there before anybody plays"


def test_the_lamps_of_a_box_are_those_of_who_plays_now(tmp_path: Path) -> None:
    """A game with other colours has other lamps."""
    file = tmp_path / "box.toml"
    file.write_text(
        "[field]\nsize = [280, 280]\n"
        + "".join(
            f"[[tag]]\nid = {n}\ncenter = [{x}, {y}, 45]\nsize = 24\n"
            for n, x, y in ((10, -165, 0), (11, 0, 165), (12, 165, 0))
        )
    )
    with Journal.open(tmp_path / "e.sqlite") as journal:
        session, table_file = Session(journal), read_table(file)
        table = Table(session, Interpreter(table_file.layout))
        session.listen(lambda view: seeing.fit_lamps(table, table_file, view))
        for colours in (["blue", "red", "green"], ["pink", "black", "brown", "red"]):
            first = {"kind": "round", "first": colours[0]}
            session.begin([Event("game", {"game": "doppelx", "players": colours}), Event.from_dict(first)])
            assert table.plan is not None
            shown = [(lamp.shows, lamp.seat) for lamp in table.plan.lamps]
            assert shown[:2] == [("turn", None), ("doubt", None)], "a strip of two shows whose throw it is"
            assert shown[2:] == [("turn", colour) for colour in colours], "and no character, trump or fault"
