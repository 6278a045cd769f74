"""What is played tonight: from `--game`, `--players`, `--rounds`, `--dealer` to the first lines of a log."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from table.errors import StammtischError, UsageError
from table.journal import Event
from table.rules.events import EventError, parse
from table.rules.games import GAMES

if TYPE_CHECKING:
    from vision.deck import Deck


def opening(
    game: str, players: Sequence[str] | None, rounds: int | None, dealer: str | None, seats: Sequence[str]
) -> list[Event]:
    """The `game` line and what follows it at the beginning.

    Args:
        game: the name of a game, or a file of `game`, `round`, `say` … lines (CONTRACTS 5).
        players: one name a seat, clockwise from S1; an empty name leaves the seat free.
        rounds: how many rounds are agreed; None = until the group ends the game.
        dealer: who deals first, as seat or name; None leaves that to the rules.
        seats: the seats of the table.

    Raises:
        StammtischError: the file or the names do not fit; the text says how.
    """
    if game in GAMES:
        return _from_words(game, players, rounds, dealer, seats)
    path = Path(game)
    if not path.exists():
        raise UsageError(f"--game {game}: neither a game ({', '.join(GAMES)}) nor a file; check the name")
    if players or rounds or dealer:
        raise UsageError("--players, --rounds and --dealer belong into the game file when --game is a file")
    return _from_file(path, seats)


def _from_words(
    game: str, players: Sequence[str] | None, rounds: int | None, dealer: str | None, seats: Sequence[str]
) -> list[Event]:
    names = [name.strip() for name in players] if players else list(seats)
    if len(names) != len(seats):
        raise UsageError(
            f"{len(names)} players for {len(seats)} seats; name one for each seat from S1 clockwise, "
            "an empty name (Anna,,Carla) leaves a seat free"
        )
    taken = [(seat, name) for seat, name in zip(seats, names, strict=True) if name]
    line: Event = {
        "kind": "game",
        "game": game,
        "seats": [seat for seat, _ in taken],
        "players": [name for _, name in taken],
    }
    if rounds is not None:
        line["options"] = {"rounds": rounds}
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
    """Every card of the game must be in the deck. Raises StammtischError."""
    missing = [card for card in pack if card not in deck.cards]
    if missing:
        listed = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        raise StammtischError(
            f"{where}: the deck has no picture of {listed}; photograph them with `stammtisch enrol`"
        )
