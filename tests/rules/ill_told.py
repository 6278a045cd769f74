"""True rounds, recorded badly in every way that comes to mind, and whom the referee then accuses.

    python -m tests.rules.ill_told 0 20                # seeds; prints a line for each way
    python -m tests.rules.ill_told 0 20 missed_run     # only that one, with the logs that accuse

`spoilt` has what a camera gets wrong with one card. Here several things go wrong at once: words and dice are
recorded late, twice, for the wrong seat or not at all, or the table is switched on in the middle of a round.
Nobody broke a rule in any of these logs.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import NamedTuple

from table.rules.chance import Chance
from table.rules.view import Finding
from tests.rules.ill_told_evenings import EVENINGS, true_evening
from tests.rules.ill_told_faults import is_a_fault_so_far, lost_whole_tricks
from tests.rules.ill_told_more import MORE, Telling
from tests.rules.lines import any_of, later, of_kind, other_seat, seats_in, without
from tests.rules.spoilt import GAMES, Log, cards, folded, true_round

LEAST_CARDS = 16
"""A round with fewer cards was thrown in: it was not played."""


def numbered_round(game: str, seed: int) -> Log:
    """A whole round in which nobody breaks a rule, with ids."""
    return [dict(event, id=number) for number, event in enumerate(true_round(game, seed), 1)]


def _missed(count: int) -> Telling:
    def tell(log: Log, chance: Chance) -> Log:
        for _ in range(count):
            log = without(log, {any_of(cards(log), chance)})
        return log

    return tell


def _seats_wrong(count: int) -> Telling:
    def tell(log: Log, chance: Chance) -> Log | None:
        told = log
        for _ in range(count):
            told = other_seat(told, any_of(cards(told), chance), chance)
        return None if _is_out_of_turn(log, told) else told

    return tell


def _is_out_of_turn(true: Log, told: Log) -> bool:
    """Whether only two neighbouring cards have swapped seats: a log with a real early play looks the same."""
    where = cards(true)
    changed = [number for number, at in enumerate(where) if true[at]["seat"] != told[at]["seat"]]
    if len(changed) != 2 or changed[1] - changed[0] != 1:
        return False
    one, other = (where[number] for number in changed)
    return (told[one]["seat"], told[other]["seat"]) == (true[other]["seat"], true[one]["seat"])


def _missed_run(log: Log, chance: Chance) -> Log:
    """A run of cards is missing; takings, dice and words between them are recorded."""
    where = cards(log)
    first = chance.below(len(where) - 6)
    return without(log, set(where[first : first + 2 + chance.below(5)]))


def _first_cards(log: Log, chance: Chance) -> Log:
    where = cards(log)
    return without(log, set(where[: 1 + chance.below(len(seats_in(log)))]))


def _any_lines(log: Log, chance: Chance) -> Log:
    """Five lines of any kind are missing."""
    for _ in range(5):
        log = without(log, {2 + chance.below(len(log) - 2)})
    return log


def _twice_later(log: Log, chance: Chance) -> Log:
    """A card was pushed and is recorded once more, some cards later."""
    where = cards(log)
    which = chance.below(len(where) - 8)
    after = where[which + 1 + chance.below(7)]
    return [*log[: after + 1], {**log[where[which]], "id": 9_000}, *log[after + 1 :]]


def _lines_twice(log: Log, chance: Chance) -> Log:
    for again in range(3):
        at = 2 + chance.below(len(log) - 2)
        log = [*log[: at + 1], {**log[at], "id": 9_100 + again}, *log[at + 1 :]]
    return log


def _late_by_a_person(log: Log, chance: Chance) -> Log:
    where, seats = cards(log), len(seats_in(log))
    which = chance.below(len(where) - 2 * seats)
    after = where[which + 1 + chance.below(2 * seats - 1)]
    told = [*log]
    told[where[which]] = {**log[where[which]], "source": "touch"}
    return later(told, where[which], after)


def _switched_on(log: Log, chance: Chance) -> Log:
    """The table is switched on after some card: nothing of the round before it is recorded."""
    where = cards(log)
    begin = where[1 + chance.below(len(where) - len(seats_in(log)) - 1)]
    return [*log[:2], *log[begin:]]


def _no_words(log: Log, _: Chance) -> Log:
    return without(log, set(of_kind(log, "say", "die")))


def _nobody_deals(log: Log, _: Chance) -> Log:
    return [{key: value for key, value in event.items() if key != "dealer"} for event in log]


def _nothing_said(log: Log, chance: Chance) -> Log:
    return _nobody_deals(_no_words(log, chance), chance)


def _gone(*kinds: str) -> Telling:
    def tell(log: Log, chance: Chance) -> Log | None:
        places = of_kind(log, *kinds)
        return without(log, {any_of(places, chance)}) if places else None

    return tell


def _twice(*kinds: str) -> Telling:
    def tell(log: Log, chance: Chance) -> Log | None:
        places = of_kind(log, *kinds)
        if not places:
            return None
        at = any_of(places, chance)
        return [*log[: at + 1], {**log[at], "id": 9_000}, *log[at + 1 :]]

    return tell


def _late(kind: str, cards_later: int) -> Telling:
    def tell(log: Log, chance: Chance) -> Log | None:
        places = [at for at in of_kind(log, kind) if any(card > at for card in cards(log))]
        if not places:
            return None
        at = any_of(places, chance)
        after = [card for card in cards(log) if card > at][:cards_later]
        return later(log, at, after[chance.below(len(after))])

    return tell


def _mouth(kind: str) -> Telling:
    def tell(log: Log, chance: Chance) -> Log | None:
        places = of_kind(log, kind)
        return other_seat(log, any_of(places, chance), chance) if places else None

    return tell


def _taken_again(log: Log, chance: Chance) -> Log:
    """A taking that never happened is recorded between two tricks."""
    where, seats = cards(log), seats_in(log)
    at = where[len(seats) * (1 + chance.below(len(where) // len(seats) - 1))]
    hand = {"kind": "collected", "seat": seats[chance.below(len(seats))], "id": 9_999}
    return [*log[:at], hand, *log[at:]]


def _mixed(log: Log, chance: Chance) -> Log:
    ways = (_any_lines, _lines_twice, _late_by_a_person, _missed(3), _seats_wrong(2))
    first = chance.below(len(ways))
    for which in (first, (first + 1 + chance.below(len(ways) - 1)) % len(ways)):
        log = ways[which](log, chance) or log
    return log


OWED = frozenset({"missing_declaration", "late_declaration"})
UNHEARD = frozenset(
    {"missing_declaration", "missed_stoss", "wrong_side", "absage_without_ansage", "pile_card"}
)


ALLOWED = {
    "words_gone": UNHEARD,
    "word_early": frozenset({"early_declaration", "late_declaration", "missed_stoss"}),
    "dice_gone": UNHEARD,
    "cut_out": UNHEARD,
    "cut_out_twice": UNHEARD,
    "mouths_swapped": OWED | UNHEARD | {"false_caller", "false_belle", "out_of_turn", "pile_card"},
    "evening_dealer_wrong": frozenset({"out_of_turn"}),
    "evening_switched_on": frozenset({"missing_declaration"}),
    "evening_hole": UNHEARD,
    "evening_hole_across": UNHEARD,
    "evening_hole_across_told": UNHEARD,
}
"""See `Way.allowed`."""


class Way(NamedTuple):
    """A way to record a log badly."""

    tell: Telling
    allowed: frozenset[str] = frozenset()
    """Findings that fit a log with a real fault equally well, line for line, so that no referee can know."""


WAYS = {
    "missed_2": Way(_missed(2)),
    "missed_3": Way(_missed(3)),
    "missed_4": Way(_missed(4)),
    "missed_run": Way(_missed_run),
    "first_cards": Way(_first_cards),
    "any_lines": Way(_any_lines, OWED | UNHEARD),
    "seats_wrong_2": Way(_seats_wrong(2)),
    "seats_wrong_3": Way(_seats_wrong(3)),
    "twice_later": Way(_twice_later),
    "lines_twice": Way(_lines_twice),
    "late_by_a_person": Way(_late_by_a_person),
    "mixed": Way(_mixed, OWED | UNHEARD),
    "switched_on": Way(_switched_on, frozenset({"missing_declaration"})),
    "nobody_deals": Way(_nobody_deals),
    "nothing_said": Way(_nothing_said, frozenset({"missing_declaration"})),
    "word_gone": Way(_gone("say"), UNHEARD),
    "word_twice": Way(_twice("say")),
    "word_late": Way(_late("say", 1), OWED | {"absage_without_ansage"}),
    "word_of_another": Way(_mouth("say"), OWED | UNHEARD | {"false_caller", "false_belle", "false_meld"}),
    "die_gone": Way(_gone("die"), frozenset({"missing_declaration"})),
    "die_twice": Way(_twice("die")),
    "die_late": Way(_late("die", 3), OWED),
    "taking_gone": Way(_gone("collected")),
    "taking_twice": Way(_twice("collected")),
    "taking_invented": Way(_taken_again),
    "taking_of_another": Way(_mouth("collected"), frozenset({"unauthorised_touch"})),
    **{name: Way(tell, ALLOWED.get(name, frozenset())) for name, tell in (MORE | EVENINGS).items()},
}


def accused(game: str, seed: int, way: str) -> list[Finding] | None:
    """Record a true round badly and return whom the referee accuses; None if the way does not apply to it."""
    log = true_evening(game, seed) if way in EVENINGS else numbered_round(game, seed)
    if len(cards(log)) < LEAST_CARDS or (way in EVENINGS and len(of_kind(log, "round")) < 3):
        return None
    told = WAYS[way].tell(log, Chance(1000 * seed + list(WAYS).index(way)))
    if told is None:
        return None
    found = folded(told).findings()
    if found and way not in EVENINGS and lost_whole_tricks(log, told) and is_a_fault_so_far(told, found):
        return []  # the same as a real fault
    return [one for one in found if one.finding not in WAYS[way].allowed]


def main() -> None:
    """Print how many logs of each way accuse somebody, and of what."""
    seeds, only = range(int(sys.argv[1]), int(sys.argv[2])), sys.argv[3:]
    for way in only or WAYS:
        found: Counter[str] = Counter()
        logs = bad = 0
        for game in GAMES:
            for seed in seeds:
                findings = accused(game, seed, way)
                if findings is None:
                    continue
                logs, bad = logs + 1, bad + bool(findings)
                found.update(f"{game}:{one.finding}" for one in findings)
                if only and findings:
                    print(f"  {game} {seed}: {findings}")
        print(f"{way}: {bad} of {logs} {dict(found) or ''}", flush=True)


if __name__ == "__main__":
    main()
