"""Hands: whatever reaches in over the table's edge. No skin colour is assumed; gloves and sleeves count.

A hand is a piece of change or movement connected to the rim of the visible table. Where it first
crossed the rim shows its seat.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.arrays import Mask
from vision.imgproc.change_detection import COARSE_MM, Coarse, closed, grow, pieces
from vision.layout import Layout
from vision.mat.attribution import AlteredSince, Attribution
from vision.mat.hand import Hand
from vision.mat.hand_parameters import HANDS
from vision.mat.hand_register import HandRegister
from vision.rectified import Plan

_AT_RIM = 3
"""Cells of the rim, 4 mm each, that a piece must touch to count as reaching in: fringes against thin arms."""
_STIRS = 3
"""Moving cells above which a piece apart from the rim counts as a hand: noise against fingers."""


@dataclass(frozen=True, slots=True)
class _HandFrame:
    """One frame for all hands: what moves, its time, the gap before it, and the hands found in it."""

    moving: Mask
    t: float
    gap_s: float
    """Duration of the gap before this frame (s); 0.0 where frames follow as usual."""
    taken: set[int] = field(default_factory=set)
    """Numbers of the hands that were found in this frame."""
    parted: list[Hand] = field(default_factory=list)
    """Hands that left unseen in the gap; others are now in their places."""


class Hands:
    """All hands over one table."""

    def __init__(self, layout: Layout, plan: Plan) -> None:
        rim = ~cv2.erode(plan.valid.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        rim[:2], rim[-2:], rim[:, :2], rim[:, -2:] = True, True, True, True
        self._rim = rim & grow(plan.valid, 2)
        xs, ys = np.meshgrid(np.arange(plan.width), np.arange(plan.height))
        self._places = plan.to_mm(np.column_stack([xs.ravel(), ys.ravel()])).reshape(*rim.shape, 2)
        self._seats = tuple((seat.name, np.array(seat.enters_from_mm)) for seat in layout.seats)
        self.register = HandRegister()
        """Every hand by its number, including those that have gone."""
        self._attribution = Attribution(self.register, rim.shape)
        self.mask: Mask = np.zeros(rim.shape, np.bool_)
        self._came: Mask = np.zeros(rim.shape, np.bool_)
        """What looks strange and came with movement, as hands and what they bring do and light does not."""
        self._count = 0
        self._crowded = 0
        """Frames with movement all over the table, less those without, from 0 to `HANDS.crowded_frames`."""
        self._back = 0
        """Number of frames left in which a newly found hand need not have just crossed the rim."""

    @property
    def now(self) -> list[Hand]:
        """The hands now over the table."""
        return self.register.now

    def take_over(self, old: Hands) -> None:
        """Take over the hands of the same table, found anew in the picture."""
        self.register, self._attribution = old.register, old._attribution
        self._attribution.forget_light()
        self.mask, self._came = old.mask, old._came
        self._count, self._crowded, self._back = old._count, old._crowded, old._back

    def forget_all(self) -> None:
        """Forget which hands came and left, and where they were."""
        self.register.drop_all()
        self._attribution.forget_all()
        self.mask, self._came = np.zeros_like(self.mask), np.zeros_like(self._came)
        self._back = HANDS.return_frames

    def over(self, place: Mask, altered: AlteredSince | None = None) -> int | None:
        """The number of the hand that laid what lies at a place; see `Attribution.hand_over`."""
        return self._attribution.hand_over(place, altered)

    def reach_mm(self, hand: Hand) -> tuple[float, Mask] | None:
        """How far a hand reaches from where it came in, and its fingers: the furthest part; None: unknown."""
        if hand.entry_mm is None or not hand.mask.any():
            return None
        away = np.linalg.norm(self._places[hand.mask] - hand.entry_mm, axis=1)
        depth = float(away.max())
        fingers = np.zeros_like(hand.mask)
        fingers[hand.mask] = away > depth - HANDS.fingers_mm
        return depth, fingers

    def follow(self, strange: Mask, moving: Mask, t: float, light: Coarse | None = None) -> list[Hand]:
        """Process one frame; `strange`: changed or moving places. Returns the hands that have gone.

        `light`: how the table looks (log light, (3, h, w)). It is kept and must not be written to.
        """
        gap_s = self._attribution.begin_frame(strange, t)
        self._back = max(0, self._back - 1)
        self._came = strange & (self._came | grow(moving, HANDS.wake))
        joined = closed(self._came)
        parts = [mask for mask, _, _ in pieces(joined, int(HANDS.least_mm2 / COARSE_MM**2))]
        self.mask = np.zeros_like(strange)
        frame = _HandFrame(moving, t, gap_s)
        inner: list[Mask] = []
        for mask in parts:
            touch = mask & self._rim
            if touch.sum() < _AT_RIM:
                inner.append(mask)
            else:
                self._follow_at_rim(mask, touch, frame)
        for mask in inner:
            self._follow_cut_off(mask, frame)
        self._doubt(moving)
        self._note_mixed(frame.taken, t)
        gone = [hand for hand in self.now if t - hand.seen_t > HANDS.lost_s]
        for hand in gone:
            hand.parted = gap_s > 0
            self.register.end(hand)
        self._attribution.end_frame(t, light, gap_s)
        return frame.parted + gone

    def _follow_at_rim(self, mask: Mask, touch: Mask, frame: _HandFrame) -> None:
        """Follow a piece `mask` of the frame that `touch`es the rim: a known hand, or one that arrives."""
        hand = self._known(mask, frame.taken)
        if hand is None:
            if not (mask & frame.moving).any():
                return  # something was laid down at the rim; it did not arrive as a hand
            hand = self._begin(frame.t, came=not self._back, mask=mask)
        elif frame.gap_s and not (frame.gap_s <= HANDS.same_s and self._reaches_in_alike(hand, touch)):
            hand = self._begin_again(hand, frame)
        frame.taken.add(hand.number)
        hand.note_entry(touch, mask, self._places, self._seats)
        self._hold(hand, mask, frame.moving, frame.t)

    def _follow_cut_off(self, mask: Mask, frame: _HandFrame) -> None:
        """Follow a piece that does not touch the rim: the visible rest of a hand, or no hand.

        A sleeve as dark as the ground cuts a hand off from the rim. While the piece moves it is the same
        hand; for a moment longer it may be, so its seat is not forgotten.
        """
        hand = self._known(mask, frame.taken)
        if hand is None or (hand.mask & mask).sum() < HANDS.same_hand * mask.sum():
            return
        if frame.gap_s:
            hand = self._begin_again(hand, frame)
        frame.taken.add(hand.number)
        if (mask & frame.moving).sum() > _STIRS:
            self._hold(hand, mask, frame.moving, frame.t)
        elif frame.t - hand.moved_t < HANDS.cut_off_s:
            hand.mask, hand.seen_t = mask, frame.t

    def _reaches_in_alike(self, hand: Hand, touch: Mask) -> bool:
        """Whether what `touch`es the rim now came in at the side of that hand's seat, and of no other."""
        again = replace(hand, came=False, entries={}, joined=[], touch=None)
        again.note_entry(touch, touch, self._places, self._seats)
        return again.seat is not None and (again.seat,) == hand.seats

    def _begin_again(self, before: Hand, frame: _HandFrame) -> Hand:
        """Begin a new hand after a gap and derive its seat anew; `before` has gone unseen."""
        before.parted = True
        self.register.end(before)
        frame.parted.append(before)
        hand = self._begin(frame.t, came=False, mask=before.mask)
        hand.joined = [replace(joined) for joined in before.joined]
        return hand

    def _note_mixed(self, seen: set[int], t: float) -> None:
        """Note two hands that became one piece: what is laid under it from now on may be from either."""
        for hand in self.now:
            if hand.number in seen:
                continue
            for other in self.now:
                both = other.number in seen and not set(other.seats) & set(hand.seats)
                if both and (hand.mask & other.mask).sum() > HANDS.swallowed * hand.mask.sum():
                    other.join(hand, t)

    def _begin(self, t: float, came: bool, mask: Mask) -> Hand:
        self._count += 1
        most = HANDS.at_once + HANDS.at_once_per_s * self._attribution.step_s
        hand = Hand(self._count, t, t, t, came=came, mask=mask, uncertain=came and mask.mean() > most)
        self.register.now.append(hand)
        self._attribution.note_begun(hand)
        return hand

    def _doubt(self, moving: Mask) -> None:
        """Believe no hand's seat while the whole table moves: its pieces run into each other."""
        crowd = (
            moving.any() and cv2.connectedComponents(moving.astype(np.uint8), connectivity=8)[0] > HANDS.crowd
        )
        self._crowded = min(max(self._crowded + (1 if crowd else -1), 0), HANDS.crowded_frames)
        if self._crowded == HANDS.crowded_frames:
            for hand in self.now:
                hand.uncertain = True

    def _hold(self, hand: Hand, mask: Mask, moving: Mask, t: float) -> None:
        hand.mask, hand.seen_t = mask, t
        if (mask & moving).sum() > HANDS.least_moving:
            hand.moved_t = t
        self.mask |= mask
        self._attribution.note_over(hand, mask)

    def forget(self, hand: Hand) -> None:
        """Forget a piece that was no hand: something was laid down over the rim and stays."""
        self.register.drop(hand)
        self.mask &= ~hand.mask

    def _known(self, mask: Mask, taken: set[int]) -> Hand | None:
        shared = [
            (int((grow(hand.mask, 2) & mask).sum()), hand) for hand in self.now if hand.number not in taken
        ]
        best = max(shared, key=lambda pair: pair[0], default=None)
        return best[1] if best and best[0] > 0 else None
