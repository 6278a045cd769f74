"""`stammtisch rules`: list, show and compare house rules, and check a file of your own.

stammtisch rules list                      # games and presets
stammtisch rules show ddv                  # every option with its value, its choices and its rule
stammtisch rules show ddv --toml > ours.toml      # a file to start from
stammtisch rules check ours.toml           # after changing it
stammtisch rules diff ddv ours.toml
stammtisch rules show ours.toml --json     # the game line that records these rules in a log
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from table.catalogue import LANGUAGES, Language
from table.cli import rules_told
from table.cli.actions import add_action
from table.errors import StammtischError, UsageError
from table.rules.events import Event, EventError, lines_of, nearest, parse
from table.rules.opening import open_game
from table.rules.presets import Preset, PresetError, preset, preset_names, read_preset, rules_hash


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)

    def thing(name: str, words: str) -> argparse.ArgumentParser:
        return add_action(things, name, words)

    listed = thing("list", "all games and the presets of the house")
    listed.add_argument("--json", action="store_true", help="print one JSON object")
    show = thing("show", "every option of a preset: its value, its choices and its rule")
    show.add_argument("preset", metavar="PRESET", help="a preset's name, or a file of house rules")
    how = show.add_mutually_exclusive_group()
    how.add_argument("--toml", action="store_true", help="print a file of house rules, to change and check")
    how.add_argument("--json", action="store_true", help="print the game line that records them in a log")
    diff = thing("diff", "the options in which two presets of one game differ")
    diff.add_argument("a", metavar="A", help="a preset's name, or a file of house rules")
    diff.add_argument("b", metavar="B", help="another one")
    check = thing("check", "check a file of house rules, or the rules that a log records")
    check.add_argument("file", metavar="FILE", help="house rules (.toml), or a log (JSON Lines)")
    for told in (show, diff, check):
        told.add_argument(
            "--lang", choices=LANGUAGES, default="en", help="language of the options (default: en)"
        )


def run(options: argparse.Namespace) -> int:
    """Print what was asked for. Raises StammtischError for a file that cannot be used."""
    match options.thing:
        case "list":
            lines = rules_told.games_json() if options.json else rules_told.games()
        case "show":
            rules = house_rules(options.preset)
            language: Language = options.lang
            told = rules_told.as_file if options.toml else rules_told.options
            lines = rules_told.as_game_line(rules) if options.json else told(rules, language)
        case "diff":
            lines = rules_told.compared(house_rules(options.a), house_rules(options.b), options.lang)
        case _:
            lines = _check(Path(options.file), options.lang)
    for line in lines:
        print(line)
    return 0


def house_rules(name: str) -> Preset:
    """Return a preset by name, or read a file of house rules. Raises StammtischError, UsageError."""
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
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise StammtischError(f"{path}: this is not text in UTF-8; save it as UTF-8") from None
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be read").lower()
        raise StammtischError(f"{path}: {reason}; `stammtisch rules list` names the presets") from None


def _check(path: Path, language: Language) -> Iterator[str]:
    if path.suffix == ".toml":
        rules = _read(path)
        yield f"{path}: good; {rules.title}, {rules_told.whose(rules)}"
        if rules.base != rules.name:
            yield from rules_told.changes(rules, language)
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
        yield f"  {name} = {rules_told.plain(value)}"


def _game_of(path: Path) -> Event:
    """Return the first game line of a log. Raises StammtischError if there is none."""
    try:
        for event in parse(lines_of(_text(path)), lenient=True):
            if event.kind == "game":
                open_game(event)
                return event
    except EventError as wrong:
        raise StammtischError(f"{path}: {wrong}") from None
    raise StammtischError(f'{path}: there is no "game" line in it; give house rules (.toml) or a log')
