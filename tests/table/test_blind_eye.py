"""An eye that is blind now and then: the table asks and accuses nobody (events.md#blind-times)."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

import pytest

from table.cli.watch_log import Log
from table.rules.events import Event
from tests.rules.spoilt import GAMES, true_round
from tests.table.blind_eye import accused, told


@pytest.mark.parametrize("game", GAMES)
def test_a_round_with_gaps_accuses_nobody(game: str) -> None:
    """G-12"""
    for seed in range(3):
        assert not accused(game, seed), seed


def test_the_rounds_with_gaps_have_what_makes_them_hard() -> None:
    """Blind times, cards and takings after them, guessed seats, cards that nobody saw or could read."""
    rows = [row for seed in range(3) for row in told(true_round("club", seed), seed)]
    kinds = {row.get("kind") for row in rows if row.get("after_gap")}
    assert {"card", "collected"} <= kinds
    assert {row.get("reason") == "missed" for row in rows if row.get("kind") == "unsure"} == {True, False}
    assert any(row.get("kind") == "blind" for row in rows)
    assert any(row.get("inferred") and row.get("source") == "camera" for row in rows)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_hundreds_of_rounds_with_gaps_accuse_nobody(game: str) -> None:
    """G-12"""
    assert [seed for seed in range(1000, 1200) if accused(game, seed)] == []


class Watched:
    """The result of a film, written as `watch --game` does."""

    def __init__(self, **game: Any) -> None:
        self.out = io.StringIO()
        with contextlib.redirect_stdout(self.out):
            self.log = Log([Event("game", game)], True, None, folding=True)

    def event(self, kind: str, **fields: Any) -> None:
        with contextlib.redirect_stdout(self.out):
            self.log.add(Event(kind, fields))

    def play(self, cards: str, **fields: Any) -> None:
        """Play `S2:CQ S3:DK`."""
        for word in cards.split():
            seat, _, card = word.partition(":")
            self.event("card", seat=seat, card=card, source="camera", **fields)

    def taken(self, seat: str | None = None) -> None:
        """A trick is taken; without a seat nobody saw who took it."""
        self.event("collected", source="camera", **({"seat": seat} if seat else {"after_gap": True}))

    def result(self) -> dict[str, Any]:
        """The last line that is printed."""
        with contextlib.redirect_stdout(self.out):
            self.log.end()
        told: dict[str, Any] = json.loads(self.out.getvalue().splitlines()[-1])
        return told


def test_who_is_a_card_short_by_a_guess_is_not_accused() -> None:
    """G-I6, G-12: in the last trick S3's card was recorded as S2's, which leaves S3 one card short."""
    t = Watched(game="doppelkopf", preset="club", seats=["S1", "S2", "S3", "S4"])
    t.event("round", dealer="S1")
    for seat in ("S2", "S3", "S4", "S1"):
        t.event("say", seat=seat, what="gesund")
    for trick, winner in (
        ("S2:CQ S3:DK S4:DQ S1:SJ", "S2"),
        ("S2:HA S3:CK S4:CQ S1:HK", "S4"),
        ("S4:SA S1:ST S2:SA S3:SK", "S4"),
        ("S4:HQ S1:HQ S2:DQ S3:CJ", "S4"),
        ("S4:DT S1:DK S2:HJ S3:DT", "S2"),
        ("S2:HT S3:SQ S4:SQ S1:CJ", "S2"),
        ("S2:HK S3:CA S4:SJ S1:HA", "S4"),
    ):
        t.play(trick)
        t.taken(winner)
    t.play("S4:DA")
    t.event("blind", t=49.1, until=51.7, why="moved")
    t.taken()
    t.play("S2:HJ")
    t.event("blind", t=54.5, until=55.3, why="frozen")
    t.play("S3:CA", after_gap=True)
    t.play("S4:DJ S1:ST")
    t.event("blind", t=59.1, until=61.0, why="covered")
    t.play("S2:CT", after_gap=True, inferred=True)
    t.taken()
    t.play("S4:HT S1:SK")
    t.taken("S4")
    result = t.result()
    assert result["findings"] == []
    assert result["rounds"][0]["complete"] is True
    assert sum(result["points"].values()) == 0


def test_a_card_whose_seat_was_a_guess_moves_no_trick_so_that_somebody_seems_to_revoke() -> None:
    """J-23, G-12: S2's card went unseen, so S1's CQ was recorded as S2's; likewise S2's ST as S1's."""
    t = Watched(game="klapper-jas", seats=["S1", "S2"])
    t.event("round", dealer="S2")
    t.event("turned", card="S8")
    for seat, what in (("S1", "passe"), ("S2", "orgi"), ("S1", "terz:CT")):
        t.event("say", seat=seat, what=what)
    t.play("S1:HQ")
    t.event("blind", t=7.0, until=9.0, why="gone")
    t.taken()
    t.play("S2:CQ", inferred=True)
    t.play("S2:CJ")
    t.taken("S1")
    t.play("S1:HA S2:H9")
    t.taken("S1")
    t.play("S1:CK S2:CA")
    t.taken("S2")
    t.play("S1:ST", inferred=True)
    t.play("S1:C9")
    t.taken("S2")
    for trick in ("S2:S9 S1:HT", "S2:DQ S1:C8", "S2:D9 S1:HJ", "S2:SQ S1:CT"):
        t.play(trick)
        t.taken("S2")
    assert t.result()["findings"] == []
