"""Answers compared with labels: right, wrong, unsure, missed, invented, and what was taken for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vision.evaluate.labels import Label, LabelBox, Point

_NEAR_MM = 12.0
"""Distance below which an answer belongs to a label."""
_ELSEWHERE_MM = 25.0
"""Distance to a label that need not be named, below which an answer does not count as invented."""
_LEAST_IOU = 0.6
"""Intersection over union from which on a card's box matches a label's (after Padilla et al., 2020)."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One thing that the eye reported; `names` by the key of a label, None where it is unsure."""

    kind: str
    names: Mapping[str, str | None]
    at: Point
    box: LabelBox | None = None


@dataclass(slots=True)
class Tally:
    """Counts of each outcome; `confusion` counts (label, answer) of the wrong ones."""

    labels: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    invented: int = 0
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)

    def name(self, label: str, answer: str | None, must: bool = True) -> None:
        """Count an answer to a label; where `must` is False it counts only if it is wrong."""
        if answer is not None and answer != label:
            self.wrong += 1
            self.confusion[label, answer] += 1
        elif must and answer is None:
            self.unsure += 1
        elif must:
            self.right += 1
        self.labels += must

    def miss(self, must: bool = True) -> None:
        """Count a label without an answer."""
        self.labels += must
        self.missed += must

    def to_dict(self) -> dict[str, Any]:
        """As JSON; the confusion as `LABEL>ANSWER`, most frequent first."""
        counts = {
            word: getattr(self, word) for word in ("labels", "right", "wrong", "unsure", "missed", "invented")
        }
        return {**counts, "confusion": {f"{a}>{b}": n for (a, b), n in self.confusion.most_common()}}


def tally_still(tallies: Mapping[str, Tally], labels: Iterable[Label], answers: Sequence[Prediction]) -> None:
    """Compare the answers about one picture with its labels; `tallies` by kind of thing."""
    left = list(answers)
    excused = []
    for label in labels:
        tally = tallies[label.kind]
        about = min(
            (answer for answer in left if answer.kind == label.kind and _is_about(answer, label)),
            key=lambda answer: _apart(answer.at, label.at),
            default=None,
        )
        if about is None:
            tally.miss(label.must)
            excused += [] if label.must else [label]
            continue
        left.remove(about)
        tally.name(label.name, about.names.get(label.key), label.must)
    for answer in left:
        named = any(name is not None for name in answer.names.values())
        if named and not any(_apart(answer.at, label.at) < _ELSEWHERE_MM for label in excused):
            tallies[answer.kind].invented += 1


def _is_about(answer: Prediction, label: Label) -> bool:
    if label.box is None:
        return _apart(answer.at, label.at) < _NEAR_MM
    if answer.box is not None:
        return _iou(answer.box, label.box) >= _LEAST_IOU
    x0, y0, x1, y1 = label.box
    return x0 <= answer.at[0] <= x1 and y0 <= answer.at[1] <= y1


def _apart(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _iou(a: LabelBox, b: LabelBox) -> float:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return 0.0
    both = wide * high
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)
