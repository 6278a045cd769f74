"""`run` with pictures that are not yet learnt: their names are known at once; the page does not wait."""

from __future__ import annotations

import argparse
import errno
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.catalogue import Fact
from table.cli.seeing import Sight
from table.cli.sitting import sit_down
from table.errors import StammtischError
from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.rules.dubbe.terms import pack
from table.session import Session
from table.settings import read_table
from tests.vision.evening import FACES

TABLES = Path(__file__).parents[2] / "hardware" / "tables"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        yield Session(journal)


def wanted(**given: Any) -> argparse.Namespace:
    usual = dict.fromkeys(("deck", "dice", "game", "players", "rounds", "rules", "dealer"))
    return argparse.Namespace(**{**usual, "partial": False, "new": False, **given})


class EndedPipe(io.StringIO):
    """A stream whose reader has gone."""

    def write(self, words: str) -> int:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")


def begin(session: Session, options: argparse.Namespace, table: str) -> str:
    """Sit down with what is known about these pictures at once."""
    file = read_table(TABLES / f"{table}.toml")
    sight = Sight(options, file, None)
    sight.name()
    assert sight.eye is None, "nothing is learnt yet"
    session.equipment = sight.equipment
    return sit_down(session, options, file)


@pytest.mark.parametrize(("table", "what"), [("mat-4-A2", "cards"), ("doppelx-III-280", "dice")])
def test_guests_read_in_their_words_that_nothing_is_learnt_and_who_started_the_table_in_his(
    session: Session, capsys: pytest.CaptureFixture[str], table: str, what: str
) -> None:
    sight = Sight(wanted(), read_table(TABLES / f"{table}.toml"), None)
    sight.learn()
    page = Table(session, Interpreter(read_table(TABLES / "mat-4-A2.toml").layout))
    sight.tell(page)
    detail = page.health.camera.detail
    assert isinstance(detail, Fact)
    assert detail.code == f"sight.{what}"
    assert "--" not in str(detail)
    assert "is missing; give it here" in capsys.readouterr().out


def test_a_game_asked_for_is_held_against_what_the_pictures_of_the_cards_are_called(
    tmp_path: Path, session: Session
) -> None:
    cards = [*pack(4)]
    for name in cards[1:]:
        (tmp_path / f"{name}.jpg").touch()  # these are no pictures, and learning them would fail
    options = wanted(deck=str(tmp_path), game="dubbe")
    with pytest.raises(StammtischError, match=f"no picture of {cards[0]}"):
        begin(session, options, "mat-4-A2")
    (tmp_path / f"{cards[0]}.2.JPG").touch()
    assert begin(session, options, "mat-4-A2").startswith("a new game of dubbe")


def test_a_throw_asked_for_is_held_against_what_the_pictures_of_the_dice_are_called(
    tmp_path: Path, session: Session
) -> None:
    (tmp_path / "empty.jpg").touch()
    for colour in ("white", "red", "blue"):
        (tmp_path / f"{colour}-X.jpg").touch()
    red, blue, green = "red", "blue", "green"
    asked = wanted(dice=str(tmp_path), game="doppelx", players=[red, blue, green])
    with pytest.raises(StammtischError, match=r"green-1\.jpg"):
        begin(session, asked, "doppelx-II-280")
    (tmp_path / "green-1.png").touch()
    assert begin(session, asked, "doppelx-II-280").startswith("a new game of doppelx")


def test_without_pictures_any_game_of_the_table_will_do(tmp_path: Path, session: Session) -> None:
    assert begin(session, wanted(deck=str(tmp_path), game="dulle"), "mat-4-A2").startswith("a new game")


def test_while_a_deck_is_learnt_the_page_says_so_and_next_time_it_need_not(
    tmp_path: Path, session: Session
) -> None:
    (tmp_path / "deck").mkdir()
    for name in ("red-1", "blue-2"):
        ground = np.full((460, 330, 3), (60, 80, 60), np.uint8)
        ground[48:412, 47:283] = FACES[name]
        cv2.imwrite(str(tmp_path / "deck" / f"{name}.jpg"), ground)
    file = read_table(TABLES / "mat-4-A2.toml")
    table = Table(session, Interpreter(file.layout))
    felt: list[tuple[str, bool]] = []

    def post(call: Callable[..., None], *arguments: Any) -> None:
        call(*arguments)
        felt.append((table.health.camera.what, table.health.sightless))

    def start() -> None:
        felt.clear()
        assert Sight(wanted(deck=str(tmp_path / "deck")), file, None).serve(table, post) is not None

    start()
    assert felt == [("learning", True), ("starting", False)]
    assert table.health.troubles() == (), "nobody need do anything about it"
    start()
    assert felt == [("starting", False)]


def test_a_pipe_that_has_ended_takes_the_lines_and_not_the_eye(
    tmp_path: Path, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`stammtisch run … | head -1`"""
    monkeypatch.setattr("sys.stdout", EndedPipe())
    file = read_table(TABLES / "mat-4-A2.toml")
    sight = Sight(wanted(deck=str(tmp_path)), file, None)
    sight.learn()
    table = Table(session, Interpreter(file.layout))
    sight.tell(table)
    detail = table.health.camera.detail
    assert isinstance(detail, Fact)
    assert detail.code == "eye.deck.empty", "what is told is what the deck lacks"
