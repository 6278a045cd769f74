"""How long the host waits for an answer, and what it sends before it greets again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait before a request is repeated, how the wait grows, when to give up (seconds)."""

    again_s: float
    growth: float
    give_up_s: float
    pauses_s: tuple[float, ...] = ()
    """The waits in turn, repeated, where `growth` does not describe them."""

    def wait_s(self, repeated: int) -> float:
        """How long to wait after a request has been repeated this many times."""
        if self.pauses_s:
            return self.pauses_s[repeated % len(self.pauses_s)]
        return float(self.again_s * self.growth**repeated)


USUAL = Patience(again_s=0.1, growth=1.0, give_up_s=1.5)
"""The longest honest answer (150 lamps, two USB latencies) takes under 40 ms."""

GREETING = Patience(again_s=0.1, growth=1.0, give_up_s=4.5, pauses_s=(0.15, *(0.05,) * 17, 1.25))
"""For ports whose opening resets a Nano: its bootloader listens first. `LET_GO` makes the usual ones start at
once; for others a pause follows after a second, since they may listen as long as they are talked to.

In the first 0.15 s the chip's receiver comes up (65 ms after the reset). It must not do so in the middle of a
HELLO: the rest of it could be the command of Optiboot that erases a page."""

LET_GO = bytes(64)
"""Sent before a repeated greeting, and before what was repeated in vain: the board may have been reset.

For our firmware zeros are ends of frames and mean nothing. A bootloader at 115 200 or 57 600 baud reads them
as other characters, none a command or the end of one: at the second one Optiboot starts the firmware, at the
fifth ATmegaBOOT does."""
