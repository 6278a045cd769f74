"""The full-information engine: deal from a seed, legal moves, apply, score.

It uses the same rounds, contracts and duties as the referee: there is one set of definitions.

    opening = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "options": {"rounds": 4}}
    position = deal(opening, seed=7)
    while moves := legal(position):
        position = apply(position, moves[0])
    score(position)                                   # {"S1": -3, …}

A move is a table event without id: the trump die on Aagewwer, then cards. Whole evenings: `evening`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from table.rules.chance import Chance
from table.rules.events import Event
from table.rules.evidence import owed
from table.rules.games import TRICK_GAMES
from table.rules.opening import as_event, open_game
from table.rules.setup import Setup
from table.rules.tricks import TrickRound


@dataclass(frozen=True)
class Position:
    """A round with all hands known. Hands are card names in seat order; `aside` is dealt to nobody (D-08)."""

    setup: Setup
    round: TrickRound
    hands: tuple[tuple[str, ...], ...]
    aside: tuple[str, ...]
    moves: int = 0

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return the cards a seat holds."""
        return self.hands[self.round.seats.index(seat)]


def deal(
    opening: Setup | Event | Mapping[str, Any],
    seed: int,
    *,
    number: int = 1,
    dealer: str | None = None,
    before: Any = None,
) -> Position:
    """Shuffle by `seed` and deal a round; `before` is what the last one passed on. Raises EventError."""
    setup = opening if isinstance(opening, Setup) else open_game(as_event(opening))
    game = TRICK_GAMES[setup.game]
    event = Event("round", {} if dealer is None else {"dealer": dealer})
    opened = game.open_round(setup, number, event, before)
    cards = Chance(seed).shuffled(name for name, count in game.pack(setup).items() for _ in range(count))
    order = opened.family.number
    hands, aside = opened.deal(cards)
    hands = tuple(tuple(sorted(hand, key=order.__getitem__)) for hand in hands)
    return Position(setup, opened, hands, aside)


def turn(position: Position) -> str | None:
    """Return who must move, or None when the round is over."""
    if position.round.over:
        return None
    calls = position.round.calls(position.hands)
    return calls[0][0] if calls else position.round.seats[position.round.due()[0]]


def legal(position: Position) -> tuple[Event, ...]:
    """Return every legal move: what must be declared first, then cards (D-15, D-16, D-30)."""
    if position.round.over:
        return ()
    calls = position.round.calls(position.hands)
    if calls:
        return tuple(move for _, move in calls)
    opened = position.round
    seat = opened.due()[0]
    hand = position.hands[seat]
    may = owed(opened.duties(seat), opened.family.mask(hand))
    numbers = opened.family.number
    cards = [card for card in dict.fromkeys(hand) if may >> numbers[card] & 1]
    moves = tuple(Event("card", {"seat": opened.seats[seat], "card": card}) for card in cards)
    return moves + opened.offers(position.hands)


def apply(position: Position, move: Event) -> Position:
    """Return the position after a move. Raises ValueError if the rules do not allow it."""
    if move not in legal(position):
        raise ValueError(f"{move.to_dict()} is not allowed here")
    opened = position.round.copy()
    opened.add(position.moves + 1, move.numbered(position.moves + 1))
    hands = opened.passed(position.hands, move)
    if move.kind == "card":
        seat = opened.seats.index(str(move.seat))
        kept = list(hands[seat])
        kept.remove(move.card)
        hands = (*hands[:seat], tuple(kept), *hands[seat + 1 :])
    return replace(position, round=opened, hands=hands, moves=position.moves + 1)


def score(position: Position) -> dict[str, int]:
    """Return each seat's points from this round so far."""
    return position.round.points()
