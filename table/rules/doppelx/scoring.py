"""What a throw of DoppelX scores: every die's points with its reason, bets, Doppel X (X-10 to X-27)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from table.rules.doppelx.terms import (
    BET_PAY,
    BET_ZONE,
    DOPPEL_X,
    FACTOR,
    ON_DOPPEL_X,
    WHITE,
    Die,
)


class Gain(NamedTuple):
    """One die's part in a scoring: whose it is, what it scores and why ("3 × 2x = 6")."""

    player: str
    die: str
    face: str | None
    where: str | None
    zone: str | None
    points: int
    why: str
    rule: str


class Scoring(NamedTuple):
    """A scored throw: an entry for every die that belongs to somebody, and the net of each player."""

    gains: tuple[Gain, ...]
    doppel_x: bool
    spinner: str | None = None

    def net(self, player: str) -> int:
        """Return a player's points from the throw, all his dice and bets together (XA-2)."""
        return sum(gain.points for gain in self.gains if gain.player == player)


class Throw(NamedTuple):
    """A throw as it was scored; `active` None is an opening, `before` the totals before it.

    `unseen`: nobody saw it, because the table was blind. If `active` is None as well, it is nobody's.
    """

    event: int
    active: str | None
    dice: tuple[Die, ...]
    scoring: Scoring
    before: tuple[int, ...]
    totals: tuple[int, ...]
    unseen: bool = False


def owner(die: Die, active: str | None, players: Sequence[str]) -> str | None:
    """Return who scores a die's points: the white die's go to the active player alone (X-11, X-19)."""
    if die.colour == WHITE:
        return active
    return die.colour if die.colour in players else None


def has_doppel_x(dice: Sequence[Die], active: str | None, players: Sequence[str]) -> bool:
    """Return whether at least two dice on the field show X; holes, outside and bets do not count (X-18)."""
    return sum(d.on_field and d.face == "X" and owner(d, active, players) is not None for d in dice) >= 2


def score(
    dice: Sequence[Die],
    active: str | None,
    players: Sequence[str],
    *,
    opening_doppel_x: bool = True,
    spinner: str | None = None,
) -> Scoring:
    """Score a throw; `active` None is the opening, `spinner` the die that the spinner surely flung.

    Every player scores his own die on the field, the active one also the white die (X-10, X-11).
    """
    doppel_x = (active is not None or opening_doppel_x) and has_doppel_x(dice, active, players)
    thrown, paid = _Thrown(dice, active, doppel_x, spinner), set[str]()
    gains = []
    for die in dice:
        player = owner(die, active, players)
        if player is None or die.colour is None:
            continue
        if die.bet is not None:
            points, why, rule = _bet(die, player, thrown)
        elif doppel_x and die.on_field:
            points, why, rule = _beside_doppel_x(die, player, paid)
        else:
            points, why, rule = _lying(die)
        gains.append(Gain(player, die.colour, die.face, die.where, die.zone, points, why, rule))
    return Scoring(tuple(gains), doppel_x, spinner)


def _lying(die: Die) -> tuple[int, str, str]:
    """Return the points of a die without a Doppel X (X-12 to X-17)."""
    if die.lost:
        return 0, "hole" if die.zone == "hole" else str(die.where), "X-14"
    if die.zone == "-1":
        return -1, "-1", "X-13" if die.face != "X" else "X-17"
    if die.zone == "X":
        return 0, "X", "X-14"
    if die.face == "X":
        return 0, "X", "X-17"
    if die.face is None or die.zone is None:
        return 0, "?", "X-16"
    points = int(die.face) * FACTOR[die.zone]
    return points, f"{die.face} × {die.zone} = {points}", "X-12"


def _beside_doppel_x(die: Die, player: str, paid: set[str]) -> tuple[int, str, str]:
    """Return ten for the owner of an X, once per player; all other dice score nothing (X-19, X-20)."""
    if die.face != "X":
        return 0, "Doppel X", "X-20"
    if player in paid:
        return 0, "Doppel X", "X-19"
    paid.add(player)
    return DOPPEL_X, f"Doppel X = {DOPPEL_X}", "X-19"


class _Thrown(NamedTuple):
    """The facts of a throw that bets depend on: its dice, who threw, Doppel X or not, who was spun."""

    dice: Sequence[Die]
    active: str | None
    doppel_x: bool
    spinner: str | None


def _bet(die: Die, player: str, thrown: _Thrown) -> tuple[int, str, str]:
    """Return what a bet pays: the active player's own die and the white one decide (X-23 to X-27)."""
    dice, active, doppel_x, spinner = thrown
    kind = str(die.bet)
    if active is None or player == active or die.colour == WHITE:
        return 0, f"bet {kind}", "X-23"
    if kind in ON_DOPPEL_X:
        times = int(doppel_x)
    elif doppel_x:
        return 0, f"bet {kind}", "X-27"
    elif kind == "G":
        times = int(spinner is not None)
    else:
        theirs = [d for d in dice if d.colour in (active, WHITE)]
        hits = sum(d.lost if kind == "B" else d.on_field and d.zone == BET_ZONE[kind] for d in theirs)
        times = min(hits, 2)
    points = BET_PAY[kind] * times
    if times == 2:
        return points, f"bet {kind}: 2 × {BET_PAY[kind]} = {points}", "X-25"
    return points, f"bet {kind}" + (f" = {points}" if points else ""), "X-24"
