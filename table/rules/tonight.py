"""What is played tonight: from what people choose, by touch or in words, to the first lines of a log.

rules = house_way("doppelkopf", "ddv", {"schweinchen": True})
first_lines(rules, ["S1", "S2", "S3", "S4"], Agreement(["Anna", "Bernd", "Carla", "Dirk"], dealer="Dirk"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from table.catalogue import fact
from table.rules.events import Event, EventError, nearest
from table.rules.games import GAMES
from table.rules.presets import Preset, game_line, preset
from table.rules.setup import read_options

LONGEST_NAME = 40
"""Greatest number of characters in a name; a longer one has no room beside its seat."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a group agrees on before the first card, besides the rules."""

    players: Sequence[str] | None = None
    """One name per seat, empty for a free seat; None: players are named after their seats. At the dice box:
    the colours of those who play."""
    rounds: int | None = None
    """Number of rounds to be played; None = until the group ends the game."""
    dealer: str | None = None
    """Who deals first (at the dice box: who begins), as seat or name; None leaves it to the rules."""


_NOTHING = Agreement()


def house_way(game: str, name: str | None = None, options: Mapping[str, Any] | None = None) -> Preset:
    """A preset of a game (None: its first one) with the options that people chose differently.

    Raises:
        EventError: there is no such game, preset or option, or the options contradict each other.
    """
    if game not in GAMES:
        raise EventError(fact("opening.game", game=game, remedy=nearest(game, GAMES)))
    known = GAMES[game].presets
    if name is not None and name not in known:
        raise EventError(
            fact("opening.preset", game=GAMES[game].title, name=name, remedy=nearest(name, known))
        )
    house = preset(name or known[0])
    return replace(house, options={**house.options, **read_options(GAMES[game].options, dict(options or {}))})


def first_lines(
    rules: Preset,
    seats: Sequence[str],
    agreed: Agreement = _NOTHING,
    bets: Sequence[str] = (),
) -> list[Event]:
    """The `game` line, with the preset, the options and the hash of the rules, and the lines after it.

    Args:
        rules: the house rules of the evening.
        seats: the seats to which names are given; none where players are named after their dice.
        agreed: who plays, how long, and who deals.
        bets: the bets of the dice box.

    Raises:
        EventError: something does not fit; the text begins with the name of the choice.
    """
    players, dealer = agreed.players, agreed.dealer
    if agreed.rounds is not None:
        rules = _for_so_many(rules, agreed.rounds)
    if GAMES[rules.game].colours:
        return _at_the_box(rules, players, dealer, bets)
    names = [name.strip() for name in players] if players else list(seats)
    if len(names) != len(seats):
        raise EventError(fact("opening.players.count", n=len(names), seats=len(seats)))
    _told_apart([name for name in names if name])
    taken = {seat: name for seat, name in zip(seats, names, strict=True) if name}
    line = game_line(rules).having(seats=[*taken], players=[*taken.values()])
    if dealer is None:
        return [line]
    deals = [seat for seat, name in taken.items() if dealer in (seat, name)]
    if len(deals) != 1:
        raise EventError(fact("opening.dealer", who=dealer, known=[*taken.values()]))
    return [line, Event("round", {"dealer": deals[0]})]


def _for_so_many(rules: Preset, rounds: int) -> Preset:
    """The same rules with an agreed number of rounds."""
    if rounds < 1:
        raise EventError(fact("opening.rounds.none", n=rounds))
    try:
        option = read_options(GAMES[rules.game].options, {"rounds": rounds})
    except EventError:
        raise EventError(fact("opening.rounds", n=rounds, game=GAMES[rules.game].title)) from None
    return replace(rules, options={**rules.options, **option})


def _told_apart(names: Sequence[str]) -> None:
    for number, name in enumerate(names):
        if name.casefold() in [other.casefold() for other in names[:number]]:
            raise EventError(fact("opening.players.twice", name=name))
        # Joiners hold an emoji together, and letters apart in Persian.
        if len(name) > LONGEST_NAME or not name.replace("\u200d", "").replace("\u200c", "").isprintable():
            raise EventError(fact("opening.players.name", name=_shown(name), n=LONGEST_NAME))


def _shown(name: str) -> str:
    """A refused name as it is shown to people: invisible characters appear as a mark."""
    seen = "".join(each if each.isprintable() else "\ufffd" for each in name[:LONGEST_NAME])
    return f"{seen}…" if len(name) > LONGEST_NAME else seen


def _at_the_box(
    rules: Preset, players: Sequence[str] | None, first: str | None, bets: Sequence[str]
) -> list[Event]:
    """The opening of DoppelX: the players are the colours of their dice, the bets those of the box."""
    colours = [colour.strip() for colour in players or () if colour.strip()]
    if not colours:
        raise EventError(fact("opening.players.none"))
    if first is not None and first not in colours:
        raise EventError(fact("opening.dealer.colour", who=first, known=colours))
    line = game_line(rules).having(players=colours, **({"bets": sorted(bets)} if bets else {}))
    return [line, Event("round", {"first": first or colours[0]})]
