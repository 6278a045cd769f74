"""What the eye knows of one table in one place: the registration, the views and the settled light."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flicker import Flicker
from vision.geometry import Registration
from vision.hands import Hands
from vision.layout import Layout
from vision.motion import (
    BEAM_CELLS,
    COARSE_MM,
    SHRINK,
    Coarse,
    Mask,
    Unrest,
    grow,
    log_light,
    overall,
    sunlit,
)
from vision.plan import Plan

MARGIN_MM = 20.0
_FOLLOW = 0.25
_UPSET = 0.2
_OTHERWISE = 0.15
_OTHER_LIGHT = 0.35
_MAT_LIGHT = 0.15
_SOME = 7
"""A median over every seventh place of the mat is as good as one over all."""
_INK_MM = 20.0
_PAPER_MM = 28.0
_TAG_SHIFTED = 0.15
_TAG_RIM = 0.75
"""Half the side of a tag with its white rim, in edges of its black square."""
_BESIDE_TAG = 6
_PAPER_RANK = 95
_PALE = 0.45
"""Paper and a mat that differ by less in light: a card in slightly other light may not stand out."""
_FEW, _LIT = 30, 0.08
_AT_REST = 2
"""Frames without movement, after which what is even and bright may be sunlight."""
_FOLLOW_EVERY = 5
_MOST_DRIFT = 0.6
_SMOOTH_MM = 200
_BLUR = _SMOOTH_MM / (4 * COARSE_MM)
"""Half of that, in the pixels of a plane at half size."""
_NEAR = 2.0
"""Reach of what is round about a hand, in pixels of a plane at a quarter of the size."""
_LEAK = 0.02
_AS_BARE = 0.05
"""So little apart, the table is no doubt bare, and the picture of it mends itself place by place."""


class Scene:
    """Everything that hangs on one registration.

    `light` is the newest frame as coarse logarithms (3, h, w), `settled` the last settled table, `bare` the
    table without cards. `moving` and `changed` (h, w) say where they differ.
    """

    def __init__(self, registration: Registration, layout: Layout, small: NDArray[Any]) -> None:
        self.registration = registration
        self.fine = Plan(registration, layout.size_mm, 1.0, MARGIN_MM)
        self.coarse = Plan(registration, layout.size_mm, COARSE_MM, MARGIN_MM, SHRINK)
        self.hands = Hands(layout, self.coarse)
        self.light = log_light(self.coarse.draw(small))
        self.settled, self.bare = self.light.copy(), self.light.copy()
        self._tags = self._tags_seen(layout)
        self._free = self._without_tags(layout)
        self.pale = self._as_paper()
        shape = self.light.shape[1:]
        self.unrest = Unrest((shape[0], shape[1]), self.pale)
        self.moving: Mask = np.zeros(shape, np.bool_)
        self.changed: Mask = np.zeros(shape, np.bool_)
        self._flicker = Flicker(self.coarse)
        self._quiet = np.zeros(shape, np.uint8)
        """For how many frames nothing moved at each place."""
        self._frames = 0

    def _as_paper(self) -> bool:
        """Whether the mat is about as light as paper: of a card little but its ink differs from it then."""
        apart = []
        for tag in self._tags:
            beside = grow(tag, _BESIDE_TAG) & self._free
            if beside.any():
                paper = np.percentile(self.light[:, tag], _PAPER_RANK, axis=1)
                apart.append(float(np.abs(paper - np.median(self.light[:, beside], axis=1)).max()))
        return bool(apart) and float(np.median(apart)) < _PALE

    def _tags_seen(self, layout: Layout) -> list[Mask]:
        """Each tag of the mat with its white rim, as far as the camera sees it."""
        places = []
        for tag in layout.tags:
            a, b, r = tag.center_mm[0], tag.center_mm[1], _TAG_RIM * tag.size_mm
            square = [(a - r, b - r), (a + r, b - r), (a + r, b + r), (a - r, b + r)]
            places.append(self.coarse.fill(square) & self.coarse.valid)
        return [place for place in places if place.any()]

    def _without_tags(self, layout: Layout) -> Mask:
        """The mat itself, seen by the camera, without its tags and their white rims."""
        x, y = (side / 2 for side in layout.size_mm)
        free = self.coarse.fill([(-x, -y), (x, -y), (x, y), (-x, y)]) & self.coarse.valid
        for place in self._tags:
            free &= ~place
        return free

    def take_in(self, small: NDArray[Any]) -> None:
        """A new shrunk frame: what moves, what has changed."""
        light = log_light(self.coarse.draw(small))
        light -= overall(light, self.settled, self.coarse.valid & ~self.hands.mask)
        bands = self._flicker.bands(light, self.settled, self.hands.mask)
        if bands is not None:
            light -= bands
        self.moving = self.unrest.moving(light, self.light)
        self._quiet = np.where(self.moving, 0, np.minimum(self._quiet + 1, _AT_REST)).astype(np.uint8)
        self.light = light
        self.compare()

    def take_over(self, old: Scene) -> None:
        """The same table was found anew in the picture: what lay on it lies there as before."""
        both = self.coarse.valid & old.coarse.valid
        np.copyto(self.settled, old.settled, where=both)
        np.copyto(self.bare, old.bare, where=both)
        self.unrest, self.pale = old.unrest, old.pale
        self.light -= overall(self.light, self.settled, both & ~old.hands.mask)
        self.hands.take_over(old.hands)
        self.compare()

    def compare(self) -> None:
        """Say anew what has changed, after something was settled."""
        self.changed = self.unrest.changed(self.light, self.settled, self.bare)
        still = self.changed & (self._quiet >= _AT_REST)
        if still.sum() >= BEAM_CELLS:
            self.changed &= ~sunlit(self.light, self.settled, still)

    def upset(self) -> bool:
        """Whether nothing seems to be where it was: a camera or a mat that was pushed.

        Players need not pause for that: tags in different places do not change for any other reason.
        """
        if sum(self._shifted(place) for place in self._tags) >= 2:
            return True
        size = max(1, int(self.coarse.valid.sum()))
        return bool(self.changed.sum() > _UPSET * size and self.moving.sum() < 0.01 * size)

    def _shifted(self, tag: Mask) -> bool:
        """Whether a tag looks otherwise than it did, though no hand hides it."""
        return bool(
            (self.changed & tag).sum() > _TAG_SHIFTED * tag.sum() and not (self.hands.mask & tag).any()
        )

    def not_bare(self, gain: NDArray[np.float32] | None = None) -> Mask:
        """Where something lies on the empty table; `gain` (3,): how the place is lit now, as logarithms."""
        light = self.light if gain is None else self.light - gain[:, None, None]
        return self.unrest.changed(light, self.bare)

    def lit(self, beside: Mask) -> NDArray[np.float32] | None:
        """How the empty table is lit now `beside` a place, as logarithms (3,); None where it is as it was."""
        if beside.sum() < _FEW:
            return None
        gain = np.median(self.light[:, beside] - self.bare[:, beside], axis=1)
        return np.asarray(gain, np.float32) if np.abs(gain).max() > _LIT else None

    def unlike(self, light: Coarse, place: Mask) -> float:
        """Share of a place that looks otherwise than in an earlier light (3, h, w), darker or brighter."""
        apart = np.abs(self.light[:, place] - light[:, place]).max(axis=0)
        return float((apart > _OTHERWISE).mean()) if apart.size else 0.0

    def telling(self, light: Coarse, place: Mask) -> Mask:
        """Of a place that looked as `light` (3, h, w) the part that tells it from the empty table.

        Paper on a mat as light as paper, or ink as dark as the mat, says nothing.
        """
        return place & (_apart(light, self.bare) > _OTHERWISE)

    def altered(self, light: Coarse, place: Mask) -> float:
        """As `unlike`, whatever lamps did since: they are even over a small place less than half covered."""
        apart = self.light[:, place] - light[:, place]
        if not apart.size:
            return 0.0
        apart -= np.median(apart, axis=1, keepdims=True)
        return float((np.abs(apart).max(axis=0) > _OTHERWISE).mean())

    def settle(self, place: Mask) -> None:
        """What is there now belongs to the table from now on."""
        np.copyto(self.settled, self.light, where=place)

    def clear(self, place: Mask) -> None:
        """The empty table is there again: that is settled at once and no change any more."""
        self.settle(place)
        self.changed &= ~place

    def clear_bare(self, cards: Mask) -> None:
        """Clear what is quiet and looks like the empty table, except where known `cards` lie.

        The shadow of an arm may have been followed for lamplight; what stays changed after it at the rim
        would be taken for the hand itself, and the next card beside it for its fingers. So would an arm that
        was over the table when the eye opened: what looked like no mat and does now is the table, too.
        """
        doubted = self.changed & ~self.moving & ~cards
        if not doubted.any():
            return
        self.clear(doubted & self.unrest.alike(self.light, self.bare))
        mat = self._mat()
        shown = doubted & (_apart(self.light, mat) < _MAT_LIGHT) & (_apart(self.settled, mat) > _OTHER_LIGHT)
        if shown.any():
            self.clear(shown)
            np.copyto(self.bare, self.light, where=shown)

    def _mat(self) -> Coarse:
        """The mat's most frequent light, (3, 1, 1)."""
        return np.asarray(np.median(self.light[:, self._free][:, ::_SOME], axis=1)[:, None, None], np.float32)

    def lying(self) -> Mask:
        """Where something as large as paper may lie on a table that was never seen empty.

        Its light differs from the mat's most frequent one, lines of print left out. On a mat as light as
        paper nothing stands out: then nothing is known, and nothing is said.
        """
        other = _apart(self.light, self._mat()) > _OTHER_LIGHT
        # Ink may look like the mat, so holes are closed; narrower than half a card is no card.
        whole = cv2.morphologyEx((other & self._free).astype(np.uint8), cv2.MORPH_CLOSE, _kernel(_INK_MM))
        return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _kernel(_PAPER_MM)) > 0)

    def uncover(self, place: Mask) -> None:
        """Guess the bare table under what lay there from the start: it looks as it does round about."""
        ring = grow(grow(place)) & ~grow(place) & self.coarse.valid
        if ring.any():
            self.bare[:, grow(place)] = np.median(self.bare[:, ring], axis=1)[:, None]

    def follow_light(self, cards: Mask) -> None:
        """Slowly follow lamps and daylight where nothing happens; `cards` are not bare table."""
        self._frames += 1
        if self._frames % _FOLLOW_EVERY:
            return
        busy = grow(self.changed | self.moving | self.hands.mask)
        self.settled += np.float32(_FOLLOW) * _spread(self.light - self.settled, ~busy & self.coarse.valid)
        # A pack of backs may be as bright as the mat: the empty table follows only what light does, which
        # is smooth over more than a card's size.
        drift = np.clip(self.settled - self.bare, -_MOST_DRIFT, _MOST_DRIFT)
        drift *= ~(busy | cards) & self.coarse.valid
        self.bare += np.float32(_FOLLOW) * np.stack([_smooth(plane) for plane in drift])
        self.bare += np.float32(_LEAK) * drift * (np.abs(drift) < _AS_BARE)


def _apart(light: Coarse, mat: Coarse) -> Coarse:
    """How far each place (h, w) is from the mat's light."""
    return np.asarray(np.abs(light - mat).max(axis=0), np.float32)


def _spread(drift: Coarse, free: Mask) -> Coarse:
    """The drift (3, h, w) of the light where the table is `free` to be seen, elsewhere as it is round about.

    What lies under a hand or in a lamp's patch has the light of its surroundings: were it left as it was, a
    seam would stand there that nothing casts.
    """
    height, width = free.shape
    weight = free.astype(np.float32)
    size = (width // 4, height // 4)
    near = cv2.GaussianBlur(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), (0, 0), _NEAR)
    out = np.empty_like(drift)
    for plane, onto in zip(drift, out, strict=True):
        part = cv2.GaussianBlur(
            cv2.resize(plane * weight, size, interpolation=cv2.INTER_AREA), (0, 0), _NEAR
        ) / (near + np.float32(1e-3))
        onto[...] = np.where(free, plane, cv2.resize(part, (width, height)))
    return out


def _smooth(plane: Coarse) -> Coarse:
    """The median of a plane (h, w) within a hand's breadth each way: things are left out, light stays.

    A median answers to waves a little shorter than itself with the wrong sign, and what follows it would
    drive them up for ever: the blur after it leaves none of them.
    """
    height, width = plane.shape
    small = cv2.resize(plane, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    levels = np.asarray(np.rint(small * (120 / _MOST_DRIFT) + 128), np.uint8)
    middle = cv2.medianBlur(levels, _SMOOTH_MM // int(2 * COARSE_MM) | 1).astype(np.float32)
    even = cv2.GaussianBlur((middle - np.float32(128)) * np.float32(_MOST_DRIFT / 120), (0, 0), _BLUR)
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _kernel(width_mm: float) -> NDArray[np.uint8]:
    side = round(width_mm / COARSE_MM)
    return np.ones((side, side), np.uint8)
