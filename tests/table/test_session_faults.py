"""A sitting with failures: a full disk, a fault in the rules, lines that nobody understands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table.journal import Journal, JournalError
from table.live import Table
from table.rules.events import Event
from table.rules.opening import as_event
from table.rules.referee import Referee
from table.rules.round_fold import Slot
from table.session import Session
from tests.table.dubbe_sitting import GAME, ROUND, TRUMP, begun, card, played
from tests.table.running_table import PlainEars


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "evening.sqlite") as opened:
        yield opened


@pytest.fixture
def session(journal: Journal) -> Session:
    return begun(journal)


def test_nothing_is_folded_that_could_not_be_written(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise JournalError("the disk is full")

    monkeypatch.setattr(journal, "append", full)
    with pytest.raises(JournalError):
        session.add(card("S2", "red-5"))
    assert played(session) == []
    assert len(session.entries) == 3


def test_another_game_that_cannot_be_written_down_leaves_the_old_one_playing(
    journal: Journal, session: Session
) -> None:
    journal._base.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END"
    )
    with pytest.raises(JournalError, match="no room"):
        session.again()
    journal._base.execute("DROP TRIGGER full")
    session.add(card("S2", "red-5"))
    assert played(session) == [("S2", "red-5")]
    assert journal.games() == (1,)
    assert Session(journal).resume()


class Stumbling(Referee):
    """Faulty rules: they fail on the red seven, now and at every later fold."""

    def _place(self, slot: Slot) -> None:
        super()._place(slot)
        if slot.first.get("card") == "red-7":
            raise ZeroDivisionError


def test_a_fault_in_the_rules_costs_one_event_and_not_the_evening(journal: Journal) -> None:
    session = Session(journal, Stumbling)
    session.begin([GAME, ROUND, TRUMP])
    session.add(card("S2", "red-7"))
    session.add(card("S2", "red-5"))
    assert session.choked == (4,)
    assert played(session) == [("S2", "red-5")]
    resumed = Session(journal, Stumbling)
    assert resumed.resume()
    assert resumed.choked == (4,)
    assert played(resumed) == [("S2", "red-5")]


def test_a_fault_in_the_rules_is_foreseen_as_nothing(journal: Journal) -> None:
    session = Session(journal, Stumbling)
    session.begin([GAME, ROUND, TRUMP])
    session.add(card("S2", "red-5"))
    foreseen = session.foresee(card("S3", "red-7"))
    assert (foreseen.findings, foreseen.after) == ((), foreseen.before)
    assert session.choked == ()
    assert played(session) == [("S2", "red-5")]


class Settling(Referee):
    """Rules that fail on their own answer to a doubt, and give it again and again."""

    def settle_by_rules(self) -> list[Event]:
        return [Event("correction", {"of": d.event, "event": card("S2", "red-7")}) for d in self.doubts()]

    def add(self, event: Any) -> int:
        if as_event(event).kind == "correction":
            raise ZeroDivisionError
        return super().add(event)


def test_a_fault_in_settling_does_not_hang_the_table(journal: Journal) -> None:
    session = Session(journal, Settling)
    session.begin([GAME, ROUND, TRUMP])
    session.add(Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.5], ["red-9", 0.4]]}))
    assert len(session.entries) == 5
    assert [d.event for d in session.view.doubts] == [4]


def test_an_event_is_written_once_even_when_the_disk_fills_up_right_behind_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the rules would add after it waits for the next event."""
    session.add(card("S2", "red-5"))
    append = Journal.append

    def full(journal: Journal, game: int, event: Event, *rest: Any) -> int:
        if event.get("source") == "rules":
            raise JournalError("the disk is full")
        return append(journal, game, event, *rest)

    monkeypatch.setattr(Journal, "append", full)
    number = session.add(Event("unsure", {"seat": "S3", "candidates": [["red-5", 0.5], ["red-9", 0.4]]}))
    assert (number, len(session.view.doubts)) == (5, 1)
    monkeypatch.setattr(Journal, "append", append)
    session.add(card("S1", "red-3"))
    assert session.view.doubts == ()
    assert [e.event.kind for e in session.entries].count("unsure") == 1


def missed_behind(session: Session) -> Event:
    """Play a trick without its second card; return the lead of the next one, behind which the doubt comes."""
    for line in (card("S2", "red-5"), card("S1", "red-3"), Event("collected", {"seat": "S2"})):
        session.add(line)
    return card("S2", "red-7")


@pytest.fixture
def room_for_no_doubt(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The disk is full whenever a doubt is to be written, until this function is called."""
    append = Journal.append

    def full(journal: Journal, game: int, event: Event, *rest: Any) -> int:
        if event.kind == "unsure":
            raise JournalError("the disk is full")
        return append(journal, game, event, *rest)

    monkeypatch.setattr(Journal, "append", full)
    return lambda: monkeypatch.setattr(Journal, "append", append)


def test_a_disk_that_fills_up_between_a_card_and_its_doubt_writes_the_card_once(
    session: Session, room_for_no_doubt: Callable[[], None]
) -> None:
    heard: list[int] = []
    lead = missed_behind(session)
    session.listen(lambda view: heard.append(len(view.doubts)))
    session.add(lead)
    session.tend()
    assert "disk is full" in str(session.owed)
    assert heard == [0, 0]
    room_for_no_doubt()
    session.tend()
    assert session.owed is None
    assert heard == [0, 0, 1]
    kinds = [e.event.kind for e in session.entries[3:]]
    assert kinds == ["card", "card", "collected", "card", "unsure"]


def test_a_card_that_is_taken_back_while_its_doubt_has_no_room_is_taken_back_once(
    session: Session, room_for_no_doubt: Callable[[], None]
) -> None:
    session.add(missed_behind(session))
    session.undo()
    session.tend()
    kinds = [e.event.kind for e in session.entries[3:]]
    assert kinds == ["card", "card", "collected", "card", "correction"]
    assert session.owed is None, "no card proves any more that one is missing"


def test_the_page_says_that_the_disk_is_full_while_a_doubt_waits(
    session: Session, room_for_no_doubt: Callable[[], None]
) -> None:
    table = Table(session, PlainEars())
    session.add(missed_behind(session))
    table.tick()
    assert (table.health.journal.what, str(table.health.journal.detail)) == ("stuck", "the disk is full")
    room_for_no_doubt()
    table.tick()
    table.tick()
    assert table.health.journal.what == "fine"


@pytest.mark.parametrize(
    "strange",
    [Event("fanfare", {"loud": True}), Event("card", {"seat": "S2"}), Event("correction", {"of": 1})],
)
def test_a_line_that_this_program_does_not_understand_is_kept_and_passed_over(
    session: Session, journal: Journal, strange: Event
) -> None:
    """A newer program may have written it, so nothing is lost and the game goes on."""
    assert session.game is not None
    journal.append(session.game, strange)
    journal.append(session.game, card("S2", "red-5"))
    again = Session(journal)
    assert again.resume()
    assert again.choked == (4,)
    assert again.entries[3].event.kind == strange.kind
    assert again.entries[3].wrong is not None
    assert played(again) == [("S2", "red-5")]
