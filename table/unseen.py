"""A throw that nobody saw: dice lie otherwise after the eye was blind, and the table asks.

Who threw, and whether anybody did, is open then. What rolled before the eye's own sight tells it best; of
what only came to lie otherwise, the one player's die that did.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

Event = dict[str, Any]

UNSEEN = "throw"
"""The doubt of a die of which nobody saw whether it was thrown: no later look can settle that."""
TWO_THROWS_S = 2.5
"""No two throws come to rest so soon after each other: dice are taken up, shaken and roll."""


def last_thrower(
    active: str | None,
    flew: Collection[str],
    unseen: Collection[str],
    held: Collection[str],
    in_view: Collection[str],
    gap_s: float,
) -> str | None:
    """Whose throw the last one was, of players' colours; None where that is open.

    `active` has the turn by the throws that were seen. `flew` came to lie anew before the eye's sight,
    `unseen` while it was blind for `gap_s`; `held` were in nobody's view before, `in_view` are now.
    """
    own = set(flew or unseen)
    if len(own) > 1 and len(own & set(held)) == 1:  # the others lay there and were hit
        own &= set(held)
    if len(own) == 1:
        return own.pop()
    # In a short gap the turn has not passed on. Whose die is in nobody's view may have thrown it out.
    fits = active in own if own else active not in in_view
    return active if fits and gap_s < TWO_THROWS_S else None


def asked(event: Event, places: Collection[int]) -> Event:
    """The throw as one that nobody saw: the dice in these places of its list are in doubt."""
    dice = [
        {**die, "doubt": [*die.get("doubt", ()), UNSEEN]} if place in places else die
        for place, die in enumerate(event["dice"])
    ]
    return {**event, "dice": dice, "after_gap": True}
