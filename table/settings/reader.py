"""Reads a settings file and checks it section by section, so that an error can name its line."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

from table.catalogue import Fact, fact, foreign, shown
from table.errors import system_reason
from table.settings.forms import Form
from table.settings.values import SettingsError

F = TypeVar("F", bound=Form)


class Reader:
    """One settings file being read; keeps its text, so that an error can name the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise SettingsError(fact("tablefile.none", path=str(path))) from None
        except UnicodeDecodeError as wrong:
            raise SettingsError(fact("tablefile.bytes", path=str(path), n=wrong.start + 1)) from None
        except IsADirectoryError:
            raise SettingsError(fact("tablefile.folder", path=str(path))) from None
        except OSError as wrong:
            raise SettingsError(fact("tablefile.unread", path=str(path), why=system_reason(wrong))) from None
        except ValueError:  # no file name can contain NUL
            raise SettingsError(fact("tablefile.none", path=str(path).replace("\0", "?"))) from None
        try:
            self.raw: dict[str, Any] = tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as wrong:
            raise SettingsError(not_toml(path, self.text, wrong)) from None
        except ValueError as wrong:  # a number with thousands of digits
            raise SettingsError(fact("tablefile.unread", path=str(path), why=foreign(str(wrong)))) from None

    def fail(self, place: str | Fact, what: Fact, line: int | None = None) -> SettingsError:
        """The error to raise: file, line, place, what is wrong and how to correct it."""
        path = str(self.path)
        if line:
            return SettingsError(fact("tablefile.line", path=path, line=line, place=place, what=what))
        return SettingsError(fact("tablefile.at", path=path, place=place, what=what))

    def wrong(self, section: str, index: int | None, key: str | None, what: Fact) -> SettingsError:
        """As `fail`, for a key (None: all) of the index-th `[[section]]`, or of `[section]` (index None)."""
        return self.fail(place(section, index, key), what, self.line(section, index, key))

    def line(self, section: str, index: int | None, key: str | None) -> int | None:
        """Line number of `key` in the index-th `[[section]]` (or in `[section]`); None if not found."""
        return line_of(self.text, section, index, key)

    def form(self, section: str, index: int | None, raw: Any, form: type[F]) -> F:
        """Check one section against its form."""
        known = [f.name for f in msgspec.structs.fields(form)]
        if not isinstance(raw, dict):
            brackets = f"[[{section}]]" if index is not None else f"[{section}]"
            raise self.wrong(section, index, None, fact("tablefile.brackets", brackets=brackets))
        for key in raw:
            if key not in known:
                raise self.wrong(section, index, key, unknown(key, known))
        for key, value in raw.items():
            if not _finite(value):
                raise self.wrong(section, index, key, fact("tablefile.finite"))
        try:
            return msgspec.convert(raw, form)
        except msgspec.ValidationError as wrong:
            text, _, where = str(wrong).rpartition(" - at `$.")
            found = re.match(r"\w+", where) if text else None
            key = found.group(0) if found else None
            said = text or str(wrong)
            word = _WORD.fullmatch(said)
            if word and key:  # msgspec names the bad value but not the valid ones
                known = [*choices(form, key)]
                what = fact("tablefile.choice", value=shown(word[1]), known=known)
            else:
                what = told_plainly(said)
            raise self.wrong(section, index, key, what) from None

    def one(self, section: str, form: type[F]) -> F | None:
        """The single `[section]`; None if the file has none."""
        return self.form(section, None, self.raw[section], form) if section in self.raw else None

    def many(self, section: str, form: type[F]) -> list[F]:
        """Every `[[section]]` in the file's order."""
        items = self.raw.get(section, [])
        if not isinstance(items, list):
            what = fact("tablefile.double", section=section)
            raise self.fail(f"[{section}]", what, self.line(section, 0, None))
        return [self.form(section, i, item, form) for i, item in enumerate(items)]

    def unique(self, section: str, key: str, values: list[Any]) -> None:
        """Refuse a value of `key` that occurs in two sections."""
        for i, value in enumerate(values):
            if value in values[:i]:
                raise self.wrong(section, i, key, fact("tablefile.twice", value=shown(value)))


def not_toml(path: Path, text: str, wrong: tomllib.TOMLDecodeError | RecursionError) -> Fact:
    """The TOML parser's error as a fact that names the line; the parser's own words are English."""
    if isinstance(wrong, RecursionError):
        return fact("tablefile.toml.deep", path=str(path))
    said = _AT_LINE.search(str(wrong))
    line = int(said[1]) if said else max(1, len(text.splitlines()))  # no line given: the end of the file
    return fact("tablefile.toml", path=str(path), line=line, why=_AT_LINE.sub("", str(wrong)))


def line_of(text: str, section: str, index: int | None, key: str | None) -> int | None:
    """Line number of `key` in the index-th `[[section]]` of a file's text, or in `[section]`.

    An empty section means the lines before the first one. If the key is not found, the section's first line.
    """
    header = re.compile(rf"\s*\[{{1,2}}\s*{re.escape(section)}\s*\]{{1,2}}")
    wanted, count, inside, start = index or 0, -1, not section, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            found = section != "" and header.match(line) is not None
            count += found
            inside = found and count == wanted
            if inside:
                start = number
        elif inside and key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
            return number
    return start


def place(section: str, index: int | None, key: str | None) -> str | Fact:
    """A place in the file in words: the index-th `[[section]]`, or `[section]`, and its key."""
    if index is None:
        named = f"[{section}]"
        return named if key is None else fact("tablefile.key", section=named, key=shown(key))
    numbered = fact("tablefile.number", section=f"[[{section}]]", n=index + 1)
    return numbered if key is None else fact("tablefile.key", section=numbered, key=shown(key))


_PLAIN = {
    "int | float": "a number",
    "float": "a number",
    "int": "a whole number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list in brackets",
    "object": "a section",
    "time": "a time like 08:00:00",
    "datetime": "a date",
}


_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")
_WORD = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_EXPECTED = re.compile(
    r"Expected `(?P<kind>[^`]+?)(?: \| null)?`(?P<length> of length)?"
    r"(?: ?(?P<bound>>=|<=|>)? (?P<n>[-\d.]+))?(?:, got (?P<got>.*))?"
)


def told_plainly(said: str) -> Fact:
    """msgspec's message on a wrong value, as a fact."""
    if missing := re.search(r"missing required field `(\w+)`", said):
        return fact("tablefile.missing", key=missing[1])
    if "RFC3339" in said or "timezone" in said:
        return fact("tablefile.time")
    if (found := _EXPECTED.fullmatch(said)) is None:
        plain = in_plain_words(said)
        return foreign(plain[0].lower() + plain[1:])
    what = _kind(found["kind"])
    if found["n"] is not None:
        n = found["n"].removesuffix(".0")
        bounds = {
            ">=": fact("tablefile.least", n=n),
            "<=": fact("tablefile.most", n=n),
            ">": fact("tablefile.above", n=n),
        }
        bound = bounds.get(found["bound"] or "", n)
        what = (
            fact("tablefile.length", what=what, n=bound)
            if found["length"]
            else (fact("tablefile.bounded", what=what, n=bound))
        )
    if found["got"] is None:
        return fact("tablefile.needed", what=what)
    here = re.fullmatch(r"`([^`]+?)(?: \| null)?`", found["got"])
    return fact("tablefile.here", what=what, here=_kind(here[1]) if here else found["got"])


def _kind(name: str) -> str | Fact:
    """msgspec's name of a type, in words."""
    kinds = {
        "int | float": fact("tablefile.kind.number"),
        "float": fact("tablefile.kind.number"),
        "int": fact("tablefile.kind.whole"),
        "str": fact("tablefile.kind.text"),
        "bool": fact("tablefile.kind.bool"),
        "array": fact("tablefile.kind.list"),
        "object": fact("tablefile.kind.section"),
        "time": fact("tablefile.kind.time"),
        "datetime": fact("tablefile.kind.date"),
    }
    return kinds.get(name, name)


def in_plain_words(said: str) -> str:
    """msgspec's message on a wrong value, in words for people who write no programs."""
    if missing := re.search(r"missing required field `(\w+)`", said):
        return f"{missing.group(1)!r} is missing; add a line {missing.group(1)} = …"
    if unknown_word := re.fullmatch(r"Invalid enum value '(.*)'", said, re.DOTALL):
        return f"{shown(unknown_word[1])} is unknown"
    if "RFC3339" in said or "timezone" in said:
        return "a time like 08:00:00 is needed, with seconds and without quotes or time zone"
    kinds = re.compile(r"`([^`]+?)(?: \| null)?`")  # msgspec adds "| null" to an optional key's type
    said = kinds.sub(lambda name: _PLAIN.get(name.group(1), name.group(1)), said)
    said = said.replace(">=", "at least").replace("<=", "at most").replace("> 0.0", "greater than 0")
    return re.sub(r"^Expected (.*?)(?:, got (.*))?$", _needed, said)


def _needed(said: re.Match[str]) -> str:
    return f"{said[1]} is needed" + (f", here is {said[2]}" if said[2] else "")


def _finite(value: Any) -> bool:
    if isinstance(value, list):
        return all(_finite(v) for v in value)
    return not isinstance(value, float) or math.isfinite(value)


def choices(form: type[msgspec.Struct], key: str) -> tuple[str, ...]:
    """The words that are allowed for a key with a fixed set of choices."""
    kind = next(f.type for f in msgspec.structs.fields(form) if f.name == key)
    words = (get_args(part) or (part,) for part in get_args(kind))  # an optional key nests its choices
    return tuple(word for part in words for word in part if isinstance(word, str))


def unknown(key: str, known: list[str]) -> Fact:
    """The fact that a name is unknown, with the one that was probably meant."""
    near = difflib.get_close_matches(key, known, 1, 0.4)
    if near:
        return fact("tablefile.near", near=repr(near[0]))
    return fact("tablefile.known", known=known)


def unknown_value(value: str, known: list[str]) -> Fact:
    """As `unknown`, for a value, which is quoted."""
    return fact("tablefile.value", value=shown(value), what=unknown(value, known))
