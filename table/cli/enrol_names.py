"""Which cards `stammtisch enrol` asks for: a list of names, or all cards of a game."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from table.cli.opening import opening
from table.errors import StammtischError, UsageError
from table.rules import Referee
from table.rules.games import GAMES, boxed
from table.rules.presets import preset, preset_names
from table.rules.tonight import Agreement


def wanted_names(file: str | None, game: str | None, players: int | None) -> list[str]:
    """The names of the cards to be shown; empty if the pictures' file names say them.

    Args:
        file: a list, one name a line.
        game: a game, its house rules or a file of its first lines, instead of a list.
        players: the number of players; None: every card that the game has.

    Raises:
        UsageError: the arguments contradict each other, or there is no such game or number of players.
        StammtischError: the list is missing, unreadable or empty.
    """
    if file and game:
        raise UsageError("--names and --game both say which cards are shown; give one of them")
    if players is not None and not game:
        raise UsageError("--players belongs to --game; without it the names say which cards are shown")
    if game:
        return _pack(game, players)
    if not file:
        return []
    try:
        text = unicodedata.normalize("NFC", Path(file).read_text("utf-8-sig"))
        names = [line.strip() for line in text.splitlines()]
    except FileNotFoundError:
        raise StammtischError(
            f"{file}: there is no such file; give one with one card's name a line"
        ) from None
    except (OSError, UnicodeDecodeError):
        raise StammtischError(
            f"{file}: cannot be read as text; give a file with one card's name a line"
        ) from None
    names = [name for name in names if name and not name.startswith("#")]
    if not names:
        raise StammtischError(f"{file}: no names in it; write one card's name a line")
    return names


def seated(game: str, seats: int) -> int | None:
    """How many play a game at a table with this many seats; None if the game is not for that many."""
    return seats if seats in _players(game) else None


def fewer_players(game: str | None, players: int | None, missing: Sequence[str]) -> int | None:
    """The most players for whom no card is missing; None if there are none, or their number was given."""
    if game is None or players is not None:
        return None
    return max((n for n in _players(game) if not {*_cards(game, n)} & {*missing}), default=None)


def of_no_game(cards: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The game that most of these cards are of (None: of no game), and the names that no card of it has."""
    packs = {
        game: {card for n in _players(game) for card in _cards(game, n)} for game in GAMES if not boxed(game)
    }
    # Of games that have all of them, the smallest: Dulle's cards are in Doppelkopf's pack as well.
    game = max(packs, key=lambda each: (len(packs[each] & {*cards}), -len(packs[each])))
    strange = tuple(name for name in cards if name not in packs[game])
    return (game if len(strange) < len(cards) else None), strange


def _pack(game: str, players: int | None) -> list[str]:
    """The names of a game's cards: for this many players, or for the number with the most cards."""
    if boxed(game):
        raise UsageError(f"--game {game}: this game is played without cards; choose another")
    known = _players(game)
    if players is None:
        return max((_cards(game, n) for n in known or (0,)), key=len)
    if not known:
        raise UsageError(f"--players: the game file {game} says who plays; leave it out")
    if players not in known:
        many = " or ".join(map(str, known))
        raise UsageError(f"--players {players}: {game} is for {many} players; give one of these numbers")
    return _cards(game, players)


def _players(game: str) -> tuple[int, ...]:
    """How many may play a game, or a preset's game; empty for a file, which says it itself."""
    if game in preset_names():
        game = preset(game).game
    return GAMES[game].players if game in GAMES else ()


def _cards(game: str, players: int) -> list[str]:
    """The cards for this many players, each name once."""
    referee = Referee()
    for event in opening(game, Agreement(), [f"S{n + 1}" for n in range(players)]):
        referee.add(event)
    return list(dict.fromkeys(referee.view().pack))
