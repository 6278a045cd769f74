"""One name, one thing: who searches the house for a class finds one."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

HOUSE = Path(__file__).parents[1]
PACKAGES = ("firmware_bridge", "vision", "table")


def test_no_class_name_stands_twice_in_the_project() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for package in PACKAGES for path in (HOUSE / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                where[node.name].append(f"{path.relative_to(HOUSE)}:{node.lineno}")
    assert len(where) > 300, "the walk found the project"
    twice = {name: places for name, places in where.items() if len(places) > 1}
    assert not twice, "\n".join(f"{name}: {', '.join(places)}" for name, places in sorted(twice.items()))
