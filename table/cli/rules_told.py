"""House rules as lines of text: lists, tables of options, differences, a file to start from."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from table.catalogue import Language, text
from table.errors import UsageError
from table.rules.events import write
from table.rules.games import GAMES
from table.rules.option_words import option_words
from table.rules.presets import Preset, complete, game_line, preset, preset_names, rules_hash
from table.rules.setup import SWITCH, Option

WIDTH = 110
NARROW = 22
"""Longest value that fits into its column; a longer one gets its own lines."""


def games() -> Iterator[str]:
    """List all games and their presets."""
    width = max(map(len, preset_names()))
    for game in GAMES.values():
        yield f"{game.name}: {len(game.options)} options"
        for name in game.presets:
            yield f"  {name:{width}}  {preset(name).title}"
    yield ""
    yield "`stammtisch rules show PRESET` lists every option. For rules of your own:"
    yield "`stammtisch rules show PRESET --toml > ours.toml`, change it, `stammtisch rules check ours.toml`."


def games_json() -> Iterator[str]:
    """List the same as one JSON object: game → preset → title."""
    yield json.dumps(
        {game.name: {name: preset(name).title for name in game.presets} for game in GAMES.values()},
        ensure_ascii=False,
    )


def options(rules: Preset, language: Language) -> Iterator[str]:
    """List every option of a preset: a star if it is not the game's default, its value, its rule."""
    yield f"{rules.title}: {whose(rules)}"
    yield text("option.marked", language)
    values = complete(rules)
    names = max(len(name) for name in values)
    for option in GAMES[rules.game].options:
        value, star = plain(values[option.name]), " " if values[option.name] == option.default else "*"
        head = f"{star} {option.name:{names}}  "
        words = option_words(rules.game, option, language)
        told = f"{words}{_else(option, values[option.name], text('option.else', language))} [{option.rule}]"
        if len(value) > NARROW:
            yield from _wrapped(head, value)
            head, value = " " * len(head), ""
        yield from _wrapped(f"{head}{value:{NARROW}}  ", told)


def _wrapped(head: str, text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def whose(rules: Preset) -> str:
    """Describe where rules come from, which game they are for, and their hash."""
    origin = "a preset" if rules.base == rules.name else f'rules that extend "{rules.base}"'
    return f"{origin} of {rules.game}, rules hash {_hash(rules)}"


def _hash(rules: Preset) -> str:
    return rules_hash(rules.game, complete(rules))


def plain(value: Any) -> str:
    """Return a value as a person would write it."""
    if value is None:
        return "not agreed"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {one}" for name, one in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _choices(option: Option) -> str:
    """Return the choices of an option in words; empty for numbers and tables."""
    if option.choices is None or isinstance(option.default, Mapping):
        return ""
    several = isinstance(option.default, list | tuple)
    return ("any of " if several else "") + (", " if several else " or ").join(map(plain, option.choices))


def _else(option: Option, value: Any, word: str) -> str:
    """Return the other choices of an option, besides its value."""
    if option.choices is None or option.choices == SWITCH or isinstance(value, Mapping):
        return ""
    chosen = value if isinstance(value, list | tuple) else (value,)
    others = [plain(choice) for choice in option.choices if choice not in chosen]
    return f"; {word} {', '.join(others)}" if others else ""


def as_game_line(rules: Preset) -> Iterator[str]:
    """Write the game line that records a preset in a log."""
    yield write(game_line(rules))


def as_file(rules: Preset, language: Language) -> Iterator[str]:
    """Write a preset as a file with the same rules; options without an agreed value are commented out."""
    values, tables = complete(rules), []
    yield "# House rules: change what you play differently, then `stammtisch rules check` this file."
    of_the_house = rules.base in preset_names()
    yield f"extends = {json.dumps(rules.base)}" if of_the_house else f"game = {json.dumps(rules.game)}"
    yield f"title = {json.dumps(f'{rules.title}, our way', ensure_ascii=False)}"
    yield ""
    yield "[options]"
    for option in GAMES[rules.game].options:
        value = values[option.name]
        comment = f"# {option_words(rules.game, option, language)} ({option.rule})"
        if isinstance(value, Mapping):
            tables.append((option, value))
            continue
        yield comment
        if option.choices != SWITCH and (choices := _choices(option)):
            yield f"#   {choices}"
        yield f"{option.name} = {_written(value)}" if value is not None else f"# {option.name} = 4"
    for option, table in tables:
        yield ""
        yield f"[options.{option.name}]  # {option_words(rules.game, option, language)} ({option.rule})"
        for name, value in table.items():
            yield f"{name} = {_written(value)}"


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def compared(one: Preset, other: Preset, language: Language) -> Iterator[str]:
    """List where two presets of one game differ. Raises UsageError if they are for two games."""
    if one.game != other.game:
        raise UsageError(
            f'"{one.name}" is for {one.game}, "{other.name}" for {other.game}; compare two of one game'
        )
    yield from (
        _differences(one, other, language)
        if _hash(one) != _hash(other)
        else (f"{one.title} and {other.title} are the same rules",)
    )


def _differences(one: Preset, other: Preset, language: Language) -> Iterator[str]:
    ours, theirs = complete(one), complete(other)
    rows = [
        (option.name, plain(ours[option.name]), plain(theirs[option.name]), option)
        for option in GAMES[one.game].options
        if ours[option.name] != theirs[option.name]
    ]
    names = max(len("option"), *(len(row[0]) for row in rows))
    first, second = (max(NARROW, len(rules.name)) for rules in (one, other))
    yield f"{'option':{names}}  {one.name:{first}}  {other.name}"
    for name, mine, yours, option in rows:
        told = f"{option_words(one.game, option, language)} [{option.rule}]"
        if max(len(mine), len(yours)) <= NARROW:
            yield from _wrapped(f"{name:{names}}  {mine:{first}}  {yours:{second}}  ", told)
            continue
        yield from _wrapped(f"{name:{names}}  ", told)
        label = max(len(one.name), len(other.name))
        for rules, value in ((one, mine), (other, yours)):
            yield from _wrapped(f"{'':{names}}  {rules.name:{label}}  ", value)


def changes(rules: Preset, language: Language) -> Iterator[str]:
    """List what house rules change in the preset that they extend."""
    house = preset(rules.base)
    if _hash(house) == _hash(rules):
        yield f'it changes nothing in "{house.name}"'
    else:
        yield from _differences(house, rules, language)
