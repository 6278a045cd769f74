"""Which cards a seat may lay to the trick in hand, by what everybody knows (G-02, G-14).

Hands are hidden: a card that does every duty is legal whatever else the hand holds, another one only if
the hand holds nothing that would do it. What a seat has shown itself out of earlier is not told here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from table.rules.evidence import broken
from table.rules.tricks import TrickRound


@dataclass(frozen=True, slots=True)
class Playable:
    """Card names that may still fall, in the order of the pack."""

    sure: tuple[str, ...]
    """Legal whatever the hand holds."""
    assumed: tuple[str, ...]
    """Legal only if the hand holds nothing that would do its duty."""


def playable(opened: Iterable[TrickRound], seat: str, left: Iterable[str]) -> Playable:
    """Divide the cards that are `left`; sure is what every one of these readings of a round allows."""
    rounds = list(opened)
    cards = list(left)
    sure = [name for name in cards if rounds and all(_does_its_duty(each, seat, name) for each in rounds)]
    return Playable(tuple(sure), tuple(name for name in cards if name not in sure))


def _does_its_duty(opened: TrickRound, seat: str, name: str) -> bool:
    at, card = opened.seats.index(seat), opened.family.number.get(name, -1)
    meant = opened.possible_contracts() if opened.trick and not opened.exempt(at) else ()
    if meant:  # nobody has said what is trump
        return not any(broken(contract.duties(opened.trick), card) for contract in meant)
    return not broken(opened.duties(at), card)
