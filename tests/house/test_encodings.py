"""Text is read and written in a stated encoding: the computer's default may lack ä."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
ROOMS = ("table", "vision", "firmware_bridge", "hardware", "docs")
ENCODING_AT = {"read_text": 0, "write_text": 1}
"""Position of the encoding among the positional arguments of a call."""


def unnamed(module: ast.Module) -> list[int]:
    """Lines that read or write text in the computer's default encoding."""
    return [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and is_text(node)
        and not any(k.arg == "encoding" for k in node.keywords)
    ]


def is_text(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="read_text" | "write_text" as name):
            return len(call.args) <= ENCODING_AT[name]
        case ast.Name(id="open") | ast.Attribute(value=ast.Name(id="os" | "io"), attr="fdopen" | "open"):
            return is_text_mode(call, 1)
        case ast.Attribute(attr="open"):
            return is_text_mode(call, 0)
    return False


def is_text_mode(call: ast.Call, at: int) -> bool:
    """Whether a file is opened in a mode without `b`, or without any mode."""
    given = [k.value for k in call.keywords if k.arg == "mode"] or call.args[at : at + 1]
    modes = [mode.value for mode in given if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]
    if modes:
        return set(modes[0]) <= set("rwaxt+")
    return isinstance(call.func, ast.Name) and not given


@pytest.mark.parametrize("room", ROOMS)
def test_all_text_is_read_and_written_in_a_named_encoding(room: str) -> None:
    found = [
        f"{path.relative_to(HOUSE)}:{line}"
        for path in sorted((HOUSE / room).rglob("*.py"))
        for line in unnamed(ast.parse(path.read_text("utf-8")))
    ]
    assert found == [], "name it: encoding='utf-8'"


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("path.read_text()", 1),
        ("path.read_text('utf-8')", 0),
        ("path.write_text(said)", 1),
        ("path.write_text(said, encoding='utf-8')", 0),
        ("open(path)", 1),
        ("open(path, 'rb')", 0),
        ("path.open('w')", 1),
        ("path.open('wb')", 0),
        ("Journal.open(path)", 0),
    ],
)
def test_the_check_itself_knows_text_from_bytes(line: str, count: int) -> None:
    assert len(unnamed(ast.parse(line))) == count
