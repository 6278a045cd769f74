"""The list of rules and the tests hold each other to account: every id of a finished game has a test.

A test bears an id in its name (`test_d_15_…`, `test_g_i7_…`) or its docstring (`D-15`, `G-I7`). A game that
is finished is added to FINISHED; the others are only counted.
"""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest

FINISHED = ("G", "D", "DA", "U", "UA", "X", "XA", "K", "KA", "J", "JA")
_IN_RULES = re.compile(r"^- ([A-Z]{1,2}-I?\d+) ", re.MULTILINE)
_IN_DOCSTRING = re.compile(r"\b([A-Z]{1,2}-I?\d+)\b")
_IN_NAME = re.compile(r"(?<![a-z0-9])([gduxkj]a?)_(i?\d+)(?![a-z0-9])")


def rule_ids() -> list[str]:
    return _IN_RULES.findall((files("table.rules") / "RULES.md").read_text("utf-8"))


def ids_with_tests() -> set[str]:
    found: set[str] = set()
    for file in Path(__file__).parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= {f"{a.upper()}-{b.upper()}" for a, b in _IN_NAME.findall(node.name)}
                found |= set(_IN_DOCSTRING.findall(ast.get_docstring(node) or ""))
    return {_two_digits(name) for name in found}


def _two_digits(name: str) -> str:
    """Write U-7 as U-07; irregularities and ambiguities are written without a zero."""
    prefix, _, number = name.partition("-")
    return f"{prefix}-{int(number):02}" if number.isdigit() and len(prefix) == 1 else name


def test_every_id_of_a_finished_game_has_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    listed, tested = rule_ids(), ids_with_tests()
    by_prefix: dict[str, list[str]] = {}
    for name in listed:
        by_prefix.setdefault(name.partition("-")[0], []).append(name)
    with capsys.disabled():
        print("\nrules with a test: ", end="")
        print(
            ", ".join(f"{p} {sum(n in tested for n in names)}/{len(names)}" for p, names in by_prefix.items())
        )
    missing = [name for prefix in FINISHED for name in by_prefix[prefix] if name not in tested]
    assert missing == []


def test_no_id_stands_twice_in_the_rules() -> None:
    listed = rule_ids()
    assert len(listed) == len(set(listed))


def test_every_id_that_the_code_names_is_a_rule() -> None:
    """Docstrings, comments and findings point only to rules that a reader can look up."""
    listed, unknown = set(rule_ids()), []
    for file in Path(str(files("table.rules"))).rglob("*.py"):
        for name in re.findall(r"\b([GDUXKJ]A?-I?\d+)\b", file.read_text("utf-8")):
            if name not in listed:
                unknown.append(f"{file.name}: {name}")
    assert unknown == []


def test_every_ambiguity_says_what_was_decided_or_which_option_decides() -> None:
    text = (files("table.rules") / "RULES.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"- [DUXKJ]A-\d+ ", line)]
    assert len(lines) >= 60
    assert [line for line in lines if not re.search(r"\*(decided:|tariff:|[a-z0-9_]+ =).+\*", line)] == []
