"""Random evenings of Doppelkopf, folded, and what must be true of each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from table.rules import Event
from table.rules.chance import Chance
from table.rules.doppelkopf.choices import is_armut
from table.rules.engine import Position, legal
from table.rules.evening import evening
from tests.rules.folded import fold

PRESETS = ("ddv", "bundeswehr", "dieblich", "club")
Log = list[dict[str, Any]]
NAMED = ("hochzeit", "armut", "armut-nehmen", "solo", "pflichtsolo")


def opening(preset: str, players: int = 4) -> dict[str, Any]:
    seats = [f"S{n}" for n in range(1, players + 1)]
    return {"kind": "game", "game": "doppelkopf", "preset": preset, "seats": seats}


class Anybody:
    """Plays any legal move, but seldom announces a Vorbehalt and prefers the rare ones."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)

    def __call__(self, position: Position, seat: str) -> Event:
        moves = legal(position)
        said = [str(move.get("what")) for move in moves]
        if "gesund" in said and "vorbehalt" in said:
            seat = str(moves[0].seat)
            hand = position.hand(seat)
            rare = hand.count("CQ") == 2 or is_armut(hand, 4, False) or self.chance.below(6) == 0
            return moves[said.index("vorbehalt" if rare and self.chance.below(4) else "gesund")]
        for name in NAMED:
            some = [move for move, what in zip(moves, said, strict=True) if what.partition(":")[0] == name]
            if some and self.chance.below(3):
                return some[self.chance.below(len(some))]
        cards = [move for move in moves if move.kind == "card"]
        if cards and self.chance.below(5):
            return cards[self.chance.below(len(cards))]
        return moves[self.chance.below(len(moves))]


def random_log(preset: str, seed: int, rounds: int = 1, players: int = 4) -> Log:
    return [
        event.to_dict() for event in evening(opening(preset, players), seed, Anybody(seed), rounds=rounds)
    ]


def check_legal(preset: str, seed: int) -> Counter[str]:
    """Check for no finding, a clean audit, a sum of zero and 240 Augen; return which games were played."""
    log = random_log(preset, seed, rounds=2, players=4 + seed % 2)
    result = fold(log).result()
    assert result["findings"] == []
    assert result["finished"]
    assert sum(result["points"].values()) == 0
    for entry in result["rounds"]:
        assert sum(entry["points"].values()) == 0
        assert entry["contract"] == "thrown" or sum(entry["eyes"].values()) == 240
        assert entry["audit"] is True
    return Counter(entry["contract"].partition(":")[0] for entry in result["rounds"])
