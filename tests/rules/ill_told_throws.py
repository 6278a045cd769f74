"""True games of DoppelX, recorded badly: throws lost, doubled, late or another player's, dice unread.

python -m tests.rules.ill_told_throws 0 100     # seeds; prints a line for each way
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from table.rules.chance import Chance
from table.rules.view import Finding
from tests.rules.ill_told_more import Telling
from tests.rules.lines import again, any_of, instead, later, of_kind, without
from tests.rules.spoilt import Log, folded
from tests.rules.test_doppelx_whole import game


def _throws(log: Log) -> list[int]:
    return of_kind(log, "throw")[1:]


def _throw_gone(log: Log, chance: Chance) -> Log:
    return without(log, {any_of(_throws(log), chance)})


def _opening_gone(log: Log, _: Chance) -> Log:
    return without(log, {of_kind(log, "throw")[0]})


def _throw_twice(log: Log, chance: Chance) -> Log:
    at = any_of(_throws(log), chance)
    return again(log, at, at)


def _throw_of_another(log: Log, chance: Chance) -> Log:
    at = any_of(_throws(log), chance)
    others = [player for player in log[0]["players"] if player != log[at]["player"]]
    return instead(log, at, player=others[chance.below(len(others))])


def _throw_late(log: Log, chance: Chance) -> Log:
    which = chance.below(len(_throws(log)) - 1)
    return later(log, _throws(log)[which], _throws(log)[which + 1])


def _begins_late(log: Log, chance: Chance) -> Log:
    return [*log[:2], *log[any_of(_throws(log), chance) :]]


def _cut_out(log: Log, chance: Chance) -> Log:
    first = 2 + chance.below(len(log) - 4)
    return [*log[:first], *log[first + 2 + chance.below(10) :]]


def _block_twice(log: Log, chance: Chance) -> Log:
    at = 4 + chance.below(len(log) - 4)
    begin = max(2, at - 1 - chance.below(6))
    return [*log[:at], *({**event, "id": 9_000 + n} for n, event in enumerate(log[begin:at])), *log[at:]]


def _round_late(log: Log, chance: Chance) -> Log:
    return later(log, 1, 2 + chance.below(3))


def _unread(what: str) -> Telling:
    """Three dice lack their face or their colour."""

    def tell(log: Log, chance: Chance) -> Log:
        for _ in range(3):
            at = any_of(_throws(log), chance)
            dice: list[dict[str, Any]] = [dict(die) for die in log[at]["dice"]]
            dice[chance.below(len(dice))] |= {what: None, "doubt": [what]}
            log = instead(log, at, dice=dice)
        return log

    return tell


THROWS: dict[str, Telling] = {
    "throw_gone": _throw_gone,
    "opening_gone": _opening_gone,
    "throw_twice": _throw_twice,
    "throw_of_another": _throw_of_another,
    "throw_late": _throw_late,
    "begins_late": _begins_late,
    "cut_out": _cut_out,
    "block_twice": _block_twice,
    "round_late": _round_late,
    "faces_unread": _unread("face"),
    "colours_unread": _unread("colour"),
}


def accused(seed: int, way: str) -> list[Finding]:
    """Record a true game badly and return whom the referee accuses."""
    log = [dict(event, id=number) for number, event in enumerate(game(seed), 1)]
    told = THROWS[way](log, Chance(1000 * seed + list(THROWS).index(way)))
    return folded(told or log).findings()


def main() -> None:
    """Print how many games of each way accuse somebody, and of what."""
    seeds = range(int(sys.argv[1]), int(sys.argv[2]))
    for way in THROWS:
        found = [accused(seed, way) for seed in seeds]
        what = Counter(one.finding for each in found for one in each)
        print(f"{way}: {sum(map(bool, found))} of {len(found)} {dict(what) or ''}", flush=True)


if __name__ == "__main__":
    main()
