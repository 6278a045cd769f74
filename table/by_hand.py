"""Dice that lie differently though nothing was seen to roll: moved by a hand, or thrown unnoticed.

A throw brings both dice (X-08): if one of them lies as it lay, a hand moved the other (X-I2). Where it may
still have been a throw, the table asks. If both dice of the next player moved, his own with another face up,
it counts as a throw.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from vision.sightings import DieSeen


@dataclass(frozen=True, slots=True)
class Unrolled:
    """What is known of a thrower's die and the white one (`pair`), by colour, where nothing rolled.

    The dice `now` are in view; `anew` came from far or from a hand, `turned` show another face than before,
    `held` were in a hand before.
    """

    pair: tuple[str, str]
    now: Mapping[str, DieSeen]
    anew: Collection[str]
    turned: Collection[str]
    held: Collection[str]

    def is_throw(self, *, in_turn: bool) -> bool | None:
        """Whether this was probably a throw; None where that is open. `in_turn`: it surely is his turn."""
        seen = [colour for colour in self.pair if colour in self.now]
        if not seen or not set(seen) <= set(self.anew):
            return False
        if len(seen) == 1:
            # A hand may have pushed it aside while reaching for the other one.
            return None if in_turn and (seen[0] in self.held or seen[0] in self.turned) else False
        return True if in_turn and self.pair[0] in self.turned else None
