"""Games begun by mistake are taken back one after the other, and nothing that was played is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.cli.exporting import export
from table.journal import Journal, JournalReader
from table.rules.events import Event
from table.rules.referee import Referee
from table.session import Session, SessionError
from table.web.kept_games import KeptGames

OPENING = Event("game", {"game": "dulle", "seats": ["S1", "S2", "S3", "S4"], "players": ["A", "B", "C", "D"]})
OTHER = Event("game", {**OPENING.fields, "game": "klapper-jas"})


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        yield Session(journal, Referee)


def lay(session: Session, seat: str, card: str) -> None:
    session.add(Event("card", {"seat": seat, "card": card, "source": "camera"}))


def evening(session: Session) -> None:
    """A first card and a doubt with its picture."""
    session.begin([OPENING, Event("round", {"dealer": "S4"})])
    lay(session, "S1", "HA")
    session.add(Event("unsure", {"seat": "S2", "candidates": [["HK", 0.5], ["H9", 0.4]]}), b"a picture")


def laid(session: Session) -> list[str]:
    return [str(entry.event.get("card")) for entry in session.entries if entry.event.kind == "card"]


@pytest.mark.parametrize("begun", ["by itself", "by a tap"])
def test_two_games_begun_by_mistake_one_after_the_other(session: Session, begun: str) -> None:
    """G-10: the second is taken back, then the first: the evening continues with the cards of all three."""
    lines = [OPENING, Event("round", {"dealer": "S4"})]
    if begun == "by a tap":
        session.start(lines)
    else:
        session.begin(lines)
    for seat, card in (("S1", "HA"), ("S2", "HK"), ("S3", "H9")):
        lay(session, seat, card)
        if card != "H9":
            session.tell(Event("end"))
            session.again()
    session.rejoin()
    assert laid(session) == ["HK", "H9"]
    session.rejoin()
    assert laid(session) == ["HA", "HK", "H9"]
    with pytest.raises(SessionError):
        session.rejoin()
    assert laid(session) == ["HA", "HK", "H9"]


def test_a_mistake_after_a_mistake_that_was_taken_back(session: Session) -> None:
    """The evening continues as before each time, whether or not another game came between."""
    session.start([OPENING, Event("round", {"dealer": "S4"})])
    lay(session, "S1", "HA")
    for _ in range(3):
        session.start([OTHER, Event("round", {"dealer": "S1"})])
        session.rejoin()
        assert laid(session) == ["HA"]
        session.again()
        session.rejoin()
        assert laid(session) == ["HA"]
    lay(session, "S2", "HK")
    assert (session.view.game, laid(session)) == ("dulle", ["HA", "HK"])


@pytest.mark.parametrize("mistaken", [OPENING, OTHER])
def test_a_game_that_goes_on_counts_once_in_the_list_and_in_what_is_exported(
    session: Session, mistaken: Event, tmp_path: Path
) -> None:
    evening(session)
    session.start([mistaken, Event("round", {"dealer": "S1"})])
    assert session.correct(1, None) == session.game == 3
    with JournalReader.open(session.journal_path) as journal:
        assert (journal.games(), journal.counted()) == ((1, 2, 3), (3,))
    listed, left = asyncio.run(KeptGames(session).summaries(None, 20))
    assert ([game.game for game in listed], left) == ([3], 0)
    export(session.journal_path, tmp_path / "all.json", "en")
    written = json.loads((tmp_path / "all.json").read_text())["evenings"]
    assert [each["number"] for each in written] == [3]


def test_a_game_of_another_journal_that_went_on_hides_none_of_this_one(session: Session) -> None:
    evening(session)
    session.start([OPENING.having(resumes=1), Event("round", {"dealer": "S1"})])
    with JournalReader.open(session.journal_path) as journal:
        assert journal.counted() == (1, 2)


def test_the_picture_of_a_doubt_moves_with_its_line(session: Session) -> None:
    evening(session)
    session.again()
    session.rejoin()
    assert (session.crop(4), session.entries[3].crop) == (b"a picture", True)
    with JournalReader.open(session.journal_path) as journal:
        assert [entry.crop for entry in journal.events(3)] == [False, False, False, True]
        journal.check()


def test_a_game_that_goes_on_bears_the_times_at_which_it_was_played(tmp_path: Path) -> None:
    now = iter(range(1000, 2000))
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal, Referee, wall=lambda: float(next(now)))
        evening(session)
        told = [entry.wall for entry in session.entries]
        session.again()
        lay(session, "S1", "SA")
        further = [entry.wall for entry in session.entries[1:]]
        session.rejoin()
        assert [entry.wall for entry in session.entries] == [*told, *further]
        assert [entry.wall for entry in journal.events(3)] == [*told, *further]
