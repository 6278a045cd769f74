"""When a game is over, and remarks on rounds after that: none is counted in silence (D-36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.rules.games import GAMES, Round
from table.rules.setup import Setup
from table.rules.view import Prompt

Remark = tuple[int, str, str]


def ended(setup: Setup, rounds: Sequence[Round]) -> bool:
    """Return whether these rounds make a finished game: somebody ended it, or it is won."""
    tally = _Tally(setup)
    for one in rounds:
        tally.add(one)
    return tally.ended()


def complete(played: Round) -> bool:
    """Return whether a round was played to its end."""
    return played.over and not played.broken_off


class _Tally:
    """The rounds counted so far, so that a question after each of them adds nothing up twice."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.complete = setup, 0
        self.points = dict.fromkeys(setup.seats, 0)
        self.last: Round | None = None

    def add(self, played: Round) -> None:
        self.last = played
        self.complete += complete(played)
        for seat, brought in played.points().items():
            self.points[seat] += brought

    def ended(self) -> bool:
        last = self.last
        if last is None or not last.over:
            return False
        if last.closed:
            return True
        if (outcome := last.outcome()) is not None:
            return outcome[0]
        return not last.broken_off and GAMES[self.setup.game].finished(self.setup, self.complete, self.points)

    def over(self) -> bool:
        last = self.last
        return last is not None and (last.closed if GAMES[self.setup.game].endless else self.ended())


def over(setup: Setup, rounds: Sequence[Round]) -> bool:
    """Return whether nothing more is played.

    Dulle and Doppelkopf are finished after every whole round and go on until somebody ends the evening.
    """
    return bool(rounds) and (rounds[-1].closed if GAMES[setup.game].endless else ended(setup, rounds))


def beyond(setup: Setup, before: Sequence[Round]) -> tuple[Remark, ...]:
    """Return the remark on a round after these: the game was over, so does it still count?"""
    return _after(setup, before[-1]) if over(setup, before) else ()


def _after(setup: Setup, last: Round) -> tuple[Remark, ...]:
    rounds = setup.options.get("rounds")
    agreed = rounds is not None and not last.closed
    return ((0, "rounds_were_played", str(rounds)) if agreed else (0, "game_was_over", ""),)


def noted(setup: Setup, rounds: Sequence[Round], ledgers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rounds' ledgers with that remark in them."""
    tally = _Tally(setup)
    for played, ledger in zip(rounds, ledgers, strict=True):
        if tally.last is not None and tally.over():
            late = _after(setup, tally.last)
            ledger["remarks"] = [*map(list, late), *ledger.get("remarks", ())]
        tally.add(played)
    return ledgers


def asked(setup: Setup, rounds: Sequence[Round]) -> tuple[Prompt, ...]:
    """Return what is asked when the agreed rounds are played: whether the group wants another one."""
    if setup.options.get("rounds") is None or not rounds or rounds[-1].closed or not ended(setup, rounds):
        return ()
    return (Prompt("another-round?"),)
