"""Measures the speed of the wire against the floor set by its bits and the strip."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from firmware_bridge.codec import WireFrame, encode
from firmware_bridge.lamps import LampColours, sets
from firmware_bridge.link import Link
from firmware_bridge.messages import BAUD, Reply

BITS_A_BYTE = 10
LAMP_S = 24 * 1.25e-6
"""Time that one WS2812B needs: 24 bits of 1.25 µs."""


def floor_s(picture: LampColours, frame_max: int) -> float:
    """The least time for one picture: every bit of request, strip and answer, with no pause in between."""
    questions = [
        encode(WireFrame(message.type, 1, message.payload())) for message in sets(picture, frame_max)
    ]
    wire_bytes = sum(len(question) for question in questions) + len(encode(WireFrame(Reply.ACK, 1, b"")))
    return wire_bytes * BITS_A_BYTE / BAUD + len(picture) * LAMP_S


@dataclass(frozen=True, slots=True)
class Speed:
    """The result of `measure`."""

    lamps: int
    pictures: int
    seconds: float
    floor_s: float
    repeated: int

    @property
    def pictures_per_s(self) -> float:
        """Acknowledged pictures per second."""
        return self.pictures / self.seconds

    @property
    def payload_share(self) -> float:
        """Share of the time in which the host's wire carried colours."""
        return self.pictures * self.lamps * 3 * BITS_A_BYTE / BAUD / self.seconds

    @property
    def ratio(self) -> float:
        """Time taken over the least possible time; 1 would be perfect."""
        return self.seconds / (self.pictures * self.floor_s)


def measure(link: Link, lamps: int, seconds: float, *, pipelined: bool = False) -> Speed:
    """Show random dim pictures as fast as the board acknowledges them, for about `seconds`.

    `pipelined`: send the next picture while the board writes the last one to the strip.
    """
    chance = random.Random(1)
    some = [random_picture(lamps, chance) for _ in range(16)]  # every lamp changes every time
    link.show(some[-1])
    repeated, welcome = link.status.repeated, link.status.welcome
    assert welcome is not None
    show = link.stream if pipelined else link.show
    pictures, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        show(some[pictures % len(some)])
        pictures += 1
    link.tend()
    floor = sum(floor_s(picture, welcome.frame_max) for picture in some) / len(some)
    return Speed(lamps, pictures, time.perf_counter() - start, floor, link.status.repeated - repeated)


def random_picture(lamps: int, chance: random.Random, brightest: int = 24) -> LampColours:
    """Random dim colours: 150 lamps stay below 1 A."""
    return tuple(
        (chance.randint(0, brightest), chance.randint(0, brightest), chance.randint(0, brightest))
        for _ in range(lamps)
    )
