"""Shows a deck to the camera that learns it: lays the card that is asked for, and takes it away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.printables import Drawing, MatPlan
from table.virtual.camera import Pace, VirtualTable, painter_for
from table.virtual.deeds import LayCard, Wait
from table.virtual.hand_motion import MatHands
from table.virtual.stage import Motion, Stage, reach

_SHOWN_S = 0.8
"""How long a card lies: the camera looks when nothing has moved for half of that."""
_BARE_S = 0.6
_SEAT = "S1"


@dataclass(frozen=True, slots=True)
class TakeAway:
    """The card that lies there goes back into the hand."""


class Rehearsal:
    """Does what `asked` asks for: the card to be laid next, None while there is none."""

    def __init__(self, asked: Callable[[], str | None]) -> None:
        self._asked = asked

    def next(self) -> Sequence[LayCard | TakeAway | Wait]:
        """Lay, wait, take away; the same again while the same card is asked for."""
        card = self._asked()
        if card is None:
            return [Wait(_BARE_S)]
        return [LayCard(_SEAT, card), Wait(_SHOWN_S), TakeAway(), Wait(_BARE_S)]


class ShowingHands:
    """The motions of a rehearsal over one mat."""

    def __init__(self, plan: MatPlan) -> None:
        self._hands = MatHands(plan, seed=1, dice=False)
        self._from_mm = next(place.enters_from_mm for place in plan.layout.seats if place.name == _SEAT)

    def motions(self, deed: LayCard | TakeAway | Wait, stage: Stage) -> list[Motion]:
        """The motions of a deed."""
        if not isinstance(deed, TakeAway):
            return self._hands.motions(deed, stage)

        def grab(stage: Stage) -> None:
            stage.cards.clear()

        return [reach(self._from_mm, [(0.4, (0.0, self._from_mm[1] / 2), grab), (0.2, self._from_mm, None)])]


def rehearsal(plan: MatPlan, cards: dict[str, Drawing], asked: Callable[[], str | None],
              speed: float = 1.0) -> VirtualTable:  # fmt: skip
    """A camera to which these cards are shown as they are asked for; drawing its table takes a second."""
    return VirtualTable(painter_for(plan, cards), ShowingHands(plan), Rehearsal(asked), Stage(), Pace(speed))
