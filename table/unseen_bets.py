"""Bets that nobody can see: a die out of view, and a bet tile that reaches over the picture's edge.

The die may lie on that tile or be in its player's hand. Where the throw would pay the bet, the table asks and
assumes nothing. Until somebody answers, the likelier place counts: the tile, if the die lay there when it was
last seen, or if a hand was at the tile since the die went out of view.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from table import telling
from table.rules.doppelx.scoring import score
from table.rules.doppelx.terms import ALL, Die, read_die
from table.rules.events import Event
from vision.sightings import DieSeen, ThrowSeen

_LIKELY = 0.8
"""Belief that a die lies on a tile for which there is evidence: chosen, not measured."""
_ON_TILE = "bet:"


class UnseenBets:
    """Remembers, rest by rest, the evidence for each die that is out of view."""

    def __init__(self) -> None:
        self._lay: dict[str, str] = {}
        """Letters of the tiles on which dice lay when they were last seen, by colour."""
        self._reached: dict[str, set[str]] = {}
        """Tiles that a hand was at since a die went out of view, by colour."""

    def rest(self, seen: ThrowSeen, now: Mapping[str, DieSeen], players: Iterable[str]) -> None:
        """Take in a rest: `now` are the dice in view, by colour."""
        for colour in players:
            die = now.get(colour)
            if die is None:
                self._reached.setdefault(colour, set()).update(seen.reached_bets)
                if self._lay.get(colour) not in seen.hiding_bets:
                    self._lay.pop(colour, None)  # the whole tile is in view, and the die is not there
                continue
            self.forget(colour)
            if die.where.startswith(_ON_TILE):
                self._lay[colour] = die.where.removeprefix(_ON_TILE)

    def forget(self, player: str | None) -> None:
        """Note that a player's die (ALL: every die) was in his hand or in view: earlier evidence is void."""
        for known in (self._lay, self._reached):
            if player == ALL:
                known.clear()
            elif player is not None:
                known.pop(player, None)

    def paid(
        self, event: Event, tiles: Sequence[str], absent: Collection[str], players: Collection[str]
    ) -> Iterator[dict[str, Any]]:
        """Yield, in doubt, the dice of `absent` colours whose bet on one of the tiles the throw would pay."""
        thrower, dice = event.get("player"), [read_die(plain) for plain in event.fields["dice"]]
        active = None if thrower in (None, ALL) else str(thrower)
        for colour in sorted(absent):
            paid = [
                kind
                for kind in tiles
                if _pays(Die(colour, None, _ON_TILE + kind), dice, active, sorted(players))
            ]
            likely = self._likely(colour, tiles)
            if paid and likely in paid:
                yield telling.unseen_die(
                    colour, _ON_TILE + likely, {_ON_TILE + likely: _LIKELY, "outside": 1 - _LIKELY}
                )
            elif paid:
                yield telling.unseen_die(
                    colour, "outside", {_ON_TILE + kind: 1 / (len(paid) + 1) for kind in paid}
                )

    def _likely(self, colour: str, tiles: Collection[str]) -> str | None:
        """The tile beyond the picture's edge where the evidence puts this die; None if it is not clear."""
        if colour in self._lay:
            return self._lay[colour]
        reached = self._reached.get(colour, set()) & set(tiles)
        return next(iter(reached)) if len(reached) == 1 else None


def _pays(bet: Die, dice: Sequence[Die], active: str | None, players: Sequence[str]) -> bool:
    gains = score([*dice, bet], active, players).gains
    return any(gain.points for gain in gains if gain.die == bet.colour and gain.where == bet.where)
