"""One settings file being read: checked section by section, so that an error can name its line."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

from table.catalogue import shown
from table.errors import not_text
from table.settings.forms import Form
from table.settings.values import SettingsError

F = TypeVar("F", bound=Form)


class Reader:
    """One file being read: knows its text, so that an error can name the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            raise SettingsError(f"{path}: there is no such table file; check the path") from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise SettingsError(f"{path}: {not_text(wrong)}") from None
        try:
            self.raw: dict[str, Any] = tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as wrong:
            raise SettingsError(f"{path}: not valid TOML: {wrong}; mend that line") from None

    def fail(self, place: str, what: str, line: int | None = None) -> SettingsError:
        """The error to raise: file, line, place, what is wrong."""
        where = f"{self.path}, line {line}" if line else f"{self.path}"
        return SettingsError(f"{where}: {place}: {what}")

    def line(self, section: str, index: int | None, key: str | None) -> int | None:
        """Line number of `key` in the index-th `[[section]]` (or in `[section]`), None if not found."""
        return line_of(self.text, section, index, key)

    def form(self, section: str, index: int | None, raw: Any, form: type[F]) -> F:
        """Check one section against its form."""
        place = f"[[{section}]] number {index + 1}" if index is not None else f"[{section}]"
        known = [f.name for f in msgspec.structs.fields(form)]
        if not isinstance(raw, dict):
            brackets = f"[[{section}]]" if index is not None else f"[{section}]"
            raise self.fail(place, f"write it as a section {brackets}", self.line(section, index, None))
        for key in raw:
            if key not in known:
                raise self.fail(
                    f"{place} key {shown(key)}", unknown(key, known), self.line(section, index, key)
                )
        for key, value in raw.items():
            if not _finite(value):
                raise self.fail(
                    f"{place} key {key!r}", "a number is not finite", self.line(section, index, key)
                )
        try:
            return msgspec.convert(raw, form)
        except msgspec.ValidationError as wrong:
            text, _, where = str(wrong).rpartition(" - at `$.")
            found = re.match(r"\w+", where) if text else None
            key = found.group(0) if found else None
            named = f"{place} key {key!r}" if key else place
            said = in_plain_words(text or str(wrong))
            if said.endswith("is unknown") and key:  # msgspec names the bad value but not the good ones
                said += f"; known here: {', '.join(choices(form, key))}"
            raise self.fail(named, said[0].lower() + said[1:], self.line(section, index, key)) from None

    def one(self, section: str, form: type[F]) -> F | None:
        """The one `[section]`, None where the file has none."""
        return self.form(section, None, self.raw[section], form) if section in self.raw else None

    def many(self, section: str, form: type[F]) -> list[F]:
        """Every `[[section]]` in the file's order."""
        items = self.raw.get(section, [])
        if not isinstance(items, list):
            raise self.fail(
                f"[{section}]",
                f"write [[{section}]] with double brackets, once for each",
                self.line(section, 0, None),
            )
        return [self.form(section, i, item, form) for i, item in enumerate(items)]

    def unique(self, section: str, key: str, values: list[Any]) -> None:
        """Refuse a value of `key` that two sections share."""
        for i, value in enumerate(values):
            if value in values[:i]:
                raise self.fail(
                    f"[[{section}]] number {i + 1} key {key!r}",
                    f"{shown(value)} stands twice; each must be its own",
                    self.line(section, i, key),
                )


def line_of(text: str, section: str, index: int | None, key: str | None) -> int | None:
    """Line number of `key` in the index-th `[[section]]` of a file's text, or in `[section]`.

    Without a section: before the first one. Where the key is not found, that of the section's beginning.
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


_PLAIN = {
    "int | float": "a number",
    "float": "a number",
    "int": "a whole number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list in brackets",
    "object": "a section",
    "time": "a time as 08:00:00",
    "datetime": "a date",
}


def in_plain_words(said: str) -> str:
    """What msgspec says of a wrong value, in words for people who write no programs."""
    if missing := re.search(r"missing required field `(\w+)`", said):
        return f"{missing.group(1)!r} is missing; add a line {missing.group(1)} = …"
    if unknown_word := re.fullmatch(r"Invalid enum value '(.*)'", said, re.DOTALL):
        return f"{shown(unknown_word[1])} is unknown"
    if "RFC3339" in said or "timezone" in said:
        return "a time as 08:00:00 is needed, with seconds and without quotes or time zone"
    kinds = re.compile(r"`([^`]+?)(?: \| null)?`")  # what may be left out is "or null" to msgspec
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
    """The words that a key of few choices may have."""
    kind = next(f.type for f in msgspec.structs.fields(form) if f.name == key)
    words = (get_args(part) or (part,) for part in get_args(kind))  # one that may be left out lies deeper
    return tuple(word for part in words for word in part if isinstance(word, str))


def unknown(key: str, known: list[str]) -> str:
    """Say that a name is unknown and which one was probably meant."""
    near = difflib.get_close_matches(key, known, 1, 0.4)
    return "unknown; " + (f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}")
