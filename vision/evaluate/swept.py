"""Results of the eye at the values next to each threshold's own, kept as evidence for the threshold.

`swept.json` beside this file has a line for each threshold and collection of sets.
`evaluate --sweep STAGE --keep` writes it; `evaluate --thresholds` reads it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.evaluate.stages import Threshold

KEPT = Path(__file__).with_name("swept.json")
"""The project's own record."""
COUNTS = ("right", "wrong", "unsure", "missed", "invented")
_LOWER, _HIGHER = 0.8, 1.25
"""Factors of the neighbouring values, close enough to be the best for another camera or deck."""
_OF_RANGE = 0.1
"""Step to the neighbours of a threshold with value 0, as a share of its range."""

OutcomeCounts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Swept:
    """The result of a sweep: a threshold with `value`, tried at other values on `sets` on a `day`.

    `now`: the counts at its own value. `tried`: the other values with their counts; None where the eye
    reported exactly the same, an error message where it failed.
    """

    name: str
    value: float
    sets: tuple[str, ...]
    day: str
    now: OutcomeCounts
    tried: Mapping[str, OutcomeCounts | str | None]

    @property
    def idle(self) -> bool:
        """Whether no other value changed anything that the eye reported."""
        return all(counts is None for counts in self.tried.values())

    def costs(self, value: str) -> dict[str, int]:
        """How another value changes the counts: `{"missed": 2}`; empty if they are the same or it failed."""
        counts = self.tried[value]
        if counts is None or isinstance(counts, str):
            return {}
        return {word: counts[word] - self.now[word] for word in COUNTS if counts[word] != self.now[word]}

    def sentence(self) -> str:
        """For people: `dev-doppelx6 (20 s), 17 right, 2026-11-28: 0.24 the same, 0.38 missed +1`."""
        words = [f"{value} {self._became(value)}" for value in self.tried]
        return f"{' and '.join(self.sets)}, {self.now['right']} right, {self.day}: {', '.join(words)}"

    def _became(self, value: str) -> str:
        counts = self.tried[value]
        if isinstance(counts, str):
            return f"fails ({counts})"
        costs = ", ".join(f"{word} {more:+d}" for word, more in self.costs(value).items())
        return costs or ("the same" if counts is None else "as good")


def neighbours(threshold: Threshold) -> list[float]:
    """The values to try next to a threshold's own: a fifth less and a quarter more, within its range.

    The neighbours of an integer are integers; a 0 without a finite range has none.
    """
    note, value = threshold.note, threshold.value
    if value == 0 and math.isinf(note.high - note.low):
        return []
    if value == 0:
        step = _OF_RANGE * (note.high - note.low)
        lower, higher = -step, step
    else:
        lower, higher = sorted((value * _LOWER, value * _HIGHER))
    if isinstance(value, int):
        lower, higher = min(round(lower), value - 1), max(round(higher), value + 1)
    held = (min(max(each, note.low), note.high) for each in (lower, higher))
    return [round(each, 6) for each in held if each != value]


def read_swept(path: Path = KEPT) -> list[Swept]:
    """The record; empty where there is none yet."""
    if not path.exists():
        return []
    return [Swept(**{**line, "sets": tuple(line["sets"])}) for line in json.loads(path.read_text("utf-8"))]


def keep_swept(path: Path, new: Iterable[Swept]) -> None:
    """Write results into a record; each replaces an older one for the same threshold and sets."""
    kept = {(each.name, each.sets): each for each in read_swept(path)}
    kept |= {(each.name, each.sets): each for each in new}
    lines = [json.dumps(asdict(kept[key]), ensure_ascii=False) for key in sorted(kept)]
    beside = path.with_name(f"{path.name}.new")  # an interrupted sweep must not destroy the record
    beside.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
    beside.replace(path)


def evidence(threshold: Threshold, record: Iterable[Swept]) -> list[str]:
    """Sentences about a threshold from the record; they say so if its value has changed since."""
    return [
        each.sentence()
        if each.value == threshold.value
        else f"it was {each.value:g} on {each.day}, when it was swept"
        for each in record
        if each.name == threshold.name
    ]
