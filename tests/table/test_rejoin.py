"""Games that were begun by mistake are taken back one after the other, and nothing that was played goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.journal import Journal
from table.rules.events import Event
from table.rules.referee import Referee
from table.session import Session, SessionError

OPENING = Event("game", {"game": "dulle", "seats": ["S1", "S2", "S3", "S4"], "players": ["A", "B", "C", "D"]})
OTHER = Event("game", {**OPENING.fields, "game": "klapper-jas"})


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        yield Session(journal, Referee)


def lay(session: Session, seat: str, card: str) -> None:
    session.add(Event("card", {"seat": seat, "card": card, "source": "camera"}))


def laid(session: Session) -> list[str]:
    return [str(entry.event.get("card")) for entry in session.entries if entry.event.kind == "card"]


@pytest.mark.parametrize("begun", ["by itself", "by a tap"])
def test_two_games_begun_by_mistake_one_after_the_other(session: Session, begun: str) -> None:
    """G-10: the second is taken back, then the first: the evening goes on with what all three noted."""
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
    """Each time the evening goes on as it was, another game between them or not."""
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
