"""What a throw of DoppelX proves against somebody: X-I1, X-I3, X-I7 as pure questions about dice.

A foreign die moved by hand (X-I2) looks like one that was hit, so it is no finding; a die on a bet field
is never counted (X-I4), so it cannot be counted wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.rules.doppelx.scoring import Scoring
from table.rules.doppelx.terms import WHITE, Die

UNMOVED_MM, UNMOVED_DEG = 1.0, 2.0
"""Largest move and turn of a die that counts as unmoved: a thrown one does not come to rest where it lay."""
KNOCKED_MM = 60.0
"""Distance that a die seldom exceeds when another one hits it."""
DIE_APART_MM = 8.0
"""Smallest distance between two dice; centres that are nearer were not measured."""


def lying(dice: Sequence[Die], scoring: Scoring) -> frozenset[str]:
    """Return the dice that surely stay on the field after a throw: X dice of a Doppel X go back (X-21).

    Faces that nobody read may have made a Doppel X. A die whose throw nobody saw does not surely stay either.
    """
    unread = {die for die in dice if die.on_field and (die.face is None or "face" in die.doubt)}
    crosses = {die for die in dice if die.on_field and die.face == "X"} | unread
    gone = crosses if scoring.doppel_x or len(crosses) > 1 else frozenset()
    hearsay = {die for die in dice if "throw" in die.doubt}  # nobody saw that they came to lie there
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
    """Tell whether one of these colours surely plays in this game: his die is among those told of it.

    After a game that was told badly nobody knows who tied in it, and plays the deciding one (X-30).

    Args:
        colours: whose turn it was.
        told: the dice of the opening, else of all throws so far.
    """
    threw = {sure_colour(die) for die in told} - {WHITE}
    return None in threw or len(threw) < 2 or any(colour in threw for colour in colours)


def threw_one(dice: Sequence[Die], active: str, before: Sequence[Die]) -> bool:
    """Tell whether the active player surely did not throw both his own die and the white one (X-08, X-I1).

    One of them is missing or lies exactly as before. A die of unsure colour may be the missing one.
    """
    own = [die for die in dice if sure_colour(die) in (active, WHITE)]
    listed = {sure_colour(die) for die in dice}
    if None not in listed and not {active, WHITE} <= listed:
        return True
    return any(unmoved(die, dice, before) for die in own)


def may_have_thrown(colours: Sequence[str], dice: Sequence[Die], before: Sequence[Die]) -> str | None:
    """Return the first of these colours, whose turn it was, whose die leaves it open whether he threw.

    It lies otherwise than before, or nobody measured that it does not; or it is a bet, and nobody lays one on
    his own throw. A die in his hand and one that surely lies as it lay prove that he did not.
    """
    was = {sure_colour(die): die for die in before}
    now = {sure_colour(die): die for die in dice if die.where is not None}
    return next((c for c in colours if c in now and not _still(now[c], was.get(c))), None)


def may_have_thrown_then(colours: Sequence[str], dice: Sequence[Die], before: Sequence[Die]) -> str | None:
    """Return the first of these colours whose die came in the last throw from far away, or to another face.

    A die that is only knocked does neither: perhaps that throw was his, and one before it was missed.
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
    """Return another's colour whose die lies on the field and did not lie there: a throw is missing."""
    lay = {sure_colour(die) for die in before if die.on_field} | {active, WHITE, None}
    came = (colour for die in dice if die.on_field and (colour := sure_colour(die)) not in lay)
    return next(came, None) if before else None


def unmoved(die: Die, dice: Sequence[Die], before: Sequence[Die]) -> bool:
    """Tell whether a die lies exactly as it did after the throw before."""
    was = next((other for other in before if other.colour == die.colour), None)
    if was is None or was.where != die.where:
        return False
    if die.bet is not None:
        return True
    if not die.on_field or was.face != die.face or die.face is None or die.yaw is None or was.yaw is None:
        return False
    if "face" in die.doubt:  # perhaps it was only remembered there
        return False
    gone = _distance_mm(die, was)
    apart = [mm for other in dice if other is not die and (mm := _distance_mm(die, other)) is not None]
    if gone is None or min(apart, default=DIE_APART_MM) < DIE_APART_MM:
        return False
    return gone <= UNMOVED_MM and abs((die.yaw - was.yaw + 45) % 90 - 45) <= UNMOVED_DEG


def bad_bets(dice: Sequence[Die], active: str, before: Sequence[Die], lay: frozenset[str]) -> Iterator[str]:
    """Yield whose dice should not be on a bet field: they lay on the field, or he is throwing (X-23, X-I3).

    The active player's die that simply stayed on its bet was not thrown: that is X-I1.
    """
    bets = [die for die in dice if die.bet is not None and "line" not in die.doubt]  # where it is seen
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
    """Tell whether throws may be missing in which a die fell that is now a bet: then all have thrown since.

    One other die that was measured not to have moved disproves it. Without measures a face and a zone recur
    by chance, and a die may be hit: of a whole box two must be as they were, and more than twice as many as
    are not.
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
    """Tell whether the dice show that there were throws since the last one that was told.

    A die that lay on the field is gone, another one came, or one is a bet now and may have been thrown.
    """
    listed = {sure_colour(die) for die in dice}
    if (None not in listed and not lay <= listed) or came_unseen(dice, active, before) is not None:
        return True
    laid = (die for die in dice if die.bet is not None and sure_colour(die) in lay)
    return any(_perhaps_thrown_since(die, dice, active, before) for die in laid)


def strange_bets(dice: Sequence[Die], before: Sequence[Die], in_play: Sequence[str] | None) -> Iterator[str]:
    """Yield whose dice were laid on a bet field that this game does not have, once (X-04, X-I3)."""
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
    """Return the lying dice that a throw left in a hole, on X or on -1: maybe the spinner did (X-24)."""
    return tuple(
        die.colour
        for die in dice
        if die.colour not in (None, active, WHITE)
        and die.colour is not None
        and (die.where == "hole" or (die.on_field and die.zone in ("X", "-1")))
    )
