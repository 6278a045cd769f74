"""Doppelkopf: what follows a round: Bock games, the next dealer, owed soli, the end."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import Event
from table.rules.doppelkopf import DOPPELKOPF
from table.rules.doppelkopf.terms import DoppelkopfHanded
from tests.rules.doko import Doko, queens


def finished(preset: str, said: str, wins: bool, **options: Any) -> Doko:
    """A normal round that Re wins or loses, found by search over the deals."""
    for seed in range(200):
        table = Doko(preset, want=queens("S1", "S3"), **options)
        table.deal("S4", seed)
        table.gesund()
        table.say(said)
        table.finish()
        if (table.ledger["winner"] == "re") == wins:
            return table
    raise AssertionError("no such deal")


def test_a_lost_ansage_brings_bock_games() -> None:
    """K-70, KA-13: as many as there are players, and they add up; a Bock game counts double."""
    table = finished("dieblich", "S1 re", wins=False)
    assert table.round.handed_on().bock == 4
    before = dict(table.points)
    table.deal("S1", 7)
    assert table.round.bock == 4
    table.gesund()
    table.finish()
    assert table.ledger["doubled"] == ["bock"]
    assert table.points["S1"] - before["S1"] == table.ledger["points"]["S1"]
    assert abs(table.ledger["points"]["S1"]) == 2 * abs(table.round.settlement.value)  # type: ignore[union-attr]
    assert table.round.handed_on().bock == 3
    assert finished("dieblich", "S1 re", wins=True).round.handed_on().bock == 0
    assert finished("bundeswehr", "S1 re", wins=False).round.handed_on().bock == 0


@pytest.mark.parametrize(("overlap", "left"), [("add", 7), ("restart", 4)])
def test_bock_games_during_bock_games(overlap: str, left: int) -> None:
    """KA-13: the first of four Bock games is lost after Re was announced."""
    table = finished("dieblich", "S1 re", wins=False, bock_overlap=overlap)
    setup = table.referee.setup
    assert setup is not None
    again = DOPPELKOPF.open_round(setup, 2, Event("round", {"dealer": "S4"}), DoppelkopfHanded("S3", bock=4))
    for number, event in table.round.log:
        again.add(number, event)
    assert again.handed_on().bock == left
    assert again.points() == {seat: 2 * points for seat, points in table.points.items()}


def test_a_correction_of_one_round_reaches_the_bock_of_the_next() -> None:
    """K-70, G-10: the Ansage never happened."""
    table = finished("dieblich", "S1 re", wins=False)
    said = table.ledger["said"][0]["event"]
    table.deal("S1", 7)
    table.gesund()
    table.finish()
    doubled = table.ledger["points"]
    table.event("correction", of=said, event=None)
    assert table.ledger["doubled"] == []
    assert {seat: 2 * points for seat, points in table.ledger["points"].items()} == doubled


def test_after_a_solo_the_same_dealer_deals_again_where_the_house_says_so() -> None:
    """K-68"""
    for preset, dealer in (("bundeswehr", "S4"), ("dieblich", "S4"), ("club", "S1"), ("ddv", "S1")):
        table = Doko(preset)
        table.gesund(S2="solo:as")
        table.finish()
        assert table.referee.next_round({"kind": "say", "seat": "S1", "what": "gesund"}) == Event(
            "round", {"dealer": dealer}
        )
    table = Doko("dieblich")
    table.gesund()
    table.finish()
    assert table.referee.next_round({"kind": "card", "card": "CA"}) == Event("round", {"dealer": "S1"})


def test_a_lost_solo_makes_everybody_owe_one() -> None:
    """K-69: in bundeswehr; in ddv everybody owes one from the start (KA-1)."""
    for seed in range(100):
        table = Doko("bundeswehr")
        table.deal("S4", seed)
        table.gesund(S2="solo:as")
        table.finish()
        if table.ledger["winner"] == "kontra":
            break
    assert table.round.handed_on().owed == (1, 1, 1, 1)
    table.deal("S4", 3)
    table.gesund(S3="pflichtsolo:as")
    table.finish()
    assert table.round.handed_on().owed == (1, 1, 0, 1)
    assert Doko().round.owed == (1, 1, 1, 1)
    assert Doko("club").round.owed == (0, 0, 0, 0)


def test_the_game_is_finished_while_its_last_round_is_complete() -> None:
    """events.md#results: the seats with the highest total win; an unfinished round scores nothing."""
    table = Doko()
    assert not table.referee.finished()
    table.gesund()
    table.finish()
    assert table.referee.finished()
    best = max(table.points.values())
    assert table.referee.winners() == tuple(seat for seat in table.seats if table.points[seat] == best)
    points = dict(table.points)
    table.deal("S1", 9)
    table.gesund()
    table.play(5)
    table.event("end")
    assert not table.referee.finished()
    assert table.points == points
