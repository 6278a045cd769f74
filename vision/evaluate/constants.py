"""Numeric constants defined beside the code that uses them, tried at other values like a stage's thresholds.

A constant that other modules import is set in each of them. Where a dataclass's default or another constant
was computed from it on import, that keeps the old value: trying the constant has no effect there.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import math
import sys
from collections.abc import Iterator
from types import ModuleType

from vision.errors import VisionError
from vision.evaluate.stages import Threshold
from vision.parameters import Note

OF = ":"
"""Separator between module and name, as in `vision.mat.overlap:_SHOWN`."""
_HOUSE = "vision."


def is_module(name: str) -> bool:
    """Whether a name is that of a module of the eye."""
    if not name.startswith(_HOUSE) or OF in name:
        return False
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def constants(module: str) -> list[Threshold]:
    """The numeric constants of a module of the eye, with their docstrings. Raises VisionError."""
    if not is_module(module):
        raise VisionError(f"{module}: there is no such module of the eye; give one as vision.mat.overlap")
    spoken = importlib.import_module(module)
    path = spoken.__file__
    assert path is not None
    with open(path, encoding="utf-8") as source:
        lines = ast.parse(source.read()).body
    found = []
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        for name in _named(line):
            value = getattr(spoken, name)
            if name.isupper() and isinstance(value, int | float) and not isinstance(value, bool):
                found.append(
                    Threshold(f"{module}{OF}{name}", value, Note("", -math.inf, math.inf, _said(after)))
                )
    return found


def _named(line: ast.stmt) -> list[str]:
    """The names that a top-level statement assigns; `_A, _B = 1, 2` assigns two."""
    if not isinstance(line, ast.Assign):
        return []
    targets = [each for to in line.targets for each in (to.elts if isinstance(to, ast.Tuple) else [to])]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _said(after: ast.stmt | None) -> str:
    """The string below a constant, which describes it."""
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        return " ".join(str(after.value.value).split())
    return "its name says it"


@contextlib.contextmanager
def trying_constant(name: str, value: float) -> Iterator[None]:
    """Set a constant to another value within the context, for one thread. Raises VisionError."""
    module, _, word = name.partition(OF)
    if name not in {each.name for each in constants(module)}:
        raise VisionError(f"{module} has no number called {word}")
    home = importlib.import_module(module)
    now = getattr(home, word)
    places = [home, *_importers(word, module)]
    for place in places:
        setattr(place, word, value)
    try:
        yield
    finally:
        for place in places:
            setattr(place, word, now)


def _importers(word: str, home: str) -> list[ModuleType]:
    """Loaded modules that imported the name with `from HOME import WORD`."""
    taken = []
    for name, module in list(sys.modules.items()):
        if name.startswith(_HOUSE) and name != home and word in vars(module) and module.__file__:
            with open(module.__file__, encoding="utf-8") as source:
                imports = [line for line in ast.parse(source.read()).body if isinstance(line, ast.ImportFrom)]
            if any(line.module == home and word in {a.name for a in line.names} for line in imports):
                taken.append(module)
    return taken
