"""House rules as data: one TOML file for each preset; `read_preset` checks it against its game's options."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from table.rules.events import EventError, nearest
from table.rules.games import GAMES
from table.rules.setup import read_options


class PresetError(ValueError):
    """A house-rule file that cannot be used: `file`, `key`, what is wrong and the remedy."""

    def __init__(self, file: str, key: str, what: str, remedy: str) -> None:
        self.file, self.key, self.what, self.remedy = file, key, what, remedy
        super().__init__(f"{file}: {key}: {what}; {remedy}" if key else f"{file}: {what}; {remedy}")


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of house rules: the options that it sets, all others have their defaults."""

    name: str
    game: str
    title: str
    options: Mapping[str, Any]


_KEYS: dict[str, tuple[type, str]] = {
    "game": (str, "a text"),
    "title": (str, "a text"),
    "extends": (str, "the name of a preset"),
    "options": (dict, "a table"),
}


def read_preset(text: str, file: str, name: str) -> Preset:
    """Read a preset from TOML; `extends = "dubbe"` starts from another one. Raises PresetError."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as broken:
        raise PresetError(
            file, "", f"this is not TOML ({broken})", "see presets/dubbe.toml for the form"
        ) from None
    for key, value in plain.items():
        if key not in _KEYS:
            raise PresetError(file, key, "there is no such key", nearest(key, _KEYS))
        if not isinstance(value, _KEYS[key][0]):
            raise PresetError(file, key, f"it is {value!r}", f"give {_KEYS[key][1]}")
    base: Preset | None = None
    if "extends" in plain:
        if plain["extends"] not in preset_names():
            what = f'there is no preset "{plain["extends"]}"'
            raise PresetError(file, "extends", what, nearest(plain["extends"], preset_names()))
        base = preset(plain["extends"])
    game = plain.get("game", base.game if base else None)
    if game not in GAMES:
        raise PresetError(file, "game", f'there is no game "{game}"', nearest(str(game), GAMES))
    if base is not None and base.game != game:
        raise PresetError(
            file, "extends", f'"{base.name}" is a preset of {base.game}', f"extend one of {game}"
        )
    options: dict[str, Any] = dict(base.options) if base else {}
    for key, value in plain.get("options", {}).items():
        try:
            options |= read_options(GAMES[game].options, {key: value})
        except EventError as wrong:
            raise PresetError(file, f"options.{key}", wrong.what, wrong.remedy) from None
    return Preset(name, game, plain.get("title", name), options)


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of the presets that come with the program."""
    return tuple(
        sorted(p.name.removesuffix(".toml") for p in files(__package__).iterdir() if p.name.endswith(".toml"))
    )


@cache
def preset(name: str) -> Preset:
    """Return a preset that comes with the program."""
    file = f"{name}.toml"
    return read_preset((files(__package__) / file).read_text("utf-8"), file, name)
