"""`--config FILE`: what a house would type every evening, in a file. The command line wins over it.

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
import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import msgspec

from table.catalogue import Language, fact
from table.errors import StammtischError, not_text
from table.rules.games import GAMES
from table.rules.presets import preset_names
from table.settings.broker import PATHS as BROKER_PATHS
from table.settings.broker import Broker
from table.settings.reader import choices, in_plain_words

PLACES = ("table", "deck", "dice", "journal")
"""Settings that are always paths; `game`, `rules` and `camera` are when there is such a file."""


class Config(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Every setting of `stammtisch run`; None = not given."""

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
    names: list[str] | None = None
    pin: str | None = None
    language: Language | None = None
    camera_picture: bool | None = None
    attract: Annotated[int, msgspec.Meta(ge=0)] | None = None
    keep_pictures: Annotated[int, msgspec.Meta(ge=0)] | None = None
    mqtt: Broker | None = None


def read_config(path: Path) -> Config:
    """Read and check a config file; its paths come back absolute.

    Raises:
        StammtischError: what is wrong, with file, line, key and nearest name.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        raw = tomllib.loads(text)
    except FileNotFoundError:
        raise StammtischError(f"{path}: there is no such config file; check the path") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise StammtischError(f"{path}: cannot be read as text: {not_text(wrong)}; mend it") from None
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise StammtischError(f"{path}: not valid TOML: {wrong}; mend that line") from None
    known = Config.__struct_fields__
    for key in raw:
        if key not in known:
            near = get_close_matches(key, known, 1, 0.5)
            remedy = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}"
            raise StammtischError(f"{_place(path, text, key)}: key {key!r} is unknown; {remedy}")
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as wrong:
        said, _, where = str(wrong).partition(" - at `$.")
        key = where.split("`")[0].split("[")[0]
        named = f"key {key!r}: " if key else ""
        place = _place(path, text, key)
        said = in_plain_words(said)
        if strange := re.search(r"unknown field `(\w+)`", str(wrong)):
            fields = list(Broker.__struct_fields__)
            near = get_close_matches(strange[1], fields, 1, 0.5) or fields
            said, remedy = f"{strange[1]!r} is unknown", f"known here: {', '.join(near)}"
        elif said.endswith("is unknown"):
            remedy = f"known here: {', '.join(choices(Config, key))}"
        else:
            remedy = "mend it"
        raise StammtischError(f"{place}: {named}{said[0].lower()}{said[1:]}; {remedy}") from None
    return msgspec.structs.replace(config, **_absolute(config, path.parent))


def would_start(path: Path) -> None:
    """Read a config file and the table file that it names, as `run` does before anything else.

    Raises:
        StammtischError: what is wrong.
    """
    from table.settings import read_table

    table = read_config(path).table
    if table is None:
        raise StammtischError(fact("settings.missing", what="table"))
    read_table(table)


def fill(options: argparse.Namespace) -> None:
    """Put what `--config` says where the command line says nothing. Raises StammtischError."""
    if options.config is None:
        return
    config = read_config(options.config)
    for key in Config.__struct_fields__:
        value = getattr(config, key)
        if value is not None and getattr(options, key, 0) is None:
            setattr(options, key, value)


def _absolute(config: Config, folder: Path) -> dict[str, str | Broker]:
    known = {*GAMES, *preset_names()}
    paths = {key: value for key in PLACES if (value := getattr(config, key)) is not None}
    for key in ("game", "rules", "camera"):
        value = getattr(config, key)
        # A game's name is no path, even where its deck lies beside this file in a folder of that name.
        if value is not None and value not in known and (folder / Path(value).expanduser()).exists():
            paths[key] = value
    absolute: dict[str, str | Broker] = {key: _from(folder, value) for key, value in paths.items()}
    if config.mqtt is not None:
        beside = {key: _from(folder, value) for key in BROKER_PATHS if (value := getattr(config.mqtt, key))}
        absolute["mqtt"] = msgspec.structs.replace(config.mqtt, **beside)
    return absolute


def _from(folder: Path, value: str) -> str:
    return str((folder / Path(value).expanduser()).absolute())


def _place(path: Path, text: str, key: str) -> str:
    for number, line in enumerate(text.splitlines(), 1):
        if key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
            return f"{path}, line {number}"
    return str(path)
