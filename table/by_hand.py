"""Dice that lie differently though nothing was seen to roll: moved by a hand, or thrown unnoticed.

A throw brings both dice (X-08): while one of them lies as it lay, a hand moved the other (X-I2). What may
still be a throw is asked. Both dice of the next player, his own with another face up, pass on the turn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from vision.sightings import DieSeen


@dataclass(frozen=True, slots=True)
class Unrolled:
    """What is known of a thrower's die and of the white one, by colour, where nothing rolled.

    Both are the `pair`; of these `now` are in view, `anew` those that came from far or from a hand, `turned`
    those that show another face than they last did, `held` those that were in a hand before.
    """

    pair: tuple[str, str]
    now: Mapping[str, DieSeen]
    anew: Collection[str]
    turned: Collection[str]
    held: Collection[str]

    def is_throw(self, *, in_turn: bool) -> bool | None:
        """Whether that was probably a throw; None where nobody knows. `in_turn`: he surely is next."""
        seen = [colour for colour in self.pair if colour in self.now]
        if not seen or not set(seen) <= set(self.anew):
            return False
        if len(seen) == 1:
            # A hand pushed it aside while reaching for the other one.
            return None if in_turn and (seen[0] in self.held or seen[0] in self.turned) else False
        return True if in_turn and self.pair[0] in self.turned else None
