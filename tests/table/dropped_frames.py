"""Strangers' films before a camera that loses frames: a slow one, a busy line, a line that stops.

    python -m tests.table.dropped_frames every3 dev-dubbe4 dev-doko
    python -m tests.table.dropped_frames bursts dev-dubbe4 2          # another seed

A lost frame never comes; the times of the others stay the same. Prints a line for each film and its errors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from unittest.mock import patch

import numpy as np

from tests.table import cut_films
from tests.vision.disturbed import Framed
from vision.cameras import Camera

_LOST, _STOPS = 0.3, 0.05
"""Share of frames that a busy line loses; share of frames after which a stopping line loses three to nine."""


def kept(way: str, seed: int) -> Iterator[bool]:
    """Whether each frame arrives, by `everyN`, `random` or `bursts`."""
    if way not in ("random", "bursts") and not way.removeprefix("every").isdigit():
        raise SystemExit(f"{way}: no such way to lose frames; known are every2, every3 ..., random, bursts")
    chance = np.random.default_rng(seed)
    lost = 0
    for number in count():
        if way == "random":
            yield chance.random() >= _LOST
        elif way == "bursts":
            lost = max(0, lost - 1)
            yield not lost
            if not lost and chance.random() < _STOPS:
                lost = int(chance.integers(4, 11))
        else:
            yield number % int(way.removeprefix("every")) == 0


class LossyCamera(cut_films.CutCamera):
    """A film of which only some frames arrive."""

    way, seed = "every3", 1

    def __init__(self, camera: Camera, cuts: list[cut_films.Cut]) -> None:
        super().__init__(camera, cuts)
        self._kept = kept(self.way, self.seed)

    def read(self) -> Framed | None:
        """The next picture that arrives and its time in seconds; None at the end."""
        while (framed := super().read()) is not None and not next(self._kept):
            pass
        return framed


def main() -> None:
    """Watch films with lost frames."""
    LossyCamera.way, *rest = sys.argv[1:]
    LossyCamera.seed = next((int(word) for word in rest if word.isdigit()), 1)
    with patch.object(cut_films, "CutCamera", LossyCamera):
        for film in (word for word in rest if not word.isdigit()):
            print(cut_films.cut_film(film, []), flush=True)


if __name__ == "__main__":
    main()
