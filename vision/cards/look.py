"""Single pictures: every card of a deck that can be seen on a registered table, without history.

A rectangle of the known size is tried at all places and turns. The cards that the deck names are taken,
topmost first, and the rest is searched again with the taken cards as covers, so that a card under
another one is found by the part that shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float64, Mask
from vision.cards.deck import Deck
from vision.cards.occluded import find_occluded
from vision.cards.outline import order_corners
from vision.cards.overexposure import glance_washed, read_washed
from vision.cards.parameters import FACE, STILL_CARD
from vision.cards.print_places import DrawnPlan, boxes_by_print, unlike_ground
from vision.cards.proposal import Proposal, ProposalListener, why_unsure
from vision.cards.reading import NOTHING, Reading
from vision.cards.recognition import FACE_PX
from vision.cards.rectangle import Box, EdgeImage, distinct, fit_boxes, scan_boxes
from vision.cards.seek import follow_print, seek_print
from vision.geometry import flatten_px
from vision.rectified import Plan, RegisteredPicture
from vision.sightings import Picture

SEEK_SUPPORT = 0.25
_MOST = 40
"""Most cards searched for on a table, to save time."""
_PEAKS = 14
"""Places proposed for each turn."""
_GLANCE = 0.3
"""Least likeness at a glance for a place to be read: time against washed-out cards."""
_OUTLINE = 0.4
"""Least support of a good outline; a place with one is read from `_FAINT_GLANCE` on."""
_FAINT_GLANCE = 0.08
"""Least likeness at a glance for a place with a good outline: pale ink, a shadow's edge."""
_LIES_RIGHT = 0.8
"""Likeness at a glance above which a print need not be sought beside its outline."""
_FOREIGN = 0.6
"""Share of a place that is not bare ground above which it is examined whatever its rank: heaps."""
_SAME_MM, _SAME_SHARE = 6.0, 0.75
"""Distance of the middles below which, and shared area above which, two outlines are of one card."""
_EDGED = 0.6
"""Share of the worst side on an edge above which the outline is right and the print adds nothing."""
_SHARED = 0.1
"""Share of a card's area above which a card found with a better outline takes its place."""
_ROUNDS = 2
"""Times that an outline is moved to where its print lies."""


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card in a picture: corners (4, 2) in millimetres, the outline's fit, the reading, share shown."""

    corners_mm: Float64
    box: Box
    reading: Reading
    shown: float

    @property
    def sure(self) -> bool:
        """Whether its name may be reported; a partly covered card must look more like its face."""
        return self.shown >= STILL_CARD.named_shown and bool(
            self.reading.likeness >= self._least[0] and self.reading.margin >= self._least[1]
        )

    @property
    def why_unsure(self) -> str | None:
        """Why its name may not be reported, in words; None if it may."""
        if self.shown < STILL_CARD.named_shown:
            return f"only {self.shown:.0%} of it shows, {STILL_CARD.named_shown:.0%} needed"
        return why_unsure(self.reading, *self._least)

    @property
    def _least(self) -> tuple[float, float]:
        """Least likeness and margin for naming it."""
        if self.shown < STILL_CARD.whole:
            return STILL_CARD.covered_likeness, FACE.covered_margin
        return STILL_CARD.sure_likeness, STILL_CARD.sure_margin


def look_cards(
    table: RegisteredPicture,
    card_mm: tuple[float, float],
    deck: Deck | None,
    listener: ProposalListener | None = None,
) -> list[CardSeen]:
    """Cards on a registered table, topmost first; without a deck only their outlines.

    `listener` receives the rectangles that were refused.
    """
    picture = table.picture
    plan = Plan(table.registration, table.layout.size_mm, 1.0, 20.0)
    top = plan.draw(picture)
    shades = cv2.cvtColor(top, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = np.asarray(cv2.GaussianBlur(shades, (0, 0), 0.8), np.float32)
    image = EdgeImage.of(grey)
    proposals = scan_boxes(image, card_mm, most=10 * _MOST, peaks=_PEAKS)
    foreign = unlike_ground(top)
    worth = _mostly(foreign, card_mm)
    likely = [p[:2] for rank, p in enumerate(proposals) if rank < _MOST or worth(p[0])]
    boxes = distinct(fit_boxes(image, likely, card_mm, 4.0))
    if deck is None:
        return [_outlined(box, plan) for box in _apart(boxes, plan)]
    reader = _Reader(picture, plan, deck)
    bare = np.zeros((plan.height, plan.width), np.bool_)
    glances = {box: reader.glance(box, bare) for box in boxes}
    boxes.sort(key=lambda box: -glances[box])
    near = [box for box in boxes if box.support >= SEEK_SUPPORT and glances[box] < _LIES_RIGHT]
    moves = [(box.angle, seek_print(picture, plan, box, deck.faces)) for box in near[:_MOST]]
    moved = [(box.middle, angle) for angle, box in moves if box is not None]
    boxes = fit_boxes(image, moved, card_mm, 2.5) + boxes
    cards = _named(reader, distinct(boxes[: 2 * _MOST]), bare, listener)
    cover = _covered(cards, plan)
    printed = boxes_by_print(DrawnPlan(picture, plan, image), card_mm, deck, foreign & ~cover)
    cards += [card for card in _named(reader, printed, cover, listener) if card.sure]
    cover = _covered(cards, plan)
    known = [card.box.corners for card in cards]
    for box in find_occluded(top, image, known, card_mm, reader.glance):
        cards.append(reader.read(box, cover))
        cover |= plan.fill(cards[-1].corners_mm)
    return _each_once(cards, plan)


def _mostly(foreign: Mask, card_mm: tuple[float, float]) -> Callable[[tuple[float, float]], bool]:
    """Return a test for places that are mostly not bare ground: heaps deserve a longer search."""
    core = round(card_mm[0] * 0.7) | 1
    share = cv2.boxFilter(foreign.astype(np.float32), -1, (core, core))

    def worth(middle: tuple[float, float]) -> bool:
        row = int(np.clip(round(middle[1]), 0, share.shape[0] - 1))
        column = int(np.clip(round(middle[0]), 0, share.shape[1] - 1))
        return bool(share[row, column] > _FOREIGN)

    return worth


def _covered(cards: list[CardSeen], plan: Plan) -> Mask:
    """Where these cards lie (h, w)."""
    cover = np.zeros((plan.height, plan.width), np.bool_)
    for card in cards:
        cover |= plan.fill(card.corners_mm)
    return cover


class _Reader:
    """Reads rectangles of one picture: each is cut out once, however often its cover changes."""

    def __init__(self, picture: Picture, plan: Plan, deck: Deck) -> None:
        self.plan = plan
        self._picture, self._faces = picture, deck.faces.in_picture(picture)
        self._crops: dict[Box, tuple[Float64, Picture]] = {}
        self._bare: dict[Box, float] = {}

    def glance(self, box: Box, cover: Mask) -> float:
        """Likeness of the likeliest face there, outside the cover (h, w): -1 to 1."""
        crop, visible = self._shown(box, cover)
        if visible is not None:
            return glance_washed(self._faces, crop, visible)
        if box not in self._bare:
            self._bare[box] = glance_washed(self._faces, crop)
        return self._bare[box]

    def read(self, box: Box, cover: Mask) -> CardSeen:
        """Read the part of a rectangle outside the cover (h, w)."""
        corners_mm = self.plan.to_mm(box.corners)
        place = self.plan.fill(corners_mm)
        shown = 1.0 - float((cover & place).sum()) / max(1, int(place.sum()))
        least = _GLANCE if box.support < _OUTLINE else _FAINT_GLANCE
        if shown < STILL_CARD.sought_shown or self.glance(box, cover) < least:
            return CardSeen(corners_mm, box, NOTHING, shown)
        return CardSeen(corners_mm, box, read_washed(self._faces, *self._shown(box, cover)), shown)

    def _shown(self, box: Box, cover: Mask) -> tuple[Picture, Mask | None]:
        """The flattened card (120, 80, 3) and which part of it shows (120, 80); None if nothing covers it."""
        corners_mm = self.plan.to_mm(box.corners)
        registration = self.plan.registration
        if box not in self._crops:
            corners_px = order_corners(registration.to_px(corners_mm))
            self._crops[box] = corners_px, flatten_px(self._picture, corners_px, FACE_PX)
        corners_px, crop = self._crops[box]
        if not (cover & self.plan.fill(corners_mm)).any():
            return crop, None
        covered = np.asarray(cv2.dilate(cover.astype(np.uint8) * 255, np.ones((3, 3), np.uint8)), np.uint8)
        plan_px = self.plan.to_px(registration.to_mm(corners_px))
        return crop, flatten_px(covered, plan_px, FACE_PX) < 64


def _named(
    reader: _Reader, boxes: list[Box], covered: Mask, listener: ProposalListener | None
) -> list[CardSeen]:
    """Take the best explained rectangle, cover its place, read again what it covered, and so on.

    `covered` (h, w) is where other cards lie on top.
    """
    plan, cover = reader.plan, covered.copy()
    open_: dict[int, CardSeen] = {}
    stale = set(range(len(boxes)))
    taken: list[CardSeen] = []
    while True:
        for index in stale:
            card = reader.read(boxes[index], cover)
            if card.shown < STILL_CARD.sought_shown:
                open_.pop(index, None)
            else:
                open_[index] = card
        sure = [index for index, card in open_.items() if card.sure]
        if not sure:
            break
        best = max(
            sure,
            key=lambda index: (
                open_[index].reading.likeness + STILL_CARD.outline_weight * open_[index].box.support
            ),
        )
        card = _by_print(reader, open_.pop(best), cover)
        taken.append(card)
        place = plan.fill(card.corners_mm)
        cover |= place
        stale = {index for index, other in open_.items() if (plan.fill(other.corners_mm) & place).any()}
    doubts = [card for card in open_.values() if _doubtful(card)]
    if listener is not None:
        for card in open_.values():
            if not _doubtful(card):
                listener(Proposal(card.corners_mm, card.box, card.reading, _why_no_card(card)))
    return taken + _apart_cards(doubts, cover, plan)


def _by_print(reader: _Reader, card: CardSeen, cover: Mask) -> CardSeen:
    """Move a named card to its print, unless its outline has edges all round: seams and shadows mislead."""
    for _ in range(_ROUNDS):
        if card.box.weakest >= _EDGED:
            break
        again = reader.read(follow_print(reader.plan, card.box, card.reading), cover)
        if not again.sure or again.reading.name != card.reading.name:
            break
        card = again
    return card


def _doubtful(card: CardSeen) -> bool:
    """Whether a rectangle with edges all round bears some face: a card that cannot be named."""
    fits = card.box.support >= STILL_CARD.doubt_support and card.box.weakest >= STILL_CARD.doubt_weakest
    return fits and card.shown > STILL_CARD.whole_shown and card.reading.likeness >= FACE.doubt_likeness


def _why_no_card(card: CardSeen) -> str:
    """Why a rectangle is not reported even as a card that cannot be named."""
    if card.reading.likeness < FACE.doubt_likeness:
        return f"no face on it: likeness {card.reading.likeness:.2f}, {FACE.doubt_likeness:.2f} needed"
    if card.shown <= STILL_CARD.whole_shown:
        return f"{card.why_unsure or 'covered'}; {1 - card.shown:.0%} of it is covered"
    return f"{card.why_unsure or 'unsure'}, and its outline is faint: {card.box.support:.2f} on edges"


def _outlined(box: Box, plan: Plan) -> CardSeen:
    return CardSeen(plan.to_mm(box.corners), box, NOTHING, 1.0)


def _apart(boxes: list[Box], plan: Plan) -> list[Box]:
    """Rectangles with good edges all round that hardly overlap each other."""
    good = [
        box
        for box in boxes
        if box.support >= STILL_CARD.doubt_support and box.weakest >= STILL_CARD.doubt_weakest
    ]
    cover = np.zeros((plan.height, plan.width), np.bool_)
    kept = []
    for box in good:
        place = plan.fill(plan.to_mm(box.corners))
        if (cover & place).sum() < STILL_CARD.most_shared * place.sum():
            kept.append(box)
            cover |= place
    return kept


def _each_once(cards: list[CardSeen], plan: Plan) -> list[CardSeen]:
    """The cards without unsure ones that lie where a sure one does: they are second outlines of that card."""
    sure = [card.corners_mm for card in cards if card.sure]
    return [
        card for card in cards if card.sure or not any(_one(card.corners_mm, other, plan) for other in sure)
    ]


def _one(outline: Float64, other: Float64, plan: Plan) -> bool:
    """Whether two outlines (4, 2) in mm belong to one card."""
    if np.linalg.norm(outline.mean(axis=0) - other.mean(axis=0)) > _SAME_MM:
        return False
    place, known = plan.fill(outline), plan.fill(other)
    return bool((place & known).sum() > _SAME_SHARE * (place | known).sum())


def _apart_cards(cards: list[CardSeen], cover: NDArray[np.bool_], plan: Plan) -> list[CardSeen]:
    kept = []
    cover = cover.copy()
    for card in sorted(cards, key=lambda c: -c.box.support):
        place = plan.fill(card.corners_mm)
        if (cover & place).sum() < _SHARED * place.sum():
            kept.append(card)
            cover |= place
    return kept
