"""What a throw of DoppelX proves against players (X-I1, X-I3, X-I5, X-I7), and what it only makes likely."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, NamedTuple

from table.rules.doppelx import checks
from table.rules.doppelx.scoring import Throw
from table.rules.doppelx.terms import WHITE, Die


class Before(NamedTuple):
    """The state of the game before a throw.

    `passed_over`: whose turn it was before its thrower's; empty: he throws in turn, or nobody knows who may.
    `disordered`: throws are reported in another order than they were thrown, or this one came before.
    `gap`: dice may have moved unseen since the last throw that was seen. `bets`: the tiles in play.
    `play`: whose dice were reported since throws were missing; perhaps only they are in this game.
    """

    throws: Sequence[Throw]
    passed_over: tuple[str, ...]
    disordered: bool
    gap: bool
    bets: Any
    play: Set[str | None]


class Offence(NamedTuple):
    """A finding, its rule, and the colour of the player it is held against; None: nobody."""

    finding: str
    rule: str
    colour: str | None


class Judgement(NamedTuple):
    """Offences in the order of their proofs.

    `untold`: whose throw is missing before this one. `disordered`: nothing more was judged, as the order of
    lines proves nothing.
    """

    offences: tuple[Offence, ...]
    untold: str | None = None
    disordered: bool = False


def judged(dice: tuple[Die, ...], active: str | None, before: Before) -> Judgement:
    """Return every offence that a throw proves by itself.

    What may only follow from another offence is none: the player who is said to have thrown out of turn need
    not have thrown, and of two dice of one colour one may be somebody else's.
    """
    throws, passed_over = before.throws, before.passed_over
    twice = frozenset(checks.duplicates(dice))
    found = [
        Offence("duplicate_die", "X-I7", active if colour == WHITE else colour) for colour in sorted(twice)
    ]
    if before.gap:
        return Judgement(tuple(found))
    lay_before = throws[-1].dice if throws else ()
    found += [
        Offence("bad_bet", "X-I3", colour) for colour in checks.strange_bets(dice, lay_before, before.bets)
    ]
    if active is None:
        return Judgement(tuple(found))
    if before.disordered:  # some repeated lines are in turn again
        return Judgement(tuple(found), disordered=True)
    if not throws and all(die.colour != WHITE for die in dice):
        return Judgement(tuple(found))  # that is the opening, reported as one player's (XA-1)
    in_turn = not passed_over
    untold = None if in_turn else checks.may_have_thrown(passed_over, dice, lay_before)
    if untold is None and not in_turn and len(throws) > 1 and throws[-1].active is not None:
        untold = checks.may_have_thrown_then(passed_over, lay_before, throws[-2].dice)
    if (untold := untold or checks.came_unseen(dice, active, lay_before)) is not None:
        return Judgement(tuple(found), untold)
    openings = [throw for throw in throws if throw.active is None and not throw.unseen][-1:]
    told = [die for throw in openings or throws for die in throw.dice]
    if not in_turn and not (before.play & set(passed_over) and checks.plays_along(passed_over, told)):
        return Judgement(tuple(found))
    lay = checks.lying(lay_before, throws[-1].scoring) if throws else frozenset()
    if not in_turn:
        found.append(Offence("out_of_turn", "X-I5", active))
    elif not twice & {active, WHITE} and checks.threw_one(dice, active, lay_before):
        found.append(Offence("one_die", "X-I1", active))
    found += [
        Offence("bad_bet", "X-I3", colour)
        for colour in checks.bad_bets(dice, active, lay_before, lay)
        if colour not in twice and (in_turn or colour != active)
    ]
    return Judgement(tuple(found))
