"""Logs of true rounds, spoilt: cards missed, recorded twice, late, for the wrong seat or while blind.

Independent of the referee: the engine plays the round (`legal_round`, `faulty_round` of each game), so it is
known who broke a rule. What is then done to the log is the table's fault, never a player's.
"""

from __future__ import annotations

from typing import Any

from table.rules import Referee
from table.rules.chance import Chance
from tests.rules import doppelkopf_faults, dulle_faults, faults, klapperjas_faults

Log = list[dict[str, Any]]
GAMES = ("dubbe", "dulle", "ddv", "bundeswehr", "dieblich", "club", "klapper-jas")
SPOILS = ("miss", "miss_last", "twice", "late", "seat", "blind", "trick", "trick_cards")


def true_round(game: str, seed: int) -> Log:
    """A whole round in which nobody breaks a rule."""
    if game == "dubbe":
        return faults.legal_round(seed, black=bool(seed % 2))
    if game == "dulle":
        return dulle_faults.legal_round(seed)
    if game == "klapper-jas":
        return klapperjas_faults.Writer(seed).play("")
    return doppelkopf_faults.Doppelkopf(Chance(seed), game).play("")


def folded(log: Log) -> Referee:
    """Fold the log as `replay` does."""
    referee = Referee()
    for event in log:
        referee.add(event)
    referee.conclude()
    while corrections := referee.settle_by_rules():
        for correction in corrections:
            referee.add(correction)
    return referee


def cards(log: Log) -> list[int]:
    """Places of the cards in a log."""
    return [at for at, event in enumerate(log) if event["kind"] == "card"]


def spoilt(log: Log, seed: int, how: str, count: int = 1) -> Log:
    """The log of a table that saw badly `count` times."""
    chance, log = Chance(seed), [dict(event, id=number) for number, event in enumerate(log, 1)]
    for _ in range(count):
        log = _SPOIL[how](log, chance)
    return log


def _miss(log: Log, chance: Chance) -> Log:
    gone = _any(cards(log), chance)
    return [event for at, event in enumerate(log) if at != gone]


def _miss_last(log: Log, chance: Chance) -> Log:
    return [event for at, event in enumerate(log) if at != cards(log)[-1]]


def _twice(log: Log, chance: Chance) -> Log:
    at = _any(cards(log), chance)
    again = {**log[at], "id": 10_000 + log[at]["id"]}
    return [*log[: at + 1], again, *log[at + 1 :]]


def _late(log: Log, chance: Chance) -> Log:
    """A person enters the card after the next trick was led."""
    seats = len({event["seat"] for event in log if event["kind"] == "card"})
    where = cards(log)
    which = chance.below(len(where) - seats - 1)
    after = where[(which // seats + 1) * seats]
    late = {**log[where[which]], "source": "touch", "id": 10_000 + log[where[which]]["id"]}
    return [*log[: where[which]], *log[where[which] + 1 : after + 1], late, *log[after + 1 :]]


def _seat(log: Log, chance: Chance) -> Log:
    at = _any(cards(log), chance)
    seats = sorted({event["seat"] for event in log if event["kind"] == "card"} - {log[at]["seat"]})
    return [*log[:at], {**log[at], "seat": seats[chance.below(len(seats))]}, *log[at + 1 :]]


def _blind(log: Log, chance: Chance) -> Log:
    """The table is blind for some seconds and misses what is said, played and taken."""
    first = _any(cards(log), chance)
    last = first + 1 + chance.below(10)
    dark = {"kind": "blind", "t": 1.0, "until": 4.0, "why": "covered", "id": 20_000 + first}
    return [*log[:first], dark, *log[last:]]


def _trick(log: Log, chance: Chance) -> Log:
    """Somebody stood in front of the camera: a whole trick is missed, with everything said and done in it."""
    first, last = _bounds(log, chance)
    return [*log[:first], *log[last + 1 :]]


def _trick_cards(log: Log, chance: Chance) -> Log:
    """Of a whole trick only the taking, the dice and the words are recorded."""
    first, last = _bounds(log, chance)
    return [event for at, event in enumerate(log) if event["kind"] != "card" or not first <= at <= last]


def _bounds(log: Log, chance: Chance) -> tuple[int, int]:
    seats, where = len({event["seat"] for event in log if event["kind"] == "card"}), cards(log)
    which = seats * chance.below(len(where) // seats)
    return where[which], where[which + seats - 1]


def _any(places: list[int], chance: Chance) -> int:
    return places[chance.below(len(places))]


_SPOIL = {
    "miss": _miss,
    "miss_last": _miss_last,
    "twice": _twice,
    "late": _late,
    "seat": _seat,
    "blind": _blind,
    "trick": _trick,
    "trick_cards": _trick_cards,
}
