"""An opening whose dice do not land together: dice that come after it was reported belong to it, too (X-06).

All throw at once, and nobody throws the white die (XA-1). So a player's die that was missing and rolls into
the box without the white one is a late one, until the next throw is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from table.resting_dice import IN_BOX
from table.rules.doppelx.terms import ALL, WHITE
from table.rules.events import Event
from table.unseen import TWO_THROWS_S, UNSEEN
from vision.sightings import DieSeen

_OUTSIDE = "outside"


def came_late(
    told: Event, news: Collection[str], now: Mapping[str, DieSeen], held: Collection[str]
) -> set[str]:
    """The colours that came into the box and are still missing from the opening as it was reported.

    A die is missing if it lay outside, or if its part is in doubt and it came from a hand (`held`).
    """
    if told.get("player") != ALL:
        return set()
    lack = {die["colour"] for die in told.fields["dice"] if die["where"] == _OUTSIDE}
    lack |= {die["colour"] for die in told.fields["dice"] if _is_unseen(die) and die["colour"] in held}
    return {colour for colour in news if colour in lack - {WHITE} and now[colour].where in IN_BOX}


def is_first_throw(told: Event, came: set[str], first: Collection[str], *, white_gone: bool) -> bool:
    """Whether the late die is rather the first throw after the opening, by the player who begins.

    It is if his die alone came, and the white die is no longer in view or his own already lay in the box.
    """
    lay = {die["colour"] for die in told.fields["dice"] if die["where"] in IN_BOX}
    return len(came) == 1 and came <= set(first) and (white_gone or came <= lay)


def asked_of(told: Event, came: set[str], first: Collection[str], t: float) -> set[str]:
    """The late colours that may not be part of the opening, so that the table asks.

    A die that lay beside the box may have fallen out and been thrown again. A die of the player who throws
    `first` may be his own throw, with an unseen white die, once there was time for it.
    """
    beside = {die["colour"] for die in told.fields["dice"] if die["where"] == _OUTSIDE and "center" in die}
    alone = came if len(came) == 1 and t - told.fields["t"] >= TWO_THROWS_S else set()
    return came & beside | alone & set(first)


def still_asked(told: Event, came: Collection[str], now: Mapping[str, DieSeen]) -> set[str]:
    """The colours that were in doubt in the opening and were not taken up since."""
    return {die["colour"] for die in told.fields["dice"] if _is_unseen(die)} & set(now) - set(came)


def put_right(told: Event, whole: Event, now: Mapping[str, DieSeen], first: Collection[str]) -> Event:
    """The opening as `told` with the dice of the `whole` one; dice taken up since stay in it.

    The player who throws `first` takes up his die; another's may have been knocked out, or only laid there.
    """
    kept = {}
    for die in told.fields["dice"]:
        colour, own = die["colour"], die["colour"] in first
        if (
            colour is not None
            and colour not in now
            and die["where"] != _OUTSIDE
            and (own or not _is_unseen(die))
        ):
            kept[colour] = die if own else {**die, "doubt": [*die.get("doubt", ()), "line"]}
    dice = [kept.pop(die["colour"], die) for die in whole.fields["dice"]]
    return whole.having(t=told.fields["t"], dice=[*dice, *kept.values()])


def _is_unseen(die: Mapping[str, Any]) -> bool:
    return UNSEEN in die.get("doubt", ())
