"""What one lamp, or a row of them, does over time: pure functions of a colour and a time in seconds.

They can be called with any clock that runs on; nothing is remembered, so a lamp that was dark for a
while (cable, reset) goes on in step with the others. Shares of light are as the eye sees them.
"""

from __future__ import annotations

from firmware_bridge.lamps import DARK, RGB, dim

LOW = 0.39
"""The dim half of a pulse or a wink, as the eye sees it: an eighth of the light (2.2-th power)."""


def blink(colour: RGB, t: float, period_s: float, on_s: float, off: RGB = DARK) -> RGB:
    """The colour for `on_s`, then `off` for the rest of each period."""
    return colour if t % period_s < on_s else off


def pulse(colour: RGB, t: float, period_s: float, on_s: float) -> RGB:
    """A blink that only dims."""
    return blink(colour, t, period_s, on_s, dim(colour, LOW))


def chase(colour: RGB, t: float, lamps: int, step_s: float) -> tuple[RGB, ...]:
    """Colours of a row of `lamps` along which one lit lamp runs from first to last, again and again."""
    at = int(t / step_s) % lamps if lamps else 0
    return tuple(colour if lamp == at else DARK for lamp in range(lamps))


def count(colour: RGB, t: float, number: int, wink_s: float, low: RGB | None = None) -> RGB:
    """`number` winks from t = 0 on, each half of `wink_s` dim (or `low`), half bright; then steady."""
    winking = 0 <= t < number * wink_s and t % wink_s < wink_s / 2
    return (dim(colour, LOW) if low is None else low) if winking else colour
