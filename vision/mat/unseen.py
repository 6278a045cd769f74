"""Places that changed while the camera was blind, kept until it is known what lies there.

No hand was seen to bring what lies there, or to take what is gone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import grow
from vision.mat.scene import MatScene
from vision.mat.scene_parameters import SCENE


class UnseenPlaces:
    """The places of one table; none until sight was lost once."""

    def __init__(self) -> None:
        self._places: Mask | None = None
        self._bare: Mask | None = None
        self._open: Mask | None = None
        """The places that looked different while no hand was over them: no later hand made them so."""
        self._there: frozenset[int] = frozenset()
        self._over: Mask | None = None
        """Where the hands that were there when sight came back were one frame ago, slightly enlarged."""
        self._calm: NDArray[np.uint8] | None = None
        """Number of frames for which each place has looked settled; skin may pass for shade for a few."""
        self._first = 0
        self._within: Mask | None = None
        """The only part of the table that was not seen; None: all of it."""

    def begin(self, within: Mask | None = None) -> None:
        """Sight is back: what looks different in the next frames (in `within`, if given) changed unseen."""
        before = self._places
        self._within = within if within is None or before is None else within | before
        self._places, self._bare, self._first, self._there = None, None, SCENE.unseen_frames, frozenset()
        self._over = self._calm = self._open = None

    def follow(self, scene: MatScene) -> None:
        """Process a frame: an unchanged place, or one that a new hand reached, no longer counts."""
        hands, strange = scene.hands.mask, scene.changed | scene.hands.mask
        if self._within is not None:
            strange &= self._within
        self._note_there(scene)
        if self._first:
            self._first -= 1
            free = scene.changed & strange & ~grow(hands)
            self._places = strange if self._places is None else self._places | strange
            # A hand that is there may take cards at once: it may have bared what is bare later.
            if self._bare is None or self._first >= SCENE.unseen_frames - 2:
                self._bare = free if self._bare is None else self._bare | free
            return
        if self._places is None or self._bare is None:
            return
        if self._calm is None or self._open is None:
            self._calm, self._open = np.zeros(strange.shape, np.uint8), np.zeros_like(strange)
        self._calm = np.where(strange, 0, np.minimum(self._calm + 1, SCENE.calm_frames)).astype(np.uint8)
        self._places &= self._calm < SCENE.calm_frames
        self._open &= self._places
        for hand in scene.hands.now:
            if hand.number not in self._there:
                self._places &= ~hand.mask | self._open
        self._open |= self._places & scene.changed & ~grow(hands) & ~scene.moving
        self._bare &= self._places
        if not self._places.any():
            self._places = self._bare = self._calm = self._open = None

    def _note_there(self, scene: MatScene) -> None:
        """Note the hands that were there when sight came back, and the pieces into which one of them breaks.

        Nobody knows who laid the card on which such a hand lies, or who took the one that lay there.
        """
        if not self._first and not self._there:
            return
        for hand in scene.hands.now:
            part = self._over is not None and hand.since_t == hand.seen_t and (hand.mask & self._over).any()
            if self._first or part:
                self._there |= {hand.number}
        here = [hand.mask for hand in scene.hands.now if hand.number in self._there]
        self._over = grow(np.logical_or.reduce(here)) if here else None

    @property
    def handless(self) -> Mask | None:
        """Where it has looked different since sight came back though no hand was there; None: nowhere."""
        if self._bare is None or self._open is None:
            return self._bare
        return self._bare | self._open

    def note_told(self, place: Mask) -> None:
        """Note that a card was reported at a place: whatever comes to lie on it is seen to come."""
        if self._places is not None:
            self._places &= ~grow(place)

    def holds(self, place: Mask) -> bool:
        """Whether a place (h, w) changed, or may have, while nothing was seen."""
        return _mostly(self._places, place)

    def laid(self, place: Mask) -> bool:
        """Whether what lies at a place came unseen: nobody lays anything down within the first few frames."""
        return (self._first > 0 and self._within is None) or self.holds(place)

    def nobody(self, place: Mask) -> bool:
        """Whether no hand was over a place that changed unseen when sight came back."""
        return _mostly(self._bare, place)


def _mostly(where: Mask | None, place: Mask) -> bool:
    size = max(1, int(np.count_nonzero(place)))
    return where is not None and int((where & place).sum()) > SCENE.unseen_mostly * size
