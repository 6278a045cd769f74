"""One name for one thing: a search of the project for a class finds exactly one."""

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


def test_no_name_of_a_type_has_two_meanings() -> None:
    """A name defined in two modules with the same meaning (`Point`) is allowed, since it misleads nobody."""
    meanings: dict[str, set[str]] = defaultdict(set)
    for path in sorted(path for package in PACKAGES for path in (HOUSE / package).rglob("*.py")):
        for name, meaning in types_named(path.read_text(encoding="utf-8"), str(path.relative_to(HOUSE))):
            meanings[name].add(meaning)
    assert len(meanings) > 600, "the walk found the project"
    twice = {name: sorted(several) for name, several in meanings.items() if len(several) > 1}
    assert twice == {}, "give one of them another name"


def test_a_class_an_alias_and_an_annotated_alias_are_names_of_types() -> None:
    text = (
        "class Box: ...\nBox = tuple[float]\nPlace: TypeAlias = 'int | str'\nMOST = 3\nlater = tuple[int]\n"
    )
    assert types_named(text, "a.py") == [
        ("Box", "class of a.py"),
        ("Box", "tuple[float]"),
        ("Place", "'int | str'"),
    ]


def types_named(text: str, where: str) -> list[tuple[str, str]]:
    """The classes and type aliases at the top level of a module, each with its meaning."""
    found = []
    for node in ast.parse(text).body:
        match node:
            case ast.ClassDef(name=name):
                found.append((name, f"class of {where}"))
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ) if name.lstrip("_")[:1].isupper() and not name.isupper():
                found.append((name, ast.unparse(value)))
            case _:
                pass
    return found
