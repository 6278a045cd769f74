"""`stammtisch rules`: house rules as data; list, show and compare them, check a file of one's own.

stammtisch rules list                      # games and presets
stammtisch rules show ddv                  # every option with its value, its choices and its rule
stammtisch rules show ddv --toml > ours.toml      # a file to begin with
stammtisch rules check ours.toml           # … changed, then checked
stammtisch rules diff ddv ours.toml
stammtisch rules show ours.toml --json     # the game line that records these rules in a log
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from table.errors import StammtischError, UsageError
from table.rules.events import Event, EventError, nearest, parse
from table.rules.games import GAMES
from table.rules.opening import open_game
from table.rules.option_words import Language, option_words
from table.rules.presets import (
    Preset,
    PresetError,
    complete,
    game_line,
    preset,
    preset_names,
    read_preset,
    rules_hash,
)
from table.rules.setup import SWITCH, Option

WIDTH = 110
NARROW = 22
"""Values longer than this have a line of their own."""


def register(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)

    def thing(name: str, words: str) -> argparse.ArgumentParser:
        return things.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")

    listed = thing("list", "all games and the presets of the house")
    listed.add_argument("--json", action="store_true", help="as one object")
    show = thing("show", "every option of a preset: its value, what it may be, which rule it belongs to")
    show.add_argument("preset", metavar="PRESET", help="a preset's name, or a file of house rules")
    how = show.add_mutually_exclusive_group()
    how.add_argument("--toml", action="store_true", help="as a file of house rules, to change and check")
    how.add_argument("--json", action="store_true", help="as the game line that records them in a log")
    diff = thing("diff", "the options in which two presets of one game differ")
    diff.add_argument("a", metavar="A", help="a preset's name, or a file of house rules")
    diff.add_argument("b", metavar="B", help="another one")
    check = thing("check", "check a file of house rules, or the rules that a log records")
    check.add_argument("file", metavar="FILE", help="house rules (.toml), or a log (JSON Lines)")
    for told in (show, diff, check):
        told.add_argument(
            "--lang", choices=("en", "de"), default="en", help="language of the options (default: en)"
        )


def run(options: argparse.Namespace) -> int:
    """Print what was asked for. Raises StammtischError for a file that cannot be used."""
    match options.thing:
        case "list":
            lines = _list_json() if options.json else _list()
        case "show":
            rules = house_rules(options.preset)
            language: Language = options.lang
            told = _toml if options.toml else _show
            lines = _line(rules) if options.json else told(rules, language)
        case "diff":
            lines = _diff(house_rules(options.a), house_rules(options.b), options.lang)
        case _:
            lines = _check(Path(options.file), options.lang)
    for line in lines:
        print(line)
    return 0


# Finding --------------------------------------------------------------------------------------------------


def house_rules(name: str) -> Preset:
    """Return a preset of the house, or read a file. Raises StammtischError, UsageError."""
    if name in preset_names():
        return preset(name)
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        return _read(path)
    raise UsageError(f'there is no preset "{name}"; {nearest(name, preset_names())}')


def _read(path: Path) -> Preset:
    try:
        return read_preset(_text(path), str(path), path.stem)
    except PresetError as wrong:
        raise StammtischError(str(wrong)) from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise StammtischError(f"{path}: this is not text in UTF-8; save it as UTF-8") from None
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be read").lower()
        raise StammtischError(f"{path}: {reason}; `stammtisch rules list` names the presets") from None


# Showing --------------------------------------------------------------------------------------------------


def _list() -> Iterator[str]:
    width = max(map(len, preset_names()))
    for game in GAMES.values():
        yield f"{game.name}: {len(game.options)} options"
        for name in game.presets:
            yield f"  {name:{width}}  {preset(name).title}"
    yield ""
    yield "`stammtisch rules show PRESET` tells every option. For rules of your own:"
    yield "`stammtisch rules show PRESET --toml > ours.toml`, change it, `stammtisch rules check ours.toml`."


def _list_json() -> Iterator[str]:
    yield json.dumps(
        {game.name: {name: preset(name).title for name in game.presets} for game in GAMES.values()},
        ensure_ascii=False,
    )


def _show(rules: Preset, language: Language) -> Iterator[str]:
    yield f"{rules.title}: {_origin(rules)} of {rules.game}, rules hash {_hash(rules)}"
    german = language == "de"
    marked = ("* is set otherwise than the game's default", "* ist anders als die Vorgabe des Spiels")
    yield marked[german]
    values = complete(rules)
    names = max(len(name) for name in values)
    for option in GAMES[rules.game].options:
        value, star = _plain(values[option.name]), " " if values[option.name] == option.default else "*"
        head = f"{star} {option.name:{names}}  "
        words = option_words(rules.game, option, language)
        told = f"{words}{_else(option, values[option.name], 'sonst' if german else 'else')} [{option.rule}]"
        if len(value) > NARROW:
            yield from _wrapped(head, value)
            head, value = " " * len(head), ""
        yield from _wrapped(f"{head}{value:{NARROW}}  ", told)


def _wrapped(head: str, text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _origin(rules: Preset) -> str:
    return "a preset" if rules.base == rules.name else f'rules that extend "{rules.base}"'


def _hash(rules: Preset) -> str:
    return rules_hash(rules.game, complete(rules))


def _plain(value: Any) -> str:
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
    """Return what an option may be, in words; nothing for numbers and tables."""
    if option.choices is None or isinstance(option.default, Mapping):
        return ""
    several = isinstance(option.default, list | tuple)
    return ("any of " if several else "") + (", " if several else " or ").join(map(_plain, option.choices))


def _else(option: Option, value: Any, word: str) -> str:
    """Return what an option could be besides its value."""
    if option.choices is None or option.choices == SWITCH or isinstance(value, Mapping):
        return ""
    chosen = value if isinstance(value, list | tuple) else (value,)
    others = [_plain(choice) for choice in option.choices if choice not in chosen]
    return f"; {word} {', '.join(others)}" if others else ""


def _line(rules: Preset) -> Iterator[str]:
    yield json.dumps(game_line(rules), ensure_ascii=False)


# A file to begin with -------------------------------------------------------------------------------------


def _toml(rules: Preset, language: Language) -> Iterator[str]:
    """Write a preset as a file that says the same; options that nobody has agreed on are commented out."""
    values, tables = complete(rules), []
    yield "# House rules: change what you play otherwise, then `stammtisch rules check` this file."
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


# Comparing and checking -----------------------------------------------------------------------------------


def _diff(one: Preset, other: Preset, language: Language) -> Iterator[str]:
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
        (option.name, _plain(ours[option.name]), _plain(theirs[option.name]), option)
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


def _check(path: Path, language: Language) -> Iterator[str]:
    if path.suffix == ".toml":
        rules = _read(path)
        yield f"{path}: good; {rules.title}, {_origin(rules)} of {rules.game}, rules hash {_hash(rules)}"
        if rules.base != rules.name:
            yield from _changes(rules, language)
        return
    game = _game_of(path)
    setup = open_game(game)
    here, there = rules_hash(setup.game, setup.options), game.get("rules_hash")
    if there is not None and there != here:
        raise StammtischError(
            f"{path}, line {game.id}: it was recorded under other rules (hash {there}, here {here}); "
            f'the preset "{setup.preset}" has changed since: write the options of that evening into the line'
        )
    recorded = "as recorded" if there is not None else "the line records no hash"
    yield f'{path}: good; {setup.game}, preset "{setup.preset}", rules hash {here}, {recorded}'
    for name, value in (game.get("options") or {}).items():
        yield f"  {name} = {_plain(value)}"


def _changes(rules: Preset, language: Language) -> Iterator[str]:
    house = preset(rules.base)
    if _hash(house) == _hash(rules):
        yield f'it changes nothing in "{house.name}"'
    else:
        yield from _differences(house, rules, language)


def _game_of(path: Path) -> Event:
    """Return the first game line of a log. Raises StammtischError."""
    try:
        for event in parse(_text(path).splitlines(), lenient=True):
            if event.kind == "game":
                open_game(event)
                return event
    except EventError as wrong:
        raise StammtischError(f"{path}: {wrong}") from None
    raise StammtischError(f'{path}: there is no "game" line in it; give house rules (.toml) or a log')
