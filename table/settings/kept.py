"""Carries over into a reprinted table file what people and programs added: `[camera]`, `[[lamp]]`, …

Values measured by hand (a tag's place on the rim, `die_edge`) are replaced only on demand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.errors import UsageError, not_text
from table.settings.reader import line_of
from table.settings.values import SettingsError
from table.settings.written import write_over

_HEADER = re.compile(r"\[\[?\s*([A-Za-z0-9_-]+)")
_TOLD = 3
"""Number of differences that an error names; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """A table file to be written: its text (None: it stays unchanged), and what it keeps and replaces."""

    path: Path
    text: str | None
    kept: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()

    def write(self) -> None:
        """Write the file in one step. Raises SettingsError."""
        if self.text is not None:
            write_over(self.path, self.text, "choose another --out")


def renewed(path: Path, text: str, force: bool = False, owned: Sequence[str] = ()) -> Renewed:
    """Compare a printed table file with the existing one, without writing anything yet.

    Args:
        path: path of the file.
        text: the printed table file, as TOML.
        force: whether to replace what differs.
        owned: sections that only the print makes: if it has none, old ones are dropped.

    Raises:
        UsageError: the existing file differs from the print, without `force`.
        SettingsError: the old file is not a table file whose additions could be kept.
    """
    try:
        old = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as wrong:
        raise SettingsError(f"{path}: {not_text(wrong, 'give another --out')}") from None
    if not old:
        return Renewed(path, text)
    try:
        before = tomllib.loads(old)
    except tomllib.TOMLDecodeError as wrong:
        raise SettingsError(
            f"{path}: not valid TOML: {wrong}; fix that line, or move the file away"
        ) from None
    fresh = tomllib.loads(text)
    replaced = tuple(_differences(before, fresh, owned)) if before.keys() & {"mat", "field"} else ()
    if replaced and not force:
        more = f" and {len(replaced) - _TOLD} more" if len(replaced) > _TOLD else ""
        raise UsageError(
            f"{path}: differs from what would be printed: {'; '.join(replaced[:_TOLD])}{more}; add --force to"
            " replace that, or give another --out"
        )
    kept = tuple(dict.fromkeys(key for key, _ in _sections(old) if key not in {*fresh, *owned}))
    if not replaced and before == _whole(before, fresh, owned):
        return Renewed(path, None, kept)
    return Renewed(path, _merged(path, old, text, owned), kept, replaced)


def _merged(path: Path, old: str, new: str, owned: Sequence[str]) -> str:
    """The new text, with the additional keys of the old file's single sections, then its other sections."""
    before, fresh = tomllib.loads(old), tomllib.loads(new)
    lines = []
    for line in new.rstrip("\n").splitlines():
        lines.append(line)
        if (header := _HEADER.match(line)) and isinstance(before.get(header[1]), dict):
            added = before[header[1]].keys() - fresh[header[1]].keys()
            at = sorted(line_of(old, header[1], None, key) or 0 for key in added)
            lines += [old.splitlines()[number - 1] for number in at]
    kept = [section for key, section in _sections(old) if key not in {*fresh, *owned}]
    whole = "\n".join([*lines, *("\n" + section for section in kept)]) + "\n"
    try:
        same = tomllib.loads(whole) == _whole(before, fresh, owned)
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise SettingsError(
            f"{path}: what was added to it cannot be carried over; move it away, or choose another --out"
        )
    return whole


def _whole(before: Mapping[str, Any], fresh: Mapping[str, Any], owned: Sequence[str]) -> dict[str, Any]:
    """Both contents merged; where both have a value, the fresh one wins."""
    both = {key: {**before[key], **fresh[key]} for key in fresh if _single(before, fresh, key)}
    return {**{key: value for key, value in before.items() if key not in owned}, **fresh, **both}


def _differences(before: Mapping[str, Any], fresh: Mapping[str, Any], owned: Sequence[str]) -> Iterator[str]:
    """Each place that both contents have but with different values, in words."""
    for section in fresh:
        if _single(before, fresh, section):
            yield from _told(f"[{section}]", before[section], fresh[section])
            continue
        there, comes = before.get(section, []), fresh[section]
        if not isinstance(there, list) or not isinstance(comes, list) or len(there) != len(comes):
            yield f"other [[{section}]]"
            continue
        for number, (old, new) in enumerate(zip(there, comes, strict=True), 1):
            yield from _told(f"[[{section}]] number {number}", old, new)
    yield from (
        f"[[{section}]] is no longer printed"
        for section in owned
        if section in before and section not in fresh
    )


def _told(place: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key, value in new.items():
        if key not in old:
            yield f"{place} lacks {key}"
        elif old[key] != value:
            long = isinstance(value, list) and any(isinstance(each, list) for each in value)
            yield f"{place} key {key}" if long else f"{place} {key} = {old[key]}, not {value}"


def _single(before: Mapping[str, Any], fresh: Mapping[str, Any], section: str) -> bool:
    return isinstance(before.get(section), dict) and isinstance(fresh[section], dict)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the lines of every section; lines before the first header belong to none."""
    key, lines = "", list[str]()
    for line in text.splitlines():
        # The inner lines of a multi-line array are indented or do not look like a header.
        if header := _HEADER.match(line):
            if key:
                yield key, "\n".join(lines).rstrip()
            key, lines = header.group(1), []
        lines.append(line)
    if key:
        yield key, "\n".join(lines).rstrip()
