"""How long the host waits for an answer, and what it sends before it repeats a greeting."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait before repeating a request, how the wait grows, and when to give up (seconds)."""

    again_s: float
    growth: float
    give_up_s: float
    pauses_s: tuple[float, ...] = ()
    """If given, the successive waits, cyclically, instead of `again_s` and `growth`."""

    def wait_s(self, repeated: int) -> float:
        """How long to wait after a request has been repeated this many times."""
        if self.pauses_s:
            return self.pauses_s[repeated % len(self.pauses_s)]
        return float(self.again_s * self.growth**repeated)


USUAL = Patience(again_s=0.1, growth=1.0, give_up_s=1.5)
"""The slowest regular answer (150 lamps, two USB latencies) takes under 40 ms."""

GREETING = Patience(again_s=0.1, growth=1.0, give_up_s=4.5, pauses_s=(0.15, *(0.05,) * 17, 1.25))
"""For ports whose opening resets a Nano: its bootloader listens first. `LET_GO` makes the usual bootloaders
start the firmware at once; for others a pause follows after a second, since they may listen as long as they
receive anything.

In the first 0.15 s the chip's receiver comes up (65 ms after the reset). It must not do so in the middle of a
HELLO, since Optiboot could take the rest of it for the command that erases a page."""

LET_GO = bytes(64)
"""Sent before a repeated greeting, and before requests repeated in vain: the board may have been reset.

Our firmware takes zeros for ends of frames and ignores them. A bootloader at 115 200 or 57 600 baud reads
them as other characters, none of which is a command or the end of one: at the second character Optiboot
starts the firmware, at the fifth ATmegaBOOT does."""
