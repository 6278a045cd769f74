"""What a seat might say in Klapper-Jas, from public knowledge: bids, melds, the 7, Kontra, Re, Belle."""

from __future__ import annotations

from collections.abc import Iterator

from table.rules.cards import SUITS
from table.rules.klapperjas.bidding import bids
from table.rules.klapperjas.fold import KlapperFold
from table.rules.klapperjas.melds import WORDS
from table.rules.klapperjas.terms import PACK
from table.rules.sayings import NOW, OWN_CARD, PAIR, Saying

SAYINGS: tuple[str, ...] = (
    *("passe", "orgi", "kleines", "besser"),
    *(f"farbe:{suit}" for suit in SUITS),
    *("belle", "tausch", "kontra", "re"),
    *(f"{word}:{card}" for word in WORDS for card in PACK),
)
"""Every saying of Klapper-Jas."""


def may_say(game: KlapperFold, seat: int) -> Iterator[Saying]:
    """Yield what the seat might say now."""
    if game.over:
        return
    bidding = game.bidding
    asked = None if game.begun else bidding.asked()
    if asked is not None:
        if asked == seat:
            yield from (Saying(word, NOW) for word in ("passe", *bids(bidding, seat, game.turned_suit)))
        return
    if game.trump is None:
        if bidding.declarer == seat and not game.begun:
            yield from (Saying(f"farbe:{suit}", NOW) for suit in SUITS if suit != game.turned_suit)
        return
    if bidding.declarer is None:
        return
    yield from _beside_the_cards(game, seat, mine=bidding.declarer in game.party(seat))


def _beside_the_cards(game: KlapperFold, seat: int, *, mine: bool) -> Iterator[Saying]:
    if not mine and not game.kontra and not game.played(seat):
        yield Saying("kontra", OWN_CARD, 1)
    if mine and game.kontra and not game.re and game.played(seat) <= 1:
        yield Saying("re", OWN_CARD, 2)
    if not game.spent[seat]:
        if game.swapper is None and game.swap_allowed():
            yield Saying("tausch", OWN_CARD, 1)
        yield from (Saying(f"{word}:{card}", OWN_CARD, 1) for word in WORDS for card in PACK)
    if all(belle.seat != seat for belle in game.belles):
        yield Saying("belle", PAIR)
