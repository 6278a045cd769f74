"""A throw that nobody saw: dice lie differently after the eye was blind, and the table asks.

Who threw, and whether anybody did, is then open. Dice that the eye saw roll are the best evidence; failing
these, a single player's die that lies differently.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from table.rules.events import Event

UNSEEN = "throw"
"""The doubt whether a die was thrown unseen: no later look can settle it."""
TWO_THROWS_S = 2.5
"""Shortest time between the rests of two throws: dice are taken up, shaken and rolled."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What is known of the dice after a gap, by their colours.

    The dice `flew` landed in view of the eye, `unseen` while it was blind for `length_s`; `lying` are in view
    where they lay before; `held` were out of view before; `gone` were in view before and no longer are.
    """

    length_s: float
    flew: Collection[str]
    unseen: Collection[str]
    lying: Collection[str]
    held: Collection[str]
    gone: Collection[str]

    def thrower(self, players: Collection[str], active: str | None) -> str | None:
        """Who made the last throw; None where that is open. `active` had the turn before the gap."""
        last = set(self.flew or self.unseen)  # a throw that was seen came last
        own = last & set(players)
        if len(own) > 1 and len(own & set(self.held)) == 1:  # the others lay there and were hit
            own &= set(self.held)
        # A player who threw his die out of view has none lying where it lay.
        others = set(players) - last - set(self.lying)
        if self.flew and len(others & set(self.gone)) == 1:  # taken up last
            others &= set(self.gone)
        # A player without a die in view may have thrown: his die hit another and fell out of view.
        if not own or (not self.flew and (active in others or self.length_s >= TWO_THROWS_S)):
            own |= others
        # A die that lay in view and in no hand may have been hit by that of a player with none in view now.
        if self.flew and own.isdisjoint(self.held):
            own |= others & set(self.gone)
        if len(own) == 1:
            return own.pop()
        # In a short gap the turn cannot have passed on, unless a seen throw followed.
        return active if active in own and self.length_s < TWO_THROWS_S and not self.flew else None


def places_of(event: Event, colours: Collection[str]) -> set[int]:
    """Indices of the dice of these colours in the `dice` list of a throw."""
    return {place for place, die in enumerate(event.fields["dice"]) if die["colour"] in colours}


def in_doubt(event: Event, places: Collection[int]) -> Event:
    """The throw, with a doubt whether the dice at these indices were thrown."""
    dice = [
        {**die, "doubt": [*die.get("doubt", ()), UNSEEN]} if place in places else die
        for place, die in enumerate(event.fields["dice"])
    ]
    return event.having(dice=dice)


def believed(event: Event) -> Event:
    """The throw, without the doubt whether its dice were thrown."""
    dice = []
    for die in event.fields["dice"]:
        left = [what for what in die.get("doubt", ()) if what != UNSEEN]
        dice.append({**{k: v for k, v in die.items() if k != "doubt"}, **({"doubt": left} if left else {})})
    return event.having(dice=dice)


def asked(event: Event, places: Collection[int]) -> Event:
    """The throw as one that nobody saw, with these dice in doubt; who threw and who is next is open."""
    return in_doubt(event, places).having(after_gap=True)
