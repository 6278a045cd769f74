"""The house's own Klapper-Jas players: they bid on the cards they may look at, meld, and take costly cards.

Each looks only at its own hand and the open table; with two and three it bids on its first six cards (J-31).
"""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.cards import SUITS
from table.rules.events import Event
from table.rules.klapperjas.bidding import KLEINES
from table.rules.klapperjas.melds import held
from table.rules.klapperjas.round import KlapperRound
from table.rules.klapperjas.terms import BESSER, augen
from table.rules.tricks import DealtHands, Play

_TRUMP_TRICKS: dict[str, float] = {"J": 1.0, "9": 0.9, "A": 0.75, "T": 0.6}
"""Tricks that a trump is likely to take; every other one, and every card of length, takes half a trick."""
_PLAY_FROM = 0.28
"""Share of the looked-at cards that should take a trick before a player plays an Orgi."""
_KLEINES_FROM = 0.32
_KONTRA_FROM = 0.36
_RE_FROM = 0.42


def choose(opened: KlapperRound, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Return a sensible legal move for `seat`; `hands` in seat order, each looked at by its owner only."""
    if seat not in opened.seats or moves[0].kind == "turned":
        return moves[0]
    at = opened.seats.index(seat)
    cards = [move.card for move in moves if move.kind == "card"]
    if not cards:
        looked = (opened.first_look or hands)[at] if opened.trump is None else hands[at]
        return _bid(opened, looked, moves)
    said = {str(move.get("what")): move for move in moves if move.kind == "say"}
    for what, move in said.items():
        if what != "belle" and _says(opened, hands[at], what):
            return move
    card = _follow(opened, at, cards) if opened.trick else _lead(opened, at, cards)
    if "belle" in said and card in (f"{opened.trump}K", f"{opened.trump}Q"):
        return said["belle"]
    return next(move for move in moves if move.kind == "card" and move.card == card)


# Speaking -------------------------------------------------------------------------------------------------


def strength(hand: Sequence[str], trump: str | None) -> float:
    """Return the share of a hand that should take a trick under a trump."""
    trumps = [card for card in hand if card[0] == trump]
    tricks = sum(_TRUMP_TRICKS.get(card[1], 0.45) for card in trumps)
    if len(trumps) < 3:
        tricks -= 0.4 * (3 - len(trumps))
    for suit in SUITS:
        if suit != trump:
            ranks = {card[1] for card in hand if card[0] == suit}
            tricks += 0.7 * ("A" in ranks) + 0.45 * ({"A", "T"} <= ranks)
    return tricks / max(len(hand), 1)


def _bid(opened: KlapperRound, looked: Sequence[str], moves: Sequence[Event]) -> Event:
    """Bid what the cards are worth; the suit is named from the whole hand."""
    worth = {suit: strength(looked, suit) for suit in SUITS}
    by_word = {str(move.get("what")): move for move in moves}
    others = {suit: share for suit, share in worth.items() if suit != opened.turned_suit}
    if "orgi" in by_word and opened.turned_suit and worth[opened.turned_suit] >= _PLAY_FROM:
        return by_word["orgi"]
    if "kleines" in by_word and max(others.values()) >= _KLEINES_FROM:
        return by_word["kleines"]
    if "besser" in by_word and worth[BESSER] >= _KLEINES_FROM:
        return by_word["besser"]
    if "passe" in by_word:
        return by_word["passe"]
    return by_word[f"farbe:{max(others, key=lambda suit: others[suit])}"]


def _says(opened: KlapperRound, hand: tuple[str, ...], what: str) -> bool:
    if what == "tausch":  # a sequence with the 7 is worth more than any card
        return all(opened.seven != f"{top[0]}7" for _, top in held(hand) if top[1] in "9T")
    if what in ("kontra", "re"):
        return strength(hand, opened.trump) >= (_KONTRA_FROM if what == "kontra" else _RE_FROM)
    return True


# Playing --------------------------------------------------------------------------------------------------


def _above(opened: KlapperRound, card: str, hand: Sequence[str]) -> int:
    """Return the number of cards that could beat a lead: higher ones of its suit that nobody has shown."""
    contract, number = opened.contract(), opened.family.number
    strength = contract.strength[contract.class_of[number[card]]]
    return sum(
        other[0] == card[0]
        and strength[number[other]] > strength[number[card]]
        and other not in opened.seen
        and other not in hand
        for other in opened.pack
    )


def _lead(opened: KlapperRound, at: int, cards: list[str]) -> str:
    """Draw trumps with a high one as declarer; otherwise lead an unbeatable card, or something cheap."""
    mine = opened.bidding.declarer in opened.party(at)
    trumps = [card for card in cards if card[0] == opened.trump]
    sure = [card for card in cards if not _above(opened, card, cards)]
    high = [card for card in sure if card in trumps]
    out = sum(card[0] == opened.trump and card not in opened.seen for card in opened.pack) - len(trumps)
    if mine and high and out and opened.bidding.kind in ("orgi", KLEINES):
        return high[0]
    plain = [card for card in sure if card not in trumps]
    if plain:
        return max(plain, key=lambda card: augen(card, opened.trump))
    return min(cards, key=lambda card: (card in trumps, augen(card, opened.trump), card))


def _follow(opened: KlapperRound, at: int, cards: list[str]) -> str:
    """Take a worthy trick, cheaply if nobody plays after; give Augen to the partner, none to others."""
    contract, number = opened.contract(), opened.family.number
    last = len(opened.trick) == len(opened.seats) - 1
    holder = opened.trick[contract.winner(opened.trick)].seat
    lying = sum(augen(play.name, opened.trump) for play in opened.trick)

    def wins(card: str) -> bool:
        return contract.winner((*opened.trick, Play(0, at, card, number[card]))) == len(opened.trick)

    def worth(card: str) -> int:
        return augen(card, opened.trump)

    winning = [card for card in cards if wins(card)]
    losing = [card for card in cards if card not in winning]
    with_partner = holder != at and holder in opened.party(at)
    if with_partner and last and losing:
        return max(losing, key=worth)
    if winning and not (with_partner and losing):
        if last:
            return max(winning, key=worth) if winning[0][0] != opened.trump else min(winning, key=worth)
        sure = [card for card in winning if not _above(opened, card, cards)]
        if sure and (lying or not losing):
            return max(sure, key=worth)
        if not losing:
            return min(winning, key=worth)
    return min(losing or winning, key=lambda card: (worth(card), number[card]))
