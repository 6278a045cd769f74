"""Buttons and LEDs on the pins of a Raspberry Pi, at a running table.

    with open_pins(table_file.pins) as pins:
        runtime.run(page.serve, Panel(table, table_file.pins, pins).serve)

Pins are polled on the table's own loop: edge detection is broken on newer kernels, and a poll takes
microseconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_bridge.errors import PinsError
from firmware_bridge.lamps import RGB
from firmware_bridge.transports.gpio_pins import Pins, Press
from table import markers
from table.board_words import board_told
from table.health import State
from table.live import Table
from table.settings import PinPlan

POLL_S = 0.01

LIT = 48
"""Brightest colour component from which on an LED stands in for a lamp as lit: full colours reach it,
the dim halves of pulses and winks do not."""


class PanelPins(Protocol):
    """`firmware_bridge.transports.gpio_pins.Pins`, or a recording stand-in."""

    def poll(self, now_s: float) -> Sequence[Press]:
        """The button presses since the last call."""

    def light(self, pin: int, on: bool) -> None:
        """Switch one LED on or off."""

    def dim(self, brightness: float) -> None:
        """Dim the camera's light."""


def open_pins(plan: PinPlan) -> Pins:
    """Claim the pins that the table file names; raises `PinsError`."""
    return Pins([button.pin for button in plan.buttons], plan.leds, plan.camera_light, plan.board_reset)


def try_pins(plan: PinPlan) -> tuple[Pins | None, State]:
    """Claim the pins that the table file names, if any; return them and their state."""
    if plan.empty:
        return None, State("none")
    try:
        return open_pins(plan), State("fine")
    except PinsError as wrong:
        return None, State("missing", board_told(wrong))


class Panel:
    """Does what the buttons ask for and switches the LEDs as lamps would shine."""

    def __init__(
        self, table: Table, plan: PinPlan, pins: PanelPins, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Turn the camera's light on at once, if there is one."""
        self._table, self._plan, self._pins, self._clock = table, plan, pins, clock
        self._buttons = {button.pin: button for button in plan.buttons}
        self._shown: tuple[bool, ...] | None = None
        self._redraw_at_s = 0.0
        if plan.camera_light is not None:
            pins.dim(plan.brightness)

    async def serve(self) -> None:
        """Step until cancelled; the owner of the pins darkens them by closing them."""
        while True:
            self.step()
            await asyncio.sleep(POLL_S)

    def step(self) -> None:
        """Act on pressed buttons; redraw the LEDs when due."""
        now_s = self._clock()
        for press in self._pins.poll(now_s):
            button = self._buttons[press.pin]
            self._table.push(button.does, button.seat, button.what)
        if self._plan.leds and now_s >= self._redraw_at_s:
            self._redraw_at_s = now_s + markers.REDRAW_S
            self._draw(tuple(_lit(colour) for colour in self._table.lamps(self._plan.led_plan)))

    def _draw(self, lit: tuple[bool, ...]) -> None:
        if lit == self._shown:
            return
        self._shown = lit
        for pin, on in zip(self._plan.leds, lit, strict=True):
            self._pins.light(pin, on)


def _lit(colour: RGB) -> bool:
    return max(colour) >= LIT
