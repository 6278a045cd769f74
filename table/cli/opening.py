"""What is played tonight: from `--game`, `--players`, `--rounds`, `--dealer` to the first lines of a log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from table.cli.rules import house_rules
from table.errors import StammtischError, UsageError
from table.journal import Event
from table.rules.events import EventError, parse
from table.rules.games import GAMES
from table.rules.opening import as_event, open_game
from table.rules.presets import Preset, game_line, preset, preset_names, rules_hash
from table.rules.setup import read_options

if TYPE_CHECKING:
    from vision.cards.deck import Deck


def opening(
    game: str,
    players: Sequence[str] | None,
    rounds: int | None,
    dealer: str | None,
    seats: Sequence[str],
    rules: str | None = None,
) -> list[Event]:
    """The `game` line, with the preset, the options and the hash of the rules, and what follows it.

    Args:
        game: the name of a game or of a preset, or a file of `game`, `round`, `say` … lines (CONTRACTS 5).
        players: one name a seat, clockwise from S1; an empty name leaves the seat free.
        rounds: how many rounds are agreed; None = until the group ends the game.
        dealer: who deals first, as seat or name; None leaves that to the rules.
        seats: the seats of the table.
        rules: house rules: a preset's name or a file (`stammtisch rules`); None: the game's first preset.

    Raises:
        StammtischError: the file or the names do not fit; the text says how.
    """
    if game in GAMES or game in preset_names():
        return _from_words(_tonight(game, rules), players, rounds, dealer, seats)
    path = Path(game)
    if not path.exists():
        raise UsageError(f"--game {game}: neither a game ({', '.join(GAMES)}) nor a file; check the name")
    if players or rounds or dealer or rules:
        raise UsageError(
            "--players, --rounds, --dealer and --rules belong into the game file when --game is a file"
        )
    return _from_file(path, seats)


def _tonight(game: str, rules: str | None) -> Preset:
    """The house rules of the evening."""
    if rules is None:
        return preset(game if game in preset_names() else GAMES[game].presets[0])
    chosen = house_rules(rules)
    if game not in (chosen.game, chosen.base):
        raise UsageError(f"--rules {rules}: these are rules of {chosen.game}, not of {game}; choose others")
    return chosen


def _agreed(rules: Preset, rounds: int) -> Preset:
    """The same rules with an agreed number of rounds."""
    if rounds < 1:
        raise UsageError(f"--rounds {rounds}: agree on 1 or more, or leave it out")
    try:
        option = read_options(GAMES[rules.game].options, {"rounds": rounds})
    except EventError:
        what = f"--rounds {rounds}: {rules.game} knows no agreed number of rounds"
        raise UsageError(f"{what}; leave it out, the group ends the game") from None
    return replace(rules, options={**rules.options, **option})


def _from_words(
    rules: Preset, players: Sequence[str] | None, rounds: int | None, dealer: str | None, seats: Sequence[str]
) -> list[Event]:
    names = [name.strip() for name in players] if players else list(seats)
    if len(names) != len(seats):
        raise UsageError(
            f"{len(names)} players for {len(seats)} seats; name one for each seat from S1 clockwise, "
            "an empty name (Anna,,Carla) leaves a seat free"
        )
    taken = [(seat, name) for seat, name in zip(seats, names, strict=True) if name]
    twice = [name for name in names if name and names.count(name) > 1]
    if twice:
        raise UsageError(f"--players: {twice[0]} stands twice; nobody could tell the two apart on the page")
    line: Event = {
        **game_line(rules if rounds is None else _agreed(rules, rounds)),
        "seats": [seat for seat, _ in taken],
        "players": [name for _, name in taken],
    }
    if dealer is None:
        return [line]
    deals = [seat for seat, name in taken if dealer in (seat, name)]
    if len(deals) != 1:
        raise UsageError(
            f"--dealer {dealer}: nobody of that name; known: {', '.join(name for _, name in taken)}"
        )
    return [line, {"kind": "round", "dealer": deals[0]}]


def _from_file(path: Path, seats: Sequence[str]) -> list[Event]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        events = [event.to_dict() for event in parse(lines)]
        if events and events[0]["kind"] == "game":
            setup = open_game(as_event(events[0]))
            events[0] |= {"preset": setup.preset, "rules_hash": rules_hash(setup.game, setup.options)}
    except EventError as wrong:
        raise StammtischError(f"{path}: {wrong}") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise StammtischError(f"{path}: cannot be read as text ({wrong}); check the file") from None
    if not events or events[0]["kind"] != "game":
        raise StammtischError(f'{path}: the first line must be a "game" line; see stammtisch replay --help')
    for event in events:
        event.pop("id", None)  # the journal counts anew
    strange = [seat for seat in events[0].get("seats", ()) if seats and seat not in seats]
    if strange:
        raise StammtischError(
            f"{path}: the game line names the seat {strange[0]!r}, the table has {', '.join(seats)}; "
            "use the seats of the table file"
        )
    return events


def in_words(event: Event) -> str:
    """A game line for people."""
    players = event.get("players") or event.get("seats") or []
    return f"{event['game']} with {', '.join(map(str, players))}" if players else json.dumps(event)


def check_deck(deck: Deck, pack: Mapping[str, int], where: str) -> None:
    """Every card of the game must be in the deck, unless it is a partial one. Raises StammtischError."""
    missing = [card for card in pack if card not in deck.cards]
    if deck.partial:
        deck.expect(missing)
    elif missing:
        listed = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        raise StammtischError(
            f"{where}: the deck has no picture of {listed}; add one picture for each, named like the card"
            " (with --partial the table plays without and asks for these cards)"
        )
