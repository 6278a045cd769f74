"""The cards on the table as the eye remembers them: what lies on what, what was moved, what went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.hands import Hand
from vision.islands import Found
from vision.motion import Coarse, Mask, grow
from vision.scene import Scene
from vision.sightings import CardsGone, CardsTouched, CardWithdrawn, Sighting

TAKEN_BACK_S = 2.5
"""A card that its player takes away again so soon was not played."""
_SAME_PLACE_MM = 8.0
_STRAGGLE_S = 1.5
_TOUCH_SHARE = 0.25


@dataclass(slots=True, eq=False)
class Lying:
    """One card: its coarse mask `place`, what of it is not covered, the hand (number) and seat it came by.

    `light` is how its place looked when it was laid, `gone_t` when the place was seen empty, `takers` the
    hands that were there then.
    """

    key: int
    t: float
    found: Found
    place: Mask
    visible: Mask
    hand: int | None
    seat: str | None
    light: Coarse
    gone_t: float | None = None
    takers: frozenset[int] = frozenset()


class Heap:
    """All cards that lie on one table, lowest first."""

    def __init__(self) -> None:
        self.cards: list[Lying] = []
        self._count = 0
        self._under: dict[int, set[int]] = {}

    @property
    def waiting(self) -> bool:
        """Whether cards are on their way off the table."""
        return any(card.gone_t is not None for card in self.cards)

    def places(self, shape: tuple[int, ...]) -> Mask:
        """Where cards lie."""
        mask = np.zeros(shape, np.bool_)
        for card in self.cards:
            mask |= card.place
        return mask

    def add(self, found: Found, scene: Scene, t: float) -> Lying:
        """A new card on top of everything."""
        place = scene.coarse.fill(found.corners_mm)
        hand = scene.hands.over(place)
        seat = scene.hands.seat_of(hand) if hand is not None else None
        self._count += 1
        card = Lying(self._count, t, found, place, place.copy(), hand, seat, scene.light)
        self._on_top(card, scene)
        return card

    def moved(self, found: Found, scene: Scene) -> bool:
        """Whether this is a card that lay elsewhere before; if so it lies here now."""
        middle = found.corners_mm.mean(axis=0)
        for card in reversed(self.cards):
            if card.found.reading.name != found.reading.name:
                continue
            near = np.linalg.norm(card.found.corners_mm.mean(axis=0) - middle) < _SAME_PLACE_MM
            left = (scene.changed & card.visible).sum() > 0.35 * max(1, card.visible.sum())
            if near or left or card.gone_t is not None:
                card.found, card.gone_t = found, None
                card.place, card.light = scene.coarse.fill(found.corners_mm), scene.light
                self._on_top(card, scene)
                return True
        return False

    def carry_over(self, scene: Scene) -> None:
        """The table was found anew in another place of the picture: the cards lie on it as before."""
        for card in self.cards:
            card.place, card.light = scene.coarse.fill(card.found.corners_mm), scene.light
            card.hand, card.takers = None, frozenset()
            scene.uncover(card.place)
        self._under.clear()
        self._look_from_above()

    def _on_top(self, card: Lying, scene: Scene) -> None:
        self.cards = [other for other in self.cards if other is not card]
        self.cards.append(card)
        self._look_from_above()
        scene.settle(grow(card.place))

    def _look_from_above(self) -> None:
        for index, card in enumerate(self.cards):
            card.visible = card.place.copy()
            for above in self.cards[index + 1 :]:
                card.visible &= ~above.place

    # --- going ----------------------------------------------------------------------------------------

    def note_hands(self, scene: Scene) -> None:
        """Remember which hands were over which cards."""
        for hand in scene.hands.now:
            for card in self.cards:
                if (hand.mask & card.place).sum() > _TOUCH_SHARE * card.place.sum():
                    self._under.setdefault(hand.number, set()).add(card.key)

    def note_gone(self, scene: Scene, t: float) -> None:
        """Find cards in whose place the bare table shows again."""
        if not self.cards:
            return
        covered = grow(scene.hands.mask)
        bare = ~scene.not_bare()
        for card in self.cards:
            spot = card.visible if card.visible.sum() >= 4 else card.place
            size = spot.sum()
            if card.gone_t is not None or (covered & spot).sum() > 0.1 * size or (scene.moving & spot).any():
                continue
            if (bare & spot).sum() > 0.7 * size and scene.unlike(card.light, spot) > 0.5:
                card.gone_t = t
                card.takers = scene.hands.lately(t)
                scene.settle(grow(card.place) & bare & ~covered)

    def part(self, gone_hands: list[Hand], scene: Scene, t: float) -> list[Sighting]:
        """What the hands that left have taken with them, or only touched."""
        out: list[Sighting] = []
        waiting = [card for card in self.cards if card.gone_t is not None]
        if waiting:
            takers = frozenset[int]().union(*(card.takers for card in waiting))
            present = {hand.number for hand in scene.hands.now}
            latest = max(card.gone_t for card in waiting if card.gone_t is not None)
            if not takers & present or t - latest > _STRAGGLE_S:
                out.append(self._take(waiting, scene, t))
        for hand in gone_hands:
            keys = self._under.pop(hand.number, set())
            brought = any(card.hand == hand.number for card in self.cards)
            left = tuple(card.key for card in self.cards if card.key in keys)
            if keys and len(left) == len(keys) and not brought and not waiting:
                out.append(CardsTouched(t, left, hand.seat))
        return out

    def _take(self, cards: list[Lying], scene: Scene, t: float) -> Sighting:
        # The taker was there when every card went; of several, the one that was over most of the places.
        votes: dict[int, float] = {}
        for card in cards:
            over = scene.hands.over(card.place)
            for number in card.takers:
                votes[number] = votes.get(number, 0.0) + 1.0 + 0.5 * (number == over)
        hand = max(votes, key=lambda number: votes[number], default=None)
        seat = scene.hands.seat_of(hand) if hand is not None else None
        keys = {card.key for card in cards}
        self.cards = [card for card in self.cards if card.key not in keys]
        self._look_from_above()
        only = cards[0]
        if len(cards) == 1 and seat is not None and only.seat == seat and t - only.t < TAKEN_BACK_S:
            return CardWithdrawn(t, only.key)
        return CardsGone(t, tuple(card.key for card in cards), seat)
