"""Compares the events of a disturbed film with those of the film itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tests.vision.disturbed import KINDS, Cut

Told = tuple[float, Hashable]
"""The time of an event, and what it was; two events are the same if that is equal."""


@dataclass
class Verdict:
    """The events of a disturbed film, classified by comparison with those of the film itself."""

    invented: list[Told] = field(default_factory=list)
    """Events that were reported although none like them happened then, or in a cut before."""
    lost: list[Told] = field(default_factory=list)
    """Events that happened outside all cuts and were not reported."""
    twice: list[Told] = field(default_factory=list)
    """Events that happened once and were reported again."""
    unseen: list[Told] = field(default_factory=list)
    """Events that happened within a cut and were not reported, which is no fault."""

    @property
    def faults(self) -> int:
        """Number of the eye's errors."""
        return len(self.invented) + len(self.lost) + len(self.twice)

    def __str__(self) -> str:
        parts = (("invented", self.invented), ("lost", self.lost), ("told twice", self.twice))
        return "; ".join(f"{name} {what}" for name, what in parts if what) or "as it was"


def judge(
    told: Sequence[Told],
    truth: Sequence[Told],
    cuts: Sequence[Cut],
    *,
    early_s: float = 0.3,
    late_s: float = 1.5,
    lead_s: float = 0.0,
    same: Callable[[Hashable, Hashable], bool] | None = None,
) -> Verdict:
    """Compare the events of a disturbed film with the truth, or with the events of the undisturbed film.

    An event may be reported from `early_s` before its time to `late_s` after it. If its time lies in a cut
    that blinds, or up to `lead_s` before one (it was not decided yet), it may be reported until `late_s`
    after the cut. `same` decides whether two things are the same (default: equality); a cut in which
    everything can be read excuses nothing.
    """
    alike = same or (lambda one, two: one == two)
    verdict = Verdict()
    windows = []
    for t, _ in truth:
        over = [cut for cut in cuts if cut.blinds and cut.start_s - lead_s <= t < cut.until_s + late_s]
        inside = [cut for cut in over if t < cut.until_s]
        until = max((t, *(cut.until_s for cut in over))) + late_s
        windows.append((t - early_s, until, bool(inside)))
    left = list(range(len(truth)))
    for t, what in sorted(told, key=lambda one: one[0]):
        fits = [
            k for k in range(len(truth)) if alike(truth[k][1], what) and windows[k][0] <= t <= windows[k][1]
        ]
        free = [k for k in fits if k in left]
        if free:
            left.remove(min(free, key=lambda k: abs(truth[k][0] - t)))
        else:
            (verdict.twice if fits else verdict.invented).append((t, what))
    for k in left:
        (verdict.unseen if windows[k][2] else verdict.lost).append(truth[k])
    return verdict


def cuts_over(
    start_s: float,
    until_s: float,
    count: int,
    seed: int,
    kinds: Sequence[str] = KINDS,
    longest_s: float = 60.0,
) -> list[Cut]:
    """Cuts, one for each film: all kinds in turn, at any moment, short ones most often."""
    chance = np.random.default_rng(seed)
    cuts = []
    for k in range(count):
        seconds = float(np.exp(chance.uniform(np.log(0.2), np.log(longest_s))))
        start = float(chance.uniform(start_s, until_s))
        ramp = int(chance.choice((0, 0, 3, 5, 10)))
        cuts.append(Cut(kinds[k % len(kinds)], start, seconds, int(chance.integers(1 << 16)), ramp=ramp))
    return cuts
