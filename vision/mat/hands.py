"""Hands: what reaches in over the table's edge. No colour of skin is assumed, gloves and sleeves count.

A hand is a piece of change or movement that hangs together with the rim of the seen table. Where it first
came over the rim tells the seat.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imgproc.change_detection import COARSE_MM, Coarse, Mask, closed, grow, pieces
from vision.layout import Layout
from vision.mat.frame_gaps import FrameGaps
from vision.mat.hand import Hand
from vision.mat.parameters import CARD_SEARCH
from vision.mat.past_hands import PastHands
from vision.rectified import Plan

LEAST_MM2 = 900.0
"""A piece smaller than two fingers is no hand."""
FINGERS_MM = 55.0
"""So much of a hand's reach is fingers: they touch, the arm behind them only hangs above."""
_LOST_S = 0.15
_WAKE = 2
"""So near to a movement, in cells, what begins to look strange came with it."""
_LATELY_S = 0.4
_CUT_OFF_S = 0.5
_FLIGHT_S = 0.5
"""So long a card that was thrown slides on at most."""
_KEPT_S = 5.0
"""So long after a hand has gone it is known how the table looked before it came."""
_NEAR = 6
"""Cells round a card within which the fingers that laid it were seen."""
_MOSTLY_BEGUN = 0.75
"""When so much of a place had begun to look strange, what came to lie there lay."""
_RETURN_FRAMES = 5
_NOBODY = -1
_SAME_S = 0.6
"""In so short a gap between frames nobody takes the place of another who sits at the same side."""
_SWALLOWED = 0.5
"""A hand that is no more, and of whose place another's piece holds so much, has become a part of it."""
_AT_ONCE, _AT_ONCE_PER_S = 0.1, 0.8
"""A hand that comes in covers up to this share of the table in its first frame, and more the longer ago the
frame before it was: .09 at most in 148 that came at 15 frames a second, .17 in 132 at 7.5. What is larger is
a newspaper, or the lamp."""
_CROWD = 25
"""Hands move in a few pieces, cuffs and shadows with them in twenty for a frame or two. A radio camera whose
line is full flips blocks all over the table: 30 to 110 pieces, all the time."""
_CROWDED_FRAMES = 5
"""So many such frames more than others, and of no hand can be told whose it is."""


AlteredSince = Callable[[Coarse, Mask], float]


class Hands:
    """All hands over one table."""

    def __init__(self, layout: Layout, plan: Plan) -> None:
        rim = ~cv2.erode(plan.valid.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        rim[:2], rim[-2:], rim[:, :2], rim[:, -2:] = True, True, True, True
        self._rim = rim & grow(plan.valid, 2)
        xs, ys = np.meshgrid(np.arange(plan.width), np.arange(plan.height))
        self._places = plan.to_mm(np.column_stack([xs.ravel(), ys.ravel()])).reshape(*rim.shape, 2)
        self._seats = tuple((seat.name, np.array(seat.enters_from_mm)) for seat in layout.seats)
        self.now: list[Hand] = []
        self.mask: Mask = np.zeros(rim.shape, np.bool_)
        self.last: NDArray[np.int32] = np.full(rim.shape, _NOBODY, np.int32)
        """Which hand was over each place last (its number)."""
        self._strange_t: NDArray[np.float64] = np.full(rim.shape, np.inf)
        """Since when each place looks strange without a break; infinite where it does not."""
        self._came: Mask = np.zeros(rim.shape, np.bool_)
        """What looks strange and came with a movement, as hands and what they bring do; light creeps."""
        self._past = PastHands()
        self._count = 0
        self._crowded = 0
        """Frames with movement all over the table, less those without, from 0 to `_CROWDED_FRAMES`."""
        self._gaps = FrameGaps()
        self._after_gap: NDArray[np.int32] = np.full(rim.shape, _NOBODY, np.int32)
        """Which hand was over each place in the first frame after the last gap (its number)."""
        self._light: Coarse | None = None
        self._before: dict[int, Coarse] = {}
        """How the table looked in the frame before each hand came, of those that are there or went lately."""
        self._back = 0
        """Frames for which a hand that is found need not have come over the rim just then."""

    def take_over(self, old: Hands) -> None:
        """The same table was found anew in the picture: its hands are still those."""
        self.now, self.mask, self.last = old.now, old.mask, old.last
        self._strange_t, self._came = old._strange_t, old._came
        self._past = old._past
        self._count, self._crowded, self._back = old._count, old._crowded, old._back
        self._gaps, self._after_gap = old._gaps, old._after_gap
        self._light, self._before = None, {}

    def forget_all(self) -> None:
        """Nobody knows which hands came and went, and where they were."""
        for hand in self.now:
            self._past.remember(hand)
        self.now, self.mask = [], np.zeros_like(self.mask)
        self.last = np.full_like(self.last, _NOBODY)
        self._strange_t = np.full_like(self._strange_t, np.inf)
        self._came = np.zeros_like(self._came)
        self._past.forget_times()
        self._back = _RETURN_FRAMES

    def seat_of(self, number: int) -> str | None:
        """The seat of a hand, also of one that has gone."""
        seats = self.seats_of(number)
        return seats[0] if len(seats) == 1 else None

    def seats_of(self, number: int) -> tuple[str, ...]:
        """The seats that a hand may have come from, the likeliest first, also of one that has gone."""
        hand = self._by_number(number)
        return hand.seats if hand is not None else ()

    def seats_at(self, number: int, t: float) -> tuple[str, ...]:
        """The seats whose hand may have been in a hand's piece then, the likeliest first."""
        hand = self._by_number(number)
        return hand.seats_at(t) if hand is not None else ()

    def _by_number(self, number: int) -> Hand | None:
        return next((hand for hand in self.now if hand.number == number), self._past.by_number(number))

    def _came_t(self, number: int) -> float:
        """When a hand came; one that is forgotten came before all that is asked."""
        hand = self._by_number(number)
        return hand.since_t if hand is not None else -math.inf

    def lately(self, t: float) -> frozenset[int]:
        """The numbers of the hands that are there or went a moment ago."""
        return self._there_since(t - _LATELY_S)

    def over(self, place: Mask, altered: AlteredSince | None = None) -> int | None:
        """The number of the hand that was last over most of a place, None if there was none or it is unclear.

        What has changed there came by a hand that was still there when the change began: skin over a white
        card may pass for shade, so that the hand that matters left little trace, and an older one much. It
        was there already: a later hand over a card that is named late did not bring it, unless the place has
        been `altered` since it came (which share of a place looks otherwise than the table did then).
        """
        began = self._strange_t[place]
        began = began[np.isfinite(began)]
        if len(began):
            middle_t, late_t = (float(t) for t in np.quantile(began, (0.5, _MOSTLY_BEGUN)))
            there = self._there_since(middle_t - _LOST_S)
            before = frozenset(n for n in there if self._came_t(n) <= middle_t + _LOST_S)
            number = self._most_near(place, there)
            if number is not None and self._is_anothers(number, place, middle_t):
                return None
            if number is not None and self._came_t(number) > middle_t + _LOST_S:
                first = self._most_near(place, before)
                if first is not None and self.seats_of(first) != self.seats_of(number):
                    # A card that another hand laid over most of a first one looks strange as early.
                    early = self._came_t(number) > late_t + _LOST_S and not self._laid(number, place, altered)
                    return first if early and not self._is_anothers(first, place, middle_t) else None
            if number is None and before:
                # Between two pictures of a slow camera the only one that was there laid it and drew back.
                (only,) = before if len(before) == 1 else (None,)
                return only if only is not None and not self._is_anothers(only, place, middle_t) else None
            return number if number is not None else self._most_lately(place, middle_t)
        return _most(self.last, place)

    def _laid(self, number: int, place: Mask, altered: AlteredSince | None) -> bool:
        """Whether a place looks otherwise than before that hand came.

        Five pictures a second show a card that another is laid upon at once too shortly to be read.
        """
        before = self._before.get(number)
        return (
            altered is not None and before is not None and altered(before, place) >= CARD_SEARCH.least_altered
        )

    def _most_lately(self, place: Mask, began_t: float) -> int | None:
        """That hand which was over a place and went shortly before a thrown card came to lie there."""
        return _most(self.last, place, self._there_since(began_t - _FLIGHT_S))

    def _is_anothers(self, number: int, place: Mask, began_t: float) -> bool:
        """Whether what came to a place then may well be another hand's than that."""
        return self._is_unclear(number, began_t) or self._came_apart(number, place, began_t)

    def _is_unclear(self, number: int, began_t: float) -> bool:
        """Whether what came to lie then under that hand may be another's: unseen, or under both."""
        unseen = began_t < self._gaps.ended_t <= self._came_t(number)
        return unseen or len(self.seats_at(number, began_t)) > len(self.seats_of(number))

    def _came_apart(self, number: int, place: Mask, began_t: float) -> bool:
        """Whether what came to a place between two frames lies apart from that hand in the second of them."""
        if began_t != self._gaps.ended_t or self._came_t(number) > began_t:
            return False
        return not (self._after_gap[grow(place, _NEAR)] == number).any()

    def _most_near(self, place: Mask, of: frozenset[int]) -> int | None:
        """That of some hands which was last over a place, or beside it; the only one if there is one."""
        number = _most(self.last, place, of)
        if number is None:
            number = _most(self.last, grow(place, _NEAR), of)
        if number is None and len(of) == 1:
            (number,) = of
        return number

    def _there_since(self, t: float) -> frozenset[int]:
        """The numbers of the hands that are there or went after that time."""
        return self._past.gone_since(t).union(hand.number for hand in self.now)

    def reach_mm(self, hand: Hand) -> tuple[float, Mask] | None:
        """How far a hand reaches from where it came in, and its fingers: what lies furthest; None unknown."""
        if hand.entry_mm is None or not hand.mask.any():
            return None
        away = np.linalg.norm(self._places[hand.mask] - hand.entry_mm, axis=1)
        depth = float(away.max())
        fingers = np.zeros_like(hand.mask)
        fingers[hand.mask] = away > depth - FINGERS_MM
        return depth, fingers

    def follow(self, strange: Mask, moving: Mask, t: float, light: Coarse | None = None) -> list[Hand]:
        """Take in one frame; `strange`: changed or moving places. Returns hands that have gone.

        `light`: how the table looks (log light, (3, h, w)); it is kept and must not be written to.
        """
        gap_s = self._gaps.note(t)
        self._strange_t = np.where(strange, np.minimum(self._strange_t, t), np.inf)
        self._back = max(0, self._back - 1)
        self._came = strange & (self._came | grow(moving, _WAKE))
        joined = closed(self._came)
        parts = [mask for mask, _, _ in pieces(joined, int(LEAST_MM2 / COARSE_MM**2))]
        at_rim = [(mask, mask & self._rim) for mask in parts]
        self.mask = np.zeros_like(strange)
        taken: set[int] = set()
        parted: list[Hand] = []
        for mask, touch in at_rim:
            if touch.sum() < 3:
                continue
            hand = self._known(mask, taken)
            if hand is None:
                if not (mask & moving).any():
                    continue  # something was laid down at the rim; it did not come as a hand
                hand = self._begin(t, came=not self._back, mask=mask)
            elif gap_s and not (gap_s <= _SAME_S and self._reaches_in_alike(hand, touch)):
                hand = self._begin_again(hand, t, parted)
            taken.add(hand.number)
            hand.note_entry(touch, mask, self._places, self._seats)
            self._hold(hand, mask, moving, t)
        # A sleeve as dark as the ground cuts a hand off from the rim; while it stirs it is the hand it was,
        # and for a moment longer it may be, so that its seat is not forgotten.
        for mask, touch in at_rim:
            if touch.sum() >= 3:
                continue
            hand = self._known(mask, taken)
            if hand is None or (hand.mask & mask).sum() < 0.3 * mask.sum():
                continue
            if gap_s:
                hand = self._begin_again(hand, t, parted)
            taken.add(hand.number)
            if (mask & moving).sum() > 3:
                self._hold(hand, mask, moving, t)
            elif t - hand.moved_t < _CUT_OFF_S:
                hand.mask, hand.seen_t = mask, t
        if gap_s:
            self._after_gap = np.full_like(self._after_gap, _NOBODY)
            for hand in self.now:
                self._after_gap[hand.mask] = hand.number
        self._doubt(moving)
        self._note_mixed(taken, t)
        gone = [hand for hand in self.now if t - hand.seen_t > _LOST_S]
        for hand in gone:
            hand.parted = gap_s > 0
            self._past.end(hand)
        self.now = [hand for hand in self.now if hand not in gone]
        self._past.forget_old(self.last)
        late = self._there_since(t - _KEPT_S)
        self._before = {number: before for number, before in self._before.items() if number in late}
        self._light = light
        return parted + gone

    def _reaches_in_alike(self, hand: Hand, touch: Mask) -> bool:
        """Whether what `touch`es the rim now came in at the side of that hand's seat, and no other's."""
        again = replace(hand, came=False, entries={}, joined=[], touch=None)
        again.note_entry(touch, touch, self._places, self._seats)
        return again.seat is not None and (again.seat,) == hand.seats

    def _begin_again(self, before: Hand, t: float, parted: list[Hand]) -> Hand:
        """Whose hand is there after a gap, its way in tells anew; `before` has gone unseen."""
        before.parted = True
        self._past.end(before)
        parted.append(before)
        self.now.remove(before)
        hand = self._begin(t, came=False, mask=before.mask)
        hand.joined = [replace(joined) for joined in before.joined]
        return hand

    def _note_mixed(self, seen: set[int], t: float) -> None:
        """Two hands have become one piece: whose is what is laid under it from now on, nobody can tell."""
        for hand in self.now:
            if hand.number in seen:
                continue
            for other in self.now:
                both = other.number in seen and not set(other.seats) & set(hand.seats)
                if both and (hand.mask & other.mask).sum() > _SWALLOWED * hand.mask.sum():
                    other.join(hand, t)

    def _begin(self, t: float, came: bool, mask: Mask) -> Hand:
        self._count += 1
        most = _AT_ONCE + _AT_ONCE_PER_S * self._gaps.step_s
        hand = Hand(self._count, t, t, t, came=came, mask=mask, uncertain=came and mask.mean() > most)
        self.now.append(hand)
        if self._light is not None:
            self._before[hand.number] = self._light
        return hand

    def _doubt(self, moving: Mask) -> None:
        """No hand's seat is believed while the whole table stirs: one piece of it runs into another."""
        crowd = moving.any() and cv2.connectedComponents(moving.astype(np.uint8), connectivity=8)[0] > _CROWD
        self._crowded = min(max(self._crowded + (1 if crowd else -1), 0), _CROWDED_FRAMES)
        if self._crowded == _CROWDED_FRAMES:
            for hand in self.now:
                hand.uncertain = True

    def _hold(self, hand: Hand, mask: Mask, moving: Mask, t: float) -> None:
        hand.mask, hand.seen_t = mask, t
        if (mask & moving).sum() > 8:
            hand.moved_t = t
        self.mask |= mask
        self.last[mask] = hand.number

    def forget(self, hand: Hand) -> None:
        """It was no hand: something that was laid down over the rim and stays."""
        self._past.remember(hand)
        self.now = [other for other in self.now if other is not hand]
        self.mask &= ~hand.mask

    def _known(self, mask: Mask, taken: set[int]) -> Hand | None:
        shared = [
            (int((grow(hand.mask, 2) & mask).sum()), hand) for hand in self.now if hand.number not in taken
        ]
        best = max(shared, key=lambda pair: pair[0], default=None)
        return best[1] if best and best[0] > 0 else None


def _most(last: NDArray[np.int32], place: Mask, of: frozenset[int] | None = None) -> int | None:
    """The newest of the hands that were last over much of a place; `of`: only these count."""
    numbers = last[place]
    numbers = numbers[(numbers != _NOBODY) if of is None else np.isin(numbers, list(of))]
    if not len(numbers):
        return None
    values, counts = np.unique(numbers, return_counts=True)
    # A hand that only brushed a rim of the place is not the one that laid a card there.
    return int(values[counts >= 0.3 * counts.max()].max())
