"""Which ids of RULES.md have a test that carries them in its name or docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

_IN_RULES = re.compile(r"^- ([A-Z]{1,2}-I?\d+) ", re.MULTILINE)
_IN_DOCSTRING = re.compile(r"\b([A-Z]{1,2}-I?\d+)\b")
_IN_NAME = re.compile(r"(?<![a-z0-9])([a-z]a?)_(i?\d+)(?![a-z0-9])")


def rule_ids() -> list[str]:
    return _IN_RULES.findall((files("table.rules") / "RULES.md").read_text("utf-8"))


def ids_by_game() -> dict[str, list[str]]:
    by_prefix: dict[str, list[str]] = {}
    for name in rule_ids():
        by_prefix.setdefault(name.partition("-")[0], []).append(name)
    return by_prefix


def ids_with_tests() -> set[str]:
    texts = [file.read_text("utf-8") for file in sorted(Path(__file__).parent.rglob("*.py"))]
    return ids_proven(texts)


def ids_proven(texts: Iterable[str]) -> set[str]:
    """Ids that the tests in these module texts carry; a test that asserts nothing proves nothing."""
    functions = [
        node for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)
    ]
    asserting = {node.name for node in functions if _asserts(node, set())}
    while more := {node.name for node in functions if _asserts(node, asserting)} - asserting:
        asserting |= more  # through a helper that asserts, or a helper of such a helper
    found: set[str] = set()
    for node in functions:
        if node.name.startswith("test_") and node.name in asserting:
            found |= {f"{a.upper()}-{b.upper()}" for a, b in _IN_NAME.findall(node.name)}
            found |= set(_IN_DOCSTRING.findall(ast.get_docstring(node) or ""))
    return {_two_digits(name) for name in found}


def _asserts(function: ast.FunctionDef, helpers: set[str]) -> bool:
    """Whether a function has an `assert`, expects an error, or calls one of the helpers that do."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
            if called in {"raises", *helpers}:
                return True
    return False


def _two_digits(name: str) -> str:
    """Write U-7 as U-07; irregularities and ambiguities are written without a zero."""
    prefix, _, number = name.partition("-")
    return f"{prefix}-{int(number):02}" if number.isdigit() and len(prefix) == 1 else name


def in_words() -> str:
    """Return one line: how many ids of each group have a test."""
    tested = ids_with_tests()
    counts = (f"{p} {sum(n in tested for n in names)}/{len(names)}" for p, names in ids_by_game().items())
    return "rules with a test: " + ", ".join(counts)
