"""Which cards a seat may play to the current trick, as far as everybody knows (G-02, G-14).

Hands are hidden: a card that meets every duty is legal whatever else the hand holds, any other only if the
hand holds nothing that would meet it. What a seat has shown itself out of earlier is not considered here.
Cards that lie open beside the hands are in none of them; playing one would be an offence (J-I10).
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
    """Legal only if the hand holds nothing that would meet its duty."""


def playable(opened: Iterable[TrickRound], seat: str, left: Iterable[str]) -> Playable:
    """Divide the cards that are `left`; those that every reading of a round allows are sure.

    A card that lies in the pile in every reading is in neither group.
    """
    rounds = list(opened)
    cards = [name for name in left if not rounds or not all(_in_pile(each, seat, name) for each in rounds)]
    sure = [name for name in cards if rounds and all(_is_legal(each, seat, name) for each in rounds)]
    return Playable(tuple(sure), tuple(name for name in cards if name not in sure))


def _in_pile(opened: TrickRound, seat: str, name: str) -> bool:
    return opened.in_pile(opened.seats.index(seat), name)


def _is_legal(opened: TrickRound, seat: str, name: str) -> bool:
    return not _in_pile(opened, seat, name) and _does_its_duty(opened, seat, name)


def _does_its_duty(opened: TrickRound, seat: str, name: str) -> bool:
    at, card = opened.seats.index(seat), opened.family.number.get(name, -1)
    meant = opened.possible_contracts() if opened.trick and not opened.exempt(at) else ()
    if meant:  # nobody has said what is trump
        return not any(broken(contract.duties(opened.trick), card) for contract in meant)
    return not broken(opened.duties(at), card)
