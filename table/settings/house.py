"""The table's own settings file, as the page reads and changes it: line by line, comments stay.

The file is the one that `run --config` reads; what is written is read in the same way first, so no page
leaves a file behind with which the table would not start.
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
"""What the page may change, with its form. All else (PIN, broker, journal, port) needs a keyboard."""


MOST = 10**6
"""Of days and minutes that a settings file names: nobody means more."""

_VALUE = r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^#\n]*?)"""
"""A value of one line."""


class HouseFile:
    """The settings file at `path`; `check` reads another as `run` would and raises what is wrong with it."""

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
        """What lies beside the file and may be chosen: table files and decks, relative to it."""
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
        """Write these settings, None = as if never set; False where the file already has all of them.

        Raises:
            SettingsError: one is invalid, has another form, or the table would not start; nothing changed.
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
        """Raises SettingsError where the table would not start with the new file, as if it were this one."""
        try:
            self._check(new)
        except StammtischError as wrong:
            if wrong.fact.code != "foreign":  # told in the reader's language
                raise SettingsError(wrong.fact) from None
            raise SettingsError(foreign(str(wrong).replace(new.name, self.path.name))) from None


def _unfit(key: str, value: str | int) -> Fact | None:
    """Why a setting of the right form is invalid, in any language; the check finds what else is wrong."""
    if key == "language" and value not in LANGUAGES:
        remedy = fact("nearest.all", known=LANGUAGES)
        return fact("settings.choice", what=key, value=shortened(str(value)), remedy=remedy)
    if CHANGED_HERE[key] is int and int(value) < 0:
        return fact("settings.least", what=key, n=0)
    if CHANGED_HERE[key] is int and int(value) > MOST:
        return fact("settings.most", what=key, n=MOST)
    return None


def _with(text: str, key: str, value: Setting) -> str:
    """The text of a TOML file with one key before its first section set, changed or removed."""
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
    """A saved deck, or a folder of pictures."""
    if place.is_file():
        return place.suffix in (".deck", ".npz") and not place.name.endswith(".learnt.npz")
    return place.is_dir() and bool(picture_files(place))
