"""What a seat may say or do when all hands are known: the engine's side of Vorbehalt and announcements.

Every choice offered here is one that the referee folds without a finding. In an Armut the poor hand gives all
its trumps; which cards come back follows from their number, so that a move is what is said at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.rules.cards import FRENCH_CARDS
from table.rules.doppelkopf.calls import Calls
from table.rules.doppelkopf.contracts import TRUMP, contract, has_fuchs, top_card, trump_count
from table.rules.doppelkopf.terms import CARD_POINTS, DA, KONTRA, LEVELS, RE, SIDES
from table.rules.events import Event
from table.rules.tricks import DealtHands

_NUMBER = FRENCH_CARDS.number


def _say(opened: Calls, seat: int, what: str) -> tuple[str, Event]:
    name = opened.seats[seat]
    return name, Event("say", {"seat": name, "what": what})


def calls(opened: Calls, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
    """Return what has to be said before the first card can fall, as (seat, event)."""
    if opened.begun or opened.over:
        return ()
    asked = opened.asked()
    if asked is not None:
        return tuple(_say(opened, asked, word) for word in ("gesund", "vorbehalt"))
    if waiting := opened.unnamed():
        seat = waiting[0]
        return tuple(_say(opened, seat, what) for what in names(opened, seat, hands[seat]))
    if opened.game == "armut" and opened.taker is None and opened.declarer is not None:
        return tuple(_takers(opened, opened.declarer))
    if opened.game == "armut" and opened.taker is not None and opened.returned is None:
        return tuple(_say(opened, opened.taker, f"armut-zurueck:{n}") for n in _may_return(opened, hands))
    return ()


def names(opened: Calls, seat: int, hand: Sequence[str]) -> Iterator[str]:
    """Yield what a seat may call its Vorbehalt with this hand."""
    options = opened.options
    if options["withdraw"]:
        yield "gesund"  # K-51
    if throws(hand, options["throw"], options["spitze"]):
        yield "schmeissen"
    if is_armut(hand, options["armut"], options["armut_fuchs"] == "fourth"):
        yield "armut"
    if hand.count("CQ") == 2:
        yield from (f"hochzeit:{kind}" if kind != "fremd" else "hochzeit" for kind in options["hochzeit"])
    yield from (f"solo:{kind}" for kind in options["soli"])
    if opened.still_owes(seat):
        yield from (f"pflichtsolo:{kind}" for kind in options["soli"])


def usual_power(spitze: bool) -> tuple[int, ...]:
    """Return how high each card is as a trump of the usual game (0: none), the Spitze highest (KA-8)."""
    return contract("normal", top_card("normal", False, spitze, False), (), spitze).strength[TRUMP]


def throws(hand: Sequence[str], reasons: Sequence[str], spitze: bool = False) -> bool:
    """Return whether a hand may be thrown in for one of these reasons (K-65, KA-6, KA-15)."""
    ranks = [card[1] for card in hand]
    power = usual_power(spitze)
    trumps = [power[_NUMBER[card]] for card in hand if power[_NUMBER[card]]]
    met = {
        "5_koenige": ranks.count("K") >= 5,
        "6_zehnen": ranks.count("T") >= 6,
        "5_neunen": ranks.count("9") >= 5,
        "fuchs_unterlegen": all(strength <= power[DA] for strength in trumps),
        "2_truempfe": len(trumps) <= 2,
    }
    return any(met[reason] for reason in reasons)


def is_armut(hand: Sequence[str], most: int, with_fuchs: bool) -> bool:
    """Return whether a hand is an Armut (K-61, KA-6)."""
    count = trump_count(hand)
    return bool(most) and (count <= most or (with_fuchs and count == most + 1 and "DA" in hand))


def _takers(opened: Calls, poor: int) -> Iterator[tuple[str, Event]]:
    """Yield who may take the Armut; if nobody does, it is thrown in (K-62, K-64)."""
    only = opened.armut_partner()
    for step in range(1, len(opened.seats)):
        seat = (poor + step) % len(opened.seats)
        if only in (None, seat):
            yield _say(opened, seat, "armut-nehmen")
    yield _say(opened, poor, "schmeissen")


def _split(cards: Sequence[str], spitze: bool) -> tuple[list[str], list[str]]:
    """Return (trumps, plain cards), each with the weakest first: those are given away most readily."""
    power = usual_power(spitze)
    order = sorted(cards, key=lambda card: (power[_NUMBER[card]], CARD_POINTS[_NUMBER[card]], _NUMBER[card]))
    return [c for c in order if power[_NUMBER[c]]], [c for c in order if not power[_NUMBER[c]]]


def _may_return(opened: Calls, hands: DealtHands) -> range:
    """Return how many trumps may come back in exchange for those that the poor hand gives."""
    assert opened.declarer is not None
    assert opened.taker is not None
    given, _ = _split(hands[opened.declarer], opened.options["spitze"])
    trumps, plain = _split([*hands[opened.taker], *given], opened.options["spitze"])
    return range(max(len(given) - len(plain), 0), min(len(given), len(trumps)) + 1)


def passed(opened: Calls, hands: DealtHands, move: Event) -> DealtHands:
    """Return the hands after the Armut was exchanged."""
    if opened.declarer is None or opened.taker is None or opened.returned is None:
        return hands
    if not str(move.get("what")).startswith("armut-zurueck"):
        return hands
    given, kept = _split(hands[opened.declarer], opened.options["spitze"])
    trumps, plain = _split([*hands[opened.taker], *given], opened.options["spitze"])
    back = trumps[: opened.returned] + plain[: len(given) - opened.returned]
    rich = [*hands[opened.taker], *given]
    for card in back:
        rich.remove(card)
    changed = list(hands)
    changed[opened.declarer], changed[opened.taker] = _sorted([*kept, *back]), _sorted(rich)
    return tuple(changed)


def _sorted(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=_NUMBER.__getitem__))


def own_side(opened: Calls, seat: int, hand: Sequence[str]) -> int:
    """Return the side that a seat knows to be its own (audience: that seat); 0 until a partner is found."""
    if opened.sides[seat] or opened.looking:
        return opened.sides[seat]
    return RE if "CQ" in hand or seat in opened.queens else KONTRA


def offers(opened: Calls, hands: DealtHands) -> Iterator[Event]:
    """Yield what the seat whose card is awaited may say before it."""
    seat = opened.due()[0]
    hand = hands[seat]
    options = opened.options
    swine = options["schweinchen"] and opened.swine is None and hand.count("DA") == 2
    late = options["swine_call"] == "at_start" and opened.begun
    if swine and not late and has_fuchs(opened.kind):
        yield _say(opened, seat, "schweinchen")[1]
    side = own_side(opened, seat, hand)
    if not side or opened.too_early(seat, side):
        return
    told = max((call.level for call in opened.made if call.seat == seat), default=-1)
    level = max(opened.level(side), told)
    if level < 0:
        if opened.may_still(seat, side, 0):
            yield _say(opened, seat, SIDES[side])[1]
        silent = opened.game == "normal" and hand.count("CQ") + opened.queens.count(seat) == 2
        if silent and options["silent_kontra"] and opened.may_still(seat, KONTRA, 0):
            yield _say(opened, seat, "kontra")[1]  # K-73
        return
    # What was really said for this side: the table may not know it yet, but skipping a level is late anyway.
    ours = (call for call in opened.made if own_side(opened, call.seat, hands[call.seat]) == side)
    reached = max((call.level for call in ours), default=0)
    for higher in range(max(level, 0) + 1, len(LEVELS)):
        if opened.may_still(seat, side, higher) and opened.after(seat, side, higher) <= reached:
            yield _say(opened, seat, LEVELS[higher])[1]
