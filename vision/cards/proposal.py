"""What a search considered: rectangles proposed as cards and why each was refused, for a listener.

A search reports to its listener, if it has one; without one this costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vision.arrays import Float64
from vision.cards.reading import Reading
from vision.cards.rectangle import Box
from vision.sightings import Picture


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rectangle proposed as a card: `corners_mm` (4, 2), how its outline fits, how it was read.

    `crop` is the flattened card (120, 80, 3) BGR, if it was cut out; `fresh` is the share of its place that
    has changed, None in a still. `refused` is why it is no card; None if it was taken for one.
    """

    corners_mm: Float64
    box: Box
    reading: Reading
    refused: str | None = None
    crop: Picture | None = None
    fresh: float | None = None

    @property
    def measured(self) -> str:
        """The numbers that were decisive, in one line."""
        fresh = "" if self.fresh is None else f", {self.fresh:.0%} of its place changed"
        sides = f"outline {self.box.support:.2f} on edges, weakest side {self.box.weakest:.2f}"
        if self.reading.name is None:
            glance = "" if self.crop is None else f"likest face at a glance {self.reading.likeness:.2f}, "
            return f"{glance}{sides}{fresh}"
        face = f"likeness {self.reading.likeness:.2f}, margin {self.reading.margin:.2f}"
        return f"{face}, {sides}{fresh}"


ProposalListener = Callable[[Proposal], None]


def why_unsure(reading: Reading, least_likeness: float, least_margin: float) -> str | None:
    """Why a name may not be reported, in words; None if likeness and margin suffice."""
    if reading.name is None:
        return "no face was found on it"
    if reading.lookalike is not None:
        return (
            "it may be a card of which this deck has no picture; the likest known face is"
            f" {reading.lookalike}, likeness {reading.likeness:.2f}"
        )
    if reading.likeness < least_likeness:
        return f"too unlike {reading.name}: likeness {reading.likeness:.2f}, {least_likeness:.2f} needed"
    if reading.margin < least_margin:
        rival = reading.guesses[1].name if len(reading.guesses) > 1 else "another"
        return (
            f"{reading.name} and {rival} are too near: margin {reading.margin:.2f}, {least_margin:.2f} needed"
        )
    return None
