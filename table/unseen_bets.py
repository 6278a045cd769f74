"""Bets that nobody can see: a die in no one's view, and a bet tile that reaches over the picture's edge.

It may lie there or be in its player's hand. That is asked where the throw would pay the bet, never assumed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from table.rules.doppelx.scoring import score
from table.rules.doppelx.terms import Die, read_die

Event = dict[str, Any]


def unseen_bets(
    event: Event, tiles: Sequence[str], absent: Collection[str], players: Collection[str]
) -> Iterator[Event]:
    """The dice of those `absent` colours whose bets on one of the tiles a `throw` would pay: in doubt."""
    thrower, dice = event.get("player"), [read_die(plain) for plain in event["dice"]]
    active = None if thrower in (None, "all") else str(thrower)
    for colour in sorted(absent):
        paid = [
            kind for kind in tiles if _pays(Die(colour, None, f"bet:{kind}"), dice, active, sorted(players))
        ]
        if paid:
            yield {
                "colour": colour,
                "face": None,
                "where": "outside",
                "touches": [],
                "doubt": ["line"],
                "candidates": [[f"bet:{kind}", round(1 / (len(paid) + 1), 2)] for kind in paid],
            }


def _pays(bet: Die, dice: Sequence[Die], active: str | None, players: Sequence[str]) -> bool:
    gains = score([*dice, bet], active, players).gains
    return any(gain.points for gain in gains if gain.die == bet.colour and gain.where == bet.where)
