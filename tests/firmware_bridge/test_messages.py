"""One protocol in two languages: the C header and the Python words say the same."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from firmware_bridge import messages
from firmware_bridge.errors import FrameError
from firmware_bridge.messages import (
    ANSWER,
    REFUSED,
    Buttons,
    Done,
    Fill,
    Greeting,
    Hello,
    Off,
    Ping,
    Pong,
    Refusal,
    Refused,
    Request,
    ResetCause,
    Set,
    Show,
    answer_of,
)
from firmware_bridge.transports import loopback

BOARD = Path(__file__).parents[2] / "hardware" / "board"


def _constants(file: str) -> dict[str, int]:
    """NAME = 1, and #define NAME 1 of a C header."""
    text = (BOARD / file).read_text()
    pairs = re.findall(r"^\s*(?:#define )?([A-Z_]+)(?: = | +)(0x[0-9A-Fa-f]+|\d+)(?:UL)?\b", text, re.M)
    return {name: int(value, 0) for name, value in pairs}


def test_the_header_of_the_firmware_and_the_python_words_say_the_same() -> None:
    header = _constants("protocol.h")
    ours = {
        "PROTOCOL_VERSION": messages.PROTOCOL_VERSION,
        "FRAME_MAX": messages.FRAME_MAX,
        "SET_LAMPS_MAX": messages.SET_LAMPS_MAX,
        "ANSWER": messages.ANSWER,
        "REFUSED": messages.REFUSED,
        "LATCH": messages.LATCH,
        **{request.name: request.value for request in Request},
        **{refusal.name: refusal.value for refusal in Refusal},
    }
    assert header == ours


def test_the_loopback_board_has_the_firmwares_sizes_and_times() -> None:
    config = _constants("config.h")
    assert config["BAUD_RATE"] == messages.BAUD
    assert config["LAMPS_MAX"] == loopback.CAPACITY
    assert config["SILENCE_MS"] == loopback.SILENCE_S * 1000
    assert config["ASLEEP_BLUE"] == loopback.ASLEEP[2]


def test_the_longest_set_fits_a_frame() -> None:
    longest = Set(0, ((1, 2, 3),) * messages.SET_LAMPS_MAX, latch=True)
    assert len(longest.payload()) + 5 <= messages.FRAME_MAX


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (Hello(60), bytes((1, 60))),
        (Set(7, ((1, 2, 3), (4, 5, 6))), bytes((0, 7, 1, 2, 3, 4, 5, 6))),
        (Set(7, ((1, 2, 3),), latch=True), bytes((1, 7, 1, 2, 3))),
        (Fill((9, 8, 7), latch=True), bytes((1, 9, 8, 7))),
        (Show(), b""),
        (Off(), b""),
        (Ping(), b""),
    ],
)
def test_requests_have_the_layout_of_the_header(message: messages.Message, payload: bytes) -> None:
    assert message.payload() == payload


def test_answers_are_read_as_the_header_says() -> None:
    hello = struct.pack(">BBBBIIHH", 1, 150, 0b1010, 0x21, 1500, 0xDEADBEEF, 3, 4)
    assert answer_of(Request.HELLO | ANSWER, hello) == Greeting(
        1, 150, ResetCause.BUTTON | ResetCause.WATCHDOG, Buttons(1, 2), 1.5, 0xDEADBEEF, 3, 4
    )
    assert answer_of(Request.PING | ANSWER, struct.pack(">BIHH", 0x84, 2000, 1, 2)) == Pong(
        Buttons(4, 8), 2.0, 1, 2
    )
    assert answer_of(Request.SET | ANSWER, b"\0") == Done(Buttons())
    assert answer_of(REFUSED, bytes((2, 77))) == Refused(Refusal.OUT_OF_ORDER, 77)


def test_a_later_boards_longer_greeting_still_tells_its_version() -> None:
    answer = answer_of(Request.HELLO | ANSWER, bytes((9,)) + bytes(40))
    assert isinstance(answer, Greeting)
    assert answer.protocol == 9


@pytest.mark.parametrize(
    ("type_", "payload"),
    [(REFUSED, b"\1"), (REFUSED, b"\x63\0"), (0x81, b"short"), (0x86, b""), (0x82, b"\0\0"), (0xC3, b"\0")],
)
def test_an_answer_whose_type_and_length_do_not_fit_is_refused(type_: int, payload: bytes) -> None:
    with pytest.raises(FrameError):
        answer_of(type_, payload)
