"""Which part of the table gets on, for whoever may start it anew: camera, board and the loop itself.

A part is asked for only once it has got on in this process. A camera that was never there (or is not wanted)
keeps no table from being played by touch, and a start more would not bring it; one that gave frames and gives
none any more may hang in its driver, and there a start helps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

Beating = Literal["camera", "board", "loop"]


class Pulse:
    """When each part last got on. Every thread may call it: each part belongs to one thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[Beating, float] = {}

    def beat(self, part: Beating) -> None:
        """This part got on: a frame came, the board answered, the loop turned."""
        self._last[part] = self._clock()

    def rest(self, part: Beating) -> None:
        """Nothing more is to come from this part: a film is over."""
        self._last.pop(part, None)

    def still(self, patience_s: float) -> tuple[Beating, ...]:
        """Parts that got on before, and not within the last `patience_s` seconds."""
        now = self._clock()
        return tuple(part for part, last in sorted(self._last.items()) if now - last > patience_s)
