"""Buttons, single lamps, a dimmed light and the lamp board's reset line on the pins of a Raspberry Pi.

RPi.GPIO (or its drop-in rpi-lgpio on a Pi 5) is imported only when pins are opened: on other computers its
import raises RuntimeError. Buttons are polled, because edge detection is broken on newer kernels.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from firmware_bridge.closing import Closing
from firmware_bridge.errors import PinsError

LIGHT_HZ = 1000
"""PWM frequency, far above what a camera's exposure could turn into stripes. RPi.GPIO generates it in
software, so at full brightness the pin simply stays high."""

RESET_S = 0.01
"""How long the reset line is held low; the ATmega328P needs 2.5 µs (data sheet, table 29-11)."""

DEBIAN = "/usr/lib/python3/dist-packages"
"""Folder of Debian's own Python packages."""

SETTLE_S = 0.015
"""How long a level must hold to count: a contact bounces for a few milliseconds."""


class Debounce:
    """One contact: a level counts once it has held for `settle_s`. Time comes in as an argument."""

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        self.down = False
        self._settle_s = settle_s
        self._raw = False
        self._since_s = float("-inf")

    def see(self, down: bool, now_s: float) -> bool:
        """Take a sample; return True if it completes a press."""
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


class Pins(Closing):
    """Buttons to ground (internal pull-ups), lamps, one dimmed light, one reset line, by BCM number."""

    def __init__(
        self,
        buttons: Sequence[int] = (),
        lamps: Sequence[int] = (),
        light: int | None = None,
        reset: int | None = None,
    ) -> None:
        """Claim the pins; raises `PinsError` off a Pi, without RPi.GPIO, or without permission to use it.

        `reset` stays open (an input) and is only pulled low to reset: the board pulls the line up to 5 V, and
        the Pi's pin tolerates only 3.3 V (put a Schottky diode between them, its cathode to the Pi).
        """
        self._gpio = _load()
        self._buttons = {pin: Debounce() for pin in buttons}
        self._lamps = tuple(lamps)
        self._light, self._reset = light, reset
        self._dimmer: Any = None
        outs = [*lamps, *([] if light is None else [light])]
        try:
            self._gpio.setmode(self._gpio.BCM)
            for pin in buttons:
                self._gpio.setup(pin, self._gpio.IN, pull_up_down=self._gpio.PUD_UP)
            for pin in outs:
                self._gpio.setup(pin, self._gpio.OUT, initial=self._gpio.LOW)
            if reset is not None:
                self._gpio.setup(reset, self._gpio.IN)
        except (RuntimeError, ValueError, OSError) as wrong:
            raise PinsError(
                f"the GPIO pins {[*buttons, *outs]} cannot be used ({wrong}): "
                "is the user in the group `gpio`, and are these BCM numbers?"
            ) from wrong

    def poll(self, now_s: float) -> list[Press]:
        """The buttons pressed since the last call; call every 5 to 20 ms."""
        return [
            Press(pin, now_s)
            for pin, contact in self._buttons.items()
            if contact.see(self._gpio.input(pin) == self._gpio.LOW, now_s)
        ]

    def light(self, pin: int, on: bool) -> None:
        """Switch one lamp pin on or off."""
        if pin not in self._lamps:
            raise PinsError(f"pin {pin} is not a lamp pin of this table; known: {list(self._lamps)}")
        self._gpio.output(pin, self._gpio.HIGH if on else self._gpio.LOW)

    def dim(self, brightness: float) -> None:
        """Set the light's brightness, 0 (dark) to 1 (full)."""
        if self._light is None:
            raise PinsError("this table has no light on a pin: set camera_light in [pins]")
        if self._dimmer is not None:
            self._dimmer.stop()
            self._dimmer = None
        if 0 < brightness < 1:
            self._dimmer = self._gpio.PWM(self._light, LIGHT_HZ)
            self._dimmer.start(100 * brightness)
        else:
            self._gpio.output(self._light, self._gpio.HIGH if brightness > 0 else self._gpio.LOW)

    def reset_board(self, sleep: Callable[[float], None] = time.sleep) -> None:
        """Pull the lamp board's reset line for a moment; do nothing if there is none."""
        if self._reset is None:
            return
        self._gpio.setup(self._reset, self._gpio.OUT, initial=self._gpio.LOW)
        sleep(RESET_S)
        self._gpio.setup(self._reset, self._gpio.IN)

    def close(self) -> None:
        """Release the pins, as inputs."""
        if self._dimmer is not None:
            self._dimmer.stop()
            self._dimmer = None
        others = [pin for pin in (self._light, self._reset) if pin is not None]
        mine = [*self._buttons, *self._lamps, *others]
        if mine:
            self._gpio.cleanup(mine)


def _debians() -> ModuleType:
    """Import the RPi.GPIO that Debian installed. Raises ImportError.

    An installed release's own environment has none, since it would have to be compiled there.
    """
    sys.path.append(DEBIAN)  # last, so that everything else comes from our own environment
    try:
        return importlib.import_module("RPi.GPIO")
    finally:
        sys.path.remove(DEBIAN)


def _load() -> ModuleType:
    try:
        try:
            return importlib.import_module("RPi.GPIO")
        except ModuleNotFoundError:
            return _debians()
    except ImportError as wrong:
        raise PinsError(
            "the library RPi.GPIO is missing: `sudo apt install python3-rpi-lgpio` (in a checkout "
            f"`{sys.executable} -m pip install RPi.GPIO`, on a Pi 5 `rpi-lgpio` instead)"
        ) from wrong
    except (RuntimeError, OSError) as wrong:
        raise PinsError(f"this computer has no Raspberry Pi pins ({wrong}): leave out [pins]") from wrong
