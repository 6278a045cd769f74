"""Evenings at the virtual table: game after game, killed and resumed, in every trick game."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from table.journal import Journal
from table.printables import plan_mat
from table.rules.events import Event
from table.rules.referee import Referee
from table.session import Session
from table.virtual import MatHands, Players
from table.virtual.evening import Evening
from table.virtual.tonight import Tonight
from tests.table.virtual_watcher import Watcher, events_of, seen_of, staged


class Company:
    """An evening whose journal is written by a perfect eye."""

    def __init__(self, path: Path, seats: int = 2, game: str = "dubbe", **more: Any) -> None:
        self.journal = Journal.open(path)
        self.session = Session(self.journal, Referee)
        self.players, self.now, self.lines = Players(), 0.0, list[str]()
        tonight = Tonight(game, seats, seed=1, **more)
        self.evening = Evening(
            self.session, self.players, tonight, tell=self.lines.append, clock=lambda: self.now
        )
        self.lying, self.said = self.evening.take_up()
        self.plan, self.watcher = plan_mat(seats, "A2"), Watcher()
        self.table = staged(self.watcher, MatHands(self.plan, 1), self.players, self.lying)

    def play_round(self, upto: int | None = None) -> None:
        for event in events_of(self.table, self.players, self.watcher, self.plan)[:upto]:
            self.session.add(event)

    def play_round_while(self, on: Callable[[], bool]) -> None:
        """Look at single frames, so that the round can be left in its middle."""
        seen = seen_of(self.table, self.players, self.watcher, self.plan)
        while on():
            self.session.add(next(seen))

    def close(self) -> None:
        self.journal.close()


def test_game_follows_game_and_the_journal_keeps_the_last_ones(tmp_path: Path) -> None:
    company = Company(tmp_path / "demo.sqlite", keep_games=2)
    for _ in range(13):
        company.play_round()
        assert company.evening.tend()
    assert len(company.journal.games()) == 2
    assert company.session.view.round == 2
    assert company.evening.differences == 0
    assert all("as the players count" in line for line in company.lines)
    dealers = [e.event.fields["dealer"] for e in company.session.entries if e.event.kind == "round"]
    assert dealers == ["S2", "S1"]
    company.close()


def sheet_stays(company: Company, seconds: float) -> bool:
    """Whether the finished game's sheet is replaced after so many seconds, and not before."""
    game, begin = company.session.game, company.now
    company.now = begin + seconds - 1.0
    assert company.evening.tend()
    still = company.session.game == game
    company.now = begin + seconds + 1.0
    assert company.evening.tend()
    return still and company.session.game != game


def play_game(company: Company, ended: bool = False) -> None:
    while not company.session.view.over:
        company.play_round()
        if ended:
            company.session.tell(Event("end"))
        assert company.evening.tend()


def test_the_sheet_stays_for_the_people_who_ended_the_game(tmp_path: Path) -> None:
    """After a game that ended by itself the show goes on soon; people who ended it may print the sheet."""
    company = Company(tmp_path / "demo.sqlite", sheet_s=30.0, own_sheet_s=240.0)
    for ended, stays in ((False, 30.0), (True, 240.0), (False, 30.0)):
        play_game(company, ended)
        assert sheet_stays(company, stays)
    company.close()


def test_the_sheet_stays_for_the_people_who_chose_the_game_and_not_for_the_next_one(tmp_path: Path) -> None:
    people = {"game": "dubbe", "options": {"rounds": 2}, "seats": ["S1", "S2"], "players": ["Ute", "Veit"]}
    chosen = Event("game", people)
    company = Company(tmp_path / "demo.sqlite", sheet_s=30.0, own_sheet_s=240.0, opening=chosen)
    for stays in (240.0, 30.0):
        play_game(company)
        assert sheet_stays(company, stays)
    assert list(company.session.view.players) == ["Ute", "Veit"], "they play on"
    company.close()


def test_games_that_others_played_are_never_dropped(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        for _ in range(4):
            journal.new_game(opening=[Event("game", {"game": "dulle", "seats": ["S1", "S2", "S3", "S4"]})])
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal)
        session.others = 4
        for _ in range(5):
            Evening(session, Players(), Tonight("dubbe", 2, keep_games=2))._begin_game()
        assert journal.games() == (1, 2, 3, 4, 8, 9)
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        assert journal.lost is None


def test_the_evening_ends_after_the_wished_rounds(tmp_path: Path) -> None:
    company = Company(tmp_path / "demo.sqlite", limit=2)
    company.play_round()
    assert company.evening.tend()
    company.play_round()
    assert not company.evening.tend()
    company.close()


def test_a_killed_demo_goes_on_with_the_cards_that_lie_there(tmp_path: Path) -> None:
    first = Company(tmp_path / "demo.sqlite")
    first.play_round(upto=9)
    first.close()
    second = Company(tmp_path / "demo.sqlite")
    assert "goes on" in second.said
    assert second.session.view.round == 1
    cards = [e.event.fields["card"] for e in second.session.entries if e.event.kind == "card"]
    assert [card for _, card in second.lying.cards] == cards[len(cards) // 2 * 2 :]
    assert second.lying.pile == len(cards) // 2 * 2
    second.close()


def test_a_journal_of_another_company_is_left_alone_and_a_new_game_begins(tmp_path: Path) -> None:
    Company(tmp_path / "demo.sqlite", seats=3).close()
    company = Company(tmp_path / "demo.sqlite", seats=2)
    assert "begins" in company.said
    assert len(company.journal.games()) == 2
    company.close()


def test_what_the_eye_misread_is_noted_and_not_mended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    company = Company(tmp_path / "demo.sqlite")
    events = events_of(company.table, company.players, company.watcher, company.plan)
    wrong = next(i for i, event in enumerate(events) if event.kind == "card")
    events[wrong] = events[wrong].having(card="red-15")
    for event in events:
        company.session.add(event)
    assert company.evening.differences == 1
    assert "the table saw red-15" in caplog.text
    assert sum(e.event.kind == "correction" for e in company.session.entries) == 0
    company.close()


def test_a_card_that_was_never_seen_is_counted_once_and_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    company = Company(tmp_path / "demo.sqlite", seats=3)
    events = events_of(company.table, company.players, company.watcher, company.plan)
    unseen = [i for i, event in enumerate(events) if event.kind == "card"][7]
    for event in events[:unseen] + events[unseen + 1 :]:
        company.session.add(event)
    assert company.evening.differences == 1
    assert f"did not see {events[unseen].card} by {events[unseen].seat}" in caplog.text
    company.close()


def test_a_round_that_the_table_did_not_see_to_its_end_is_broken_off_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    company = Company(tmp_path / "demo.sqlite")
    company.play_round(upto=20)
    assert company.evening.tend()
    assert company.session.view.round == 1, "the table gets some time to see the rest"
    company.now += 10
    assert company.evening.tend()
    assert company.session.view.round == 2
    assert "did not see all of it" in caplog.text
    company.close()


def play_until(company: Company, cards: int) -> None:
    """A perfect eye watches until so many cards have been laid."""
    company.play_round_while(lambda: sum(company.session.view.seen.values()) < cards)


def break_off(company: Company) -> None:
    """Somebody ends the round on the page, and the guests notice."""
    company.session.tell(Event("end"))
    while not company.players.waiting:
        assert company.evening.tend()
        company.table.frame()


def test_guests_play_no_more_of_a_round_that_somebody_breaks_off(tmp_path: Path) -> None:
    company = Company(tmp_path / "demo.sqlite", seats=4)
    play_until(company, 10)
    break_off(company)
    assert company.session.view.doubts == ()
    assert company.evening.tend()
    assert company.session.view.round == 1, "who broke it off may say what comes next"
    company.now += 30.0
    assert company.evening.tend()
    assert company.session.view.round == 2
    assert company.lines == ["round 1: broken off by somebody"]
    while company.watcher.scene.cards:  # they are taken away before any other card is laid
        company.table.frame()
    company.play_round()
    assert company.evening.tend()
    assert "as the players count" in company.lines[-1]
    assert company.evening.differences == 0
    company.close()


def test_guests_deal_the_round_that_somebody_begins_on_the_page(tmp_path: Path) -> None:
    """A demo that is then killed goes on with the same cards."""
    company = Company(tmp_path / "demo.sqlite", seats=4)
    play_until(company, 10)
    break_off(company)
    company.session.tell(Event("round"))
    assert company.evening.tend()
    assert company.session.view.round == 2
    company.close()
    again = Company(tmp_path / "demo.sqlite", seats=4)
    assert again.said.endswith("round 2 goes on")
    again.play_round()
    assert again.evening.tend()
    assert "as the players count" in again.lines[-1]
    assert (again.session.view.round, again.evening.differences) == (3, 0)
    again.close()


GUESTS = [("dulle", 4), ("doppelkopf", 4), ("doppelkopf", 5), ("klapper-jas", 2), ("klapper-jas", 3)]


def watch_round(company: Company) -> None:
    """A perfect eye watches one round, twin cards included, and hears nothing."""
    zones = dict(zip((p.name for p in company.plan.layout.seats), company.plan.seats, strict=True))
    lay: set[Any] = set()
    first = company.session.view.round
    while company.session.view.round == first:
        company.table.frame()
        lies = {(card.face, card.center_mm) for card in company.watcher.scene.cards if card.face != "back"}
        for name, center in lies - lay:
            seat = next(s for s, a in zones.items() if math.dist(a.center_mm, center) < 40)
            company.session.add(Event("card", {"seat": seat, "card": name, "source": "camera"}))
        if lay and not lies:
            company.session.add(Event("collected", {"seat": company.session.view.last_winner}))
        lay = lies
        if not company.evening.tend():
            return


@pytest.mark.parametrize(("game", "seats"), GUESTS)
def test_every_trick_game_is_played_as_its_players_count(tmp_path: Path, game: str, seats: int) -> None:
    """Cards come from the camera, words through the page; the table counts what the players count."""
    company = Company(tmp_path / "demo.sqlite", seats=seats, game=game, limit=3)
    for _ in range(3):
        watch_round(company)
    assert len(company.lines) == 3
    assert all("as the players count" in line for line in company.lines), company.lines
    assert company.evening.differences == 0
    assert company.session.view.findings == ()
    assert {e.event.kind for e in company.session.entries} & {"say", "turned"}
    company.close()


@pytest.mark.parametrize("cut", range(0, 40, 9))
def test_a_killed_evening_of_klapper_jas_says_nothing_twice(tmp_path: Path, cut: int) -> None:
    """Deal, words and cards of an earlier round and of this one are restored from the journal alone."""
    whole = Company(tmp_path / "whole.sqlite", seats=3, game="klapper-jas", limit=2)
    watch_round(whole)
    watch_round(whole)
    told = [e.event for e in whole.session.entries]
    second = [i for i, event in enumerate(told) if event.kind == "round"][1]
    journal = Journal.open(tmp_path / "cut.sqlite")
    half = Session(journal, Referee)
    half.begin(told[:1])
    for event in told[1 : second + 1 + cut]:
        half.add(event)
    journal.close()
    company = Company(tmp_path / "cut.sqlite", seats=3, game="klapper-jas", limit=1)
    lying = {card for _, card in company.lying.cards}
    company.table.frame()
    kept = company.session.add

    def once(event: Event, crop: bytes | None = None) -> int:
        if event.kind == "card" and event.card in lying:
            lying.discard(event.card)  # the interpreter knows what was there before the cut
            return 0
        return kept(event, crop)

    company.session.add = once  # type: ignore[method-assign]
    watch_round(company)
    fresh = [e.event for e in company.session.entries]

    def said(events: list[Event]) -> list[tuple[object, ...]]:
        return [(e.kind, e.get("card"), e.seat, e.get("what")) for e in events if e.kind != "collected"]

    assert said(fresh) == said(told)
    company.close()
    whole.close()
