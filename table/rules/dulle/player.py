"""The house's own Dulle players: they call, play soli, give Stoß and win the tricks they want.

Each looks only at its own hand and the open table. The holder of the Rufkarte knows his partner; everybody
else takes any player but the caller for a friend or a foe, equally likely, until the Rufkarte falls (U-21).
"""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.dulle.parties import CALLER
from table.rules.dulle.round import DulleRound
from table.rules.dulle.terms import CALLER_CARD, PARTNER, TRUMP, TRUMPS, augen
from table.rules.events import Event
from table.rules.tricks import DealtHands, Play

_STOSS_FROM = 2.2
"""Number of own tricks to count on before giving Stoß."""


def choose(opened: DulleRound, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Return a sensible legal move for `seat`; `hands` in seat order, each looked at by its owner only."""
    if opened.agreed is None and not opened.begun:
        return _declare(opened, hands, moves)
    cards = [move.card for move in moves if move.kind == "card"]
    if not cards:
        return moves[0]
    hand = hands[opened.seats.index(seat)]
    stoss = next((move for move in moves if move.get("what") == "stoss"), None)
    if stoss is not None and _tricks(opened, hand) >= _STOSS_FROM:
        return stoss
    card = _follow(opened, seat, hand, cards) if opened.trick else _lead(opened, cards)
    return next(move for move in moves if move.kind == "card" and move.card == card)


def _declare(opened: DulleRound, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Choose a solo if a seat's own hand allows one; otherwise the holder of Kreuz Dame calls."""
    for move in moves:
        sure = _sure_tricks(opened, hands[opened.seats.index(str(move.seat))])
        if (move.get("what") == "solodu" and sure == 4) or (move.get("what") == "solo" and sure == 3):
            return move
    calls = [move for move in moves if str(move.get("what")).startswith("ruf:")]
    hand = next(hand for hand in hands if CALLER_CARD in hand)

    def worth(move: Event) -> tuple[bool, bool, int]:
        """Rank a call: a card not in hand, its partner not either (»ratsam«), with many Augen."""
        card = str(move.get("what")).partition(":")[2]
        return card not in hand, PARTNER.get(card) not in hand, augen(card)

    return max(calls, key=worth)


def _ranked(opened: DulleRound) -> list[str]:
    """Return the trumps that have not been seen, highest first."""
    strength = opened.contract().strength[TRUMP]
    number = opened.family.number
    return sorted((c for c in TRUMPS if c not in opened.seen), key=lambda c: -strength[number[c]])


def _sure_tricks(opened: DulleRound, hand: tuple[str, ...]) -> int:
    """Return how many of the highest trumps a hand holds without a gap."""
    sure = 0
    for card in _ranked(opened):
        if card not in hand:
            break
        sure += 1
    return sure


def _tricks(opened: DulleRound, hand: tuple[str, ...]) -> float:
    """Guess how many tricks a hand wins: high trumps nearly one each, low ones hardly."""
    order = _ranked(opened)
    return sum(max(0.0, 1.0 - 0.15 * order.index(card)) for card in hand if card in order)


def _is_friend(opened: DulleRound, seat: str, hand: tuple[str, ...], other: int) -> float:
    """Return how surely another seat plays on one's own side, from 0 to 1."""
    me, pairs, said = opened.seats.index(seat), opened.pairs, opened.agreed
    if said is None:
        return 0.5
    mine = CALLER if me == said.seat or (said.card in hand) else pairs.party(me)
    theirs = pairs.party(other)
    if said.card in hand:  # only its holder knows who plays with whom (U-21)
        theirs = CALLER if other == said.seat else 1 - CALLER
    if mine is None:
        mine = 1 - CALLER
    return 0.5 if theirs is None else float(mine == theirs)


def _lead(opened: DulleRound, cards: list[str]) -> str:
    """Lead the highest trump that is left; otherwise the card that costs least."""
    top = _ranked(opened)[:1]
    return top[0] if top and top[0] in cards else min(cards, key=augen)


def _follow(opened: DulleRound, seat: str, hand: tuple[str, ...], cards: list[str]) -> str:
    """Feed a friend's trick, win a rich one, otherwise give little."""
    me, rules = opened.seats.index(seat), opened.contract()
    holder = opened.trick[rules.winner(opened.trick)].seat
    last = len(opened.trick) == len(opened.seats) - 1
    worth = sum(augen(play.name) for play in opened.trick)

    def wins(card: str) -> bool:
        trick = (*opened.trick, Play(0, me, card, opened.family.number[card]))
        return rules.winner(trick) == len(trick) - 1

    friend = _is_friend(opened, seat, hand, holder)
    winning = [card for card in cards if wins(card)]
    losing = [card for card in cards if not wins(card)]
    if friend > 0.5 and losing:
        return max(losing, key=augen) if last else min(losing, key=augen)
    if winning and (worth >= 10 or not losing):
        return max(winning, key=augen) if last else max(winning, key=lambda card: _height(opened, card))
    return min(losing or winning, key=augen)


def _height(opened: DulleRound, card: str) -> int:
    return opened.contract().strength[TRUMP][opened.family.number[card]]
