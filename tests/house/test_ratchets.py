"""Numbers that may only fall: literals inside the eye's functions, long lists of parameters."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from vision.evaluate.stages import thresholds

HOUSE = Path(__file__).parents[2]
Function = ast.FunctionDef | ast.AsyncFunctionDef

MOST_LITERALS = 358
"""Literals in functions of `vision`. A threshold belongs in its stage's parameters, with its trade-off."""
MOST_LONG_LISTS = 3
"""Functions with six parameters or more. Arguments that travel together should be an object with a name."""
MOST_BARE_CONSTANTS = 0
"""Numeric constants of `vision`'s modules without a docstring: unit, and what a larger value trades off."""
GROUP = 3
"""Most lines of assignments that may share the docstring below them; more would be several things."""
SLACK = 10
"""Improvement above which the recorded number must be lowered."""
PLAIN = {0, 1, 2, 3, 4, -1, 0.5, 45, 90, 100, 180, 255, 360, 1000}
"""Literals that are not thresholds: arithmetic, angles, per cent and eight bits."""


def functions(*packages: str) -> Iterator[tuple[str, Function]]:
    for package in packages:
        for path in sorted((HOUSE / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, Function):
                    yield str(path.relative_to(HOUSE)), node


def literals(function: ast.AST) -> int:
    """Numbers in a function that are neither plain nor an index."""
    places = {
        id(inner)
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript)
        for inner in ast.walk(node.slice)
    }
    return sum(
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
        and node.value not in PLAIN
        and id(node) not in places
        for node in ast.walk(function)
    )


def parameters(function: Function) -> int:
    """Number of parameters that a caller may pass."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return sum(each.arg not in ("self", "cls") for each in every)


def is_number(value: ast.expr | None) -> bool:
    """Whether an expression is a number, computed from numbers, or a tuple of these."""
    match value:
        case ast.UnaryOp(operand=inner):
            return is_number(inner)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case ast.Tuple(elts=parts):
            return bool(parts) and all(is_number(part) for part in parts)
        case ast.Constant(value=number):
            return isinstance(number, int | float) and not isinstance(number, bool)
    return False


def bare_constants(module: ast.Module) -> int:
    """Count the numeric constants of a module without a docstring below them or their group."""
    bare, group = 0, [0]
    for line, after in zip(module.body, [*module.body[1:], None], strict=True):
        if not isinstance(line, ast.Assign | ast.AnnAssign) or not is_number(line.value):
            bare, group = bare + sum(group), [0]
            continue
        targets = line.targets if isinstance(line, ast.Assign) else [line.target]
        group.append(sum(len(to.elts) if isinstance(to, ast.Tuple) else 1 for to in targets))
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            bare, group = bare + sum(group[:-GROUP]), [0]
        elif not isinstance(after, ast.Assign | ast.AnnAssign) or after.lineno != (line.end_lineno or 0) + 1:
            bare, group = bare + sum(group), [0]
    return bare + sum(group)


def hold(count: Counter[str], most: int, name: str) -> None:
    total = sum(count.values())
    worst = ", ".join(f"{place} {number}" for place, number in count.most_common(5))
    assert total <= most, f"{total} instead of {most}; most of them: {worst}"
    assert total > most - SLACK, f"it is better now: write {name} = {total} here"


def test_literals_inside_functions_of_the_eye_become_fewer() -> None:
    count: Counter[str] = Counter()
    for place, function in functions("vision"):
        if "synthetic" not in place:
            count[place] += literals(function)
    hold(count, MOST_LITERALS, "MOST_LITERALS")


def test_long_lists_of_parameters_become_fewer() -> None:
    count: Counter[str] = Counter()
    for place, function in functions("vision", "table", "firmware_bridge"):
        count[place] += parameters(function) >= 6
    hold(count, MOST_LONG_LISTS, "MOST_LONG_LISTS")


def test_constants_without_a_docstring_become_fewer() -> None:
    count: Counter[str] = Counter()
    for path in sorted((HOUSE / "vision").rglob("*.py")):
        count[str(path.relative_to(HOUSE))] = bare_constants(ast.parse(path.read_text()))
    hold(count, MOST_BARE_CONSTANTS, "MOST_BARE_CONSTANTS")


def test_every_threshold_is_read_where_the_eye_decides() -> None:
    files = [path for path in (HOUSE / "vision").rglob("*.py") if not path.name.endswith("parameters.py")]
    read = {
        node.attr
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
    }
    idle = [each.name for each in thresholds() if each.name.rpartition(".")[2] not in read]
    assert not idle, f"nobody reads {', '.join(idle)}"


def test_no_remedy_asks_a_package_index_for_us() -> None:
    """Our name is not registered there, and whoever took it would get our users; use `installing` instead."""
    packages = ("table", "vision", "firmware_bridge")
    files = [path for package in packages for path in sorted((HOUSE / package).rglob("*.py"))]
    assert files
    assert not [path.name for path in files if "stammtisch[" in path.read_text("utf-8")]


def test_a_threshold_in_a_function_is_counted_and_plain_arithmetic_is_not() -> None:
    code = "def f(a, b, c, d, e, g):\n    return a[7] * 0.37 + 2 * b - 0.5"
    function = next(node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef))
    assert (literals(function), parameters(function)) == (1, 6)


def test_a_constant_is_said_something_of_where_a_string_stands_below_it_or_its_group() -> None:
    code = """
A, B = 1, 2
'''Both.'''
C = -0.5
D = 3 * 4
'''Both.'''
E = 5

F = 6
TEXT = "no number"
"""
    assert bare_constants(ast.parse(code)) == 2
    assert bare_constants(ast.parse("A = 1\nB = 2\nC = 3\nD = 4\n'Only the last three.'")) == 1
