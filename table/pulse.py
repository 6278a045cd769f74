"""Signs of life of camera, board and event loop, for the watchdog that may restart the table.

A part is asked for only once it has got on in this process. A camera that was never there (or is not wanted)
keeps no table from being played by touch, and a start more would not bring it; one that gave frames and gives
none any more may hang in its driver, and there a start helps. Where a cable was pulled none does: the part's
thread knows, says so and looks for it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Literal

Beating = Literal["camera", "board", "loop"]

_REMEMBERED = 50
"""How many beats are kept to tell how often a part gets on."""


class Pulse:
    """When each part last got on. Every thread may call it: each part belongs to one thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[Beating, float] = {}
        self._times: dict[Beating, deque[float]] = {}

    def beat(self, part: Beating) -> None:
        """This part got on: a frame came, the board answered, the loop turned."""
        self._last[part] = now = self._clock()
        self._times.setdefault(part, deque(maxlen=_REMEMBERED)).append(now)

    def seek(self, part: Beating) -> None:
        """This part is known to be gone, and its thread, which did not hang, looks for it."""
        if part in self._last:  # who was never there is not waited for
            self._last[part] = self._clock()

    def rest(self, part: Beating) -> None:
        """Nothing more is to come from this part: a film is over."""
        self._last.pop(part, None)

    def still(self, patience_s: float) -> tuple[Beating, ...]:
        """Parts that got on before, and neither got on nor were sought in the last `patience_s` seconds."""
        now = self._clock()
        return tuple(part for part, last in sorted(self._last.items()) if now - last > patience_s)

    def rate_hz(self, part: Beating) -> float | None:
        """How often a part got on lately, by its last fifty times; None where it has not got on twice."""
        times = tuple(self._times.get(part, ()))
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else None
