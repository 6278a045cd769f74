"""Sitting down at the table: resume the journal's unfinished game, or begin a new one."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from table.catalogue import fact
from table.cli.opening import in_words, opening
from table.cli.rules import house_rules
from table.errors import StammtischError, UsageError
from table.game_log import SessionError
from table.rules.games import GAMES, boxed, title
from table.rules.presets import preset, preset_names
from table.rules.tonight import Agreement
from table.rules.view import View

if TYPE_CHECKING:
    from table.session import Session
    from table.settings import TableFile

NOTHING: Mapping[str, Any] = MappingProxyType({})
ASKED = ("game", "players", "rounds", "rules", "dealer")
"""Options that say what is played; a resumed game must agree with them."""


def sit_down(
    session: Session,
    options: argparse.Namespace,
    table_file: TableFile,
    asked: Mapping[str, Any] = NOTHING,
) -> str:
    """Resume the unfinished game, or begin the requested one; return it in words.

    If cards or dice do not suit a game (the session's `equipment`), no new game is begun. `asked` are those
    of `options` that the command line gives, not the settings of every evening: an unfinished game that
    differs from them is refused.

    Raises:
        UsageError: the options do not fit together.
        StammtischError: the game cannot be resumed or begun here.
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
            raise StammtischError(fact("opening.strange", seat=strange[0], table=str(table_file.path)))
        try:
            session.equipment.suits(view)
        except StammtischError as wrong:
            raise StammtischError(fact("opening.unsuited", game=title(view.game), why=wrong.fact)) from None
        session.equipment.prepare(view)
        where = f"round {view.round}, trick {view.trick_number}" if view.round else "before the first round"
        return f"going on with {view.game}, {where}, {len(session.entries)} events (--new begins a new game)"
    if options.game is None:
        if asked_anyway := [
            key for key in ("players", "rounds", "rules", "dealer") if asked.get(key) is not None
        ]:
            raise UsageError(f"--game is missing: --{asked_anyway[0]} belongs to a game; name it")
        return "no game is on: choose one on the page"
    if (
        options.game in GAMES and not seats and not boxed(options.game)
    ):  # a clearer refusal than the number of seats
        where, game = str(table_file.path), GAMES[options.game].title
        raise StammtischError(fact("opening.mat", where=where, game=game))
    bets = session.equipment.bets
    agreed = Agreement(options.players, options.rounds, options.dealer)
    lines = opening(options.game, agreed, seats, options.rules, bets)
    try:
        session.begin(lines)
    except SessionError as wrong:
        why = wrong.fact.args.get("why")
        by_name = options.game in GAMES or options.game in preset_names()
        if why is None or wrong.fact.args.get("n") != 1 or not by_name:
            raise
        # A user who names a game has not written an event 1, which the sentence would mention.
        raise UsageError(f"--{'players' if options.players else 'game'}: {why}") from None
    return f"a new game of {in_words(session.entries[0].event)}"


def _otherwise(asked: Mapping[str, Any], view: View) -> Iterator[tuple[str, str]]:
    """The requested options that differ in this game: (option, given value). Raises StammtischError."""
    game = asked.get("game")
    if game in GAMES or game in preset_names():  # a file only matters when there is no game yet
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
    """A short description of an unfinished game, to recognise it by."""
    preset_ = f" ({view.preset})" if view.preset != view.game else ""
    agreed = f", {view.rounds_agreed} rounds" if view.rounds_agreed else ""
    return f"{view.game}{preset_} with {', '.join(view.players)}{agreed}"
