"""Random announcements, true or not, checked against a second way of working out what they prove.

The second way knows only lines, speakers and Kreuz Damen: it tries every pair that may hold the Damen.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from table.rules import Referee
from table.rules.chance import Chance
from tests.rules.doppelkopf_faults import Doppelkopf
from tests.rules.dulle_faults import SEATS, Log

DUE = {
    "ddv": {"re": 11, "kontra": 11, "k90": 10, "k60": 9, "k30": 8, "schwarz": 7},
    "dieblich": {"re": 7, "kontra": 7, "k90": 7, "k60": 5, "k30": 3, "schwarz": 1},
    "bundeswehr": {"re": 9, "kontra": 9, "k90": 9, "k60": 7, "k30": 5, "schwarz": 3},
}
STEPS = ("k90", "k60", "k30", "schwarz")
Proofs = list[tuple[str, int, int | None]]


def talkative(preset: str, seed: int) -> Log:
    """A normal round in which anybody says anything until its deadline."""
    chance = Chance(seed)
    writer = Doppelkopf(chance, preset, quiet=True)
    size, due = len(writer.dealt[0]), DUE[preset]
    log: Log = []
    held = dict.fromkeys(SEATS, size)
    for event in writer.play(""):
        if event["kind"] == "card":
            speaker = SEATS[chance.below(4)]
            words = [word for word, last in due.items() if held[speaker] >= last]
            if words and chance.below(3) == 0:
                log.append({"kind": "say", "seat": speaker, "what": words[chance.below(len(words))]})
            held[event["seat"]] -= 1
        log.append(event)
    return log


def truth(log: Log, preset: str) -> Proofs:
    """Absagen that are void for every pair of Damen holders, each with the first line from which it is so."""
    due, size = DUE[preset], 12 if preset in ("ddv", "bundeswehr") else 10
    held = dict.fromkeys(SEATS, size)
    said: list[tuple[int, str, str, int]] = []
    dames: list[str] = []
    proven: dict[int, tuple[str, int]] = {}
    for line, event in enumerate(log, 1):
        if event["kind"] == "card":
            held[event["seat"]] -= 1
            if event["card"] != "CQ":
                continue
            dames.append(event["seat"])
        elif event["kind"] != "say" or event["what"] == "gesund":
            continue
        elif said and said[-1][1:] == (event["seat"], event["what"], held[event["seat"]]):
            continue  # a repeated word adds nothing
        else:
            said.append((line, event["seat"], event["what"], held[event["seat"]]))
        pairs = [{*dames, *more} for more in combinations_with_replacement(SEATS, 2 - len(dames))]
        voids = [void(said, pair, due, preset) for pair in pairs]
        for about, seat, what, _ in said:
            if what in STEPS and about not in proven and all(about in bad for bad in voids):
                proven[about] = (seat, line)
    return [(seat, line, about if about != line else None) for about, (seat, line) in sorted(proven.items())]


def void(said: list[tuple[int, str, str, int]], pair: set[str], due: dict[str, int], preset: str) -> set[int]:
    """Absagen that are void if these two, or this one, are Re."""
    bad: set[int] = set()
    reached: dict[bool, int] = {}
    for line, seat, what, held in said:
        side = seat in pair
        if what not in STEPS:
            if (what == "re") == side:
                reached.setdefault(side, 0)
            continue
        step = STEPS.index(what) + 1
        skipped = [n for n, word in enumerate(STEPS[: step - 1], 1) if preset == "ddv" and held < due[word]]
        if side not in reached or any(n > reached[side] for n in skipped):
            bad.add(line)
        else:
            reached[side] = max(reached[side], step)
    return bad


def check(preset: str, seed: int) -> int:
    """Every Absage that is certainly void is found at its first proof, and no other one is."""
    log = talkative(preset, seed)
    want = truth(log, preset)
    referee = Referee()
    for event in log:
        referee.add(event)
    absagen = {line for line, event in enumerate(log, 1) if event.get("what") in STEPS}
    found = [(f.seat, f.event, f.about) for f in referee.findings() if (f.about or f.event) in absagen]
    assert sorted(found, key=str) == sorted(want, key=str), (seed, log)
    return len(want)


@pytest.mark.parametrize("preset", DUE)
def test_a_void_absage_is_found_with_the_first_line_that_proves_it(preset: str) -> None:
    """K-I2, K-22: void for every division into sides that the Damen seen so far allow."""
    assert sum(check(preset, seed) for seed in range(40)) >= 20


@pytest.mark.soak
@pytest.mark.parametrize("preset", DUE)
def test_ten_thousand_rounds_of_loose_talk(preset: str) -> None:
    """Print how many void Absagen there were."""
    print(f"{preset}: {sum(check(preset, seed) for seed in range(10_000))} void Absagen, each found")
