"""Notifies systemd when the table is ready, and that it still makes progress (sd_notify(3)).

The watchdog is fed while frames come, the lamp board answers and the loop that serves the page turns. If one
of them stops, systemd ends the process and starts it again. A camera or board that is known to be gone is
looked for and causes no restart. Without systemd (`NOTIFY_SOCKET` unset) this does nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Mapping

from table.live import Table
from table.pulse import Pulse

log = logging.getLogger(__name__)

_IDLE_S = 5.0


def notify(words: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send one message to systemd; return False if nobody listens."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(words.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
        return True
    return False


def under_systemd(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether systemd runs this as a service, which its unit has restarted when it ends."""
    return "NOTIFY_SOCKET" in environment


class Systemd:
    """Runs beside the table on its loop: when the loop hangs, the messages stop and systemd restarts it."""

    def __init__(
        self, table: Table, pulse: Pulse | None = None, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._table = table
        self._pulse = pulse or Pulse()
        self._environment = environment
        patience_us = environment.get("WATCHDOG_USEC", "")
        mine = environment.get("WATCHDOG_PID") in (None, str(os.getpid()))
        self._pause_s = int(patience_us) / 3e6 if patience_us.isdigit() and mine else _IDLE_S
        self._still: tuple[str, ...] = ()

    async def serve(self) -> None:
        """Report the table's state to systemd until cancelled."""
        notify("READY=1", self._environment)
        try:
            while True:
                self.tell()
                await asyncio.sleep(self._pause_s)
        finally:
            notify("STOPPING=1", self._environment)

    def tell(self) -> None:
        """Feed the watchdog if every part that should make progress does; otherwise report those that don't.

        Called three times within systemd's timeout: a part that comes back in time causes no restart.
        """
        still = self._pulse.still(self._pause_s)
        if still and still != self._still:
            log.warning("%s: no sign of life; systemd will restart the table", ", ".join(still))
        self._still = still
        status = f"STATUS={', '.join(still)}: no sign of life; " if still else "WATCHDOG=1\nSTATUS="
        notify(status + self._status(), self._environment)

    def _status(self) -> str:
        troubles = self._table.health.troubles()
        if troubles:
            return ", ".join(f"{part} {state.what}" for part, state in troubles)
        view = self._table.session.view
        return f"{view.game or 'no game'}, round {view.round}, trick {view.trick_number}"
