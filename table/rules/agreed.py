"""When a game is over, and rounds that come after that: they are told, never counted in silence (D-36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.rules.games import ENDLESS, GAMES, Round
from table.rules.setup import Setup
from table.rules.view import Prompt

Remark = tuple[int, str, str]


def ended(setup: Setup, rounds: Sequence[Round]) -> bool:
    """Tell whether these rounds make a game that is finished: somebody ended it, or it is won."""
    last, game = rounds[-1], GAMES[setup.game]
    complete = sum(one.over and not one.broken_off for one in rounds)
    points = dict.fromkeys(setup.seats, 0)
    for one in rounds:
        for seat, brought in one.points().items():
            points[seat] += brought
    won = not last.broken_off and game.finished(setup, complete, points)
    if (outcome := last.outcome()) is not None:
        won = outcome[0]
    return last.over and (last.closed or won)


def over(setup: Setup, rounds: Sequence[Round]) -> bool:
    """Tell whether nothing more is played.

    Dulle and Doppelkopf are finished after every whole round and go on until somebody ends the evening.
    """
    return bool(rounds) and (rounds[-1].closed if setup.game in ENDLESS else ended(setup, rounds))


def beyond(setup: Setup, before: Sequence[Round]) -> tuple[Remark, ...]:
    """Return what is remarked of a round after these: the game was over, does it still count?"""
    if not over(setup, before):
        return ()
    rounds = setup.options.get("rounds")
    agreed = rounds is not None and not before[-1].closed
    return ((0, "rounds_were_played", str(rounds)) if agreed else (0, "game_was_over", ""),)


def noted(setup: Setup, rounds: Sequence[Round], ledgers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rounds' ledgers with that remark in them."""
    for number, ledger in enumerate(ledgers):
        if late := beyond(setup, rounds[:number]):
            ledger["remarks"] = [*map(list, late), *ledger.get("remarks", ())]
    return ledgers


def asked(setup: Setup, rounds: Sequence[Round]) -> tuple[Prompt, ...]:
    """Return what is asked when the agreed rounds are played: whether the group wants another one."""
    if setup.options.get("rounds") is None or not rounds or rounds[-1].closed or not ended(setup, rounds):
        return ()
    return (Prompt("another-round?"),)
