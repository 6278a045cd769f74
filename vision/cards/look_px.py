"""Cards in any photograph: no table, no scale. Corners in pixels, x right, y down.

The picture is cut into pieces at levels of lightness and of difference from the ground; pieces that fill a
quadrilateral of a card's shape, with edges all round, are outlines. With a deck, print finds cards as well
(`prints`), and the face decides: the best explained card is taken, what it covers of the others is left out
of their reading, and so on downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64
from vision.cards.deck import Deck
from vision.cards.outline import order_corners, settle_quad
from vision.cards.overexposure import read_washed
from vision.cards.parameters import FACE, PHOTO_CARD
from vision.cards.quads import quads_in
from vision.cards.reading import NOTHING, Reading
from vision.cards.recognition import FACE_PX, Faces
from vision.geometry import flatten_px
from vision.sightings import Picture

_LEAST_SHOWN = 0.15
_SLIVER = 0.4
"""Share of a card below which its face must be clearly its own. In a smaller part, or a patch without edges,
a foreign face may explain two thirds: a paw is nearly an ace."""
_VOTES_HALF = 10.0
"""Votes that give a score of one half."""
_SLIVER_PX = 9
"""Side of the opening along a cover's edge, in pixels of the cut-out."""
_STRIP = 0.15
"""A row or column counts as free if it has more than this share of the freest one."""
_PLACES = 12
"""Number of places that are fitted, those with most votes first, to save time."""
_TRIES = 2
_ROUNDS = 2
_NEAREST = 4
"""Number of further outlines of a card that are read: those nearest to its print."""
_GLANCE = 0.05
"""Least likeness at a glance for a place to be read: two thirds of the places below are no cards."""
_ALIKE = 0.2
"""Least share of the ink that a face explains for its place to count as found."""
_ASKEW_PX, _ASKEW_RAD = 2.5, 0.04
"""Shift and turn of the print in a flattened face above which its outline is wrong."""
_BESIDE = 0.03
"""Likeness that each pixel between print and outline costs when outlines of one card are compared."""
_FRAME = np.array([[0, 0], [FACE_PX[0], 0], [FACE_PX[0], FACE_PX[1]], [0, FACE_PX[1]]], np.float64)


@dataclass(frozen=True, slots=True)
class CardOutlined:
    """One card in a photograph: corners (4, 2) in pixels, how well its outline fits, how it was read.

    `shown` is the share of it that lies neither under another card nor beyond the picture; `shown_px` (4, 2)
    encloses nearly all of that and stays within the picture. `printed` names the faces whose print led here.
    """

    corners_px: Float64
    score: float
    reading: Reading
    shown: float
    shown_px: Float64
    printed: frozenset[str] = frozenset()

    @property
    def sure(self) -> bool:
        """Whether its name may be reported.

        An ace has so little ink that shading leaves much of it unexplained; inside a good outline, a clear
        lead over every other face makes up for likeness.
        """
        likeness, margin = self.reading.likeness, self.reading.margin
        edged = self.score >= PHOTO_CARD.least_score or bool(self.printed)
        if not edged and likeness < FACE.clear_likeness:
            return False
        if self.shown < PHOTO_CARD.whole_shown and self.printed and self.reading.name not in self.printed:
            return False
        if likeness >= np.interp(
            self.shown, (_SLIVER, PHOTO_CARD.whole_shown), (FACE.clear_likeness, PHOTO_CARD.sure_likeness)
        ):
            return margin >= (
                PHOTO_CARD.sure_margin if self.shown >= PHOTO_CARD.whole_shown else FACE.covered_margin
            )
        faint = likeness >= FACE.doubt_likeness and likeness + margin >= PHOTO_CARD.faint_sum
        return self.score >= PHOTO_CARD.faint_score and self.shown >= PHOTO_CARD.whole_shown and faint


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a card may lie, before it is known what covers it."""

    corners_px: Float64
    score: float
    printed: frozenset[str] = frozenset()


class _Open:
    """A place not yet decided. It is read once, and only when that may matter, to save time."""

    def __init__(
        self, picture: Picture, faces: Faces | None, place: _Place, covers: Sequence[Float64] = ()
    ) -> None:
        self.place = place
        self._look = partial(_read, picture, faces, place, covers)
        self._card: CardOutlined | None = None

    def read(self) -> CardOutlined:
        """Return its reading, made on the first request."""
        self._card = self._card or self._look()
        return self._card

    @property
    def is_read(self) -> bool:
        """Whether it has been read."""
        return self._card is not None

    @property
    def most_weight(self) -> float:
        """How likely it is a card; an upper bound until it is read."""
        return self.place.score + (max(0.0, self._card.reading.likeness) if self._card else 1.0)


def look_cards_px(picture: Picture, deck: Deck | None = None) -> list[CardOutlined]:
    """Cards in a picture (h, w, 3) BGR, the topmost first; without a deck only their outlines."""
    places = [_Place(quad, score) for score, quad in quads_in(picture, heaps=True)]
    if deck is not None:
        places += _printed(picture, deck)
    faces = None if deck is None else deck.faces.in_picture(picture)
    open_ = [_Open(picture, faces, place) for place in places]
    kept: list[CardOutlined] = []
    while open_:
        card = _followed(picture, faces, _taken_likeliest(open_), kept)
        if not _is_card(card, deck):
            continue
        card = _best_outline(card, _other_outlines(card, open_))
        kept.append(card)
        left = []
        for other in open_:
            corners = other.place.corners_px
            if shared(corners, card.corners_px) < PHOTO_CARD.least_shared:
                left.append(other)
            elif not _same(corners, card.corners_px):
                again = _Open(picture, faces, other.place, [c.corners_px for c in kept])
                seen = again.read()
                if seen.shown > PHOTO_CARD.mostly_shown or (seen.sure and seen.shown >= _LEAST_SHOWN):
                    left.append(again)
        open_ = left
    return kept


def _taken_likeliest(open_: list[_Open]) -> CardOutlined:
    """Take out the place that is most likely a card; most of the others need not be read for that."""
    while True:
        best = max(range(len(open_)), key=lambda index: open_[index].most_weight)
        if open_[best].is_read:
            return open_.pop(best).read()
        open_[best].read()


def _followed(
    picture: Picture, faces: Faces | None, card: CardOutlined, kept: list[CardOutlined]
) -> CardOutlined:
    """A card whose print lies beside its outline or is badly explained, read again where the print is."""
    again = card
    for _ in range(_ROUNDS):
        if faces is None or again.reading.likeness < _ALIKE or (again.sure and not _askew(again.reading)):
            break
        place = _Place(_by_print(again), card.score, card.printed)
        again = _read(picture, faces, place, [other.corners_px for other in kept])
    return again if again.sure and again.reading.likeness >= card.reading.likeness else card


def _askew(reading: Reading) -> bool:
    """Whether a print lies further from its outline than inaccurate cutting out explains."""
    return bool(np.hypot(*reading.shift_px) > _ASKEW_PX or abs(reading.turn_rad) > _ASKEW_RAD)


def _by_print(card: CardOutlined) -> Float64:
    """Corners (4, 2) in pixels moved and turned to where the print of the card's reading was found."""
    c, s = np.cos(card.reading.turn_rad), np.sin(card.reading.turn_rad)
    middle = np.array(FACE_PX) / 2
    flat = (_FRAME - middle) @ np.array([[c, s], [-s, c]]) + middle + card.reading.shift_px
    spread = cv2.getPerspectiveTransform(_FRAME.astype(np.float32), card.corners_px.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(flat[None], np.asarray(spread, np.float64))[0], np.float64)


def _other_outlines(card: CardOutlined, open_: list[_Open]) -> list[CardOutlined]:
    """The other outlines of a card; once its print is surely known, only those nearest to the print."""
    others = [other for other in open_ if _same(other.place.corners_px, card.corners_px)]
    if card.sure:
        there = _by_print(card)
        others = sorted(others, key=lambda other: _apart_px(other.place.corners_px, there))[:_NEAREST]
    return [other.read() for other in others]


def _best_outline(card: CardOutlined, others: list[CardOutlined]) -> CardOutlined:
    """The outline of a card in which its face is explained best and lies where it should.

    A face is aligned over some pixels, so a rough outline explains it as well as the right one.
    """
    best = max([card, *others], key=lambda each: each.reading.likeness - _BESIDE * _beside_px(each.reading))
    if not best.sure:
        return card
    return replace(best, score=max(best.score, card.score))


def _apart_px(one: Float64, two: Float64) -> float:
    """Largest distance from a corner of a quadrilateral (4, 2) to the nearest corner of the other."""
    return float(np.linalg.norm(one[:, None] - two, axis=2).min(axis=0).max())


def _beside_px(reading: Reading) -> float:
    """Distance between the corners of a print and those of the outline in which it was read."""
    return float(np.hypot(*reading.shift_px) + abs(reading.turn_rad) * np.hypot(*FACE_PX) / 2)


def _is_card(card: CardOutlined, deck: Deck | None) -> bool:
    """Whether it has an outline of its own or bears a face of the deck; a print with neither was chance."""
    if card.sure:
        return True
    if card.printed:
        return card.reading.name in card.printed and card.reading.likeness >= FACE.doubt_likeness
    if card.score < PHOTO_CARD.least_score:
        return False
    # An ace in a hard shadow is explained badly, but a little; an envelope is not explained at all.
    least = FACE.least_likeness if card.score < PHOTO_CARD.good_score else PHOTO_CARD.foreign_likeness
    return deck is None or card.reading.likeness >= least


def _printed(picture: Picture, deck: Deck) -> list[_Place]:
    """Places where the print of a face shows, also settled onto the edges round it if there are any."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    groups: list[tuple[list[Float64], set[str], int]] = []
    for each in deck.prints.find(picture):
        corners = order_corners(each.corners_px)
        name = deck.names[each.face]
        for tried, names, _ in groups:
            if _same(corners, tried[0]):
                names.add(name)
                tried.append(corners)
                break
        else:
            groups.append(([corners], {name}, each.votes))
    found: list[_Place] = []
    for tried, names, votes in groups[:_PLACES]:
        score = votes / (votes + _VOTES_HALF)
        for corners in tried[:_TRIES]:
            found.append(_Place(corners, score, frozenset(names)))
            short = float(np.linalg.norm(corners[1] - corners[0]))
            settled = settle_quad(grey, corners, max(2.0, 0.05 * short))
            if _same(settled, corners):
                found.append(_Place(order_corners(settled), score, frozenset(names)))
    return found


def _read(picture: Picture, faces: Faces | None, place: _Place, covers: Sequence[Float64]) -> CardOutlined:
    """Read the visible part of a place."""
    corners = place.corners_px
    height, width = picture.shape[:2]
    rim = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
    frame = _FRAME.astype(np.float32)
    flatten = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), frame), np.float64)
    mask = np.zeros((FACE_PX[1], FACE_PX[0]), np.uint8)
    _fill(mask, flatten, rim, 1)
    for cover in covers:
        _fill(mask, flatten, cover, 0)
    visible = mask > 0
    shown = float(visible.mean())
    part = _within(corners if shown > PHOTO_CARD.all_shown else _part(visible, flatten, corners), rim)
    if faces is None or shown < _LEAST_SHOWN:
        return CardOutlined(corners, place.score, NOTHING, shown, part, place.printed)
    crop = flatten_px(picture, corners, FACE_PX)
    reading = read_washed(
        faces,
        crop,
        None if shown > PHOTO_CARD.all_shown else visible,
        fairly=True,
        least=_GLANCE,
    )
    return CardOutlined(corners, place.score, reading, shown, part, place.printed)


def _fill(mask: NDArray[np.uint8], flatten: Float64, polygon: Float64, value: int) -> None:
    flat = cv2.perspectiveTransform(polygon.reshape(1, -1, 2), flatten)[0]
    reach = 20 * FACE_PX[1]
    cv2.fillConvexPoly(mask, np.round(np.clip(flat, -reach, reach) * 16).astype(np.int32), value, shift=4)


def _part(visible: NDArray[np.bool_], flatten: Float64, corners: Float64) -> Float64:
    """The smallest part of the card's rectangle (4, 2) in pixels that holds nearly all that shows."""
    # A sliver along a cover's edge does not count as showing: two outlines never meet exactly.
    wide = np.ones((_SLIVER_PX, _SLIVER_PX), np.uint8)
    clear = cv2.morphologyEx(visible.astype(np.uint8), cv2.MORPH_OPEN, wide)
    if not clear.any():
        return corners
    # A narrow strip beside the cover would stretch the rectangle over all that the cover hides.
    across, along = clear.mean(axis=0), clear.mean(axis=1)
    columns = np.flatnonzero(across > _STRIP * across.max())
    rows = np.flatnonzero(along > _STRIP * along.max())
    x0, x1, y0, y1 = columns[0], columns[-1] + 1, rows[0], rows[-1] + 1
    flat = np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(flat, np.linalg.inv(flatten))[0], np.float64)


def _within(part: Float64, rim: Float64) -> Float64:
    """Four corners round the part (4, 2) that lies within the rim (4, 2) of a picture."""
    low, high = rim[0], rim[2]
    if ((part >= low) & (part <= high)).all():
        return part
    _, inside = cv2.intersectConvexConvex(part.astype(np.float32), rim.astype(np.float32))
    if inside is None or len(inside) < 3:
        return part
    four = inside if len(inside) <= 4 else cv2.approxPolyN(inside, 4, ensure_convex=True)
    corners = np.asarray(four, np.float64).reshape(-1, 2)
    if len(corners) == 3:  # the corner of a card that reaches into the picture
        corners = np.vstack([corners, corners[-1:]])
    return order_corners(np.clip(corners, low, high))


def _same(one: Float64, two: Float64) -> bool:
    """Whether two quadrilaterals are of one card: neither holds much that the other does not."""
    a, b = one.astype(np.float32), two.astype(np.float32)
    if not (cv2.isContourConvex(a.reshape(-1, 1, 2)) and cv2.isContourConvex(b.reshape(-1, 1, 2))):
        return False
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area) > PHOTO_CARD.one_card * (cv2.contourArea(a) + cv2.contourArea(b) - float(area))


def shared(one: Float64, two: Float64) -> float:
    """Share of the smaller quadrilateral that lies in the other."""
    a, b = one.astype(np.float32), two.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area) / max(1e-6, min(cv2.contourArea(a), cv2.contourArea(b)))
