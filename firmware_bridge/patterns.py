"""What one lamp, or a row of lamps, does over time: pure functions of a colour and a time in seconds.

They work with any monotonic clock and have no state, so a lamp that was dark for a while (cable, reset)
continues in step with the others. Shares of light are as the eye perceives them.
"""

from __future__ import annotations

from firmware_bridge.lamps import DARK, RGB, dim

LOW = 0.39
"""Share of light in the dim half of a pulse or a wink, as the eye perceives it: an eighth of the drive
(2.2-th power)."""


def blink(colour: RGB, t: float, period_s: float, on_s: float, off: RGB = DARK) -> RGB:
    """The colour for the first `on_s` of each period, `off` for the rest."""
    return colour if t % period_s < on_s else off


def pulse(colour: RGB, t: float, period_s: float, on_s: float) -> RGB:
    """A blink that dims the lamp instead of turning it off."""
    return blink(colour, t, period_s, on_s, dim(colour, LOW))


def chase(colour: RGB, t: float, lamps: int, step_s: float) -> tuple[RGB, ...]:
    """Colours of a row of `lamps` lamps along which one lit lamp runs from first to last, again and again."""
    at = int(t / step_s) % lamps if lamps else 0
    return tuple(colour if lamp == at else DARK for lamp in range(lamps))


def count(colour: RGB, t: float, number: int, wink_s: float, low: RGB | None = None) -> RGB:
    """`number` winks from t = 0 on, each half of `wink_s` dim (or `low`) and half bright; then steady."""
    winking = 0 <= t < number * wink_s and t % wink_s < wink_s / 2
    return (dim(colour, LOW) if low is None else low) if winking else colour
