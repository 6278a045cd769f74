"""Dulle for people: what everybody may see, and the ledger of a round (U-21, G-14)."""

from __future__ import annotations

from typing import Any

from table.rules.dulle.fold import DulleFold
from table.rules.dulle.parties import CALLER
from table.rules.dulle.terms import augen
from table.rules.view import Prompt


def declared(game: DulleFold) -> str | None:
    """Return the call or solo in the words of a `say`."""
    said = game.agreed
    return None if said is None else f"{said.what}:{said.card}" if said.card else said.what


def sides(game: DulleFold) -> dict[str, str]:
    """Return which side the cards have shown each seat to be on; empty before the call (U-21)."""
    pairs, side = game.pairs, ("solo" if game.pairs.solo else "ruf", "others")
    known = ((seat, pairs.party(at)) for at, seat in enumerate(game.seats))
    return {seat: side[party] for seat, party in known if party is not None}


def view_fields(game: DulleFold) -> dict[str, Any]:
    """Return Dulle's fields of the View."""
    said = game.agreed
    called = () if said is None else ((game.seats[said.seat], str(declared(game))),)
    return {
        "contract": declared(game),
        "declared": (*called, *((game.seats[one.seat], one.what) for one in game.said)),
        "sides": sides(game),
        "augen": dict(zip(game.seats, game.augen(), strict=True)),
        "bock": game.bock_left > 0,
        "prompts": (Prompt("call"),) if game.phase() == "declare" else (),
    }


def ledger(game: DulleFold) -> dict[str, Any]:
    """Return the round as plain values: every trick with its Augen, the settlement line by line."""
    tricks = [
        game.trick_told(number, trick) | {"augen": sum(augen(play.name) for play in trick.plays)}
        for number, trick in enumerate(game.tricks, 1)
    ]
    done, said = game.settlement, game.agreed
    settlement = (
        None
        if done is None
        else {
            "winner": ("solo" if game.pairs.solo else "ruf") if done.winner == CALLER else "others",
            "augen": {"solo" if game.pairs.solo else "ruf": done.augen[0], "others": done.augen[1]},
            "items": [item._asdict() for item in done.items],
            "value": done.value,
        }
    )
    return {
        "round": game.number,
        "dealer": game.dealer,
        "contract": declared(game),
        "declarer": None if said is None else game.seats[said.seat],
        "bock": game.bock_left > 0,
        "complete": game.over and not game.broken_off,
        "broken_off": game.broken_off,
        "points": game.points(),
        "sides": sides(game),
        "said": [{"seat": game.seats[one.seat], "what": one.what, "event": one.event} for one in game.said],
        "tricks": tricks,
        "lying": game.plays_told(game.trick),
        "remarks": [list(remark) for remark in game.remarks],
        "settlement": settlement,
    }
