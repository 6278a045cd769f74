"""The first lines of a log, from `--game`, `--players`, `--rounds` and `--dealer`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import fact, shortened
from table.cli.rules import house_rules
from table.errors import StammtischError, UsageError, not_text
from table.rules.events import Event, EventError, lines_of, nearest, parse, write
from table.rules.games import GAMES
from table.rules.opening import open_game
from table.rules.presets import Preset, preset, preset_names, rules_hash
from table.rules.tonight import Agreement, first_lines

if TYPE_CHECKING:
    from vision.cards.deck import Deck


def opening(
    game: str,
    agreed: Agreement,
    seats: Sequence[str],
    rules: str | None = None,
    bets: Sequence[str] = (),
) -> list[Event]:
    """The `game` line, with preset, options and hash of the rules, and the lines that follow it.

    Args:
        game: the name of a game or of a preset, or a file of lines.
        agreed: who plays (clockwise from S1), for how many rounds, and who deals.
        seats: the seats of the table.
        rules: house rules: a preset's name or a file (`stammtisch rules`); None: the game's first preset.
        bets: the bets of the dice box.

    Raises:
        StammtischError: the file or the names do not fit.
    """
    if game in GAMES or game in preset_names():
        try:
            return first_lines(_tonight(game, rules), seats, agreed, bets)
        except EventError as wrong:
            raise UsageError(f"--{wrong}") from None
    path = Path(game)
    if not path.exists():
        known = {*GAMES, *preset_names()}
        raise UsageError(fact("config.game", game=shortened(game), remedy=nearest(game, known)))
    beside = {"players": agreed.players, "rounds": agreed.rounds, "dealer": agreed.dealer, "rules": rules}
    if asked := [key for key, value in beside.items() if value is not None]:
        raise UsageError(f"--{asked[0]}: this belongs in the game file {game}; write it there")
    return _from_file(path, seats)


def _tonight(game: str, rules: str | None) -> Preset:
    """The house rules of the evening."""
    if rules is None:
        return preset(game if game in preset_names() else GAMES[game].presets[0])
    try:
        chosen = house_rules(rules)
    except UsageError as wrong:
        raise UsageError(f"--rules: {wrong}") from None
    if game not in (chosen.game, chosen.base):
        raise UsageError(f"--rules {rules}: these are rules of {chosen.game}, not of {game}; choose others")
    return chosen


def _from_file(path: Path, seats: Sequence[str]) -> list[Event]:
    try:
        lines = lines_of(path.read_text(encoding="utf-8-sig"))
        events = [event.numbered(None) for event in parse(lines)]  # the journal numbers them anew
        if events and events[0].kind == "game":
            setup = open_game(events[0])
            kept = rules_hash(setup.game, setup.options)
            events[0] = events[0].having(preset=setup.preset, rules_hash=kept)
    except EventError as wrong:
        raise StammtischError(f"{path}: {wrong}") from None
    except (OSError, UnicodeDecodeError) as wrong:
        raise StammtischError(f"{path}: {not_text(wrong)}") from None
    if not events or events[0].kind != "game":
        raise StammtischError(f'{path}: the first line must be a "game" line; see stammtisch replay --help')
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
    return f"{event.get('game')} with {', '.join(map(str, players))}" if players else write(event)


def check_deck(deck: Deck, pack: Mapping[str, int], where: str) -> None:
    """Check that the deck has every card of the game, unless it is partial. Raises StammtischError."""
    if not deck.partial:
        check_cards(deck.cards, pack, where)


def check_cards(cards: Collection[str], pack: Mapping[str, int], where: str) -> None:
    """Check that `cards` include every card of the game. Raises StammtischError."""
    if missing := [card for card in pack if card not in cards]:
        listed = missing[:5]
        if (more := len(missing) - 5) > 0:
            raise StammtischError(fact("opening.deck.more", where=where, cards=listed, n=more))
        raise StammtischError(fact("opening.deck", where=where, cards=listed))


def check_dice(colours: Collection[str], players: Sequence[str], where: str) -> None:
    """Check that `colours` include every player's colour and white. Raises StammtischError."""
    for colour in (*players, "white"):
        if colour not in colours:
            wanted = ", ".join(f"{colour}-{face}.jpg" for face in "123X")
            raise StammtischError(fact("opening.dice", where=where, colour=colour, files=wanted))


def expect_missing(deck: Deck, pack: Mapping[str, int]) -> None:
    """Tell a partial deck which cards of the game have no picture, so that they are not taken for others."""
    if deck.partial:
        deck.expect([card for card in pack if card not in deck.cards])
