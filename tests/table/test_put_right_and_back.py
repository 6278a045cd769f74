"""A correction that is taken back leaves the evening as before (G-10), whatever the rules wrote meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.journal import Journal
from table.rules.chance import Chance
from table.rules.evening import evening
from table.rules.events import Event
from table.session import Session

GAMES = [
    ("dubbe", "dubbe", 3),
    ("dulle", "dulle", 4),
    ("doppelkopf", "club", 5),
    ("klapper-jas", "klapper-jas", 4),
]
TRIES = 8


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: str(game[0]))
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two whole rounds that somebody entered by hand."""
    game, preset, players = request.param
    seats = [f"S{number}" for number in range(1, players + 1)]
    opening = {"kind": "game", "game": game, "preset": preset, "seats": seats}
    lines = [event.having(source="touch") for event in evening(opening, 1, rounds=2)]
    with Journal.open(tmp_path_factory.mktemp("evening") / "stammtisch.sqlite") as journal:
        opened = Session(journal)
        opened.begin([line.numbered(None) for line in lines])
        yield opened


def as_guests_see_it(session: Session) -> Any:
    return replace(session.view), session.result()["findings"]


@pytest.mark.parametrize("seed", range(TRIES))
def test_a_card_that_never_happened_and_then_did_leaves_no_trace(session: Session, seed: int) -> None:
    """The place kept for the missing card, and perhaps its answer, disappear with their cause."""
    before = as_guests_see_it(session)
    cards = [entry.id for entry in session.entries if entry.event.kind == "card"]
    session.correct(cards[Chance(seed).below(len(cards))], None)
    session.redo()
    assert as_guests_see_it(session) == before


@pytest.mark.parametrize("what", ["dealer", "seat"])
@pytest.mark.parametrize("seed", range(TRIES))
def test_a_dealer_or_a_seat_put_wrong_and_undone_accuses_nobody(
    session: Session, seed: int, what: str
) -> None:
    chance, before = Chance(seed), as_guests_see_it(session)
    kind = "round" if what == "dealer" else "card"
    lines = [entry for entry in session.entries if entry.event.kind == kind]
    line = lines[chance.below(len(lines))]
    seats = [seat for seat in session.view.seats if seat != line.event.get(what)]
    fields = {name: value for name, value in line.event.fields.items() if name != "source"}
    session.correct(line.id, Event(kind, fields | {what: seats[chance.below(len(seats))]}))
    session.undo()
    assert as_guests_see_it(session) == before


@pytest.mark.parametrize("seed", range(TRIES))
def test_the_points_that_are_foreseen_are_those_that_come(session: Session, seed: int) -> None:
    cards = [entry.id for entry in session.entries if entry.event.kind == "card"]
    of = cards[Chance(seed).below(len(cards))]
    foreseen = session.foresee(session.correction(of, None)).after
    session.correct(of, None)
    points = session.view.points
    session.redo()
    assert points == foreseen
