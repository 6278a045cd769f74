"""Klapper-Jas for people: what everybody may see, and the ledger of a round (J-17, J-38, G-14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from table.rules.cards import SUITS
from table.rules.klapperjas.bidding import ORGI, VALUE, bids
from table.rules.klapperjas.fold import KlapperFold
from table.rules.klapperjas.terms import BELLE, score_dice
from table.rules.view import Prompt


def view_fields(game: KlapperFold) -> dict[str, Any]:
    """Return Klapper-Jas's fields of the View."""
    declare = game.phase() == "declare"
    asked = _asked(game)
    waits = asked if asked is not None else game.bidding.declarer
    fields: dict[str, Any] = {
        "trump": game.trump,
        "contract": game.bidding.kind,
        "declared": tuple((game.seats[seat], what) for seat, what, _ in game.said),
        "sides": sides(game),
        "augen": dict.fromkeys(game.table, 0) | dict(zip(game.seats, game.augen(), strict=True)),
        "turned": game.turned,
        "inference": _inference(game) if game.options["show_inference"] else {},
        "prompts": tuple(prompts(game)),
    }
    if declare and waits is not None:
        fields["turn"] = game.seats[waits]
    return fields


def _asked(game: KlapperFold) -> int | None:
    """Return who is asked; nobody where he could only pass (JA-10)."""
    asked = game.bidding.asked()
    return asked if asked is not None and bids(game.bidding, asked, game.turned_suit) else None


def sides(game: KlapperFold) -> dict[str, str]:
    """Return each seat's side, `declarer` or `others`; everybody knows it."""
    if game.bidding.declarer is None:
        return {}
    party = game.party(game.bidding.declarer)
    return {name: "declarer" if at in party else "others" for at, name in enumerate(game.seats)}


def _inference(game: KlapperFold) -> dict[str, tuple[str, ...]]:
    """The suits that each seat has shown itself out of (G-14); only where the group wants to see them."""
    members, void = game.contract().members, game.evidence.void
    return {
        name: tuple(suit for suit, its in zip(SUITS, members, strict=True) if out & its == its)
        for seat, name in enumerate(game.seats)
        if (out := void.get(seat, 0))
    }


def prompts(game: KlapperFold) -> Iterator[Prompt]:
    """Yield what the table waits for."""
    if not game.over and not game.begun:
        asked = _asked(game)
        if not game.turned:
            yield Prompt("turn-card", game.dealer)
        if asked is not None:
            kleines = game.bidding.no_orgi >= set(game.bidding.order)
            besser = game.bidding.declarer is not None
            word = "besser" if besser else "kleines" if kleines else "orgi"
            yield Prompt(f"{word}?", game.seats[asked], ("passe", word))
        elif game.trump is None and game.bidding.kind is not None and game.bidding.kind != ORGI:
            others = tuple(f"farbe:{suit}" for suit in SUITS if suit != game.turned_suit)
            yield Prompt("name-suit", game.seats[game.bidding.declarer or 0], others)
    if len(game.tricks) == 1 and not game.trick:  # J-I3: between the first trick and the second
        late = dict.fromkeys(meld.seat for meld in game.to_show() if meld.seat not in game.laid_open)
        for at in late:
            yield Prompt("show-meld", game.seats[at])
    if game.over:
        totals = game.totals()
        for seat, seen in game.score_seen.items():  # J-I9
            right = score_dice(totals[seat], game.options["dice"])
            if seen not in {("mat" if right.on_mat else "off", face) for face in right.faces}:
                yield Prompt("set-score-die", seat)


def ledger(game: KlapperFold) -> dict[str, Any]:
    """Return the round as plain values: what was said, every trick with its Augen, the settlement."""
    name, done, bids = game.seats, game.settlement, game.bidding
    tricks = [
        game.trick_told(number, trick) | {"augen": game.trick_augen(trick)}
        for number, trick in enumerate(game.tricks, 1)
    ]
    true = {meld.event for meld in game.true_melds()}
    counting = {meld.event for meld in game.counting}
    return {
        "round": game.number,
        "dealer": game.dealer,
        "players": list(name),
        "turned": list(game.turned),
        "contract": bids.kind,
        "trump": game.trump,
        "declarer": None if bids.declarer is None else name[bids.declarer],
        "passed_out": bids.passed_out,
        "complete": game.over and not game.broken_off,
        "broken_off": game.broken_off,
        "points": game.points(),
        "said": [{"seat": name[seat], "what": what, "event": event} for seat, what, event in game.said],
        "melds": [
            {
                "seat": name[meld.seat],
                "what": meld.said,
                "event": meld.event,
                "true": meld.event in true,
                "counts": meld.value if meld.event in counting else 0,
            }
            for meld in game.melds
        ],
        "belle": [{"seat": name[belle.seat], "counts": BELLE} for belle in game.true_belles()],
        "tricks": tricks,
        "lying": game.plays_told(game.trick),
        "remarks": [list(remark) for remark in game.remarks],
        "settlement": None
        if done is None
        else {
            "won": done.won,
            "augen": dict(zip(name, done.augen, strict=True)),
            "declarer": done.declarer_augen,
            "needed": done.needed,
            "base": VALUE[bids.kind or ORGI],
            "doublings": game.doublings(),
            "value": done.value,
        },
    }
