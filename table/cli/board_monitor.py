"""`stammtisch board monitor`: the board's reports, line by line, across unplugs and resets."""

from __future__ import annotations

import time
from collections.abc import Callable

from firmware_bridge.answers import BoardEvent
from firmware_bridge.errors import BridgeError
from firmware_bridge.link import Link
from firmware_bridge.messages import EventKind
from firmware_bridge.status import LinkStatus

EVERY_S = 0.05


def run_monitor(port: str, seconds: float | None, tell: Callable[[str], None] | None = None) -> int:
    """Report buttons, faults, resets and new counters until `seconds` have passed or Ctrl-C."""
    say = tell or (lambda words: print(words, flush=True))
    begun_s = time.monotonic()
    with Link.open(port) as link:
        monitor = Monitor(link)
        while seconds is None or time.monotonic() - begun_s < seconds:
            for words in monitor.step():
                say(f"{time.monotonic() - begun_s:8.2f} s  {words}")
            time.sleep(EVERY_S)
    return 0


class Monitor:
    """Remembers what was reported; `step` returns what is new."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._greetings = 0
        self._counters = (0, 0, 0, 0)
        self._trouble: str | None = None

    def step(self) -> list[str]:
        """Tend the board and return what has happened since the last step, oldest first; never raises."""
        trouble = None
        try:
            self._link.tend()
        except BridgeError as wrong:
            trouble = str(wrong)
        events = [_in_words(event) for event in self._link.take_events()]
        status = self._link.status
        new, self._trouble = trouble not in (None, self._trouble), trouble
        if trouble is not None:
            return [*events, trouble] if new else events
        return self._greeted(status) + events + self._counted(status)

    def _greeted(self, status: LinkStatus) -> list[str]:
        if status.greetings == self._greetings or status.welcome is None:
            return []
        self._greetings = status.greetings
        board = status.welcome
        return [
            f"board {board.serial:08x} on {status.port}: awake for {board.uptime_s:.1f} s,"
            f" last reset: {board.started}"
        ]

    def _counted(self, status: LinkStatus) -> list[str]:
        if status.pong is None:
            return []
        now = (status.pong.bad_frames, status.pong.overruns, status.repeated, status.repaints)
        if now == self._counters:
            return []
        self._counters = now
        return [f"damaged frames {now[0]}, overruns {now[1]}, repeated {now[2]}, repainted {now[3]}"]


def _in_words(event: BoardEvent) -> str:
    match event.kind:
        case EventKind.PRESSED:
            return f"button {event.value} pressed"
        case EventKind.RELEASED:
            return f"button {event.value} released"
        case EventKind.OVERRUN:
            return "the board lost received bytes; their messages are repeated"
    return f"{event.value} events were lost: they came faster than they were acknowledged"
