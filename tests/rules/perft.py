"""Count the continuations of a position to a given depth, as chess programs do (perft)."""

from __future__ import annotations

from table.rules.engine import Position, apply, legal


def ways(position: Position, depth: int, *, cards_only: bool = False) -> int:
    moves = [move for move in legal(position) if move.kind == "card" or not cards_only]
    if not depth or not moves:
        return 1
    return sum(ways(apply(position, move), depth - 1, cards_only=cards_only) for move in moves)
