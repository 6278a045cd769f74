"""True evenings of three rounds, recorded badly between the rounds.

The lines that begin rounds are lost, doubled, recorded early, late or with the wrong dealer; the log has
holes across them, begins anywhere, or was ended by mistake. `python -m tests.rules.ill_told` runs these too.
"""

from __future__ import annotations

from table.rules.chance import Chance
from table.rules.evening import evening
from tests.rules.doppelkopf_evenings import PRESETS, Anybody
from tests.rules.ill_told_more import NEXT, Telling
from tests.rules.lines import again, any_of, earlier, instead, later, of_kind, put_right, taken_back, without
from tests.rules.spoilt import Log

SEATS = {"dubbe": 5, "klapper-jas": 3}


def true_evening(game: str, seed: int) -> Log:
    """Three rounds in which nobody breaks a rule, with ids."""
    seats = [f"S{n}" for n in range(1, SEATS.get(game, 4) + 1)]
    which = {"game": "doppelkopf", "preset": game} if game in PRESETS else {"game": game}
    player = Anybody(seed) if game in PRESETS and seed % 2 else None
    told = evening({"kind": "game", **which, "seats": seats}, seed, player, rounds=3)
    return [dict(event.to_dict(), id=number) for number, event in enumerate(told, 1)]


def _later_rounds(log: Log) -> list[int]:
    return of_kind(log, "round")[1:]


def _another_dealer(log: Log, at: int, chance: Chance) -> str:
    others = [seat for seat in log[0]["seats"] if seat != log[at]["dealer"]]
    return str(others[chance.below(len(others))])


def _round_gone(log: Log, chance: Chance) -> Log:
    return without(log, {any_of(_later_rounds(log), chance)})


def _rounds_gone(log: Log, _: Chance) -> Log:
    return without(log, set(_later_rounds(log)))


def _whole_round_gone(log: Log, _: Chance) -> Log:
    second, third = _later_rounds(log)
    return [*log[:second], *log[third:]]


def _round_again(log: Log, chance: Chance) -> Log:
    at = any_of(of_kind(log, "round"), chance)
    return again(log, at, min(len(log) - 1, at + chance.below(9)))


def _round_late(log: Log, chance: Chance) -> Log:
    at = any_of(_later_rounds(log), chance)
    return later(log, at, min(len(log) - 1, at + 1 + chance.below(8)))


def _round_early(log: Log, chance: Chance) -> Log:
    at = any_of(_later_rounds(log), chance)
    return earlier(log, at, at - 1 - chance.below(6))


def _dealers_gone(log: Log, chance: Chance) -> Log:
    """The dealer is missing from one round or from all."""
    gone = {any_of(of_kind(log, "round"), chance)} if chance.below(2) else set(of_kind(log, "round"))
    return [{k: v for k, v in e.items() if k != "dealer" or at not in gone} for at, e in enumerate(log)]


def _dealer_put_right(log: Log, chance: Chance) -> Log:
    at = any_of(of_kind(log, "round"), chance)
    after = min(len(log) - 1, at + chance.below(30))
    return put_right(log, at, after, dealer=_another_dealer(log, at, chance))


def _dealer_wrong(log: Log, chance: Chance) -> Log:
    at = any_of(of_kind(log, "round"), chance)
    return instead(log, at, dealer=_another_dealer(log, at, chance))


def _switched_on(log: Log, chance: Chance) -> Log:
    """The table is switched on in the middle of an evening, with or without a line that begins the round."""
    begin = 2 + chance.below(len(log) - 8)
    opened: Log = [{"kind": "round", "id": 9_000}] if chance.below(2) else []
    return [log[0], *opened, *log[begin:]]


def _hole_across(*, told: bool) -> Telling:
    """The end of a round and the start of the next are missing; `told`: all but the line between them."""

    def tell(log: Log, chance: Chance) -> Log:
        at = any_of(_later_rounds(log), chance)
        line = [log[at]] if told else []
        return [*log[: max(2, at - chance.below(12))], *line, *log[at + 1 + chance.below(12) :]]

    return tell


def _hole(log: Log, chance: Chance) -> Log:
    first = 2 + chance.below(len(log) - 8)
    return [*log[:first], *log[first + 3 + chance.below(80) :], NEXT]


def _game_again(log: Log, chance: Chance) -> Log:
    return again(log, 0, 2 + chance.below(len(log) - 4))


def _ended(log: Log, chance: Chance) -> Log:
    """Somebody ends the round by mistake and perhaps takes it back."""
    at = 3 + chance.below(len(log) - 14)
    after = at + chance.below(10)
    back = [taken_back(9_000)] if chance.below(2) else []
    return [*log[:at], {"kind": "end", "id": 9_000}, *log[at:after], *back, *log[after:]]


EVENINGS: dict[str, Telling] = {
    "evening_round_gone": _round_gone,
    "evening_rounds_gone": _rounds_gone,
    "evening_whole_round_gone": _whole_round_gone,
    "evening_round_again": _round_again,
    "evening_round_late": _round_late,
    "evening_round_early": _round_early,
    "evening_dealers_gone": _dealers_gone,
    "evening_dealer_put_right": _dealer_put_right,
    "evening_dealer_wrong": _dealer_wrong,
    "evening_switched_on": _switched_on,
    "evening_hole_across": _hole_across(told=False),
    "evening_hole_across_told": _hole_across(told=True),
    "evening_hole": _hole,
    "evening_game_again": _game_again,
    "evening_ended": _ended,
}
