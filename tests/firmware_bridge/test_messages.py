"""One protocol in two languages: the C header and the Python enums have the same values."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge import lamps, messages
from firmware_bridge.answers import Acknowledged, BoardEvent, Pong, Refused, Welcome, answer_of
from firmware_bridge.codec import WireFrame, encode
from firmware_bridge.errors import FrameError
from firmware_bridge.messages import (
    EventKind,
    Feature,
    Fill,
    Hello,
    Off,
    Ping,
    RefusalReason,
    Reply,
    Request,
    ResetCause,
    Serial,
    Set,
    Show,
)
from firmware_bridge.transports import loopback

HARDWARE = Path(__file__).parents[2] / "hardware"


def _constants(file: str) -> dict[str, int]:
    """Constants from `NAME = 1` or `#define NAME 1` in a C header."""
    text = (HARDWARE / file).read_text()
    pairs = re.findall(r"^\s*(?:#define )?([A-Z_]+)(?: = | +)(0x[0-9A-Fa-f]+|\d+)(?:UL)?\b", text, re.M)
    return {name: int(value, 0) for name, value in pairs}


def test_the_header_of_the_firmware_and_the_python_words_say_the_same() -> None:
    header = _constants("core/protocol.h")
    ours = {
        "PROTOCOL_VERSION": messages.PROTOCOL_VERSION,
        "FRAME_MAX": loopback.FRAME_MAX,
        "LATCH": messages.LATCH,
        **{f"FEATURE_{feature.name}": feature.value for feature in Feature},
        **{word.name: word.value for words in (Request, Reply, RefusalReason, EventKind) for word in words},
    }
    assert header == ours


def test_the_loopback_board_has_the_firmwares_sizes_and_times() -> None:
    config = _constants("board/config.h") | _constants("core/times.h")
    assert config["BAUD_RATE"] == messages.BAUD
    assert config["LAMPS_MAX"] == loopback.CAPACITY
    assert config["SILENCE_MS"] == loopback.SILENCE_S * 1000
    assert config["EVENT_AGAIN_MS"] == loopback.EVENT_AGAIN_S * 1000
    assert config["CHANNEL_MA"] == lamps.CHANNEL_MA
    assert config["IDLE_MA"] == lamps.IDLE_MA
    assert config["ASLEEP_BLUE"] == loopback.ASLEEP[2]
    assert _constants("board/uart.h")["UART_ROOM"] == loopback.ROOM


def test_two_of_the_longest_frames_fit_into_the_boards_ring() -> None:
    (longest, *_) = lamps.sets(((1, 2, 3),) * 100, loopback.FRAME_MAX)
    wire = encode(WireFrame(longest.type, 1, longest.payload()))
    assert 2 * len(wire) <= loopback.ROOM


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (Hello(60, 2000), bytes((2, 0, 60, 7, 208))),
        (Hello(300), bytes((2, 1, 44, 255, 255))),
        (Set(7, ((1, 2, 3), (4, 5, 6))), bytes((0, 0, 7, 1, 2, 3, 4, 5, 6))),
        (Set(7, ((1, 2, 3),), latch=True), bytes((1, 0, 7, 1, 2, 3))),
        (Fill((9, 8, 7), latch=True), bytes((1, 9, 8, 7))),
        (Show(), b""),
        (Off(), b""),
        (Ping(), b"\0"),
        (Ping(latch=True), b"\1"),
        (Serial(0x01020304), bytes((1, 2, 3, 4))),
    ],
)
def test_requests_have_the_layout_of_the_header(message: messages.Message, payload: bytes) -> None:
    assert message.payload() == payload


def test_answers_are_read_as_the_header_says() -> None:
    said = (2, 0b1010, 7, 0b10, 150, 255, 122, 9, 1500, 0xDEADBEEF, 77, 3, 4, 5)
    causes = ResetCause.BUTTON | ResetCause.WATCHDOG
    features = Feature.BUTTONS | Feature.SERIAL | Feature.WATCHDOG
    welcome = Welcome(2, causes, features, 0b10, 150, 255, 122, 9, 1.5, 0xDEADBEEF, 77, 3, 4, 5)
    assert answer_of(Reply.WELCOME, struct.pack(">BBBBHHHHIIIHHB", *said)) == welcome
    assert welcome.reset_cause.words == "button, watchdog"
    assert answer_of(Reply.PONG, struct.pack(">IHHH", 2000, 1, 2, 0xABCD)) == Pong(2.0, 1, 2, 0xABCD)
    assert answer_of(Reply.ACK, b"") == Acknowledged()
    assert answer_of(Reply.EVENT, bytes((1, 3))) == BoardEvent(EventKind.PRESSED, 3)
    assert answer_of(Reply.REFUSED, bytes((2, 77))) == Refused(RefusalReason.OUT_OF_ORDER, 77)


@pytest.mark.parametrize(("protocol", "length"), [(9, 60), (1, 16)])
def test_another_boards_greeting_still_tells_its_version(protocol: int, length: int) -> None:
    answer = answer_of(Reply.WELCOME, bytes((protocol,)) + bytes(length - 1))
    assert isinstance(answer, Welcome)
    assert answer.protocol == protocol


@pytest.mark.parametrize(
    ("type_", "payload"),
    [
        (0xFF, b"\1"),
        (0xFF, b"\x63\0"),
        (0x81, b""),
        (0x81, b"\2short"),
        (0x86, b""),
        (0x80, b"\0"),
        (0xC3, b"\0"),
    ],
)
def test_an_answer_whose_type_and_length_do_not_fit_is_refused(type_: int, payload: bytes) -> None:
    with pytest.raises(FrameError):
        answer_of(type_, payload)


@pytest.mark.parametrize(
    ("features", "through", "started"),
    [
        (Feature.OPTIBOOT, "Optiboot", "reset pin (as when its port is opened) or brown-out"),
        (Feature.OLD_BOOTLOADER, "an old bootloader (flash with --baud 57600)", "unknown"),
        (Feature.BUTTONS, "an unknown bootloader", "unknown"),
    ],
)
def test_a_welcome_names_the_bootloader_and_what_it_hides(
    features: Feature, through: str, started: str
) -> None:
    welcome = Welcome(2, ResetCause(0), features, 0, 150, 255, 122, 1, 0.0, 0, 0, 0, 0, 0)
    assert welcome.bootloader.startswith(through)
    assert welcome.started.startswith(started)
    assert replace(welcome, reset_cause=ResetCause.POWER).started == "power"
