"""`stammtisch doctor --bundle`: one file for a helper that does not reveal who played.

Everything that goes in is listed here; the rest stays at home. No PIN, no password, no address, no
names of guests or of this computer; of the camera's picture only the mat itself, drawn from straight above.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import platform
import re
import socket
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.checkup import CheckupLine
from table.cli.network import HERE
from table.cli.real_table import journal_place
from table.errors import StammtischError
from table.journal import JournalReader
from table.public import public
from table.rules.events import Event
from table.rules.games import boxed

if TYPE_CHECKING:
    from vision.sightings import Picture

_SETTINGS = ("table", "deck", "dice", "partial", "camera", "board", "port", "listen")
"""The only settings that go in."""

_EVERYBODYS = {"root", "stammtisch", "localhost", "raspberrypi", "pi"}
"""Names of users and computers that identify nobody."""

ELSEWHERE = "one address of its own"
"""Replaces the address at which the page listens."""

_LINES = 500
"""How many of the newest game's last lines go in."""


def bundle(
    file: Path, options: argparse.Namespace, found: Sequence[CheckupLine], picture: Picture | None
) -> str:
    """Write the bundle; return its contents in a sentence. Raises StammtischError if it cannot be written."""
    names, lines = _evening(Path(options.journal or journal_place()))
    names |= {*(options.players or ()), *(getattr(options, "names", None) or ())}
    if options.listen and _reached_by(options.listen) == ELSEWHERE:
        names.add(options.listen)
    if (broker := getattr(options, "mqtt", None)) is not None:
        names |= {each for each in (broker.host, broker.who, broker.password_file) if each}
    veil = _Veil(names)
    settings = {key: value for key in _SETTINGS if (value := getattr(options, key, None)) is not None}
    if "listen" in settings:
        settings["listen"] = _reached_by(settings["listen"])
    parts: dict[str, bytes] = {
        "doctor.txt": veil("\n".join(_told(each) for each in found) + "\n").encode(),
        "computer.txt": f"{platform.system()} {platform.release()} {platform.machine()}\n".encode(),
        "settings.json": veil(json.dumps(settings, ensure_ascii=False, indent=1, default=str)).encode(),
        "game.jsonl": veil("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)).encode(),
    }
    table = _table(options.table)
    if table is not None:
        parts["table.toml"] = veil(table).encode()
    mat = _mat(picture, options.table)
    if mat is not None:
        parts["mat.jpg"] = mat
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in parts.items():
                packed.writestr(name, data)
    except OSError as wrong:
        raise StammtischError(f"{file}: cannot be written ({wrong.strerror}); choose another place") from None
    return f"{file}: {', '.join(parts)}; no secrets, no names, no picture beyond the mat"


def _reached_by(listen: str) -> str:
    return "this machine" if listen in HERE else "all" if listen in ("0.0.0.0", "::") else ELSEWHERE


class _Veil:
    """Removes names, home folder, user and computer from a text."""

    def __init__(self, names: Iterable[str]) -> None:
        sudo = os.environ.get("SUDO_USER", "")  # the user behind root
        own = {socket.gethostname(), socket.gethostname().partition(".")[0], _user(), sudo}
        given = {name.strip() for name in (*names, *(own - _EVERYBODYS)) if name.strip()}
        words = sorted(given, key=len, reverse=True)
        # Only whole words are removed: a name of one letter would otherwise take letters out of other words.
        self._names = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words) or r"(?!)")
        homes = {os.path.expanduser("~"), os.path.expanduser(f"~{sudo}") if sudo else ""}
        self._homes = sorted(
            (home for home in homes if len(home) > 1 and home[0] != "~"), key=len, reverse=True
        )

    def __call__(self, text: str) -> str:
        """Return the text without them."""
        for home in self._homes:
            text = text.replace(home, "~")
        return self._names.sub("NAME", text)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _told(verdict: CheckupLine) -> str:
    return f"{ {True: 'ok', False: 'BAD', None: '--'}[verdict.well]:<4}{verdict.part:<10}{verdict.line()}"


def _evening(place: Path) -> tuple[set[str], list[dict[str, Any]]]:
    """All names in the journal, and the newest game's last lines without them."""
    names: set[str] = set()
    lines: list[dict[str, Any]] = []
    try:
        with JournalReader.open(place) as journal:
            for game in journal.games():
                entries = list(journal.events(game))
                for entry in entries:
                    names |= _names(entry.event)
                lines = [_nameless(public(entry.event)) for entry in entries]
    except StammtischError:  # damaged or missing: the verdict reports it
        pass
    return names, lines[-_LINES:]


def _names(event: Event) -> set[str]:
    found = set() if event.instead is None else _names(event.instead)
    players = event.get("players")
    if not boxed(event.get("game")) and isinstance(players, list):
        found |= {str(name) for name in players}
    return found


def _nameless(event: dict[str, Any]) -> dict[str, Any]:
    inner = event.get("event")
    kept = {**event, "event": _nameless(inner)} if isinstance(inner, dict) else event
    if boxed(kept.get("game")):  # colours of dice
        return kept
    return {key: value for key, value in kept.items() if key != "players"}


def _table(place: str | None) -> str | None:
    try:
        return None if place is None else Path(place).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _mat(picture: Picture | None, place: str | None) -> bytes | None:
    """The mat as JPEG; None if there is no picture, or the mat cannot be located in it."""
    if picture is None or place is None:
        return None
    from table.checkup.picture import top_view
    from table.jpeg import preview
    from table.settings import read_table
    from vision.errors import VisionError

    try:
        return preview(top_view(picture, read_table(place).layout))
    except (VisionError, StammtischError):
        return None
