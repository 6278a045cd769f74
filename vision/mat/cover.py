"""A large thing laid over cards: a menu, a newspaper, a tray. Nobody sees what is played under it.

It is reported while it lies there. Once it has gone, the table beneath is compared with how it was before:
what differs there came, or went, unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import Coarse, Relit, grow, pieces
from vision.mat.card_tracker import CardTracker
from vision.mat.cover_parameters import COVER
from vision.mat.scene import MatScene
from vision.mat.tracked_card import TrackedCard
from vision.mat.tracker_parameters import CARD_TRACKER
from vision.mat.unseen import UnseenPlaces
from vision.sightings import FieldClear, FieldCovered, Sighting


@dataclass(slots=True, eq=False)
class _Cover:
    """One thing: its `place`, how it looks, and the settled and the bare table beneath it."""

    place: Mask
    light: Coarse
    settled: Coarse
    bare: Coarse
    cards: frozenset[int]
    """The keys of the cards that lay on the table before the thing."""
    hidden: Mapping[int, Mask]
    """The places of the cards that the thing hides, by key."""


class FieldCover:
    """The large things over the cards of one table."""

    def __init__(self) -> None:
        self._covers: list[_Cover] = []
        self._told = False
        self._place: Mask | None = None
        """Where the reported things lay; `_rested_t`: when something last moved there."""
        self._rested_t = 0.0

    def seek(self, scene: MatScene, tracker: CardTracker, rested_s: NDArray[np.float32]) -> None:
        """Find what came over the rim and is no hand; `rested_s`: how long each place has been still (s)."""
        still = (scene.changed | scene.hands.mask) & ~scene.moving & (rested_s > COVER.still_s)
        if not tracker.cards or still.sum() <= COVER.cards * _card_cells(tracker):
            return
        for mask, _, _ in pieces(still):
            if self.note_laid(mask, scene, tracker):
                scene.absorb(grow(mask))
                scene.compare()
                for hand in [
                    h for h in scene.hands.now if (h.mask & mask).sum() > COVER.mostly * h.mask.sum()
                ]:
                    scene.hands.forget(hand)

    def note_laid(self, mask: Mask, scene: MatScene, tracker: CardTracker) -> bool:
        """Examine a place about to become part of the settled table; returns whether it covers cards."""
        hidden = {card.key: card.place for card in tracker.cards if _hides(mask, card, scene)}
        place = _whole(np.logical_or.reduce([mask, *hidden.values()]))
        if not hidden or not _is_large(place, tracker):
            return False
        keys = frozenset(card.key for card in tracker.cards)
        seen = (scene.light.copy(), scene.settled.copy(), scene.bare.copy())
        self._covers.append(_Cover(grow(place), *seen, keys, hidden))
        return True

    @property
    def hidden(self) -> frozenset[int]:
        """The keys of the cards under things: nobody sees whether they still lie there."""
        return frozenset(key for cover in self._covers for key in cover.hidden)

    def follow(self, scene: MatScene, tracker: CardTracker, unseen: UnseenPlaces) -> None:
        """Process a frame whose hands are known: what lay over cards may be gone."""
        for cover in list(self._covers):
            free = cover.place & ~grow(scene.hands.mask)
            for card in tracker.cards:
                if card.key not in cover.cards:
                    free &= ~grow(card.place)
            if free.sum() < COVER.least_free * cover.place.sum():
                continue
            if scene.unlike(cover.light, free) > COVER.gone:
                self._covers.remove(cover)
                self._uncover(cover, scene, tracker)
                unseen.begin(cover.place)

    def recall(self, scene: MatScene) -> None:
        """Restore the table beneath after a blind time: whether anything still lies over it is seen anew."""
        covers, self._covers = self._covers, []
        for cover in reversed(covers):
            _restore(cover, cover.place, scene)
        scene.light = scene.settled.copy()

    def take_over(self, old: FieldCover) -> None:
        """Take over what was reported before the table was found anew."""
        self._told = old._told

    def relight(self, relit: Relit) -> None:
        """Convert the remembered light to how light is compared from now on."""
        for cover in self._covers:
            cover.light, cover.settled, cover.bare = (
                relit.of(planes) for planes in (cover.light, cover.settled, cover.bare)
            )

    @property
    def waiting(self) -> bool:
        """Whether it has still to be reported that a place is free."""
        return self._told and not self._covers

    def told(self, scene: MatScene, tracker: CardTracker, t: float) -> list[Sighting]:
        """Report what has changed since the last call.

        A second menu laid on the first, one that is pushed, or one that is seen again after a blind time is a
        new thing, which is known only when it has lain for a while: until then the place is not reported as
        free.
        """
        if self._covers:
            self._place, self._rested_t = np.logical_or.reduce([cover.place for cover in self._covers]), t
            before, self._told = self._told, True
            return [] if before else [FieldCovered(t)]
        if not self._told:
            return []
        if self._place is not None:
            strange = (scene.changed | scene.hands.mask) & self._place
            if (scene.moving & self._place).any():
                self._rested_t = t
            lies = strange.sum() > COVER.cards * _card_cells(tracker)
            if lies and t - self._rested_t < COVER.held_s:
                return []
        self._told = False
        return [FieldClear(t)]

    def _uncover(self, cover: _Cover, scene: MatScene, tracker: CardTracker) -> None:
        """Restore the table as it was before; what was laid on the thing since is left as it is."""
        place = cover.place.copy()
        for card in tracker.cards:
            if card.key not in cover.cards:
                place &= ~card.place
            elif (card.place & cover.place).any():
                card.stay()
                # A card that shows little under its trick is not known to be at rest again, as in `recall`.
                card.stirred |= bool(card.visible.sum() >= CARD_TRACKER.least_shown * card.place.sum())
        _restore(cover, place, scene)
        known = {card.key for card in tracker.cards}
        for key, where in cover.hidden.items():
            if key not in known:  # if the card still lies there, it is seen anew
                np.copyto(scene.settled, scene.bare, where=where & place)
        scene.compare()


def _restore(cover: _Cover, place: Mask, scene: MatScene) -> None:
    np.copyto(scene.settled, cover.settled, where=place)
    np.copyto(scene.bare, cover.bare, where=place)


def _whole(mask: Mask) -> Mask:
    """A piece with its holes filled: paper on paper shows no change."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    whole = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    return whole.astype(np.bool_)


def _hides(mask: Mask, card: TrackedCard, scene: MatScene) -> bool:
    """Whether a card is not seen at its place but all its surroundings changed: white paper may lie on it."""
    if card.gone_t is not None or not card.visible.any():
        return False
    ring = grow(card.place, COVER.round) & ~grow(card.place) & scene.coarse.valid
    if (ring & mask).sum() <= COVER.mostly * ring.sum():
        return False
    return scene.kept(card.light, card.visible) <= CARD_TRACKER.kept


def _card_cells(tracker: CardTracker) -> int:
    """Number of cells that the largest card takes."""
    return max((int(card.place.sum()) for card in tracker.cards), default=0)


def _is_large(place: Mask, tracker: CardTracker) -> bool:
    """Whether a place is wider than an arm, and larger than cards that lie side by side."""
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (COVER.wide, COVER.wide))
    broad = cv2.morphologyEx(place.astype(np.uint8), cv2.MORPH_OPEN, wide)
    return 0 < COVER.cards * _card_cells(tracker) < int(broad.sum())
