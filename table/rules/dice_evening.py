"""Games of DoppelX that play themselves: throws, bets and the spinner from a seed, as table events.

    for event in evening({"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"]}, seed=7):
        referee.add(event)

The dice follow chance, not physics: zones and faces are drawn, a thrown die may hit a lying one. A player who
may bet lays his die where it promises most, given what lies open (X-23).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from table.rules.chance import Chance
from table.rules.doppelx.checks import flung
from table.rules.doppelx.round import DoppelXRound
from table.rules.doppelx.shown import may_bet
from table.rules.doppelx.terms import ALL, BET_PAY, BET_ZONE, BETS, FACES, SPINNER_FIELDS, WHITE, ZONES
from table.rules.events import Event
from table.rules.games import GAMES
from table.rules.opening import as_event, open_game

_TOUCHES: tuple[tuple[str, ...], ...] = (
    *((("1x",),) * 9),
    *((("2x",),) * 4),
    *((("3x",),) * 2),
    ("1x", "2x"),
    ("1x", "2x"),
    ("2x", "3x"),
    ("1x", "hole"),
    ("X",),
    ("X", "1x"),
    ("-1", "1x"),
    ("-1", "X"),
    ("-1",),
)
"""Zones that the foot of a die on the field may touch; each entry is equally likely."""
_LOST, _HIT = 15, 20
"""Chances in per cent: a thrown die falls into a hole or out; a thrown die hits a given lying one."""

Dice = dict[str, dict[str, Any]]


def evening(opening: Event | Mapping[str, Any], seed: int, *, rounds: int | None = None) -> Iterator[Event]:
    """Yield the table events of a whole game, with its deciding game after a tie (X-30)."""
    opened = as_event(opening)
    setup, chance = open_game(opened), Chance(seed)
    yield opened
    game = GAMES[setup.game]
    number = 1
    before: tuple[str, ...] = ()
    while rounds is None or number <= rounds:
        pool = before or setup.players
        first = pool[chance.below(len(pool))]
        line = Event("round", {"first": first})
        fold = game.open_round(setup, number, line, before)
        assert isinstance(fold, DoppelXRound)
        yield line
        yield from _play(fold, tuple(setup.details.get("bets") or BETS[:4]), chance)
        number, before = number + 1, fold.handed_on()
        if not before:
            return


def _play(fold: DoppelXRound, bets: tuple[str, ...], chance: Chance) -> Iterator[Event]:
    """Throw until the limit ends the game; the fold itself says who is next and who may bet."""
    dice: Dice = {colour: _fallen(colour, chance) for colour in fold.contenders}
    number, active = 0, ALL
    while True:
        number += 1
        throw = Event("throw", {"player": active, "dice": list(dice.values())})
        fold.add(number, throw.numbered(number))
        yield throw
        if fold.setup.details.get("field") in SPINNER_FIELDS:
            last = fold.throws[-1]
            for colour in flung(last.dice, last.active)[:1]:
                say = Event("say", {"what": f"spinner:{colour}"})
                number += 1
                fold.add(number, say.numbered(number))
                yield say
        if fold.over:
            return
        dice = {colour: dict(die) for colour, die in dice.items() if _stays(die, fold)}
        active = fold.due[0]
        for colour in fold.contenders:
            if colour != active and fold.seat(colour) in may_bet(fold):
                dice[colour] = {"colour": colour, "face": _face(chance), "where": f"bet:{_bet(bets, dice)}"}
        _throw(dice, active, chance)


def _stays(die: dict[str, Any], fold: DoppelXRound) -> bool:
    """Whether a die stays: lost dice, the X dice of a Doppel X and bets are taken back (X-21, X-22, X-28)."""
    returned = fold.throws[-1].scoring.doppel_x and die["face"] == "X"
    return die["where"] == "field" and not returned


def _face(chance: Chance) -> str:
    return FACES[chance.below(len(FACES))]


def _fallen(colour: str, chance: Chance) -> dict[str, Any]:
    """Draw how a die comes to rest."""
    die: dict[str, Any] = {"colour": colour, "face": _face(chance)}
    if chance.below(100) < _LOST:
        return die | {"where": ("hole", "outside")[chance.below(2)]}
    touches = list(_TOUCHES[chance.below(len(_TOUCHES))])
    best = next(zone for zone in ZONES if zone in touches)
    return die | {"where": "field", "touches": touches, "counts_as": best}


def _throw(dice: Dice, active: str, chance: Chance) -> None:
    """Throw the active player's die and the white one; lying dice may be hit, bets are out of reach."""
    for colour in (active, WHITE):
        dice.pop(colour, None)
    for colour, die in list(dice.items()):
        if die["where"] == "field" and chance.below(100) < _HIT:
            dice[colour] = _fallen(colour, chance)
    for colour in (active, WHITE):
        dice[colour] = _fallen(colour, chance)


def _bet(bets: tuple[str, ...], dice: Dice) -> str:
    """Return the bet field that promises most for two fresh dice beside those that lie."""
    field = 1 - _LOST / 100
    shares = {zone: _share(zone) * field for zone in ZONES}
    waiting = sum(die["where"] == "field" and die["face"] == "X" for die in dice.values())
    cross = field / len(FACES)
    doppel_x = cross**2 if waiting == 0 else 1 - (1 - cross) ** 2 if waiting == 1 else 1.0

    def worth(bet: str) -> float:
        if bet in "AH":
            return BET_PAY[bet] * doppel_x
        if bet == "G":
            return BET_PAY[bet] * 0.05
        hit = _LOST / 100 if bet == "B" else shares[BET_ZONE[bet]]
        return BET_PAY[bet] * 2 * hit * (1 - doppel_x)

    return max(bets, key=worth)


@cache
def _share(zone: str) -> float:
    """Return how often a die on the field counts as this zone."""
    best = [next(z for z in ZONES if z in touches) for touches in _TOUCHES]
    return best.count(zone) / len(best)
