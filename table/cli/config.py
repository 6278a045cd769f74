"""`--config FILE`: options that a house would type every evening. The command line overrides the file.

table = "mat-4-A2.toml"        # paths are relative to this file
deck = "my.deck"
game = "dubbe"
players = ["Anna", "Bernd", "Carla", "Dirk"]
camera = "usb:0"
[mqtt]                         # see docs/reference/mqtt.md
host = "broker.example"
table = "window"
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec

from table.catalogue import Fact, Language, fact, foreign, shown
from table.cli.real_table import HOST, JOURNAL, installed_state
from table.errors import StammtischError, UsageError, system_reason
from table.releases.furnish import SETTINGS
from table.rules.games import GAMES
from table.rules.presets import preset_names
from table.settings.broker import PATHS as BROKER_PATHS
from table.settings.broker import Broker
from table.settings.house import MOST
from table.settings.reader import choices, line_of, not_toml, told_plainly, unknown

PLACES = ("table", "deck", "dice", "journal")
"""Settings that are always paths; `game`, `rules` and `camera` are paths if such a file exists."""


class Config(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Every setting of `stammtisch run`; None: not given."""

    table: str | None = None
    deck: str | None = None
    partial: bool | None = None
    dice: str | None = None
    game: str | None = None
    rules: str | None = None
    players: list[str] | None = None
    rounds: Annotated[int, msgspec.Meta(ge=1)] | None = None
    dealer: str | None = None
    camera: str | None = None
    board: str | None = None
    journal: str | None = None
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] | None = None
    listen: str | None = None
    names: list[Annotated[str, msgspec.Meta(pattern=HOST)]] | None = None
    pin: str | None = None
    language: Language | None = None
    camera_picture: bool | None = None
    attract: Annotated[int, msgspec.Meta(ge=0, le=MOST)] | None = None
    keep_pictures: Annotated[int, msgspec.Meta(ge=0, le=MOST)] | None = None
    mqtt: Broker | None = None


def read_config(path: Path) -> Config:
    """Read and check a config file; paths are returned as absolute ones.

    Raises:
        StammtischError: the file is wrong, with file, line, key and nearest name.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        raw = tomllib.loads(text)
    except FileNotFoundError:
        raise StammtischError(fact("config.none", path=str(path))) from None
    except PermissionError:
        raise StammtischError(_no_rights(path)) from None
    except IsADirectoryError:
        raise StammtischError(fact("tablefile.folder", path=str(path))) from None
    except UnicodeDecodeError as wrong:
        raise StammtischError(fact("tablefile.bytes", path=str(path), n=wrong.start + 1)) from None
    except OSError as wrong:
        raise StammtischError(fact("tablefile.unread", path=str(path), why=system_reason(wrong))) from None
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise StammtischError(not_toml(path, text, wrong)) from None
    except ValueError as wrong:  # a number of thousands of digits
        raise StammtischError(fact("tablefile.unread", path=str(path), why=foreign(str(wrong)))) from None
    _known(path, text, "", raw, Config)
    if isinstance(raw.get("mqtt"), dict):
        _known(path, text, "mqtt", raw["mqtt"], Broker)
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as wrong:
        raise _unfit(path, text, str(wrong)) from None
    if config.mqtt is not None and (key := config.mqtt.idle) is not None:
        raise StammtischError(_at(path, text, ("mqtt", key), fact("config.tls")))
    absolute = absolute_paths(config, path.parent)
    for each in absolute.values():
        os.fsencode(str(each))  # a locale that cannot encode it would otherwise report a missing file
    return msgspec.structs.replace(config, **absolute)


def would_start(path: Path) -> None:
    """Read a config file and the table file that it names, as `run` does before anything else.

    Raises:
        StammtischError: one of them is missing or wrong.
    """
    from table.settings import read_table

    table = read_config(path).table
    if table is None:
        raise StammtischError(fact("settings.missing", what="table"))
    read_table(table)


def fill(options: argparse.Namespace) -> None:
    """Fill in from `--config` the options that the command line does not give. Raises StammtischError."""
    if options.config is None:
        return
    config = read_config(options.config)
    text = options.config.read_text(encoding="utf-8-sig")
    options.said_in_file = {}
    for key in Config.__struct_fields__:
        value = getattr(config, key)
        if value is not None and getattr(options, key, 0) is None:
            setattr(options, key, value)
            options.said_in_file[key] = f"{_place(options.config, text, '', key)}: key {key!r}"


def as_installed(options: argparse.Namespace) -> None:
    """Use the settings and journal of the table installed on this computer, unless --journal names another.

    Raises:
        UsageError: this user may not read its settings.
    """
    if (state := installed_state()) is None or options.journal is not None:
        return
    if options.config is None:
        try:
            (state / SETTINGS).stat()
        except PermissionError:
            raise UsageError(
                f"{state}: only root may read it; run with sudo, or give another --journal"
            ) from None
        except OSError:
            return
        options.config = state / SETTINGS
    elif options.config.absolute().parent != state:
        return
    if read_config(options.config).journal is None:  # the service names it in its environment
        options.journal = str(state / JOURNAL)


def as_given(options: argparse.Namespace, said: str) -> str:
    """Replace an option's name in a message by file, line and key if `--config` gave its value."""
    option = re.match(r"--(\w+)", said)
    place = getattr(options, "said_in_file", {}).get(option[1]) if option else None
    return said if option is None or place is None else place + said[option.end() :]


def absolute_paths(config: Config, folder: Path) -> dict[str, str | Broker]:
    """Return the settings that are paths, made absolute from `folder`, the file's."""
    known = {*GAMES, *preset_names()}
    paths = {key: value for key in PLACES if (value := getattr(config, key)) is not None}
    for key in ("game", "rules", "camera"):
        value = getattr(config, key)
        # A game's name is not a path, even if a folder of that name with its deck lies beside this file.
        with suppress(RuntimeError):  # a name that begins with ~ but names no user is not a path
            if value is not None and value not in known and (folder / Path(value).expanduser()).exists():
                paths[key] = value
    absolute: dict[str, str | Broker] = {key: _from(folder, value) for key, value in paths.items()}
    if config.mqtt is not None:
        beside = {key: _from(folder, value) for key in BROKER_PATHS if (value := getattr(config.mqtt, key))}
        absolute["mqtt"] = msgspec.structs.replace(config.mqtt, **beside)
    return absolute


def _from(folder: Path, value: str) -> str:
    try:
        return str((folder / Path(value).expanduser()).absolute())
    except RuntimeError:
        raise StammtischError(fact("config.user", value=shown(value))) from None


def _known(path: Path, text: str, section: str, raw: Mapping[str, Any], form: type[msgspec.Struct]) -> None:
    """Refuse an unknown key, with the nearest name."""
    known = form.__struct_fields__
    for key in raw:
        if key not in known:
            raise StammtischError(_at(path, text, (section, key), unknown(key, [*known])))


def _unfit(path: Path, text: str, wrong: str) -> StammtischError:
    """Turn msgspec's message about a value into a sentence with line and key."""
    said, _, where = wrong.rpartition(" - at `$.")
    if not said:  # the file as a whole
        what = fact("config.mend", what=told_plainly(wrong))
        return StammtischError(fact("tablefile.at", path=str(path), place=fact("tablefile.file"), what=what))
    section, key = ("", *re.findall(r"\w+", where))[:2]
    if key == "mqtt":
        section, key = "mqtt", ("", *re.findall(r"\w+", where)[1:])[-1]
    what = told_plainly(said)
    if "matching regex" in said:
        what = fact("config.name") if section else fact("config.host")
    elif word := re.fullmatch(r"Invalid enum value '(.*)'", said, re.DOTALL):
        known = choices(Broker if section else Config, key)
        what = fact("tablefile.choice", value=shown(word[1]), known=known)
    if what.code not in ("tablefile.choice", "tablefile.missing"):  # these tell what to do
        what = fact("config.mend", what=what)
    return StammtischError(_at(path, text, (section, key), what))


def _at(path: Path, text: str, where: tuple[str, str], what: Fact) -> Fact:
    """What is wrong at a section's key, with the file and its line."""
    section, key = where
    named: str | Fact = fact("config.key", key=shown(key))
    if section:
        named = fact("tablefile.key", section=f"[{section}]", key=shown(key)) if key else f"[{section}]"
    if (line := _line(text, section, key)) is None:
        return fact("tablefile.at", path=str(path), place=named, what=what)
    return fact("tablefile.line", path=str(path), line=line, place=named, what=what)


def _no_rights(path: Path) -> Fact:
    """Who can do something about a file that may not be read: guests at a service's page have no shell."""
    from table.integrations.systemd import under_systemd

    if under_systemd():
        return fact("config.rights.service", path=str(path))
    return fact("config.rights", path=str(path))


def _place(path: Path, text: str, section: str, key: str) -> str:
    line = _line(text, section, key)
    return f"{path}, line {line}" if line else str(path)


def _line(text: str, section: str, key: str) -> int | None:
    return line_of(text, section, None, key) or (line_of(text, "", None, section) if section else None)
