"""Buttons and single lamps on the pins of a Raspberry Pi, for tables without a lamp board's buttons.

RPi.GPIO (or its drop-in rpi-lgpio on a Pi 5) is imported when pins are opened, never before: off a Pi
its import raises RuntimeError. Buttons are polled: edge detection is broken on newer kernels.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType, TracebackType
from typing import Self

from firmware_bridge.errors import PinsError

SETTLE_S = 0.015
"""A contact bounces for a few milliseconds; what holds for so long is meant."""


class Debounce:
    """One contact: a level counts when it has held for `settle_s`. Time comes in as an argument."""

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        self.down = False
        self._settle_s = settle_s
        self._raw = False
        self._since_s = float("-inf")

    def see(self, down: bool, now_s: float) -> bool:
        """Take a sample; True when this sample made it a press."""
        if down != self._raw:
            self._raw, self._since_s = down, now_s
        if self._raw == self.down or now_s - self._since_s < self._settle_s:
            return False
        self.down = self._raw
        return self.down


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pushed: its BCM pin number and when."""

    pin: int
    t_s: float


class Pins:
    """Buttons to ground (internal pull-ups) and lamps, by BCM number."""

    def __init__(self, buttons: Sequence[int] = (), lamps: Sequence[int] = ()) -> None:
        """Claim the pins; raises `PinsError` off a Pi, without RPi.GPIO, or without the right to use it."""
        self._gpio = _load()
        self._buttons = {pin: Debounce() for pin in buttons}
        self._lamps = tuple(lamps)
        try:
            self._gpio.setmode(self._gpio.BCM)
            for pin in buttons:
                self._gpio.setup(pin, self._gpio.IN, pull_up_down=self._gpio.PUD_UP)
            for pin in lamps:
                self._gpio.setup(pin, self._gpio.OUT, initial=self._gpio.LOW)
        except (RuntimeError, ValueError, OSError) as wrong:
            raise PinsError(
                f"the GPIO pins {[*buttons, *lamps]} cannot be used ({wrong}): "
                "is the user in the group `gpio`, and are these BCM numbers?"
            ) from wrong

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def poll(self, now_s: float) -> list[Press]:
        """The buttons pushed since the last call; call it every 5 to 20 ms."""
        return [
            Press(pin, now_s)
            for pin, contact in self._buttons.items()
            if contact.see(self._gpio.input(pin) == self._gpio.LOW, now_s)
        ]

    def light(self, pin: int, on: bool) -> None:
        """Switch one lamp pin."""
        if pin not in self._lamps:
            raise PinsError(f"pin {pin} is no lamp pin of this table; known: {list(self._lamps)}")
        self._gpio.output(pin, self._gpio.HIGH if on else self._gpio.LOW)

    def close(self) -> None:
        """Give the pins back, as inputs."""
        mine = [*self._buttons, *self._lamps]
        if mine:
            self._gpio.cleanup(mine)


def _load() -> ModuleType:
    try:
        return importlib.import_module("RPi.GPIO")
    except ImportError as wrong:
        raise PinsError(
            "the library RPi.GPIO is missing: `pip install 'stammtisch[pi]'`, "
            "on a Pi 5 `pip install rpi-lgpio`"
        ) from wrong
    except RuntimeError as wrong:
        raise PinsError(f"this computer has no Raspberry Pi pins ({wrong}): leave out [pins]") from wrong
