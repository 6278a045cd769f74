"""The house's own Dubbe players: they look only at their hand and the open table, and win wanted tricks.

A player wants a trick when the character of its led colour brings points, and avoids it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from table.rules.dubbe.round import DubbeRound
from table.rules.dubbe.terms import JAMMERLABBE, JO_LOSSEN, SIGNS, TOP_VALUE, WESCHWIESCH, colour_of, contract
from table.rules.events import Event
from table.rules.tricks import DealtHands, Play


def choose(opened: DubbeRound, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Return a sensible legal move for `seat`; `hands` in seat order, each looked at by its owner only."""
    hand = hands[opened.seats.index(seat)]
    if moves[0].kind == "die":
        return max(moves, key=lambda move: _trump_worth(hand, str(move.get("colour"))))
    cards = [move.card for move in moves]
    card = _follow(opened, seat, cards) if opened.trick else _lead(opened, seat, cards)
    return next(move for move in moves if move.card == card)


def _value(card: str) -> int:
    return int(card.rpartition("-")[2])


def _trump_worth(hand: tuple[str, ...], colour: str) -> float:
    """Return the worth of a trump: a long, high colour is best, as it can also pass Aagewwer on."""
    values = [_value(card) for card in hand if colour_of(card) == colour]
    return sum(4 + value for value in values)


def _wanted(opened: DubbeRound, colour: str | None, seat: int) -> float:
    """Return how much winning a trick led in this colour is worth to a seat, in points."""
    for which, tile in enumerate(opened.tiles):
        if tile.colour != colour:
            continue
        if which == JO_LOSSEN:
            return 0.5 if tile.owner == seat else 3.0
        grown = (tile.value or 0) + 1
        if tile.owner != seat:
            return SIGNS[which] * grown
        # Keeping a good character adds one; letting a bad one go books it, keeping it lets it grow.
        return SIGNS[which] * (1.0 if SIGNS[which] > 0 else grown / 2)
    free = next((which for which in range(WESCHWIESCH, 5) if opened.tiles[which].colour is None), None)
    if free is None:
        return 0.0
    return 3.0 if free == JO_LOSSEN else SIGNS[free] * (1.5 if free == JAMMERLABBE else 1.0)


def _lead(opened: DubbeRound, seat: str, cards: list[str]) -> str:
    """Lead high where the trick is wanted, low where it is not."""
    me, top = opened.seats.index(seat), TOP_VALUE[len(opened.seats)]

    def worth(card: str) -> float:
        above = sum(
            f"{colour_of(card)}-{value}" not in opened.seen and f"{colour_of(card)}-{value}" not in cards
            for value in range(_value(card) + 1, top + 1)
        )
        chance = 0.75**above * (1.0 if colour_of(card) == opened.trump else 0.8)
        return _wanted(opened, colour_of(card), me) * (2 * chance - 1) - 0.01 * _value(card)

    return max(cards, key=worth)


def _follow(opened: DubbeRound, seat: str, cards: list[str]) -> str:
    """Win a wanted trick cheaply or surely; otherwise get rid of dangerous cards without winning."""
    me = opened.seats.index(seat)
    wanted = _wanted(opened, colour_of(opened.trick[0].name), me)
    rules, last = contract(opened.trump), len(opened.trick) == len(opened.seats) - 1

    def wins(card: str) -> bool:
        trick = (*opened.trick, Play(0, me, card, opened.family.number[card]))
        return rules.winner(trick) == len(trick) - 1

    winning = [card for card in cards if wins(card)]
    losing = [card for card in cards if not wins(card)]
    if wanted > 0 and winning:
        return min(winning, key=_cost(opened)) if last else max(winning, key=_cost(opened))
    if wanted <= 0 and not losing:
        return min(winning, key=_cost(opened)) if not last else max(winning, key=_cost(opened))
    if wanted <= 0:
        return max(losing, key=lambda card: (_unwanted(opened, card, me), _value(card)))
    return min(losing, key=_cost(opened))


def _cost(opened: DubbeRound) -> Callable[[str], int]:
    """Return a sort key: trumps are costly, high cards too."""
    return lambda card: _value(card) + (100 if colour_of(card) == opened.trump else 0)


def _unwanted(opened: DubbeRound, card: str, seat: int) -> float:
    """Return how readily a card is thrown away: the more so, the more tricks of its colour hurt."""
    return -_wanted(opened, colour_of(card), seat)
