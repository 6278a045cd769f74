"""Tests the lamps with the camera above them: lights each lamp in red, green and blue and watches it.

The result says which lamps are dead, where each lamp is, in which order the strip takes its colours, and
whether the lamps of a seat are at that seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from firmware_bridge.lamps import RGB, dark
from table.settings import Lamp, LampPlan
from vision.geometry import Registration
from vision.layout import Point, SeatPlace
from vision.lights import Glow, find_glow
from vision.sightings import Picture

PARTS: tuple[RGB, ...] = ((96, 0, 0), (0, 96, 0), (0, 0, 96))
"""The test colours red, green, blue: dim enough not to saturate the camera."""
NAMES = ("red", "green", "blue")
MARGIN_MM = 15.0
"""How much nearer to another seat a lamp must be to count as hung at the wrong one."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One lamp as it was seen.

    `place_mm` is None if it was not seen; `why` gives the reason. `told` is the channel (0, 1, 2 for red,
    green, blue) that shone for each one sent, None where that was not clear.
    """

    index: int
    place_mm: Point | None
    told: tuple[int | None, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The result. `order` is the strip's, such as `GRB`; None if the lamps disagree or none was seen."""

    lamps: tuple[Watched, ...]
    order: str | None
    odd: tuple[str, ...]
    """What is wrong, one sentence each."""


@dataclass(frozen=True, slots=True)
class LampStand:
    """Lamps in view of a camera: `show` returns when the strip shows the colours, `look` takes a picture.

    `find` locates the table in a picture with all lamps dark; it raises TagsNotFoundError. `height_mm`: how
    high the lamps are above the mat or the box's floor.
    """

    show: Callable[[Sequence[RGB]], None]
    look: Callable[[], Picture]
    find: Callable[[Picture], Registration]
    height_mm: float = 0.0


def prove(
    stand: LampStand,
    plan: LampPlan,
    seats: Sequence[SeatPlace],
    tell: Callable[[Watched], None] = lambda watched: None,
) -> Proof:
    """Light and watch every lamp of the chain; call `tell` with each as soon as it was watched."""
    show, look = stand.show, stand.look
    off = dark(plan.count)
    show(off)
    before = look()
    found = stand.find(before)
    watched = []
    for index in range(plan.count):
        lit = []
        for part in PARTS:
            show((*off[:index], part, *off[index + 1 :]))
            lit.append(look())
        show(off)
        after = look()
        glows = [find_glow(before, one, after) for one in lit]
        watched.append(_watched(index, glows, found, stand.height_mm))
        tell(watched[-1])
        before = after
    order, odd = _order(watched)
    odd += _dead(watched)
    odd += _misplaced(watched, plan, seats)
    return Proof(tuple(watched), order, tuple(odd))


def _watched(index: int, glows: Sequence[Glow | None], found: Registration, height_mm: float) -> Watched:
    seen = [glow for glow in glows if glow is not None]
    told = tuple(None if glow is None or glow.channel is None else 2 - glow.channel for glow in glows)
    if not seen:
        return Watched(index, None, told, "stays dark, or the camera cannot see it")
    if not all(glow.alone for glow in seen):
        return Watched(index, None, told, "two places lit up at once: cover what reflects, or fix the wiring")
    x, y = np.median(found.to_mm([glow.center_px for glow in seen], height_mm), axis=0)
    missing = [name for name, glow in zip(NAMES, glows, strict=True) if glow is None]
    why = f"stays dark when set to {' and '.join(missing)}" if missing else ""
    return Watched(index, (round(float(x), 1), round(float(y), 1)), told, why)


def _dead(watched: Sequence[Watched]) -> list[str]:
    """One sentence for each break: a lamp that passes no data on leaves all lamps after it dark."""
    seen = [one.index for one in watched if one.place_mm is not None]
    end = max(seen, default=-1) + 1
    odd = [f"lamp {one.index}: {one.why}" for one in watched[:end] if one.why]
    if len(watched) - end == 1:
        odd.append(f"lamp {end}: {watched[end].why}")
    elif end < len(watched):
        last = f"the wire from lamp {end - 1} to lamp {end}" if end else "data line, supply and ground"
        odd.append(f"lamps {end} to {len(watched) - 1} all stay dark: check {last}")
    return odd


def _order(watched: Sequence[Watched]) -> tuple[str | None, list[str]]:
    """The strip's colour order, found by what shines for each colour sent, and a sentence per odd lamp."""
    whole = {one.index: one.told for one in watched if None not in one.told and len(set(one.told)) == 3}
    if not whole:
        return None, []
    usual = Counter(whole.values()).most_common(1)[0][0]
    odd = [f"lamp {index}: other colours than the rest" for index, told in whole.items() if told != usual]
    red, green, blue = ("RGB"[channel] for channel in usual if channel is not None)
    return (green + red + blue if 2 * len(odd) < len(whole) else None), odd


def _misplaced(watched: Sequence[Watched], plan: LampPlan, seats: Sequence[SeatPlace]) -> list[str]:
    places = {one.index: one.place_mm for one in watched if one.place_mm is not None}
    wrong = at_other_seats(places, plan.lamps, seats)
    turned = {plan.count - 1 - index: place for index, place in places.items()}
    seated = sum(lamp.seat is not None for lamp in plan.lamps)
    if len(wrong) > max(1, seated // 2) and not at_other_seats(turned, plan.lamps, seats):
        return ["the chain runs the other way round: its first lamp is where the last one belongs"]
    return [f"lamp {lamp.index} ({lamp.title}) is at seat {seat}" for lamp, seat in wrong]


def at_other_seats(
    places: dict[int, Point], lamps: Sequence[Lamp], seats: Sequence[SeatPlace]
) -> list[tuple[Lamp, str]]:
    """The lamps of `places` (by index, mm) that are clearly nearer to another seat, each with that seat."""
    wrong = []
    for lamp in lamps:
        place = places.get(lamp.index)
        if place is None or lamp.seat is None or not seats:
            continue
        far = {seat.name: np.hypot(*np.subtract(seat.enters_from_mm, place)) for seat in seats}
        nearest = min(far, key=lambda name: far[name])
        if far[lamp.seat] > far[nearest] + MARGIN_MM:
            wrong.append((lamp, nearest))
    return wrong
