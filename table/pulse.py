"""Signs of life of camera, board and event loop, for the watchdog that may restart the table.

A part is required only once it has made progress in this process. A camera that was never there (or is not
wanted) does not keep people from playing by touch, and a restart would not bring it. A camera that stopped
giving frames may hang in its driver, and there a restart helps. It does not help against an unplugged cable:
the part's thread knows of that, reports it and looks for the device.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Literal

Beating = Literal["camera", "board", "loop"]

_REMEMBERED = 50
"""Number of beats kept to compute how often a part makes progress."""


class Pulse:
    """When each part last made progress. Needs no lock: each part is written by one thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[Beating, float] = {}
        self._times: dict[Beating, deque[float]] = {}

    def beat(self, part: Beating) -> None:
        """Note progress of this part: a frame came, the board answered, the loop turned."""
        self._last[part] = now = self._clock()
        self._times.setdefault(part, deque(maxlen=_REMEMBERED)).append(now)

    def seek(self, part: Beating) -> None:
        """Note that this part is known to be gone and that its thread, which does not hang, looks for it."""
        if part in self._last:  # a part that was never there is not waited for
            self._last[part] = self._clock()

    def rest(self, part: Beating) -> None:
        """Expect nothing more from this part: a film is over."""
        self._last.pop(part, None)

    def still(self, patience_s: float) -> tuple[Beating, ...]:
        """Parts that once made progress, but neither did nor were sought in the last `patience_s` seconds."""
        now = self._clock()
        return tuple(part for part, last in sorted(self._last.items()) if now - last > patience_s)

    def rate_hz(self, part: Beating) -> float | None:
        """How often a part made progress lately, from its last fifty beats; None before the second one."""
        times = tuple(self._times.get(part, ()))
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else None
