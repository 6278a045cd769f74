"""Test helpers are imported in one way, so that any of the tests can run together in one call."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

TESTS = Path(__file__).parent
OURS = {path.stem for path in TESTS.rglob("*.py")}


def test_what_tests_share_is_imported_from_the_package_tests() -> None:
    bare = [
        f"{path.relative_to(TESTS)}:{node.lineno} imports {name}"
        for path in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _names(node)
        if name.split(".")[0] in OURS
    ]
    assert not bare, f"write `from tests.ROOM.MODULE import …`: {bare}"


def test_every_folder_of_tests_is_a_package() -> None:
    assert not [path.parent for path in TESTS.rglob("*.py") if not (path.parent / "__init__.py").exists()]


def test_only_one_module_knows_what_lies_beside_the_checkout() -> None:
    """That module skips tests with a clear reason, since a user's clone has no `../shared`."""
    knowing = [
        path.name for path in TESTS.rglob("*.py") if re.search(r'parents\[\d\].*/ "shared"', path.read_text())
    ]
    assert knowing == ["shared.py"]


def test_the_walls_are_drawn_as_they_stand() -> None:
    """The picture in ARCHITECTURE.md has one line for each floor of `[tool.importlinter]`, in that order."""
    house = TESTS.parent
    (picture,) = re.findall(
        r"## The walls\n\n```\n(.*?)```", (house / "ARCHITECTURE.md").read_text("utf-8"), re.S
    )
    drawn = [re.split(r"\s{2,}", line)[0].split(" · ") for line in picture.splitlines()]
    settings = tomllib.loads((house / "pyproject.toml").read_text("utf-8"))
    contracts = {each["id"]: each for each in settings["tool"]["importlinter"]["contracts"]}
    floors = [floor.split(" | ") for floor in contracts["floors"]["layers"] if floor != "__main__"]
    assert [*map(sorted, drawn[:-1])] == [*map(sorted, floors)]
    assert drawn[-1] == ["vision"]


def _names(node: ast.AST) -> list[str]:
    """The modules that an import names; a relative import counts as a bare name."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["conftest"] if node.level else [node.module or ""]
    return []
