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
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import msgspec

from table.catalogue import Language, fact, shown
from table.cli.real_table import A_HOST, HOST, JOURNAL, installed_state
from table.errors import StammtischError, UsageError, not_text
from table.releases.furnish import SETTINGS
from table.rules.games import GAMES
from table.rules.presets import preset_names
from table.settings.broker import NAME, Broker
from table.settings.broker import PATHS as BROKER_PATHS
from table.settings.house import MOST
from table.settings.reader import choices, in_plain_words, line_of, not_toml

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
        raise StammtischError(f"{path}: there is no such config file; check the path") from None
    except PermissionError:
        raise StammtischError(f"{path}: this user may not read it; run this with sudo") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise StammtischError(f"{path}: {not_text(wrong)}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise StammtischError(not_toml(path, text, wrong)) from None
    except ValueError as wrong:  # a number of thousands of digits
        raise StammtischError(f"{path}: cannot be read: {wrong}") from None
    _known(path, text, "", raw, Config)
    if isinstance(raw.get("mqtt"), dict):
        _known(path, text, "mqtt", raw["mqtt"], Broker)
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as wrong:
        raise _unfit(path, text, str(wrong)) from None
    if config.mqtt is not None and (key := config.mqtt.idle) is not None:
        place = f"{_place(path, text, 'mqtt', key)}: [mqtt] key {key!r}"
        raise StammtischError(
            f"{place}: without tls all goes in clear; add a line tls = true, or take it out"
        )
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
                f"{state}: only root may read what stands there; run it with sudo, or give another --journal"
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
        raise StammtischError(f"{shown(value)}: there is no such user; write the whole path") from None


def _known(path: Path, text: str, section: str, raw: Mapping[str, Any], form: type[msgspec.Struct]) -> None:
    """Refuse an unknown key, with the nearest name."""
    known = form.__struct_fields__
    for key in raw:
        if key not in known:
            near = get_close_matches(key, known, 1, 0.5)
            remedy = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
            place = _place(path, text, section, key)
            raise StammtischError(f"{place}: {_called(section, shown(key))} is unknown; {remedy}")


def _unfit(path: Path, text: str, wrong: str) -> StammtischError:
    """Turn msgspec's message about a value into a sentence with line and key."""
    said, _, where = wrong.rpartition(" - at `$.")
    if not said:  # the file as a whole
        return StammtischError(f"{path}: {in_plain_words(wrong)}; mend it")
    section, key = ("", *re.findall(r"\w+", where))[:2]
    if key == "mqtt":
        section, key = "mqtt", ("", *re.findall(r"\w+", where)[1:])[-1]
    if "matching regex" in said:
        said = f"Expected {NAME if section else A_HOST}"
    said, remedy = in_plain_words(said), "; mend it"
    if said.endswith("is unknown"):
        remedy = f"; known here: {', '.join(choices(Broker if section else Config, key))}"
    elif "is missing" in said:  # the sentence already says what to do
        remedy = ""
    named = _called(section, repr(key)) if key else f"[{section}]"
    said = f"{said[0].lower()}{said[1:]}"
    return StammtischError(f"{_place(path, text, section, key)}: {named}: {said}{remedy}")


def _called(section: str, key: str) -> str:
    return f"[{section}] key {key}" if section else f"key {key}"


def _place(path: Path, text: str, section: str, key: str) -> str:
    line = line_of(text, section, None, key) or (line_of(text, "", None, section) if section else None)
    return f"{path}, line {line}" if line else str(path)
