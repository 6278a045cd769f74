"""Throws: dice that roll, come to rest and are reported once; frames and times in, `ThrowSeen` out.

Stillness is judged on a small grey copy of every frame. Dice are reported only after everything has been
still for `REST_S`, and read only where the picture differs from the last one that was read. The search begins
with the first still picture, a piece per frame; once the rest is proven, the search is completed, and regions
that have changed meanwhile are read again. The very first picture is also read, before anything happens, so
that the dice already there are known. A throw is reported when a die lies where none lay before or shows
another face. Dice that only vanished were taken back; dice that all moved together moved with the camera; a
large thing that reaches in from the picture's rim is a hand, whose withdrawal is awaited.

A picture that does not show the table (`untagged.sight`) is not used, and dice that lie differently after it
are reported as unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.found import FoundDie, around, dice_crop, same, same_together
from vision.dice.incremental_reader import PipReader, PipReading
from vision.dice.pieces import Begun
from vision.imgproc.flicker import Deflicker
from vision.imgproc.small_change import Grey, changed, small_grey, steadied, swings
from vision.sightings import Picture, SightBack, SightLost, ThrowSeen
from vision.untagged.gap import Gaps
from vision.untagged.sight import Unregistered

REST_S = 0.12
"""How long everything must be still: a rest of 0.2 s is noticed, even at 15 frames a second."""
SLOW_S = 0.09
"""Time between two pictures that prove a rest by themselves: a camera with 10 frames a second."""
PATIENCE_S = 3.0
"""Time without any motion after which the picture is the new table, including hand-shaped things."""

_PIECE_PX = 400_000
"""Pixels searched per frame that may be the first of a rest, so that the next frame need not wait long."""

_JUMP = 16
"""Grey levels by which a pixel of the small copy must change to count as moved."""
_MOVING = 0.0002
"""Share of the small picture that may flicker while everything is still."""
_SWAYING = 0.02
"""Largest share of the small picture that changes when a camera in a resting hand sways."""
_FIGURE = 0.08
"""Relative change of the distance of two dice that a movement of the camera can cause."""
_FEW_WIDE = 200
"""Width in pixels of the colour copies that are kept in case of a gap."""
_HAND = 0.015
"""Share of the small picture from which on a thing that reaches in from its rim is a hand."""
_RIM = 2
"""Width in pixels of the small picture's rim, into which a sway may bring what was outside."""


DiceReader = Callable[[Picture], list[FoundDie]]


class Throws:
    """Follows the dice before one camera. Pure: the caller passes pictures and times, in order."""

    def __init__(self, read: DiceReader | None = None) -> None:
        self._lent = read
        self._sight, self._gaps = Unregistered(), Gaps(_differs)
        self._pips, self._deflicker = PipReader(), Deflicker()
        self._last: Grey | None = None
        self._first: Grey | None = None
        self._still_since = 0.0
        self._frames_still = 0
        self._judged = False
        self._clean: Grey | None = None
        self._read: PipReading | None = None
        self._begun: Begun[PipReading] | None = None
        self._said: list[FoundDie] = []
        self._swung = False

    def see(self, picture: Picture, t: float) -> list[ThrowSeen | SightLost | SightBack]:
        """Take in one frame (h, w, 3) BGR at `t` seconds; return at most one throw and the news of sight."""
        glance = self._sight.see(picture, t)
        if glance.back is not None:
            self._gaps.note(glance.back)
            self._begin_anew()
        seen = self._watch(picture, t) if glance.seen else []
        return [*glance.news, *seen]

    def _begin_anew(self) -> None:
        """Begin anew when sight is back: a change from the last picture to the next one is not motion."""
        self._last, self._begun = None, None
        self._judged = False

    def _watch(self, picture: Picture, t: float) -> list[ThrowSeen]:
        """Take in a frame in which the table is seen."""
        grey = self._deflicker.steadied(small_grey(picture))
        self._gaps.show(_few(picture), t)
        before, self._last = self._last, grey
        if before is None and self._gaps.length_s:
            self._first, self._still_since, self._frames_still = grey, t, 0
            return []
        if before is None or before.shape != grey.shape:
            self._first, self._still_since, self._frames_still = grey, t, 0
            # Read the dice that are there from the start before anything happens, without waiting for a rest.
            self._read = self._pips.read(picture) if self._lent is None else None
            self._begun = None
            return []
        moved = changed(before, grey, _JUMP)
        if moved.mean() > _MOVING and not (moved.mean() < _SWAYING and self._sways(grey)):
            self._swung = self._swung or swings(before, moved)
            self._gaps.roll()
            self._first, self._still_since, self._frames_still, self._judged = grey, t, 0, False
            self._begun = None
            return []
        self._frames_still += 1
        apart = t - self._still_since
        # Cameras repeat frames, so one frame equal to the last does not prove a rest; two in a row do. So do
        # two frames of a slow camera that differ in their noise alone.
        slow = self._frames_still == 1 and apart >= SLOW_S and bool((before != grey).any())
        if self._judged:
            return []
        if not (slow or (self._frames_still >= 2 and apart >= REST_S)):
            if self._frames_still >= 2 or (before != grey).any():
                self._begin(picture, grey)
            return []
        if self._hand_over(grey) and t - self._still_since < PATIENCE_S:
            return []
        self._judged = True
        return self._judge(picture, grey, t)

    def _judge(self, picture: Picture, grey: Grey, t: float) -> list[ThrowSeen]:
        """Read the still picture and report a throw if there is news."""
        before, clean, swung = self._said, self._clean, self._swung
        self._clean, self._swung = grey, False
        found = self._found(picture, swung=swung)
        gap_s, unseen = (
            self._gaps.length_s,
            self._gaps.unseen(found, _few(picture), picture.shape[1]),
        )
        self._gaps.close()
        # After a gap the camera may point elsewhere for a while: dice known from before are then not news.
        gone = [old for old in before if gap_s and not any(same(f, old) for f in found)]
        if not found:
            self._said = gone
            return []
        scale = grey.shape[1] / picture.shape[1]
        news = [f for f in found if not any(same(f, old) for old in before)]
        if clean is not None and not swung:
            # A die found where nothing has changed was overlooked before and is not news.
            other = changed(clean, grey, _JUMP)
            news = [f for f in news if around(other, f, scale)]
        if (swung or gap_s) and before and (same_together(before, found) or _same_figure(before, found)):
            news = []
        self._said = found + gone
        if not news:
            return []
        dice = [replace(f.die, unseen=hid and f in news) for f, hid in zip(found, unseen, strict=True)]
        return [ThrowSeen(t, tuple(dice), dice_crop(picture, found), gap_s=gap_s)]

    def _found(self, picture: Picture, *, swung: bool) -> list[FoundDie]:
        """Every die of the picture, taken from the last reading where nothing has changed since."""
        if self._lent is not None:
            return self._lent(picture)
        last = None if swung else self._read
        if self._begun is not None:
            last = self._begun.finish()
            self._pips.learn(last)
            self._begun = None
        # Things may have moved slightly since the search began, so regions that differ now are read again.
        self._read = self._pips.read(picture, last)
        self._pips.learn(self._read)
        return self._read.found

    def _begin(self, picture: Picture, grey: Grey) -> None:
        """Begin or continue reading what may be a rest, so that little is left to do once it is proven."""
        if self._lent is not None:
            return
        if self._begun is None and not self._hand_over(grey):
            self._begun = Begun(self._pips.begin(picture, None if self._swung else self._read))
        if self._begun is not None:
            self._begun.go_on(_PIECE_PX)

    def _sways(self, grey: Grey) -> bool:
        """Whether everything lies as it came to rest, apart from the sway of a hand-held camera."""
        steady = None if self._first is None else steadied(self._first, grey)
        if steady is None:
            return False
        inside = (slice(_RIM, -_RIM), slice(_RIM, -_RIM))
        return bool(changed(steady[inside], grey[inside], _JUMP).mean() <= _MOVING)

    def _hand_over(self, grey: Grey) -> bool:
        """Whether something large has come in from the rim since the table was last clean."""
        if self._clean is None or self._swung or self._clean.shape != grey.shape:
            return False
        other = changed(self._clean, grey, _JUMP).astype(np.uint8)
        opened = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(opened)
        h, w = grey.shape
        for x, y, wide, high, area in stats[1:count].tolist():
            at_rim = x == 0 or y == 0 or x + wide == w or y + high == h
            if at_rim and area > _HAND * h * w:
                return True
        return False


def _few(picture: Picture) -> Picture:
    """A small, cheap colour copy: a red die on green felt may be as bright as the felt."""
    step = max(1, picture.shape[1] // _FEW_WIDE)
    return np.asarray(cv2.blur(picture[::step, ::step], (3, 3)), np.uint8)


def _differs(one: Picture, two: Picture) -> NDArray[np.bool_]:
    return changed(one, two, _JUMP)


def _same_figure(before: list[FoundDie], found: list[FoundDie]) -> bool:
    """Whether the dice lie relative to each other as before: the camera was turned, or moved slightly."""

    def figure(dice: list[FoundDie]) -> list[tuple[list[str], float]]:
        pairs = [(one, two) for k, one in enumerate(dice) for two in dice[:k]]
        faces = [sorted((one.die.face or "", two.die.face or "")) for one, two in pairs]
        return sorted(
            (pair, dist(one.at_px, two.at_px)) for pair, (one, two) in zip(faces, pairs, strict=True)
        )

    one, two = figure(before), figure(found)
    alike = [a == b and abs(far - now) < _FIGURE * far for (a, far), (b, now) in zip(one, two, strict=False)]
    return len(one) == len(two) > 0 and all(alike)
