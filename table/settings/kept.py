"""A table file printed anew keeps what people and programs added to the old one: `[camera]`, `[[lamp]]`, …"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from table.errors import not_text
from table.settings.values import SettingsError
from table.settings.written import write_over

_HEADER = re.compile(r"\[\[?\s*([A-Za-z0-9_-]+)")


def write_table(path: Path, text: str) -> tuple[str, ...]:
    """Write a table file in one step; return the sections of the one that was there which it keeps.

    Raises:
        SettingsError: the old file is no table file whose additions could be kept, or nothing can be written.
    """
    try:
        old = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as wrong:
        raise SettingsError(f"{path}: {not_text(wrong, 'give another --out')}") from None
    try:
        whole = with_kept(old, text) if old else text
    except SettingsError as wrong:
        raise SettingsError(f"{path}: {wrong}") from None
    write_over(path, whole, "choose another --out")
    fresh = tomllib.loads(text)
    return tuple(dict.fromkeys(key for key, _ in _sections(old) if key not in fresh))


def with_kept(old: str, new: str) -> str:
    """Return the new file's text and behind it, as they stood, the sections of the old one that it lacks.

    Raises:
        SettingsError: the old text is no TOML, or something in it cannot be carried over.
    """
    try:
        before = tomllib.loads(old)
    except tomllib.TOMLDecodeError as wrong:
        raise SettingsError(f"not valid TOML: {wrong}; mend that line, or move the file away") from None
    fresh = tomllib.loads(new)
    kept = [section for key, section in _sections(old) if key not in fresh]
    text = "\n".join([new.rstrip("\n"), *("\n" + section for section in kept)]) + "\n"
    try:
        same = tomllib.loads(text) == {**before, **fresh}
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise SettingsError(
            "what was added to it cannot be carried over; move it away, or choose another --out"
        )
    return text


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Every section's first key and its lines; what stands before the first header is no section."""
    key, lines = "", list[str]()
    for line in text.splitlines():
        # A line of an array over several lines is indented or follows no header's form.
        if header := _HEADER.match(line):
            if key:
                yield key, "\n".join(lines).rstrip()
            key, lines = header.group(1), []
        lines.append(line)
    if key:
        yield key, "\n".join(lines).rstrip()
