"""`stammtisch evaluate SET… --sweep STAGE`: every threshold of a stage at the neighbours of its value.

Each value is tried in a separate process, so that nothing made with another value stays in memory.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from table.cli.evaluate_sets import Portion, evaluate_set
from vision.evaluate.constants import OF, constants, is_module, trying_constant
from vision.evaluate.stages import STAGES, Threshold, thresholds, trying
from vision.evaluate.swept import COUNTS, Swept, neighbours

EVERY = "all"
_FORKSERVER = multiprocessing.get_context("forkserver")


@dataclass(frozen=True, slots=True)
class TriedValue:
    """A threshold at a value on some sets; without a name: all thresholds unchanged."""

    folders: tuple[Path, ...]
    part: Portion
    name: str | None = None
    value: float = 0.0


def is_stage(name: str) -> bool:
    """Whether a name means several thresholds: a stage, all of them, or the constants of a module."""
    return name == EVERY or name in STAGES or is_module(name)


def of_stage(name: str) -> list[Threshold]:
    """The thresholds of a stage, or all, or a module's constants."""
    if is_module(name):
        return constants(name)
    return [each for each in thresholds() if name in (EVERY, each.name.partition(".")[0])]


def sets_of(folders: Sequence[Path], part: Portion) -> tuple[str, ...]:
    """The names of the sets as the record has them."""
    return tuple(_called(folder, part) for folder in folders)


def _called(folder: Path, part: Portion) -> str:
    film = (folder / "truth.jsonl").exists()
    size = f"{part.seconds:g} s" if film and part.seconds else f"{part.pictures}" if part.pictures else ""
    name = folder.resolve().name
    return f"{name} ({size})" if size and (not film or part.seconds) else name


def sweep_stage(
    chosen: Sequence[Threshold], folders: Sequence[Path], part: Portion, jobs: int
) -> Iterator[Swept]:
    """Try the neighbours of each threshold, `jobs` at a time. Raises StammtischError, VisionError."""
    places, day = tuple(folders), datetime.now(UTC).date().isoformat()
    values = [neighbours(each) for each in chosen]
    trials = [TriedValue(places, part)] + [
        TriedValue(places, part, each.name, value)
        for each, beside in zip(chosen, values, strict=True)
        for value in beside
    ]
    with _FORKSERVER.Pool(jobs, maxtasksperchild=1) as pool:
        results = pool.imap(_try, trials)
        now, printed = _sums(next(results))
        for each, beside in zip(chosen, values, strict=True):
            tried: dict[str, Any] = {}
            for value in beside:
                became = next(results)
                if isinstance(became, str):
                    tried[f"{value:g}"] = became
                    continue
                counts, said = _sums(became)
                tried[f"{value:g}"] = None if said == printed else counts
            yield Swept(each.name, each.value, sets_of(folders, part), day, now, tried)


def _try(trial: TriedValue) -> list[dict[str, Any]] | str:
    if trial.name is None:
        return [evaluate_set(folder, trial.part) for folder in trial.folders]
    try:
        with (trying_constant if OF in trial.name else trying)(trial.name, trial.value):
            return [evaluate_set(folder, trial.part) for folder in trial.folders]
    except Exception as wrong:
        return f"{type(wrong).__name__}: {str(wrong)[:80]}"


def _sums(sets: list[dict[str, Any]] | str) -> tuple[dict[str, int], tuple[str, ...]]:
    assert not isinstance(sets, str)
    things = [thing for told in sets for thing in told["things"].values()]
    return {word: sum(t[word] for t in things) for word in COUNTS}, tuple(told["printed"] for told in sets)
