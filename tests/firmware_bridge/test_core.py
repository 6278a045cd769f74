"""`hardware/core`: the protocol for any chip answers like wire.md and like the board in Python."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from itertools import islice

import pytest

from firmware_bridge.codec import WireFrame, encode
from firmware_bridge.messages import Request, Serial
from tests.firmware_bridge.core import FOLDER, Both, Core, talk
from tests.firmware_bridge.test_wire_page import CONVERSATION, EVENT, HEARD, SERIAL, _told, _written

FRAMES = 20_000
SOAK_FRAMES = 1_000_000


@pytest.fixture
def core() -> Iterator[Core]:
    """A new board that was just switched on."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler: apt install gcc")
    with Core() as core:
        yield core


def test_the_core_answers_as_the_page_says(core: Core) -> None:
    label = encode(WireFrame(Request.SERIAL, 7, Serial(SERIAL).payload()))
    core.say([f"hear {CONVERSATION[0][1].hex()}", f"hear {label.hex()}"])
    said = core.say([f"hear {wire.hex()}" for who, wire, _ in CONVERSATION if who == "host"])
    assert [_told(wire) for wire in said] == _written()
    core.say(["press 2"])
    assert core.say(["tick 1"]) == [EVENT]
    core.say([f"hear {HEARD.hex()}"])
    assert core.say(["tick 500"]) == [b""]


def _differences(core: Core, seed: int, frames: int) -> list[tuple[str, bytes, bytes]]:
    both = Both(core)
    found: list[tuple[str, bytes, bytes]] = []
    lines = talk(random.Random(seed), frames)
    while not found and (some := list(islice(lines, 100))):
        found = both.differences(some)
    return found


def test_the_core_and_the_board_in_python_answer_the_same_to_random_frames(core: Core) -> None:
    assert not _differences(core, 22, FRAMES)


@pytest.mark.soak
def test_the_core_and_the_board_in_python_answer_the_same_to_a_million_frames(core: Core) -> None:
    assert not _differences(core, 23, SOAK_FRAMES)


def test_the_core_names_no_chip() -> None:
    files = [*FOLDER.glob("*.c"), *FOLDER.glob("*.h")]
    assert files
    for file in files:
        assert not re.search(r"avr|_BV\(|PORTD|TCNT1", file.read_text()), file.name
