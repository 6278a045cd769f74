"""Attribution: whose hand laid what lies at a place, from the hands and the change remembered there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.imgproc.change_detection import Coarse, grow
from vision.mat.frame_gaps import FrameGaps
from vision.mat.hand import Hand
from vision.mat.hand_parameters import HANDS
from vision.mat.hand_register import HandRegister
from vision.mat.parameters import CARD_SEARCH

_NOBODY = -1
"""The number that means no hand."""


AlteredSince = Callable[[Coarse, Mask], float]
"""Share of a place that looks different from an earlier picture of the table."""


class Attribution:
    """Remembers for each place of one table which hand was over it last, and since when it looks strange."""

    def __init__(self, register: HandRegister, shape: tuple[int, ...]) -> None:
        self._register = register
        self._last: NDArray[np.int32] = np.full(shape, _NOBODY, np.int32)
        """Number of the hand that was last over each place."""
        self._strange_t: NDArray[np.float64] = np.full(shape, np.inf)
        """Since when each place has looked strange without a break; infinite where it does not."""
        self._gaps = FrameGaps()
        self._after_gap: NDArray[np.int32] = np.full(shape, _NOBODY, np.int32)
        """Number of the hand that was over each place in the first frame after the last gap."""
        self._light: Coarse | None = None
        self._before: dict[int, Coarse] = {}
        """How the table looked in the frame before each hand came; of hands present or lately gone."""

    @property
    def step_s(self) -> float:
        """Time from the last frame but one to the last (s)."""
        return self._gaps.step_s

    def begin_frame(self, strange: Mask, t: float) -> float:
        """Record what looks `strange` in a frame; returns how long the gap before it was (s), 0 if none."""
        self._strange_t = np.where(strange, np.minimum(self._strange_t, t), np.inf)
        return self._gaps.note(t)

    def note_begun(self, hand: Hand) -> None:
        """Keep how the table looked before a hand that has just come."""
        if self._light is not None:
            self._before[hand.number] = self._light

    def note_over(self, hand: Hand, place: Mask) -> None:
        """Note that a hand is over a place."""
        self._last[place] = hand.number

    def end_frame(self, t: float, light: Coarse | None, gap_s: float) -> None:
        """Close a frame whose hands are noted; `light`: how the table looks in it, kept, not written to."""
        if gap_s:
            self._after_gap = np.full_like(self._after_gap, _NOBODY)
            for hand in self._register.now:
                self._after_gap[hand.mask] = hand.number
        late = self._register.there_since(t - HANDS.kept_s)
        self._before = {number: before for number, before in self._before.items() if number in late}
        self._light = light
        self._register.forget_old(self._last)

    def forget_all(self) -> None:
        """Forget what happened at every place."""
        self._last = np.full_like(self._last, _NOBODY)
        self._strange_t = np.full_like(self._strange_t, np.inf)

    def forget_light(self) -> None:
        """Forget how the table looked: it now lies elsewhere in the picture."""
        self._light, self._before = None, {}

    def hand_over(self, place: Mask, altered: AlteredSince | None = None) -> int | None:
        """The number of the hand that was last over most of a place; None if there was none or it is unclear.

        The hand that changed the place was still there when the change began: skin over a white card may pass
        for shade, so the right hand may leave little trace, and an older one much. The hand had also come by
        then: a later hand over a card that is named late did not bring it, unless the place has been
        `altered` since that hand came (the share of a place that looks different from then).
        """
        began = self._strange_t[place]
        began = began[np.isfinite(began)]
        if not len(began):
            return _most(self._last, place)
        middle_t, late_t = (float(t) for t in np.quantile(began, (0.5, HANDS.mostly_begun)))
        there = self._register.there_since(middle_t - HANDS.lost_s)
        before = frozenset(n for n in there if self._register.came_t(n) <= middle_t + HANDS.lost_s)
        number = self._most_near(place, there)
        if number is None:
            # If only one hand was there between two frames of a slow camera, it laid the card and drew back.
            (number,) = before if len(before) == 1 else (None,)
            if number is None and not before:
                return self._most_lately(place, middle_t)
        if number is None or self._is_anothers(number, place, middle_t):
            return None
        if number not in before:
            first = self._most_near(place, before)
            if first is not None and self._register.seats_of(first) != self._register.seats_of(number):
                # A card laid by another hand over most of an earlier card looks strange since the same
                # moment.
                early = self._register.came_t(number) > late_t + HANDS.lost_s
                early = early and not self._laid(number, place, altered)
                return first if early and not self._is_anothers(first, place, middle_t) else None
        return number

    def _laid(self, number: int, place: Mask, altered: AlteredSince | None) -> bool:
        """Whether a place looks different from how it looked before that hand came.

        At five frames a second, a card that is covered at once shows too briefly to be read.
        """
        before = self._before.get(number)
        if altered is None or before is None:
            return False
        return altered(before, place) >= CARD_SEARCH.least_altered

    def _most_lately(self, place: Mask, began_t: float) -> int | None:
        """The hand that was over a place and left shortly before a thrown card landed there."""
        return _most(self._last, place, self._register.there_since(began_t - HANDS.flight_s))

    def _is_anothers(self, number: int, place: Mask, began_t: float) -> bool:
        """Whether what came to a place at that time may well be from another hand."""
        return self._is_unclear(number, began_t) or self._came_apart(number, place, began_t)

    def _is_unclear(self, number: int, began_t: float) -> bool:
        """Whether what appeared then under that hand may be another's: unseen, or under both."""
        unseen = began_t < self._gaps.ended_t <= self._register.came_t(number)
        seats, own = self._register.seats_at(number, began_t), self._register.seats_of(number)
        return unseen or len(seats) > len(own)

    def _came_apart(self, number: int, place: Mask, began_t: float) -> bool:
        """Whether what came to a place between two frames lies apart from that hand in the second frame."""
        if began_t != self._gaps.ended_t or self._register.came_t(number) > began_t:
            return False
        return not (self._after_gap[grow(place, HANDS.near)] == number).any()

    def _most_near(self, place: Mask, of: frozenset[int]) -> int | None:
        """The hand among `of` that was last over a place or beside it; if `of` holds only one, that one."""
        number = _most(self._last, place, of)
        if number is None:
            number = _most(self._last, grow(place, HANDS.near), of)
        if number is None and len(of) == 1:
            (number,) = of
        return number


def _most(last: NDArray[np.int32], place: Mask, of: frozenset[int] | None = None) -> int | None:
    """The newest of the hands that were last over much of a place; only those in `of` count, if given."""
    numbers = last[place]
    numbers = numbers[(numbers != _NOBODY) if of is None else np.isin(numbers, list(of))]
    if not len(numbers):
        return None
    values, counts = np.unique(numbers, return_counts=True)
    # A hand that only brushed the rim of the place did not lay a card there.
    return int(values[counts >= HANDS.brushed * counts.max()].max())
