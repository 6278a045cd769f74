"""What a throw of DoppelX proves against somebody: X-I1, X-I3, X-I7 as pure questions about dice.

Another player's die moved by hand (X-I2) looks like one that was hit, so it is no finding; a die on a bet
field is never counted (X-I4), so it cannot be counted wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.rules.doppelx.scoring import Scoring
from table.rules.doppelx.terms import WHITE, Die

UNMOVED_MM, UNMOVED_DEG = 1.0, 2.0
"""Largest move and turn of a die that counts as unmoved: a thrown die does not come to rest where it lay."""
KNOCKED_MM = 60.0
"""Distance that a die seldom exceeds when another one hits it."""
DIE_APART_MM = 8.0
"""Smallest distance between two dice; centres that are nearer were not measured."""


def lying(dice: Sequence[Die], scoring: Scoring) -> frozenset[str]:
    """Return the dice that surely stay on the field after a throw: X dice of a Doppel X go back (X-21).

    Unread faces may have made a Doppel X. A die whose throw nobody saw does not surely stay either.
    """
    unread = {die for die in dice if die.on_field and (die.face is None or "face" in die.doubt)}
    crosses = {die for die in dice if die.on_field and die.face == "X"} | unread
    gone = crosses if scoring.doppel_x or len(crosses) > 1 else frozenset()
    hearsay = {die for die in dice if "throw" in die.doubt}  # nobody saw them come to lie there
    return frozenset(
        colour
        for die in dice
        if die.on_field and die not in gone | hearsay and (colour := sure_colour(die)) is not None
    )


def sure_colour(die: Die) -> str | None:
    """Return a die's colour, None where the eye was not sure of it: that proves nothing against anybody."""
    return None if "colour" in die.doubt else die.colour


def duplicates(dice: Sequence[Die]) -> Iterator[str]:
    """Yield the colours of which there surely is more than one die (X-I7)."""
    colours = [colour for die in dice if (colour := sure_colour(die)) is not None]
    return (colour for colour in dict.fromkeys(colours) if colours.count(colour) > 1)


def plays_along(colours: Sequence[str], told: Sequence[Die]) -> bool:
    """Return whether one of these colours plays in this game, by the dice that were reported.

    It is assumed where they show fewer than two players, or one of unsure colour. After a badly reported game
    nobody knows who tied in it and plays the deciding one (X-30).

    Args:
        colours: whose turn it was.
        told: the dice of the opening, or else of all throws so far.
    """
    threw = {sure_colour(die) for die in told} - {WHITE}
    return None in threw or len(threw) < 2 or any(colour in threw for colour in colours)


def threw_one(dice: Sequence[Die], active: str, before: Sequence[Die]) -> bool:
    """Return whether the active player surely did not throw both his own die and the white one (X-08, X-I1).

    One of them is missing or lies exactly as before. A die of unsure colour may be the missing one.
    """
    own = [die for die in dice if sure_colour(die) in (active, WHITE)]
    listed = {sure_colour(die) for die in dice}
    if None not in listed and not {active, WHITE} <= listed:
        return True
    return any(unmoved(die, dice, before) for die in own)


def may_have_thrown(colours: Sequence[str], dice: Sequence[Die], before: Sequence[Die]) -> str | None:
    """Return the first of these colours, whose turn it was, that may have thrown, judging by its die.

    The die has moved, or was not measured to be unmoved; or it is a bet, and nobody bets on his own throw.
    A die in the hand, and one that surely lies as before, prove that its player did not throw.
    """
    was = {sure_colour(die): die for die in before}
    now = {sure_colour(die): die for die in dice if die.where is not None}
    return next((c for c in colours if c in now and not _still(now[c], was.get(c))), None)


def may_have_thrown_then(colours: Sequence[str], dice: Sequence[Die], before: Sequence[Die]) -> str | None:
    """Return the first of these colours whose die moved far, or to another face, in the last throw.

    A die that is only knocked does neither: perhaps that throw was its own, and one before it was missed.
    """
    was = {sure_colour(die): die for die in before if die.on_field}
    now = {sure_colour(die): die for die in dice if die.on_field}
    for colour in colours:
        if colour not in now or colour not in was or "face" in now[colour].doubt:
            continue
        gone = _distance_mm(now[colour], was[colour])
        most = KNOCKED_MM if now[colour].face == was[colour].face else UNMOVED_MM
        if gone is not None and gone > most:
            return colour
    return None


def _still(die: Die, was: Die | None) -> bool:
    if was is None or not (die.on_field and was.on_field):
        return False
    gone = _distance_mm(die, was)
    read = "face" not in die.doubt
    return read and gone is not None and gone <= UNMOVED_MM and die.face == was.face


def came_unseen(dice: Sequence[Die], active: str, before: Sequence[Die]) -> str | None:
    """Return another player's colour whose die is on the field but was not: a throw is missing."""
    lay = {sure_colour(die) for die in before if die.on_field} | {active, WHITE, None}
    came = (colour for die in dice if die.on_field and (colour := sure_colour(die)) not in lay)
    return next(came, None) if before else None


def unmoved(die: Die, dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Return whether a die lies exactly as it did after the previous throw."""
    was = next((other for other in before if other.colour == die.colour), None)
    if was is None or was.where != die.where:
        return False
    if die.bet is not None:
        return True
    if not die.on_field or was.face != die.face or die.face is None or die.yaw is None or was.yaw is None:
        return False
    if "face" in die.doubt:  # perhaps the table only remembers it there
        return False
    gone = _distance_mm(die, was)
    apart = [mm for other in dice if other is not die and (mm := _distance_mm(die, other)) is not None]
    if gone is None or min(apart, default=DIE_APART_MM) < DIE_APART_MM:
        return False
    return gone <= UNMOVED_MM and abs((die.yaw - was.yaw + 45) % 90 - 45) <= UNMOVED_DEG


def bad_bets(dice: Sequence[Die], active: str, before: Sequence[Die], lay: frozenset[str]) -> Iterator[str]:
    """Yield the colours of wrong bets: the die lay on the field, or its player is throwing (X-23, X-I3).

    The active player's die that simply stayed on its bet was not thrown: that is X-I1.
    """
    bets = [die for die in dice if die.bet is not None and "line" not in die.doubt]  # its place was seen
    laid = [die for die in bets if sure_colour(die) in lay]
    if any(_perhaps_thrown_since(die, dice, active, before) for die in laid):
        laid = []
    for die in bets:
        colour = sure_colour(die)
        if colour not in (None, WHITE) and (
            die in laid or (colour == active and not unmoved(die, dice, before))
        ):
            yield str(colour)


def _perhaps_thrown_since(bet: Die, dice: Sequence[Die], active: str, before: Sequence[Die]) -> bool:
    """Return whether missing throws may have taken a die from the field, so that it may be a bet now.

    Then everybody has thrown since, so one other die that was measured as unmoved disproves it. Without
    measurements a face and a zone may recur by chance, and a die may be hit: in a full box two dice must be
    as they were, and more than twice as many as are not.
    """
    hands = (active, WHITE, bet.colour, None)
    was = {colour: die for die in before if die.on_field and (colour := sure_colour(die)) not in hands}
    now = {sure_colour(die): die for die in dice if die.on_field}
    both = [(die, now.get(colour)) for colour, die in was.items()]
    if any(die is not None and _still(die, old) for old, die in both):
        return False
    lie = [die is not None and (old.face, old.zone) == (die.face, die.zone) for old, die in both]
    same = lie.count(True) + any((old.colour, old.face) == (bet.colour, bet.face) for old in before)
    return same < min(2, len(both) + 1) or same <= 2 * lie.count(False)


def throws_missing(dice: Sequence[Die], active: str, before: Sequence[Die], lay: frozenset[str]) -> bool:
    """Return whether the dice show that there were throws since the last one that was reported.

    A die that lay on the field is gone, another has come, or one is a bet now and may have been thrown.
    """
    listed = {sure_colour(die) for die in dice}
    if (None not in listed and not lay <= listed) or came_unseen(dice, active, before) is not None:
        return True
    laid = (die for die in dice if die.bet is not None and sure_colour(die) in lay)
    return any(_perhaps_thrown_since(die, dice, active, before) for die in laid)


def strange_bets(dice: Sequence[Die], before: Sequence[Die], in_play: Sequence[str] | None) -> Iterator[str]:
    """Yield, once, the colours of dice laid on a bet field that this game does not have (X-04, X-I3)."""
    lay = {(die.colour, die.bet) for die in before}
    for die in dice:
        colour = sure_colour(die)
        new = (die.colour, die.bet) not in lay and not die.doubt
        if in_play is not None and die.bet is not None and die.bet not in in_play and new and colour:
            yield colour


def _distance_mm(one: Die, other: Die) -> float | None:
    if one.center is None or other.center is None:
        return None
    (x, y), (a, b) = one.center, other.center
    return float(((x - a) ** 2 + (y - b) ** 2) ** 0.5)


def flung(dice: Sequence[Die], active: str | None) -> tuple[str, ...]:
    """Return other players' dice left in a hole, on X or on -1: perhaps by the spinner (X-24)."""
    return tuple(
        die.colour
        for die in dice
        if die.colour not in (None, active, WHITE)
        and die.colour is not None
        and (die.where == "hole" or (die.on_field and die.zone in ("X", "-1")))
    )
