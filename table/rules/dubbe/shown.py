"""Dubbe for people: what everybody may see, and the ledger of a round (D-10 to D-46, G-14)."""

from __future__ import annotations

from typing import Any

from table.rules.cards import COLOURS
from table.rules.dubbe.fold import DubbeFold
from table.rules.dubbe.terms import CHARACTERS, JAMMERLABBE, SAYINGS, colour_of, contract
from table.rules.view import Character, Prompt


def view_fields(game: DubbeFold) -> dict[str, Any]:
    """Return Dubbe's fields of the View."""
    characters = tuple(
        Character(name, tile.colour, tile.value, None if tile.owner is None else game.seats[tile.owner])
        for name, tile in zip(CHARACTERS, game.tiles, strict=True)
    )
    prompts: list[Prompt] = []
    if not game.over and game.trump is None:
        prompts.append(Prompt("declare-trump", game.seats[game.chooser], SAYINGS))
    if game.may_collect and not game.trick and game.collected_by is None:
        owner = game.tiles[JAMMERLABBE].owner
        prompts.append(Prompt("collect", None if owner is None else game.seats[owner]))
    if not game.trick and game.options["black_confirm"] == "ask":
        here = [seat for _, seat, trick in game.touches if trick == len(game.tricks)]
        prompts += [Prompt("offence?", game.seats[seat]) for seat in here]
    return {
        "trump": game.trump,
        "characters": characters,
        "black_die": None if game.black is None else (game.seats[game.black.owner], game.black.value),
        "expected_dice": game.expected(),
        "dice_seen": dict(game.dice),
        "inference": _inference(game) if game.options["show_inference"] else {},
        "prompts": tuple(prompts),
    }


def _inference(game: DubbeFold) -> dict[str, tuple[str, ...]]:
    """The colours that each seat has shown itself out of (G-14); only where the group wants to see them."""
    void = game.evidence.void
    return {
        name: tuple(c for c, its in zip(COLOURS, contract(None).members, strict=True) if out & its)
        for seat, name in enumerate(game.seats)
        if (out := void.get(seat, 0))
    }


def ledger(game: DubbeFold) -> dict[str, Any]:
    """Return the round trick by trick: who played what, who won, what was booked and why."""
    tricks = [
        game.trick_told(number, trick)
        | {"led": colour_of(trick.plays[0].name), "changes": [change._asdict() for change in changes]}
        for number, (trick, changes) in enumerate(zip(game.tricks, game.changes, strict=True), 1)
    ]
    return {
        "round": game.number,
        "dealer": game.dealer,
        "trump": game.trump,
        "complete": game.over and not game.broken_off,
        "broken_off": game.broken_off,
        "points": game.points(),
        "characters": {
            name: {
                "colour": tile.colour,
                "die": tile.value,
                "owner": None if tile.owner is None else game.seats[tile.owner],
            }
            for name, tile in zip(CHARACTERS, game.tiles, strict=True)
            if tile.colour is not None
        },
        "black_die": None
        if game.black is None
        else {"owner": game.seats[game.black.owner], "value": game.black.value},
        "tricks": tricks,
        "lying": game.plays_told(game.trick),
        "remarks": [list(remark) for remark in game.remarks],
        "touches": [
            {"event": event, "seat": game.seats[seat], "trick": trick} for event, seat, trick in game.touches
        ],
        "settlement": [change._asdict() for change in game.settled],
    }
