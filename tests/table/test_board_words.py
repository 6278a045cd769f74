"""Troubles on the wire are reported in every language wherever somebody at the table reads them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import firmware_bridge
from firmware_bridge.errors import BoardLostError, EmulatorError
from firmware_bridge.transports.finding import find_board
from firmware_bridge.transports.serial_port import SerialPort
from table.board_words import board_told
from table.catalogue import LANGUAGES, sentences, tell


def codes() -> Iterator[tuple[str, set[str | None]]]:
    """Each code that the wire gives an error, and the names of its arguments."""
    for file in Path(firmware_bridge.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        errors = [
            node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
        ]
        named = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _makes_an_error(node.func))
        worded = (
            node
            for error in errors
            for node in ast.walk(error)
            if isinstance(node, ast.Call) and _begins_as_its_base(node.func)
        )
        for call in (*named, *worded):
            if len(call.args) == 2 and isinstance(code := call.args[1], ast.Constant):
                yield str(code.value), {keyword.arg for keyword in call.keywords}


def _makes_an_error(called: ast.expr) -> bool:
    return isinstance(called, ast.Name) and called.id.endswith("Error")


def _begins_as_its_base(called: ast.expr) -> bool:
    match called:
        case ast.Attribute(ast.Call(ast.Name("super")), "__init__"):
            return True
        case _:
            return False


def test_every_trouble_with_a_code_has_a_sentence_that_tells_all_of_it_and_no_sentence_is_idle() -> None:
    wire = dict(codes())
    said = {code: text for code, text in sentences("en").items() if code.startswith("board.")}
    told = {code.removeprefix("board."): set(re.findall(r"{(\w+)}", text)) for code, text in said.items()}
    assert wire == told


def test_a_port_that_is_not_there_is_told_in_each_language() -> None:
    with pytest.raises(Exception, match="there is no port") as wrong:
        SerialPort("/dev/ttyNone")
    told = board_told(wrong.value)
    assert told.code == "board.port.none"
    assert len({tell(told, language) for language in LANGUAGES}) == len(LANGUAGES)
    assert "den Anschluss /dev/ttyNone gibt es nicht" in tell(told, "de")
    assert tell(told, "en") == str(wrong.value), "logs and command line read on as before"


def test_each_port_that_was_tried_says_its_own_reason() -> None:
    with pytest.raises(Exception, match="no lamp board found") as wrong:
        find_board(["/dev/ttyNone", "/dev/ttyNobody"])
    said = tell(board_told(wrong.value), "de")
    assert said.startswith("keine Lampenplatine gefunden: den Anschluss /dev/ttyNone gibt es nicht")
    assert "/dev/ttyNobody" in said


def test_what_has_no_word_of_its_own_stays_as_it_is() -> None:
    assert str(board_told(EmulatorError("`make` is missing"))) == "`make` is missing"
    assert str(board_told(BoardLostError("the cable was pulled"))) == "the cable was pulled"
    assert str(board_told(OSError("no space"))) == "no space"
