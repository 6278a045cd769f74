"""Where words, pages and scripts are, and the codes of the eye's messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import vision
from table import web

STATIC = Path(web.__file__).parent / "static"


SCRIPTS = {file.name: file.read_text(encoding="utf-8") for file in STATIC.glob("*.js")}

EYE = {file: file.read_text("utf-8") for file in Path(vision.__file__).parent.rglob("*.py")}


def reason_codes() -> set[str]:
    """Codes of all reasons why the eye learnt nothing from a picture."""
    found = re.compile(r'Reason(?:\.of_size)?\(\s*"([a-z.]+)",')
    sources = (Path(vision.__file__).parent / "cards").glob("*.py")
    return {code for source in sources for code in found.findall(source.read_text("utf-8"))}


def error_codes() -> set[str]:
    """Codes of the errors about unusable decks, dice, cameras, films, pictures, lenses and tags."""
    found = re.compile(r'"((?:deck|dice|camera|film|folder|picture|recording|lens|tags)\.[a-z]+)"')
    return {code for source in EYE.values() if "Error" in source for code in found.findall(source)}


def errors_of_the_eye() -> Iterator[tuple[str, str, set[str]]]:
    """Place, code and placeholders of each `SomeError(text, "code", place=…)` in the eye."""
    for file, source in EYE.items():
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(ast.Name(name), [_, ast.Constant(str(code))]) if name.endswith(
                    "Error"
                ) and not name.startswith("OS"):
                    places = {str(keyword.arg) for keyword in node.keywords}
                    yield f"{file.name}:{node.lineno}", code, places
