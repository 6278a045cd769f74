"""What may be said in Klapper-Jas with known hands: the engine's moves, and what tidy players do."""

from __future__ import annotations

from collections.abc import Iterator

from table.rules.cards import SUITS
from table.rules.events import Event
from table.rules.klapperjas.bidding import bids
from table.rules.klapperjas.fold import KlapperFold
from table.rules.klapperjas.melds import TERZ, held
from table.rules.tricks import DealtHands


def calls(game: KlapperFold) -> tuple[tuple[str, Event], ...]:
    """Return who may declare what before cards are played: the turned card, then bids, then the suit."""
    if game.begun:
        return ()
    if game.to_turn is not None and not game.turned:
        return ((game.dealer, Event("turned", {"card": game.to_turn})),)
    bidding = game.bidding
    seat = bidding.asked()
    if seat is not None:
        words = ("passe", *bids(bidding, seat, game.turned_suit))
        return tuple(_says(game, seat, what) for what in words)
    if game.trump is None and bidding.declarer is not None:
        suits = (suit for suit in SUITS if suit != game.turned_suit)
        return tuple(_says(game, bidding.declarer, f"farbe:{suit}") for suit in suits)
    return ()


def _says(game: KlapperFold, seat: int, what: str) -> tuple[str, Event]:
    name = game.seats[seat]
    return name, Event("say", {"seat": name, "what": what})


def offers(game: KlapperFold, hands: DealtHands) -> Iterator[Event]:
    """Yield what the seat whose card is awaited may say before it (J-07, J-18, J-27, J-33)."""
    seat = game.due()[0]
    hand = hands[seat]
    if not game.spent[seat]:
        if game.seven in hand and game.swapper is None and game.swap_allowed():
            yield _says(game, seat, "tausch")[1]
        told = {meld.said for meld in game.melds if meld.seat == seat}
        for length, top in held(hand):
            what = f"{'terz' if length == TERZ else 'halber'}:{top}"
            if what not in told:
                yield _says(game, seat, what)[1]
    trump, mine = game.trump, game.bidding.declarer in game.party(seat)
    if not mine and not game.spent[seat] and not game.kontra and game.bidding.declarer is not None:
        yield _says(game, seat, "kontra")[1]
    if mine and game.spent[seat] <= 1 and game.kontra and not game.re:
        yield _says(game, seat, "re")[1]
    both = trump is not None and {f"{trump}K", f"{trump}Q"} <= set(hand)
    if both and all(belle.seat != seat for belle in game.belles):
        yield _says(game, seat, "belle")[1]


def swapped(game: KlapperFold, hands: DealtHands, move: Event) -> DealtHands:
    """Return the hands after a swap of the 7 for the turned card."""
    if move.get("what") != "tausch":
        return hands
    seat = game.seats.index(str(move.seat))
    hand = (game.turned[0] if card == game.seven else card for card in hands[seat])
    return (*hands[:seat], tuple(sorted(hand, key=game.family.number.__getitem__)), *hands[seat + 1 :])


def chores(game: KlapperFold) -> tuple[Event, ...]:
    """Return what tidy players do after the last card: lay the best melds open, take the trick."""
    if game.trick or not game.tricks:
        return ()
    if game.said and game.said[-1][2] > game.tricks[-1].plays[-1].event:
        return ()  # somebody has spoken since: the trick is already taken
    taken = Event("collected", {"seat": game.seats[game.tricks[-1].winner]})
    if len(game.tricks) > 1:
        return (taken,)
    open_melds: dict[int, list[str]] = {}
    for meld in game.to_show():
        open_melds.setdefault(meld.seat, []).extend(meld.cards)
    laid = (Event("shown", {"seat": game.seats[s], "cards": cards}) for s, cards in open_melds.items())
    return (*laid, taken)
