"""What is played tonight: from what people choose, by touch or in words, to the first lines of a log.

rules = house_way("doppelkopf", "ddv", {"schweinchen": True})
first_lines(rules, ["S1", "S2", "S3", "S4"], ["Anna", "Bernd", "Carla", "Dirk"], dealer="Dirk")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from table.rules.events import EventError, nearest
from table.rules.games import GAMES
from table.rules.presets import Preset, game_line, preset
from table.rules.setup import read_options

LONGEST_NAME = 40
"""Characters; a longer one has no room beside its seat."""


def house_way(game: str, name: str | None = None, options: Mapping[str, Any] | None = None) -> Preset:
    """A preset of a game (None: its first one) with the options that are chosen otherwise.

    Raises:
        EventError: there is no such game, preset or option, or the options contradict each other.
    """
    if game not in GAMES:
        raise EventError(f'there is no game "{game}"', nearest(game, GAMES))
    known = GAMES[game].presets
    if name is not None and name not in known:
        raise EventError(f'{game} has no preset "{name}"', nearest(name, known))
    house = preset(name or known[0])
    return replace(house, options={**house.options, **read_options(GAMES[game].options, dict(options or {}))})


def first_lines(
    rules: Preset,
    seats: Sequence[str],
    players: Sequence[str] | None,
    rounds: int | None = None,
    dealer: str | None = None,
    bets: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The `game` line, with the preset, the options and the hash of the rules, and what follows it.

    Args:
        rules: the house rules of the evening.
        seats: the seats to which names are given; nobody has one where people are called after their dice.
        players: one name a seat, an empty one leaves the seat free; None: people are called after their
            seats. At the dice box the colours of those who play.
        rounds: how many rounds are agreed; None = until the group ends the game.
        dealer: who deals first, at the dice box who begins, as seat or name; None leaves it to the rules.
        bets: the bets of the dice box.

    Raises:
        EventError: what does not fit; the text begins with the name of the choice.
    """
    if rounds is not None:
        rules = _agreed(rules, rounds)
    if GAMES[rules.game].colours:
        return _at_the_box(rules, players, dealer, bets)
    names = [name.strip() for name in players] if players else list(seats)
    if len(names) != len(seats):
        raise EventError(
            f"players: {len(names)} players for {len(seats)} seats",
            "name one for each seat from S1 clockwise, an empty name (Anna,,Carla) leaves a seat free",
        )
    _told_apart([name for name in names if name])
    taken = {seat: name for seat, name in zip(seats, names, strict=True) if name}
    line = {**game_line(rules), "seats": [*taken], "players": [*taken.values()]}
    if dealer is None:
        return [line]
    deals = [seat for seat, name in taken.items() if dealer in (seat, name)]
    if len(deals) != 1:
        known = f"known: {', '.join(taken.values())}"
        raise EventError(f"dealer {dealer}: nobody of that name", known)
    return [line, {"kind": "round", "dealer": deals[0]}]


def _agreed(rules: Preset, rounds: int) -> Preset:
    """The same rules with an agreed number of rounds."""
    if rounds < 1:
        raise EventError(f"rounds {rounds}: that is no round", "agree on 1 or more, or leave it out")
    try:
        option = read_options(GAMES[rules.game].options, {"rounds": rounds})
    except EventError:
        what = f"rounds {rounds}: {rules.game} knows no agreed number of rounds"
        raise EventError(what, "leave it out, the group or the rules end the game") from None
    return replace(rules, options={**rules.options, **option})


def _told_apart(names: Sequence[str]) -> None:
    for number, name in enumerate(names):
        if name.casefold() in [other.casefold() for other in names[:number]]:
            raise EventError(
                f"players: {name} stands twice",
                "nobody could tell the two apart on the page, call one otherwise",
            )
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise EventError(
                f"players: {name[:LONGEST_NAME]!r} is no name", f"give 1 to {LONGEST_NAME} letters"
            )


def _at_the_box(
    rules: Preset, players: Sequence[str] | None, first: str | None, bets: Sequence[str]
) -> list[dict[str, Any]]:
    """The opening of DoppelX: the players are the colours of their dice, the bets those of the box."""
    colours = [colour.strip() for colour in players or () if colour.strip()]
    if not colours:
        raise EventError("players is missing", "name the colours that play, such as blue,red,green")
    if first is not None and first not in colours:
        raise EventError(f"dealer {first}: nobody plays that colour", f"known: {', '.join(colours)}")
    line = {**game_line(rules), "players": colours, **({"bets": sorted(bets)} if bets else {})}
    return [line, {"kind": "round", "first": first or colours[0]}]
