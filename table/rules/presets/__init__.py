"""House rules as data: one TOML file for each preset, and a table's own files that extend one.

ours = read_preset(text, "loewen.toml", "loewen")    # extends = "ddv", [options] schweinchen = true
complete(ours)                                       # every option of the game with its value
game_line(ours)                                      # what a log records: preset, options, rules_hash
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from table.catalogue import Fact, fact
from table.rules.events import Event, EventError, nearest
from table.rules.games import GAMES
from table.rules.setup import read_options


class PresetError(ValueError):
    """A house-rule file that cannot be used: `file`, `line` (or None), `key`, and the reason as `fact`."""

    def __init__(self, file: str, key: str, wrong: Fact, line: int | None = None) -> None:
        super().__init__(file, key, wrong, line)
        self.file, self.key, self.fact, self.line = file, key, wrong, line

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{where}: {self.key}: {self.fact}" if self.key else f"{where}: {self.fact}"


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of house rules: the options that it sets; all others have their defaults.

    `base` is the preset of the house that it extends, or its own name.
    """

    name: str
    game: str
    title: str
    options: Mapping[str, Any]
    base: str = ""


_KEYS: dict[str, tuple[type, Fact]] = {
    "game": (str, fact("form.text")),
    "title": (str, fact("form.text")),
    "extends": (str, fact("form.preset")),
    "options": (dict, fact("form.table")),
}


def read_preset(text: str, file: str, name: str) -> Preset:
    """Read a preset from TOML; `extends = "dubbe"` starts from another one. Raises PresetError."""

    def wrong(key: str, why: Fact) -> PresetError:
        return PresetError(file, key, why, _line_of(text, key))

    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as broken:
        raise PresetError(file, "", fact("preset.toml", why=str(broken))) from None
    for key, value in plain.items():
        if key not in _KEYS:
            raise wrong(key, fact("preset.key", remedy=nearest(key, _KEYS)))
        if not isinstance(value, _KEYS[key][0]):
            raise wrong(key, fact("preset.is", value=repr(value), form=_KEYS[key][1]))
    base: Preset | None = None
    if "extends" in plain:
        if plain["extends"] not in preset_names():
            remedy = nearest(plain["extends"], preset_names())
            raise wrong("extends", fact("preset.none", name=plain["extends"], remedy=remedy))
        base = preset(plain["extends"])
    elif "game" not in plain:
        raise wrong("", fact("preset.game"))
    game = plain.get("game", base.game if base else None)
    if game not in GAMES:
        raise wrong("game", fact("opening.game", game=str(game), remedy=nearest(str(game), GAMES)))
    if base is not None and base.game != game:
        raise wrong("extends", fact("preset.extends", base=base.name, game=base.game, other=game))
    options: dict[str, Any] = dict(base.options) if base else {}
    for key, value in plain.get("options", {}).items():
        try:
            options |= read_options(GAMES[game].options, {key: value})
        except EventError as bad:
            raise wrong(f"options.{key}", bad.fact) from None
    made = Preset(name, game, plain.get("title", name), options, base.base if base else name)
    try:
        GAMES[game].check_options(complete(made))
    except EventError as bad:
        named = bad.fact.code.rpartition(".")[2]  # the option, where it is about one alone
        raise wrong(f"options.{named}" if named in complete(made) else "options", bad.fact) from None
    return made


def _line_of(text: str, key: str) -> int | None:
    """Return the line of a key, None if it is not found."""
    table, _, last = key.rpartition(".")
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            here = header[1]
            if here == key:
                return number
        elif here == table and re.match(rf"""\s*["']?{re.escape(last)}["']?\s*=""", line):
            return number
    return None


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets that come with the games."""
    return tuple(sorted(name for game in GAMES.values() for name in game.presets))


@cache
def preset(name: str) -> Preset:
    """Return a preset that comes with its game.

    Raises KeyError for a name that no game has, PresetError where its file is missing.
    """
    file = f"{name}.toml"
    folder = {known: game.preset_folder for game in GAMES.values() for known in game.presets}[name]
    try:
        written = (folder / file).read_text("utf-8")
    except FileNotFoundError:
        raise PresetError(str(folder / file), "", fact("form.no_preset")) from None
    return read_preset(written, file, name)


def complete(rules: Preset) -> dict[str, Any]:
    """Return every option of the game with the value that these rules give it."""
    return {option.name: option.default for option in GAMES[rules.game].options} | dict(rules.options)


def rules_hash(game: str, options: Mapping[str, Any]) -> str:
    """Return a short hash of a complete set of options: equal rules have equal hashes under any name."""
    text = json.dumps([game, dict(options)], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def game_line(rules: Preset) -> Event:
    """Return the `game` event that records these rules, complete without the file they came from.

    `preset` is one of the house's own, `options` what differs from it, `rules_hash` covers all options.
    """
    house = complete(preset(rules.base)) if rules.base in preset_names() else {}
    mine = complete(rules)
    changed = {name: value for name, value in mine.items() if name not in house or house[name] != value}
    fields = {
        "game": rules.game,
        "preset": rules.base if house else GAMES[rules.game].presets[0],
        "options": changed,
        "rules_hash": rules_hash(rules.game, mine),
    }
    return Event("game", fields)
