"""Sitting down at the table: the unfinished game of the journal is taken up, or a new one begins."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from table.cli.opening import in_words, opening
from table.cli.rules import house_rules
from table.errors import StammtischError, UsageError
from table.rules.events import EventError
from table.rules.games import GAMES
from table.rules.presets import game_line, preset, preset_names
from table.rules.referee import Referee
from table.rules.view import View

if TYPE_CHECKING:
    from table.journal import Event
    from table.session import Session
    from table.settings import TableFile

NOTHING: Mapping[str, Any] = MappingProxyType({})
ASKED = ("game", "players", "rounds", "rules")
"""Options that say what is played; a game that is taken up must agree with them."""


def sit_down(
    session: Session,
    options: argparse.Namespace,
    table_file: TableFile,
    check: Callable[[View], None] = lambda view: None,
    asked: Mapping[str, Any] = NOTHING,
) -> str:
    """Take up the game that was not finished, or begin the one that is asked for; in words.

    `check` raises StammtischError where cards or dice do not suit a game: then the old game stays.
    `asked` are those of `options` that somebody asks for this time, not the settings of every evening: a
    game that is otherwise is not gone on with.
    """
    seats = [seat.name for seat in table_file.layout.seats]
    if not options.new and session.resume():
        view = session.view
        for key, told in _otherwise(asked, view):
            raise StammtischError(
                f"--{key} {told}: a game of {_in_short(view)} is not finished; leave --{key} out to go on "
                "with it, or begin anew with --new"
            )
        strange = [seat for seat in view.seats if seats and seat not in seats]
        if strange:
            raise StammtischError(
                f"the game in the journal is played at seat {strange[0]}, "
                f"which {table_file.path} does not have; "
                "use the table file of that game, or begin a new game with --new"
            )
        try:
            check(view)
        except StammtischError as wrong:
            raise StammtischError(f"going on with {view.game}: {wrong}; --new begins another game") from None
        where = f"round {view.round}, trick {view.trick_number}" if view.round else "before the first round"
        return f"going on with {view.game}, {where}, {len(session.entries)} events (--new begins a new game)"
    if options.game is None:
        raise UsageError(
            "--game is missing: there is no unfinished game in the journal; name a game or give a file"
        )
    if options.game == "doppelx":
        lines = _dice_game(options, table_file)
    else:
        lines = opening(options.game, options.players, options.rounds, options.dealer, seats, options.rules)
    trial = Referee()
    for line in lines:
        try:
            trial.add(line)
        except EventError:
            break  # `begin` says it better
    else:
        check(trial.view())
    session.begin(lines)
    return f"a new game of {in_words(lines[0])}"


def _otherwise(asked: Mapping[str, Any], view: View) -> Iterator[tuple[str, str]]:
    """What is asked for and is not so in this game: (option, what was given). Raises StammtischError."""
    game = asked.get("game")
    if game in GAMES or game in preset_names():  # what a file says is for when there is no game yet
        chosen = (game, view.preset) if game in GAMES else (preset(game).game, game)
        if chosen != (view.game, view.preset):
            yield "game", game
    players = asked.get("players")
    if players and [name.strip() for name in players if name.strip()] != list(view.players):
        yield "players", ",".join(players)
    rounds = asked.get("rounds")
    if rounds is not None and rounds != view.rounds_agreed:
        yield "rounds", str(rounds)
    if asked.get("rules"):
        rules = house_rules(asked["rules"])
        if rules.game != view.game or any(view.options.get(k) != v for k, v in rules.options.items()):
            yield "rules", asked["rules"]


def _in_short(view: View) -> str:
    """A game that is not finished, so that one knows which it is."""
    preset_ = f" ({view.preset})" if view.preset != view.game else ""
    agreed = f", {view.rounds_agreed} rounds" if view.rounds_agreed else ""
    return f"{view.game}{preset_} with {', '.join(view.players)}{agreed}"


def _dice_game(options: argparse.Namespace, table_file: TableFile) -> list[Event]:
    """The opening of DoppelX: the players are the colours of their dice, the bets those of the box."""
    if options.rounds is not None:
        raise UsageError("--rounds: DoppelX ends at 50 or 70 chips (X-29); leave it out")
    if not options.players:
        raise UsageError("--players is missing: name the colours that play, --players blue,red,green")
    rules = preset("doppelx") if options.rules is None else house_rules(options.rules)
    if rules.game != "doppelx":
        raise UsageError(f"--rules {options.rules}: these are rules of {rules.game}, not of doppelx")
    players = [colour.strip() for colour in options.players if colour.strip()]
    bets = sorted(bet.kind for bet in table_file.layout.bets)
    line = {**game_line(rules), "players": players, **({"bets": bets} if bets else {})}
    return [line, {"kind": "round", "first": options.dealer or players[0]}]
