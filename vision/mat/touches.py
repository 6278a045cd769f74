"""Which cards fingers rest on: a hand reaches out, stays, leaves; an arm that passes over touches none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vision.arrays import Mask
from vision.mat.hand_parameters import HANDS
from vision.mat.hands import Hands
from vision.mat.tracked_card import TrackedCard


@dataclass(slots=True)
class _Touch:
    """How deep a hand has reached, and since when its fingers have been over which cards (by key)."""

    depth_mm: float
    since_t: dict[int, float] = field(default_factory=dict)
    until_t: float = 0.0


class Touches:
    """The touches of all hands over one table, by the hand's number."""

    def __init__(self) -> None:
        self._touches: dict[int, _Touch] = {}

    def forget(self) -> None:
        """Forget what all hands did."""
        self._touches.clear()

    def note(self, cards: Sequence[TrackedCard], places: Mask, hands: Hands, t: float) -> None:
        """Remember on which of the `cards`, which lie at `places`, each hand's fingers rest."""
        for hand in hands.now:
            if not (hand.mask & places).any():
                continue
            reach = hands.reach_mm(hand)
            if reach is None:
                continue
            depth, fingers = reach
            touch = self._touches.setdefault(hand.number, _Touch(depth))
            if depth > touch.depth_mm + HANDS.still_mm:
                touch.depth_mm, touch.since_t = depth, {}
            if depth < touch.depth_mm - HANDS.still_mm:
                continue
            for card in cards:
                if (fingers & card.visible).sum() > HANDS.touch_share * card.place.sum():
                    touch.since_t.setdefault(card.key, t)
                    touch.until_t = t

    def end(self, hand: int) -> set[int]:
        """Remove a hand that has left; returns the keys of the cards that its fingers rested on."""
        touch = self._touches.pop(hand, None)
        if touch is None:
            return set()
        return {key for key, since_t in touch.since_t.items() if touch.until_t - since_t >= HANDS.touch_s}
