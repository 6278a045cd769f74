"""The next round begins by itself once its first trick has fallen, and not before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.rules.events import Event
from table.session import Session
from tests.house.test_missed_cards import cards_of, note, played
from vision.layout import Layout
from vision.sightings import CardDown, CardsGone, Guess

CORNERS = ((0.0, 0.0), (59.0, 0.0), (59.0, 91.0), (0.0, 91.0))


class Pub:
    """A table between two rounds of a game; S4 has dealt the first one."""

    def __init__(self, session: Session, game: str) -> None:
        self.session = session
        whole = played(game, 2)
        second = next(i for i, e in enumerate(whole) if e.kind == "round" and i > 5)
        note(session, whole[:second])
        assert session.view.phase in ("settled", "finished")
        self.next_cards = [whole[i] for i in cards_of(whole, 2)]
        self.table = Table(session, Interpreter(Layout("mat", (680.0, 380.0), ())))
        self.key = 0

    def lay(self, seat: str, card: str, sure: bool = True) -> int:
        self.key += 1
        self.table.hear(CardDown(9.0, self.key, (Guess(card, 0.9),), sure, CORNERS, seat, seat))
        return self.key


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        yield Session(journal)


@pytest.mark.parametrize("game", ["dulle", "doppelkopf"])
def test_two_cards_in_turn_begin_the_next_round_without_a_tap(session: Session, game: str) -> None:
    pub = Pub(session, game)
    lead, second, third = pub.next_cards[:3]
    pub.lay(str(lead.seat), lead.card)
    assert session.view.round == 1, "one card alone may have been turned up in the deal"
    pub.lay(str(second.seat), second.card)
    assert session.view.round == 2
    pub.lay(str(third.seat), third.card)
    assert [play.card for play in session.view.trick] == [lead.card, second.card, third.card]
    said_nothing = {"missing_declaration"}  # here nobody called or turned a die, and the table reports that
    assert {finding.finding for finding in session.view.findings} <= said_nothing


def test_a_whole_trick_begins_the_next_round_where_the_trump_die_was_not_seen(session: Session) -> None:
    """D-11, D-13."""
    pub = Pub(session, "dubbe")
    for event in pub.next_cards[:3]:
        pub.lay(str(event.seat), event.card)
        assert session.view.round == 1
    pub.lay(str(pub.next_cards[3].seat), pub.next_cards[3].card)
    assert session.view.round == 2


def test_a_trick_led_by_another_seat_begins_the_round_when_it_is_whole(session: Session) -> None:
    """K-68: after a Solo the same dealer may deal again."""
    pub = Pub(session, "doppelkopf")
    for seat, card in (("S1", "C9"), ("S2", "C10"), ("S3", "CK")):
        pub.lay(seat, card)
        assert session.view.round == 1
    pub.lay("S4", "CA")
    assert session.view.round == 2
    assert len(session.view.seen) == 4


@pytest.mark.parametrize("game", ["dubbe", "dulle", "doppelkopf"])
def test_a_hand_laid_open_and_a_card_turned_up_in_the_deal_begin_nothing(session: Session, game: str) -> None:
    pub = Pub(session, game)
    cards = [event.card for event in pub.next_cards]
    for card in cards[:4]:
        pub.lay("S2", card)
    pub.table.hear(CardsGone(9.5, (1, 2, 3, 4), "S1"))
    flipped = pub.lay("S2", cards[4])
    pub.table.hear(CardsGone(9.6, (flipped,), "S1"))
    pub.lay("S3", cards[5])
    pub.lay("S3", cards[6], sure=False)
    assert session.view.round == 1
    assert session.entries[-1].event.kind != "card"


@pytest.mark.parametrize("game", ["dubbe", "dulle", "doppelkopf", "klapper-jas"])
def test_after_a_misdeal_that_was_broken_off_the_table_waits_for_the_next_round(
    session: Session, game: str
) -> None:
    """That includes a misdeal before the first card: a card turned up in the new deal is not played."""
    log = played(game, 1)
    session.begin(log[:1])
    session.add(next(event for event in log if event.kind == "round"))
    session.tell(Event("end"))
    assert session.view.phase == "settled"
    table = Table(session, Interpreter(Layout("mat", (680.0, 380.0), ())))
    table.hear(CardDown(9.0, 1, (Guess(next(iter(session.view.pack)), 0.9),), True, CORNERS, "S1", "S1"))
    assert session.view.round == 1
    session.go_on()
    assert session.view.round == 2


@pytest.mark.parametrize("game", ["dubbe", "dulle"])
def test_no_card_begins_a_round_of_a_game_that_is_over(session: Session, game: str) -> None:
    """D-36: a game is over once the agreed rounds are played, or somebody ended the evening."""
    whole = played(game, 1)
    note(session, whole)
    if game == "dulle":
        session.add(Event("end"))
    assert session.view.over
    table = Table(session, Interpreter(Layout("mat", (680.0, 380.0), ())))
    laid = ("red-5", "red-6", "red-7", "red-8") if game == "dubbe" else ("CA", "CT", "CK", "C9")
    for key, (seat, card) in enumerate(zip(("S2", "S3", "S4", "S1"), laid, strict=True), 1):
        table.hear(CardDown(9.0, key, (Guess(card, 0.9),), True, CORNERS, seat, seat))
    assert session.view.finished
    assert session.view.round == 1
