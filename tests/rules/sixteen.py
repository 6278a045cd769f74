"""A Dulle table in its own verbs. S4 deals and S1 leads, unless set otherwise."""

from __future__ import annotations

from typing import Any

from table.rules import Event, Referee
from table.rules.dulle.parties import CALLER, OTHERS
from table.rules.dulle.settlement import DulleSettlement, Terms, settle
from table.rules.dulle.terms import TARIFF
from table.rules.engine import Position, deal, legal
from table.rules.opening import open_game
from tests.rules.folded import Plays

SEATS = ["S1", "S2", "S3", "S4"]
Proof = tuple[str, str | None, int, int | None]
WHOLE = "S1:CA S2:CT S3:DJ S4:DA  S3:SQ S4:CQ S1:HT S2:HQ  S1:SJ S2:DT S3:DQ S4:CJ  S2:ST S3:HA S4:SA S1:HJ"
"""U-V1: S4 has Kreuz Dame and calls, S3 holds Herz Ass; the Rufspielpaar takes 34 and loses."""


class Sixteen(Plays):
    """A referee and four players."""

    def __init__(self, dealer: str = "S4", **options: Any) -> None:
        self.referee = Referee()
        self.event("game", game="dulle", preset="dulle", options=options, seats=SEATS)
        self.event("round", dealer=dealer)

    def say(self, seat: str, what: str) -> int:
        return self.event("say", seat=seat, what=what)

    @property
    def points(self) -> list[int]:
        return list(self.referee.points().values())

    @property
    def ledger(self) -> dict[str, Any]:
        rounds: list[dict[str, Any]] = self.referee.result()["rounds"]
        return rounds[-1]

    @property
    def findings(self) -> list[Proof]:
        return [(f.finding, f.seat, f.event, f.about) for f in self.referee.as_it_stands()]


def called(card: str = "HA", caller: str = "S4", **options: Any) -> Sixteen:
    """A table at which this card was called."""
    table = Sixteen(**options)
    table.say(caller, f"ruf:{card}")
    return table


def position(hands: dict[str, str], trick: str = "", call: str = "S4:HA", **options: Any) -> Position:
    """A first trick with these hands; S1 leads."""
    setup = open_game(Event("game", {"game": "dulle", "seats": SEATS, "options": options}))
    opened = deal(setup, 1).round
    seat, _, card = call.partition(":")
    opened.add(1, Event("say", {"seat": seat, "what": f"ruf:{card}"}, 1))
    for number, name in enumerate(trick.split(), 2):
        opened.add(number, Event("card", {"card": name}, number))
    return Position(setup, opened, tuple(tuple(hands.get(s, "").split()) for s in SEATS), ())


def may_play(table: Position) -> set[str]:
    return {move.card for move in legal(table) if move.kind == "card"}


def worth(
    caller: int,
    *,
    tricks: tuple[int, int] = (2, 2),
    solo: str | None = None,
    alone: bool = False,
    tariff: dict[str, int] | None = None,
    **terms: Any,
) -> DulleSettlement:
    """Settle a round in which the caller's side took so many Augen; the first seat is the caller."""
    parties = (CALLER, OTHERS, OTHERS, OTHERS) if solo or alone else (CALLER, OTHERS, CALLER, OTHERS)
    augen, won = (caller, 104 - caller, 0, 0), (tricks[0], tricks[1], 0, 0)
    return settle(parties, augen, won, Terms(solo=solo, **terms), tariff or TARIFF)
