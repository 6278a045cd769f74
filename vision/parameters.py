"""A threshold's notes beside its value: unit, range, what it trades off, how it was measured.

Each stage of the eye keeps its thresholds in one frozen dataclass, whose fields are made here:

    @dataclass(frozen=True, slots=True)
    class StillCardParameters:
        sure_likeness: float = threshold(0.72, "share of ink", (0.5, 0.95), "names told against wrong names")

`vision.evaluate` lists them all, hashes them, and tries other values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

NOT_MEASURED = "chosen by hand, never swept"
_KEY = "threshold"


@dataclass(frozen=True, slots=True)
class Note:
    """Notes on a threshold: unit, least and greatest value worth trying, what it trades off, evidence.

    `measured` states on which set, of what size and on which day the value was compared with others.
    """

    unit: str
    low: float
    high: float
    trades: str
    measured: str = NOT_MEASURED


def threshold(
    value: float, unit: str, span: tuple[float, float], trades: str, measured: str = NOT_MEASURED
) -> Any:
    """A field of a stage's dataclass with its note; `span` is the range worth trying.

    Raises ValueError for a value outside `span`.
    """
    low, high = span
    if not low <= value <= high:
        raise ValueError(f"{value} does not lie between {low} and {high}")
    return field(default=value, metadata={_KEY: Note(unit, low, high, trades, measured)})


def noted(stage: Any) -> Iterator[tuple[str, float, Note]]:
    """Name, value and note of each threshold of a stage, in the order of definition."""
    for each in fields(stage):
        yield each.name, getattr(stage, each.name), each.metadata[_KEY]
