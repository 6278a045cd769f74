"""What the host remembers of a board beyond one session."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.answers import Welcome


@dataclass
class KnownBoard:
    """What the host remembers of a board beyond one session, so that no event counts twice or is missed."""

    serial: int = 0
    boot: int | None = None
    last_event: int = 0

    def meet(self, welcome: Welcome) -> None:
        """Restart the event count if this is another board, or one that has forgotten its events.

        If the board remembers, its last acknowledged event is ours, or the one before if our acknowledgement
        was lost; any other number does not belong to this count, whatever its boot number says.
        """
        same = (self.serial, self.boot) == (welcome.serial, welcome.boot)
        if not same or (self.last_event - welcome.last_event) & 0xFF > 1:
            self.last_event = welcome.last_event
        self.serial, self.boot = welcome.serial, welcome.boot
