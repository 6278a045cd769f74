"""`docs/reference/wire.md`: both boards speak as in its examples, and its tables match the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.answers import answer_of
from firmware_bridge.codec import Collector, WireFrame, encode
from firmware_bridge.messages import EventKind, RefusalReason, Reply, Request, Serial
from firmware_bridge.transports.loopback import VirtualBoard
from tests.firmware_bridge.wire import StartBoard, Wire, but_for_the_clock

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "wire.md").read_text()
SERIAL = 0x5EED0001


def lines() -> list[tuple[str, bytes, str]]:
    """The speaker, the bytes and the words of each line."""
    found = re.findall(r"^(host|board) +((?:[0-9a-f]{2} )+) +(.*)$", PAGE, re.M)
    return [(who, bytes.fromhex(text), words) for who, text, words in found]


def frame_of(wire: bytes) -> WireFrame | None:
    (frame,) = Collector().feed(wire)
    return frame


CONVERSATION = lines()[:-2]
EVENT, HEARD = (wire for _, wire, _ in lines()[-2:])


@pytest.mark.parametrize(("who", "wire", "words"), lines())
def test_each_example_is_a_frame_and_says_what_stands_beside_it(who: str, wire: bytes, words: str) -> None:
    frame = frame_of(wire)
    if "one bit wrong" in words:
        assert frame is None
        return
    assert frame is not None
    assert encode(frame) == wire
    word = Request(frame.type) if who == "host" else Reply(frame.type)
    assert words.startswith(word.name)
    if word is Reply.REFUSED:
        answer = answer_of(frame.type, frame.payload)
        assert f"{answer.why.name}, expected {answer.expected_seq}" in words  # type: ignore[union-attr]


def test_the_board_in_python_answers_as_the_page_says() -> None:
    board = VirtualBoard(4, serial=SERIAL)
    said = [board.hear(wire, 0.0) for who, wire, _ in CONVERSATION if who == "host"]
    assert [_told(wire) for wire in said] == _written()
    board.press(2)
    assert board.tick(0.0) == EVENT
    board.hear(HEARD, 0.0)
    assert board.tick(0.5) == b""


def test_the_firmware_answers_as_the_page_says(start_board: StartBoard) -> None:
    board = start_board(lamps=4)
    wire = Wire(board)
    wire.say(CONVERSATION[0][1])
    wire.seq = frame_of(CONVERSATION[0][1]).seq  # type: ignore[union-attr]
    wire.ask(Serial(SERIAL))
    board.reset("power")
    board.wait(0.02)
    said = [wire.say(hex_)[0] for who, hex_, _ in CONVERSATION if who == "host"]
    assert [but_for_the_clock(frame) for frame in said] == _written()
    board.press(2)
    board.wait(0.03)
    assert encode(wire.say(b"")[0]) == EVENT


def _told(wire: bytes) -> tuple[int, int, bytes]:
    frame = frame_of(wire)
    assert frame is not None
    return but_for_the_clock(frame)


def _written() -> list[tuple[int, int, bytes]]:
    return [_told(wire) for who, wire, _ in CONVERSATION if who == "board"]


@pytest.mark.parametrize("word", [*Request, *Reply])
def test_every_message_stands_in_a_table_with_its_number(word: Request | Reply) -> None:
    assert f"| {word.name} | {word.value:02X} |" in PAGE


@pytest.mark.parametrize("word", [*RefusalReason, *EventKind])
def test_every_refusal_and_event_is_named_with_its_number(word: RefusalReason | EventKind) -> None:
    assert f"{word.value} {word.name}" in PAGE
