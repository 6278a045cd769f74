"""The rules in `stammtisch bench`: the referee on every game, the engine compared with OpenSpiel's Skat."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from table.rules.events import Event, write
from table.rules.game import EngineGame
from table.rules.games import TRICK_GAMES

Figures = dict[str, Any]
ROUNDS = 20
"""Rounds of each trick game that the referee folds."""
RUNS = 5
"""Number of folds; the fastest counts, as the one that the machine disturbed least."""
SLICES, SLICE_S = 4, 0.5
"""The engine and OpenSpiel run in turns, so that both meet the same state of the machine."""
LOOP = 100_000
"""Iterations of the loop that measures Python's own speed."""
LINES, CORRECTIONS = 100_000, 200
"""Lines of a long log, and how many of its cards are wrong and corrected at its end."""
ABSENT = "no OpenSpiel here: with the package open_spiel the engine is measured beside its Skat"
COLOURS = ("blue", "green", "yellow", "red", "purple", "orange", "black", "pink")


def measure() -> Figures:
    """Return all figures of the rules; CPU seconds, one core."""
    figures: Figures = {"python_loop_floor_ms": _loop_ms()}
    for game in TRICK_GAMES.values():
        events = list(_trick_rounds(game))
        rounds = sum(event.kind == "round" for event in events)
        name = game.name.replace("-", "_")
        figures |= {f"{name}_{what}": value for what, value in _referee(events, rounds).items()}
    figures |= _long_log(list(_trick_rounds(next(iter(TRICK_GAMES.values())))))
    figures |= {f"doppelx_{what}": value for what, value in _referee(list(_throws()), None).items()}
    return figures | _engine()


def _loop_ms() -> float:
    """CPU milliseconds of a plain loop, the best of several: Python's own speed on this machine."""
    best = float("inf")
    for _ in range(RUNS):
        before = time.process_time()
        for number in range(LOOP):
            number & 7
        best = min(best, time.process_time() - before)
    return 1000 * best


def _trick_rounds(game: EngineGame) -> Iterator[Event]:
    """Rounds of a game by its usual house rules, with four players if the game allows four."""
    from table.rules.evening import evening

    players = 4 if 4 in game.players else max(game.players)
    seats = [f"S{n}" for n in range(1, players + 1)]
    opening = {"game": game.name, "preset": game.presets[0], "seats": seats}
    return evening(Event("game", opening), seed=1, rounds=ROUNDS)


def _throws() -> Iterator[Event]:
    """A game of DoppelX with eight players: the most dice that one throw can have."""
    from table.rules.dice_evening import evening

    return evening(Event("game", {"game": "doppelx", "players": COLOURS, "bets": ["A", "B", "C", "D"]}), 3)


def _referee(events: list[Event], rounds: int | None) -> Figures:
    """Fold these events one by one, then correct the oldest play of the last round; the best of several runs.

    The speed is measured over a whole run: reading the clock for each event would cost a tenth of it.
    """
    from table.rules import Referee

    best: list[int] = []
    whole: list[int] = []
    for _ in range(RUNS):
        referee = Referee()
        before = time.process_time_ns()
        for event in events:
            referee.add(event)
        whole.append(time.process_time_ns() - before)
        referee, times = Referee(), []
        for event in events:
            before = time.process_time_ns()
            referee.add(event)
            times.append(time.process_time_ns() - before)
        if not best or sum(times) < sum(best):
            best = times
    last = max(at for at, event in enumerate(events) if event.kind == "round")
    oldest = next(at for at in range(last, len(events)) if events[at].kind in ("card", "throw"))
    before = time.process_time_ns()
    referee.add(Event("correction", {"of": oldest + 1, "event": events[oldest]}))
    mended_ns = time.process_time_ns() - before
    speed = {} if rounds is None else {"referee_rounds_per_s": rounds / (min(whole) / 1e9)}
    return {
        **speed,
        "one_event_p99_ms": sorted(best)[int(len(best) * 0.99)] / 1e6,
        "correcting_the_oldest_ms": mended_ns / 1e6,
    }


def _long_log(events: list[Event]) -> Figures:
    """Read and settle a long log of these rounds, as `replay` does, without and with corrections."""
    game, rounds = events[0], events[1:]
    right = [game, *(rounds[at % len(rounds)] for at in range(LINES - 1))]
    wrong = right.copy()
    cards = [at for at, event in enumerate(right) if event.kind == "card"]
    told = cards[:: len(cards) // CORRECTIONS][:CORRECTIONS]
    for at in told:
        wrong[at] = right[at].having(card=right[cards[0]].card)
    corrections = [Event("correction", {"of": at + 1, "event": right[at]}) for at in told]
    return {
        "fold_of_100_000_lines_s": _folded_s(right),
        "fold_of_100_000_lines_with_200_corrections_s": _folded_s(wrong + corrections),
    }


def _folded_s(events: list[Event]) -> float:
    from table.rules import Referee, parse

    lines = [write(event) for event in events]
    before = time.process_time()
    referee = Referee()
    referee.read(parse(lines))
    referee.conclude()
    referee.result()
    return time.process_time() - before


def _engine() -> Figures:
    """Whole rounds with all hands known: deal, legal moves, play, score."""
    from table.rules.evening import evening

    started = time.process_time()
    seats = ["S1", "S2", "S3", "S4"]
    played = list(evening(Event("game", {"game": "doppelkopf", "seats": seats}), seed=1, rounds=ROUNDS))
    with_players_s = time.process_time() - started
    ours, theirs = doppelkopf(Random(1)), skat(Random(1))
    ours_per_s, theirs_per_s = _in_turns(ours, theirs)
    figures: Figures = {
        "doppelkopf_house_players_rounds_per_s": ROUNDS / with_players_s,
        "doppelkopf_random_rounds_per_s": ours_per_s,
    }
    assert played
    if theirs_per_s is None:
        return figures | {"openspiel": ABSENT}
    beside = {"openspiel_skat_random_rounds_per_s": theirs_per_s}
    return figures | beside | {"doppelkopf_over_openspiel_skat": ours_per_s / theirs_per_s}


def _in_turns(ours: Callable[[], Any], theirs: Callable[[], Any] | None) -> tuple[float, float | None]:
    """Return rounds a CPU second of both, measured in turns."""
    runs = [run for run in (ours, theirs) if run is not None]
    rounds, spent_s = [0] * len(runs), [0.0] * len(runs)
    for _ in range(SLICES):
        for at, run in enumerate(runs):
            began = now = time.process_time()
            while now - began < SLICE_S:
                run()
                rounds[at] += 1
                now = time.process_time()
            spent_s[at] += now - began
    speeds = [count / seconds for count, seconds in zip(rounds, spent_s, strict=True)]
    return speeds[0], speeds[1] if len(speeds) > 1 else None


def doppelkopf(random: Random) -> Callable[[], tuple[int, ...]]:
    """Return a function that deals and plays one normal game by the DDV's rules and returns its points.

    Cards, duties, winners, Sonderpunkte and the settlement come from the referee's own tables and functions.
    """
    from table.rules.doppelkopf import DOPPELKOPF, DoppelkopfRound
    from table.rules.doppelkopf.playout import play_out, sides
    from table.rules.doppelkopf.score import CountRules, count, share
    from table.rules.opening import open_game

    setup = open_game(
        Event("game", {"game": "doppelkopf", "preset": "ddv", "seats": ["S1", "S2", "S3", "S4"]})
    )
    opened: DoppelkopfRound = DOPPELKOPF.open_round(setup, 1, Event("round", {}), None)
    table, number, tariff = opened.contract(), opened.family.number, opened.tariff
    pack = [number[name] for name, copies in opened.pack.items() for _ in range(copies)]
    size, wanted, roll = opened.hand_size, opened.options["specials"], random.random

    def pick(choices: int) -> int:
        return int(roll() * choices)

    def play() -> tuple[int, ...]:
        pack.sort(key=lambda _: roll())  # as uniform as `shuffle`, in half its time
        hands = [pack[at : at + size] for at in range(0, len(pack), size)]
        its = sides(hands)
        specials = wanted if its.count(1) == 2 else ()
        fallen = play_out(table, hands, opened.first, pick)
        return share(count(fallen, its, (-1, -1), CountRules(specials, None, tariff)).settlement.value, its)

    return play


def skat(random: Random) -> Callable[[], list[float]] | None:
    """Return a function that plays one random round of OpenSpiel's Skat, or None if it is not installed."""
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game, roll = pyspiel.load_game("skat"), random.random

    def play() -> list[float]:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(roll() * len(moves))])
        return list(state.returns())

    return play
