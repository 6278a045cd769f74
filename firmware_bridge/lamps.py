"""A strip's picture as a value: its brightness as the eye perceives it, its current, and how it is sent."""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from firmware_bridge.codec import CRC_START
from firmware_bridge.errors import PictureError
from firmware_bridge.messages import FRAME_MAX, FRAME_OVERHEAD, RGB, SET_OVERHEAD, Set

__all__ = [
    "DARK",
    "RGB",
    "LampColours",
    "changes",
    "check",
    "checksum",
    "current_ma",
    "dark",
    "dim",
    "dimmed",
    "limit",
    "sets",
]

LampColours: TypeAlias = tuple[RGB, ...]
"""One colour for each lamp; lamp 0 is the one next to the board."""

DARK: RGB = (0, 0, 0)

CHANNEL_MA = 20.0
"""A WS2812B draws up to 20 mA for each of its three colours at 255 …"""
IDLE_MA = 1.0
"""… and about 1 mA for its controller, even when dark."""


def dark(lamps: int) -> LampColours:
    """A picture with all lamps off."""
    return (DARK,) * lamps


def check(colours: Sequence[RGB], lamps: int) -> LampColours:
    """A picture of exactly `lamps` lamps, missing ones dark; raises `PictureError` if it cannot be shown."""
    picture = tuple(tuple(rgb) for rgb in colours)
    if len(picture) > lamps:
        raise PictureError(f"a picture of {len(picture)} lamps does not fit a strip of {lamps}: shorten it")
    for at, rgb in enumerate(picture):
        if len(rgb) != 3 or not all(isinstance(part, int) and 0 <= part <= 255 for part in rgb):
            raise PictureError(
                f"lamp {at}: {rgb!r} is not a colour; give red, green, blue as whole numbers 0 to 255"
            )
    return tuple((r, g, b) for r, g, b in picture) + dark(lamps - len(picture))


GAMMA = 2.2
"""Exponent of the eye's perception, to which half the light looks almost full: drive = share ** GAMMA."""


def dim(colour: RGB, share: float) -> RGB:
    """The colour at `share` 0..1 of its light as the eye perceives it. A lit lamp goes dark only at 0."""
    drive = share**GAMMA
    red, green, blue = (max(1, round(part * drive)) if part and share > 0 else 0 for part in colour)
    return red, green, blue


def dimmed(picture: Sequence[RGB], share: float) -> LampColours:
    """The whole picture at `share` of its light as the eye perceives it."""
    return tuple(picture) if share == 1 else tuple(dim(colour, share) for colour in picture)


def current_ma(picture: Sequence[RGB]) -> float:
    """Current that the strip draws from its 5 V supply to show the picture, in mA (upper estimate)."""
    return sum(IDLE_MA + CHANNEL_MA * sum(rgb) / 255 for rgb in picture)


def limit(picture: Sequence[RGB], budget_ma: float) -> LampColours:
    """The picture, dimmed as a whole if necessary to keep `current_ma` within the budget."""
    idle = IDLE_MA * len(picture)
    wanted = current_ma(picture) - idle
    allowed = max(0.0, budget_ma - idle)
    if wanted <= allowed:
        return tuple(picture)
    share = allowed / wanted
    return tuple((int(r * share), int(g * share), int(b * share)) for r, g, b in picture)


def checksum(picture: Sequence[RGB]) -> int:
    """CRC-16/CCITT-FALSE over red, green, blue of every lamp, as the board reports it of its own picture."""
    return crc_hqx(bytes(part for rgb in picture for part in rgb), CRC_START)


GAP_LAMPS = 4
"""Most unchanged lamps that a SET carries along: they cost less than another SET (13 bytes, an answer)."""


def changes(before: Sequence[RGB], after: Sequence[RGB]) -> list[tuple[int, int]]:
    """Ranges (first, end) where two pictures of equal length differ, with near ones joined; empty if none."""
    ranges: list[tuple[int, int]] = []
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        if ranges and at - ranges[-1][1] <= GAP_LAMPS:
            ranges[-1] = (ranges[-1][0], at + 1)
        else:
            ranges.append((at, at + 1))
    return ranges


def sets(
    picture: LampColours, frame_max: int = FRAME_MAX, before: LampColours | None = None
) -> Iterator[Set]:
    """The requests that turn the board's picture (`before`; None: everything is sent) into `picture`.

    The last one shows it. No request is longer than the `frame_max` bytes that the board takes.
    """
    most = (frame_max - FRAME_OVERHEAD - SET_OVERHEAD) // 3
    ranges = [(0, len(picture))] if before is None else changes(before, picture)
    parts = [(at, min(at + most, end)) for first, end in ranges for at in range(first, end, most)]
    for number, (first, end) in enumerate(parts, 1):
        yield Set(first, picture[first:end], latch=number == len(parts))
