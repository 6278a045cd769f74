"""The lamps while the table starts: from the first second people see that it is on but not ready yet.

The board is opened before the journal is read, and handed open to the runtime, so the lamps go from the
waking light to the game without a dark moment.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from firmware_bridge import patterns
from firmware_bridge.errors import BridgeError
from firmware_bridge.lamps import DARK, RGB, dimmed
from table import markers

if TYPE_CHECKING:
    from table.devices import Board
    from table.settings import LampPlan

log = logging.getLogger(__name__)

STEP_S = 0.1
"""Time between two steps of the light along the chain."""

CLOSING_S = 2.0


def picture(plan: LampPlan, t: float) -> tuple[RGB, ...]:
    """One warm light that runs along the chain, at night brightness; `t` is seconds on any clock."""
    colours = patterns.chase(markers.WHITE, t, plan.count, STEP_S)
    return plan.on_wire(dimmed(colours, plan.brightness.share("night")))


class Waking:
    """Context manager that opens the board in its own thread and lights it until the runtime takes it."""

    def __init__(
        self,
        open_board: Callable[[], Board] | None,
        plan: LampPlan,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open, self._plan, self._clock = open_board, plan, clock
        self._ended = threading.Event()
        self._link: Board | None = None
        self._thread = threading.Thread(target=self._light, name="waking", daemon=True)

    @property
    def board(self) -> Callable[[], Board] | None:
        """How the runtime opens the board: it gets the open one; None if the table has no board."""
        return None if self._open is None else self._hand_over

    def __enter__(self) -> Waking:
        """Light the lamps."""
        if self._open is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Turn the lamps off if the runtime has not taken the board."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join(CLOSING_S)  # a board that hangs must not keep the program from ending
        link, self._link = self._link, None
        if link is not None:
            try:
                with contextlib.closing(link):
                    link.show((DARK,) * self._plan.count)
            except Exception as wrong:  # must not hide the error that ended the start
                _note(wrong)

    def _light(self) -> None:
        assert self._open is not None
        try:
            with contextlib.ExitStack() as failing:
                link = failing.enter_context(contextlib.closing(self._open()))
                while not self._ended.is_set():
                    link.show(picture(self._plan, self._clock()))
                    self._ended.wait(markers.REDRAW_S)
                failing.pop_all()
        except Exception as wrong:  # the runtime tries again and reports it on the page
            _note(wrong)
            return
        self._link = link

    def _hand_over(self) -> Board:
        assert self._open is not None
        self._ended.set()
        self._thread.join()
        link, self._link = self._link, None
        return self._open() if link is None else link


def _note(wrong: Exception) -> None:
    """Log a fault as an error, but a board that is not there only as information."""
    if isinstance(wrong, BridgeError):
        log.info("lamps: %s", wrong)
    else:
        log.error("the lamp board failed in a way nobody expected", exc_info=wrong)
