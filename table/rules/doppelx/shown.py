"""DoppelX for people: the scoreboard, the ledger, what the box should look like (X-08, X-21 to X-23)."""

from __future__ import annotations

from typing import Any

from table.rules.doppelx.checks import flung, lying
from table.rules.doppelx.fold import DoppelXFold
from table.rules.doppelx.scoring import Gain, Throw
from table.rules.doppelx.terms import ALL, SPINNER_FIELDS, WHITE, limit
from table.rules.view import BoxDie, Prompt, ThrowView


def turn(game: DoppelXFold) -> str | None:
    """Return the seat that throws next, after the opening and if it is sure."""
    sure = game.throws and len(game.due) == 1 and not game.over
    return game.seat(game.due[0]) if sure else None


def take_back(game: DoppelXFold) -> dict[str, str]:
    """Return what to take out now, colour → seat: lost dice, X dice of a Doppel X, the next player's two."""
    if not game.throws:
        return {}
    last, after = game.throws[-1], turn(game)
    back: dict[str, str] = {}
    for die in last.dice:
        whose = after if die.colour == WHITE else game.seat(die.colour)
        returned = die.lost or (last.scoring.doppel_x and die.on_field and die.face == "X")
        if die.colour is not None and whose is not None and (returned or whose == after):
            back[die.colour] = whose
    return back


def may_bet(game: DoppelXFold) -> tuple[str, ...]:
    """Return the seats that may lay their die on a bet field before the next throw (X-23, X-28)."""
    if not game.throws or game.over:
        return ()
    last = game.throws[-1]
    busy = lying(last.dice, last.scoring) | set(game.due)
    return tuple(str(game.seat(colour)) for colour in game.contenders if colour not in busy)


def prompts(game: DoppelXFold) -> tuple[Prompt, ...]:
    """Return what the table waits for."""
    last, options = game.throws[-1] if game.throws else None, game.setup.options
    found = []
    if not game.over:
        found.append(Prompt("throw", turn(game)) if last else Prompt("throw-together"))
    if last is not None:
        bet = last.scoring.spinner is None and any(die.bet == "G" for die in last.dice)
        whom = flung(last.dice, last.active) if bet else ()
        if whom and game.setup.details.get("field") in SPINNER_FIELDS:
            found.append(Prompt("spinner?", None, tuple(f"spinner:{colour}" for colour in whom)))
        if options["cocked"] == "ask":
            found += [Prompt("cocked?", game.seat(die.colour)) for die in last.dice if die.cocked]
    if game.edges and options["edge_penalty"] == "drink" and (not last or game.edges[-1][0] > last.event):
        found.append(Prompt("drink", game.seat(game.edges[-1][1])))
    if game.handed_on():
        found.append(Prompt("deciding-game"))
    return tuple(found)


def view_fields(game: DoppelXFold) -> dict[str, Any]:
    """Return DoppelX' fields of the View."""
    return {
        "phase": "settled" if game.over else "play",
        "turn": turn(game),
        "prompts": prompts(game),
        "remarks": tuple(game.remarks),
        "box": _box(game),
    }


def _box(game: DoppelXFold) -> ThrowView:
    board, bets = game.setup.details.get("field"), game.setup.details.get("bets")
    last = game.throws[-1] if game.throws else None
    return ThrowView(
        board=None if board is None else str(board),
        bets=tuple(bets or ()),
        limit=limit(len(game.colours)),
        throw=len(game.throws),
        event=last.event if last else None,
        player=game.seat(last.active) if last else None,
        due=tuple(str(game.seat(colour)) for colour in game.due) if last and not game.over else (),
        dice=_dice(game, last) if last else (),
        gains=_gains(game, last) if last else {},
        doppel_x=last is not None and last.scoring.doppel_x,
        placed={die.colour: die.bet for die in last.dice if die.colour and die.bet} if last else {},
        may_bet=may_bet(game),
        take_back=take_back(game),
    )


def _dice(game: DoppelXFold, throw: Throw) -> tuple[BoxDie, ...]:
    """Return every visible die with its points. Two of one colour have the same order in the gains."""
    gains = list(throw.scoring.gains)
    rows = []
    for die in throw.dice:
        gain = next(
            (gain for gain in gains if gain.die == die.colour), Gain("", "", None, None, None, 0, "", "")
        )
        if gain in gains:
            gains.remove(gain)
        rows.append(
            BoxDie(
                die.colour,
                die.face,
                die.where,
                die.zone,
                game.seat(gain.player),
                gain.points,
                gain.why,
                gain.rule or None,
                die.doubt,
            )
        )
    return tuple(rows)


def _gains(game: DoppelXFold, throw: Throw) -> dict[str, int]:
    pairs = zip(game.seats, throw.before, throw.totals, strict=True)
    return {seat: after - before for seat, before, after in pairs}


def _thrower(game: DoppelXFold, throw: Throw) -> str | None:
    """Return a seat, `ALL` in the opening, None where nobody saw who threw."""
    opening = throw.active is None and (throw.scoring.gains or not throw.unseen)
    return ALL if opening else game.seat(throw.active)


def ledger(game: DoppelXFold) -> dict[str, Any]:
    """Return the game throw by throw: every die, what it scored and why, the totals after it."""
    throws = []
    for number, throw in enumerate(game.throws, 1):
        throws.append(
            {
                "throw": number,
                "event": throw.event,
                "player": _thrower(game, throw),
                **({"unseen": True} if throw.unseen else {}),
                "doppel_x": throw.scoring.doppel_x,
                **({"spinner": throw.scoring.spinner} if throw.scoring.spinner else {}),
                "dice": [
                    {**gain._asdict(), "player": game.seat(gain.player)} for gain in throw.scoring.gains
                ],
                "gains": _gains(game, throw),
                "points": dict(zip(game.seats, throw.totals, strict=True)),
            }
        )
    return {
        "round": game.number,
        "first": game.seat(game.first),
        "limit": limit(len(game.colours)),
        "contenders": [game.seat(colour) for colour in game.contenders],
        "tied": [game.seat(colour) for colour in game.handed_on()],
        "complete": game.over and not game.broken_off,
        "broken_off": game.broken_off,
        "points": game.points(),
        "throws": throws,
        "over_the_edge": [{"event": event, "player": game.seat(who)} for event, who in game.edges],
        "remarks": [list(remark) for remark in game.remarks],
    }
