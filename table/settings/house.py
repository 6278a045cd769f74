"""The table's own settings file, as the page reads and changes it: line by line, keeping comments.

It is the file that `run --config` reads. A changed file is first read in the same way, so the page cannot
leave a file with which the table would not start.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from table.catalogue import LANGUAGES, Fact, fact, foreign, shortened
from table.errors import StammtischError, system_reason
from table.settings.reader import not_toml
from table.settings.values import SettingsError
from table.whole_file import replacing
from vision.pictures import picture_files

Setting: TypeAlias = str | int | bool | None

CHANGED_HERE: dict[str, type] = {
    "table": str,
    "deck": str,
    "dice": str,
    "partial": bool,
    "camera": str,
    "board": str,
    "listen": str,
    "language": str,
    "camera_picture": bool,
    "keep_pictures": int,
    "attract": int,
}
"""Keys that the page may change, with their types. Others (PIN, broker, journal, port) need a keyboard."""


MOST = 10**6
"""Largest number of days or minutes in a settings file: nobody means more."""

_VALUE = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^#\n]*?)"""
"""A value of one line."""


class HouseFile:
    """The settings file at `path`; `check` reads a file as `run` would and raises an error if it is wrong."""

    def __init__(self, path: Path, check: Callable[[Path], object]) -> None:
        self.path = path
        self._check = check

    def read(self) -> dict[str, Setting]:
        """The values of `CHANGED_HERE`; None where one is not set.

        Raises:
            SettingsError: the file cannot be read.
        """
        try:
            text = self.path.read_text("utf-8-sig")
            found = tomllib.loads(text)
        except OSError as wrong:
            why = fact("settings.unreadable", path=str(self.path), why=system_reason(wrong))
            raise SettingsError(why) from None
        except UnicodeDecodeError as wrong:
            raise SettingsError(fact("tablefile.bytes", path=str(self.path), n=wrong.start + 1)) from None
        except tomllib.TOMLDecodeError as wrong:
            raise SettingsError(not_toml(self.path, text, wrong)) from None
        return {key: found.get(key) for key in CHANGED_HERE}

    def offers(self) -> dict[str, list[str]]:
        """Choices for some keys: table files and decks beside the file, relative to it, and usual values."""
        here = self.path.parent
        tables = [*here.glob("*.toml"), *here.glob("tables/*.toml")]
        decks = [each for each in (*here.glob("*"), *here.glob("decks/*")) if _is_deck(each)]
        return {
            "table": sorted(str(each.relative_to(here)) for each in tables if each != self.path),
            "deck": sorted(str(each.relative_to(here)) for each in decks),
            "camera": ["usb:0", "usb:1", "pi:0"],
            "board": ["/dev/stammtisch-board", "auto", "none"],
            "listen": ["127.0.0.1", "0.0.0.0"],
        }

    def change(self, wanted: Mapping[str, Setting]) -> bool:
        """Write these settings (None removes one); return False if the file already has all of them.

        Raises:
            SettingsError: one is invalid or of the wrong type, or the table would not start; nothing changed.
        """
        for key, value in wanted.items():
            form = CHANGED_HERE.get(key)
            if form is None:
                raise SettingsError(fact("settings.unknown", what=key, known=list(CHANGED_HERE)))
            if value is not None and type(value) is not form:
                raise SettingsError(fact("settings.form", what=key))
            if value is not None and (why := _unfit(key, value)) is not None:
                raise SettingsError(why)
        old = self.read()
        fresh = {key: value for key, value in wanted.items() if old[key] != value}
        if not fresh:
            return False
        text = self.path.read_text("utf-8-sig")
        for key, value in fresh.items():
            text = _with(text, key, value)
        try:
            with replacing(self.path) as new:
                new.write_text(text, encoding="utf-8")
                self._check_as_its_own(new)
        except OSError as wrong:
            why = fact("settings.unwritten", where=str(self.path), why=system_reason(wrong))
            raise SettingsError(why) from None
        return True

    def _check_as_its_own(self, new: Path) -> None:
        """Raise SettingsError, naming this file, if the table would not start with the new one."""
        try:
            self._check(new)
        except StammtischError as wrong:
            if wrong.fact.code != "foreign":  # the catalogue has it in the reader's language
                raise SettingsError(wrong.fact) from None
            raise SettingsError(foreign(str(wrong).replace(new.name, self.path.name))) from None


def _unfit(key: str, value: str | int) -> Fact | None:
    """Why a setting of the right type is invalid, as a translatable fact; `check` finds all other errors."""
    if key == "language" and value not in LANGUAGES:
        remedy = fact("nearest.all", known=LANGUAGES)
        return fact("settings.choice", what=key, value=shortened(str(value)), remedy=remedy)
    if CHANGED_HERE[key] is int and int(value) < 0:
        return fact("settings.least", what=key, n=0)
    if CHANGED_HERE[key] is int and int(value) > MOST:
        return fact("settings.most", what=key, n=MOST)
    return None


def _with(text: str, key: str, value: Setting) -> str:
    """The text of a TOML file with one top-level key set, changed or removed."""
    head = re.search(r"^\s*\[", text, re.M)
    at = len(text) if head is None else head.start()
    top, rest = text[:at], text[at:]
    line = re.compile(rf"^{key}[ \t]*=[ \t]*{_VALUE}([ \t]*#.*)?$\n?", re.M)
    said = "" if value is None else f"{key} = {json.dumps(value, ensure_ascii=False)}"
    if (found := line.search(top)) is not None:
        comment = found[1] or ""
        whole = f"{said}{comment}\n" if said else ""
        return top[: found.start()] + whole + top[found.end() :] + rest
    if not said:
        return text
    return f"{top}{'' if not top or top.endswith(chr(10)) else chr(10)}{said}\n{rest}"


def _is_deck(place: Path) -> bool:
    """Whether this is a saved deck or a folder of pictures."""
    if place.is_file():
        return place.suffix in (".deck", ".npz") and not place.name.endswith(".learnt.npz")
    return place.is_dir() and bool(picture_files(place))
