"""The house's own Doppelkopf players: fair (own hand and the open table only), plain, and sensible.

They say a Hochzeit, play a solo only with the cards for it, announce with a strong hand, win tricks that are
worth it, give Augen to a partner who holds the trick and keep the Fuchs away from the other side.
"""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.cards import FRENCH_CARDS
from table.rules.doppelkopf.choices import is_armut, own_side, throws
from table.rules.doppelkopf.contracts import TRUMP, contract, trump_count
from table.rules.doppelkopf.round import DoppelkopfRound
from table.rules.doppelkopf.terms import ABSAGEN, ANSAGEN, CARD_POINTS
from table.rules.events import Event
from table.rules.tricks import DealtHands, Play

_NUMBER = FRENCH_CARDS.number
_DEAR = 15
"""Augen from which a trick is worth a good trump."""
_WHOLE_PACK = sum(CARD_POINTS[_NUMBER[card]] for card in FRENCH_CARDS.names) * 2
"""The Augen of all cards, each of which exists twice."""
_GOOD_TRUMP = contract("normal").strength[TRUMP][_NUMBER["HQ"]]
"""Strength from which trumps are kept for tricks that are worth it: the Herz Dame's."""


def choose(opened: DoppelkopfRound, seat: str, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Return one of the legal moves; of `hands` only that of the seat to move is looked at."""
    cards = [move for move in moves if move.kind == "card"]
    if not cards:
        return _declare(opened, hands, moves)
    me = opened.seats.index(seat)
    said = _announce(opened, me, hands[me], [move for move in moves if move.kind == "say"])
    if said is not None:
        return said
    names = [move.card for move in cards]
    card = _follow(opened, me, hands[me], names) if opened.trick else _lead(opened, hands[me], names)
    return next(move for move in cards if move.card == card)


# Vorbehalt ------------------------------------------------------------------------------------------------


def strength(hand: Sequence[str], kind: str) -> float:
    """Return roughly how many tricks a hand wins in a game: high and many trumps, bare aces."""
    table = contract(kind)
    order = sorted({power for power in table.strength[TRUMP] if power}, reverse=True)
    tricks = 0.0
    for card in hand:
        power = table.strength[TRUMP][_NUMBER[card]]
        if power:
            tricks += max(1.0 - 0.07 * order.index(power), 0.25)
        elif card[1] == "A":
            tricks += 1.0 if sum(c[0] == card[0] for c in hand) <= 4 or kind == "as" else 0.6
        elif card[1] == "T" and kind == "as" and card[0] + "A" in hand:
            tricks += 0.7
    return tricks


def _solo(hand: Sequence[str], kinds: Sequence[str]) -> str | None:
    """Return a solo worth playing with this hand."""
    best = max(kinds, key=lambda kind: strength(hand, kind), default=None)
    if best is None:
        return None
    enough = 0.78 * len(hand)
    leading = {"damen": "Q", "buben": "J", "as": "A"}.get(best)
    if leading is not None and sum(card[1] == leading for card in hand) < 4:
        return None
    return best if strength(hand, best) >= enough else None


def _declare(opened: DoppelkopfRound, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Choose what to say before the first card."""
    said = {str(move.get("what")): move for move in moves}
    me = opened.seats.index(str(moves[0].seat))
    hand = hands[me]
    if "vorbehalt" in said:
        wishes = [word for word in _wishes(opened, hand) if word]
        return said["vorbehalt" if wishes else "gesund"]
    if "armut-nehmen" in said:
        return _take(opened, hands, moves)
    if any(word.startswith("armut-zurueck") for word in said):
        return min(moves, key=lambda move: int(str(move.get("what")).partition(":")[2]))
    for wish in _wishes(opened, hand):
        if wish in said:
            return said[wish]
    return moves[0]


def _wishes(opened: DoppelkopfRound, hand: Sequence[str]) -> list[str]:
    """Return the Vorbehalte that this hand would name, the best first."""
    options = opened.options
    solo = _solo(hand, options["soli"])
    wishes = [f"solo:{solo}"] if solo else []
    if throws(hand, options["throw"], options["spitze"]):
        wishes.append("schmeissen")
    if is_armut(hand, options["armut"], options["armut_fuchs"] == "fourth"):
        wishes.append("armut")
    if hand.count("CQ") == 2:
        wishes.append("hochzeit")
    return wishes


def _take(opened: DoppelkopfRound, hands: DealtHands, moves: Sequence[Event]) -> Event:
    """Let a seat whose own hand is rich in trumps take the Armut; if there is none, throw it in."""
    for move in moves[:-1]:
        hand = hands[opened.seats.index(str(move.seat))]
        if trump_count(hand) >= 0.6 * len(hand) and strength(hand, "normal") >= 0.5 * len(hand):
            return move
    return moves[-1]


# Announcements --------------------------------------------------------------------------------------------


def _announce(opened: DoppelkopfRound, me: int, hand: Sequence[str], moves: Sequence[Event]) -> Event | None:
    """Announce what the hand and the tricks so far promise."""
    words = {str(move.get("what")): move for move in moves}
    if "schweinchen" in words and "DA" in hand:
        return words["schweinchen"]
    side = own_side(opened, me, hand)
    taken = [play for trick in opened.tricks if _friend(opened, trick.winner, side) for play in trick.plays]
    won = sum(CARD_POINTS[play.card] for play in taken if play.card >= 0)
    share = strength(hand, opened.kind) / opened.hand_size + won / _WHOLE_PACK
    alone = opened.sides.count(side) == 1 and all(opened.sides)
    enough = (0.72 if alone else 0.58) + 0.03 * (12 - opened.hand_size)
    if any(word in ANSAGEN for word in words) and share > enough:
        return words.get("re" if side == 1 else "kontra")
    for word, level in ABSAGEN.items():
        if word in words:
            return words[word] if share > 0.7 + 0.12 * level else None
    return None


def _friend(opened: DoppelkopfRound, seat: int, side: int) -> bool:
    return opened.sides[seat] == side != 0


# Cards ----------------------------------------------------------------------------------------------------


def _cost(opened: DoppelkopfRound, card: str) -> tuple[int, int]:
    """Return how costly a card is: trumps by their strength, plain cards by their Augen."""
    power = opened.tables.strength[TRUMP][_NUMBER[card]]
    return (power, CARD_POINTS[_NUMBER[card]])


def _gift(opened: DoppelkopfRound, card: str) -> tuple[int, int]:
    """Return how well a card suits a friend's trick: many Augen first, then little strength."""
    return (CARD_POINTS[_NUMBER[card]], -opened.tables.strength[TRUMP][_NUMBER[card]])


def _lead(opened: DoppelkopfRound, hand: Sequence[str], cards: Sequence[str]) -> str:
    """Lead an ace of a short suit if none was played, or trumps if there are many, else a low card."""
    classes = [opened.tables.class_of[_NUMBER[card]] for card in cards]
    own = {card: classes.count(its) for card, its in zip(cards, classes, strict=True) if its != TRUMP}
    aces = [card for card in own if card[1] == "A" and card not in opened.seen]
    if aces:
        return min(aces, key=lambda card: own[card])
    trumps = [card for card in cards if opened.tables.strength[TRUMP][_NUMBER[card]]]
    if len(trumps) > len(hand) / 2:
        best = max(trumps, key=lambda card: _cost(opened, card))
        return (
            best
            if _unbeaten(opened, best)
            else min(trumps, key=lambda c: (CARD_POINTS[_NUMBER[c]], _cost(opened, c)))
        )
    return min(cards, key=lambda card: (CARD_POINTS[_NUMBER[card]], _cost(opened, card)))


def _unbeaten(opened: DoppelkopfRound, card: str) -> bool:
    """Return whether no card that may still come beats this trump."""
    power = opened.tables.strength[TRUMP]
    return all(
        power[_NUMBER[other]] <= power[_NUMBER[card]] or opened.seen.get(other, 0) >= count
        for other, count in opened.pack.items()
    )


def _follow(opened: DoppelkopfRound, me: int, hand: Sequence[str], cards: Sequence[str]) -> str:
    """Give to a friend, win a worthy trick as cheaply as is safe, otherwise throw away the least."""
    trick, side = opened.trick, own_side(opened, me, hand)
    last = len(trick) == len(opened.seats) - 1
    holder = trick[opened.tables.winner(trick)]
    worth = sum(CARD_POINTS[play.card] for play in trick if play.card >= 0)
    winning = [card for card in cards if _wins(opened, me, card)]
    losing = [card for card in cards if card not in winning]
    friendly = _friend(opened, holder.seat, side)
    if friendly and (last or (holder.card >= 0 and _unbeaten(opened, holder.name))) and losing:
        return max(losing, key=lambda card: _gift(opened, card))
    if winning and (last or worth >= _DEAR or not losing) and not friendly:
        if last:
            return max(winning, key=lambda card: (CARD_POINTS[_NUMBER[card]], -_cost(opened, card)[0]))
        return max(winning, key=lambda card: _cost(opened, card))
    cheap = [
        card for card in winning if CARD_POINTS[_NUMBER[card]] <= 4 and _cost(opened, card)[0] < _GOOD_TRUMP
    ]
    if cheap and not friendly:
        return min(cheap, key=lambda card: _cost(opened, card))
    return min(losing or winning, key=lambda card: (CARD_POINTS[_NUMBER[card]], _cost(opened, card)))


def _wins(opened: DoppelkopfRound, me: int, card: str) -> bool:
    trick = (*opened.trick, Play(0, me, card, _NUMBER[card]))
    return opened.tables.winner(trick) == len(trick) - 1
