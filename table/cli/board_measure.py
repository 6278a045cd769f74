"""`stammtisch board measure`: the wire's figures; all times are on the emulated board's own clock."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.errors import BridgeError
from firmware_bridge.known import KnownBoard
from firmware_bridge.lamps import LampColours, sets
from firmware_bridge.link import Link
from firmware_bridge.measure import BITS_A_BYTE, random_picture
from firmware_bridge.messages import BAUD, Hello, Request, Set
from firmware_bridge.patience import GREETING, USUAL
from firmware_bridge.session import WireSession
from firmware_bridge.transport import Transport
from firmware_bridge.transports.emulated import CLOCK_HZ, BoardSetup, EmulatedBoard
from firmware_bridge.transports.lockstep import LockstepPort
from firmware_bridge.transports.loopback import FRAME_MAX, Loopback, VirtualBoard
from firmware_bridge.transports.noisy import BitErrors
from firmware_bridge.transports.serial_port import SerialPort

BIT_ERRORS = 1e-4
LAMPS = 60
TRIES = 50
"""Number of failed calls after which the board counts as gone, which is not a fault of the wire."""


def run_measure(frames: int, seed: int) -> int:
    """Print a line for each figure; return 1 when the strip showed a wrong picture.

    Raises:
        EmulatorError: the emulator is missing.
    """
    for lamps in (60, 150):
        delay_ms = 1000 * one_lamp_s(lamps, random.Random(seed))
        print(
            f"one lamp changed, until the last edge at the pin, {lamps} lamps: {delay_ms:.2f} ms", flush=True
        )
    for lamps in (60, 150):
        share = payload_share(lamps, random.Random(seed))
        print(f"share of the wire's time that carries colours, {lamps} lamps: {share:.1%}", flush=True)
    print(f"frames of 80 lamps decoded on this computer: {decodes_per_s():,.0f} a second", flush=True)
    virtual = VirtualBoard(LAMPS)
    in_python = MeasuredBoard("board in Python", lambda: Loopback(virtual), lambda: virtual.shown[-1][1])
    wrong = damaged(in_python, 10 * frames, seed)
    with EmulatedBoard(BoardSetup(LAMPS), pace="lockstep") as board:
        board.wait(0.02)  # until it has started
        firmware = MeasuredBoard(
            "firmware", lambda: LockstepPort(board), lambda: _settled(board), lambda: board.now_s
        )
        wrong += damaged(firmware, frames, seed)
        print(f"bytes overrun at its UART meanwhile: {board.counts()['overrun']}")
    return 1 if wrong else 0


def one_lamp_s(lamps: int, chance: random.Random, times: int = 25) -> float:
    """Median board time in seconds from the first byte that arrives to the strip's last edge."""
    took_s: list[float] = []
    with EmulatedBoard(BoardSetup(lamps, trace=True), pace="asked") as board:
        picture = list(random_picture(lamps, chance))
        with Link(lambda: SerialPort(board.port), session=_calm) as link:
            link.show(picture)
            for _ in range(times):
                board.counts()
                board.events.clear()
                picture[chance.randrange(lamps)] = random_picture(1, chance)[0]
                link.show(picture)
                board.counts()
                arrived = [event["cycle"] for event in board.events if event["event"] == "rx"]
                took_s.append(board.written[-1].ended_s - arrived[0] / CLOCK_HZ)
    return median(took_s)


def payload_share(lamps: int, chance: random.Random) -> float:
    """Share of the board's time between two pictures that colour bits take, on a wire that is never idle."""
    pictures = [random_picture(lamps, chance) for _ in range(1500 // (3 * lamps))]
    messages = [message for picture in pictures for message in sets(picture, FRAME_MAX)]
    frames = [WireFrame(x.type, (1 + at) & 0xFF, x.payload()) for at, x in enumerate(messages)]
    with EmulatedBoard(BoardSetup(lamps), pace="asked") as board:
        board.wait(0.02)  # until it has started: this port repeats nothing
        port = SerialPort(board.port)
        port.write(encode(WireFrame(Request.HELLO, 0, Hello(lamps).payload())))
        board.counts()
        with board.watch() as writes:
            port.write(b"".join(encode(frame) for frame in frames))
            board.await_colours(pictures[-1])
        port.close()
    step_s = (writes[-1].ended_s - writes[0].ended_s) / (len(writes) - 1)
    return lamps * 3 * BITS_A_BYTE / BAUD / step_s


def decodes_per_s(times: int = 1000) -> float:
    """Frames of 80 lamps that the host's codec decodes in one CPU second of this computer."""
    colours = random_picture(80, random.Random(1), brightest=255)
    wire = encode(WireFrame(Set.type, 1, Set(0, colours).payload())) * 100
    collector, begun_s = Collector(), time.process_time()
    decoded = sum(frame is not None for _ in range(times) for frame in collector.feed(wire))
    return decoded / (time.process_time() - begun_s)


@dataclass(frozen=True, slots=True)
class MeasuredBoard:
    """A board under test: how it is dialled, and what its strip shows.

    `clock` is the board's own, if it has one: on a busy computer a waiting host must not
    believe that the board is silent.
    """

    name: str
    dial: Callable[[], Transport]
    shown: Callable[[], LampColours | None]
    clock: Callable[[], float] = time.monotonic


def damaged(board: MeasuredBoard, frames: int, seed: int) -> int:
    """Count wrong pictures over a cable with bit errors; each confirmed one is compared with the strip.

    Raises:
        BridgeError: the board cannot be reached any more.
    """
    chance = random.Random(seed)
    cable, wrong, pictures, sent = BitErrors(board.dial, chance, BIT_ERRORS), 0, 0, 0
    with Link(cable.dial, session=_hasty, budget_ma=1e6, clock=board.clock) as link:
        while sent < frames:
            picture = random_picture(LAMPS, chance)
            sent += len(list(sets(picture, FRAME_MAX)))
            pictures += 1
            _bring(link, picture)
            wrong += board.shown() != picture
        status = link.status
    print(
        f"{board.name}, bit errors of {BIT_ERRORS:g}: {wrong} of {pictures:,} pictures wrong"
        f" in {sent:,} frames; {cable.flipped:,} bits flipped, {status.repeated:,} repetitions,"
        f" {status.greetings:,} greetings",
        flush=True,
    )
    return wrong


def _settled(board: EmulatedBoard) -> LampColours | None:
    board.counts()  # collects the reports of everything it has written
    return board.colours


def _bring(link: Link, picture: LampColours) -> None:
    for left in reversed(range(TRIES)):
        try:
            link.show(picture)
            return
        except BridgeError:
            if not left:
                raise


def _calm(known: KnownBoard) -> WireSession:
    """A patient session: nothing gets lost here, but on a busy machine answers come late."""
    return WireSession(7, replace(USUAL, again_s=60.0, give_up_s=60.0), known=known)


def _hasty(known: KnownBoard) -> WireSession:
    return WireSession(7, replace(USUAL, again_s=0.01), replace(GREETING, pauses_s=(0.01,)), known)
