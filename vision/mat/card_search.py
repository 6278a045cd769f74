"""From an island of change to cards: propose rectangles, fit them, name them, keep those that fit best."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.cards.deck import Deck
from vision.cards.found import FoundCard
from vision.cards.outline import look_up, order_corners
from vision.cards.parameters import MAT_CARD
from vision.cards.proposal import Proposal, ProposalListener
from vision.cards.reading import Reading
from vision.cards.recognition import FACE_PX, Faces
from vision.cards.rectangle import Box
from vision.cards.seek import follow_print, seek_print
from vision.geometry import flatten_px
from vision.imgproc.change_detection import grow
from vision.layout import Point
from vision.mat.candidate_parameters import CANDIDATES
from vision.mat.moment import Moment, beside, why_not
from vision.mat.parameters import CARD_SEARCH
from vision.mat.patch import Island, Patch, cut_patch, in_colour, outlined
from vision.mat.print_proposals import Printed
from vision.rectified import Plan
from vision.sightings import Picture

_NO_GLANCE = "little has changed, and no face shows at a glance"
_NOT_CLEAR = "little has changed, and its face is not clear enough to tell it by that alone"
_UNLIKE_PRINT = "proposed by its print alone, and not beyond doubt"
_UNREAD, _NO_CROP = Reading((), 0.0, 0.0, False), np.zeros((0, 0, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class CardsSought:
    """Which cards to search for: their deck (None: rectangles alone), width and height; who is informed."""

    deck: Deck | None
    card_mm: Point
    listener: ProposalListener | None = None


class CardSearch:
    """Searches for cards of one deck on one registered table."""

    def __init__(self, fine: Plan, coarse: Plan, sought: CardsSought) -> None:
        deck, card_mm = sought.deck, sought.card_mm
        self._fine, self._coarse, self._listener = fine, coarse, sought.listener
        self._size = (card_mm[0] / fine.mm_per_px, card_mm[1] / fine.mm_per_px)
        self._deck = deck
        self._step = coarse.mm_per_px / fine.mm_per_px
        self._reach = int(np.hypot(*self._size) + CANDIDATES.margin_mm)
        self._card_area = self._size[0] * self._size[1] / self._step**2
        self._shown: tuple[float, Faces] | None = None
        """The faces as the picture of that time shows them, kept because dozens of places in it are read."""
        self._printed = None if deck is None else Printed(fine, self._size[0], deck)
        if deck is not None:
            _ = deck.faces, deck.prints  # prepared now: the first card of an evening must not wait for it

    def search(self, moment: Moment, island: Mask, most: int = 4) -> list[FoundCard]:
        """Up to `most` cards in an island (coarse mask), the topmost first."""
        left, free = island.copy(), moment.free.copy()
        moment = replace(moment, free=free)
        altered, taken = moment.altered, np.zeros_like(island)
        wide: Patch | None = None
        found: list[FoundCard] = []
        while len(found) < most and left.sum() >= moment.least_share * self._card_area:
            card, box = self._from_shape(moment, left)
            if card is None:
                wide = wide or self._patch(moment, island, self._reach)
                heaped = moment.lying is not None or bool(found)
                card = self._best(moment, wide, wide.middles(left, self._step), box, heaped)
            if card is None:
                break
            found.append(card)
            place = grow(self._coarse.fill(card.corners_mm))
            left &= ~place
            free[place] = False
            taken |= place
            moment = replace(moment, altered=beside(altered, taken))
        for known in (moment.lying, moment.handless):
            if known is not None:
                left &= ~known
        alone = bool(left.sum() < CARD_SEARCH.rest_share * self._card_area)
        return [replace(card, alone=alone) for card in found]

    def _patch(self, moment: Moment, island: Mask, reach: int) -> Patch:
        return cut_patch(
            moment.picture, self._fine, Island(island, self._coarse.mm_per_px), self._size, reach
        )

    def _from_shape(self, moment: Moment, left: Mask) -> tuple[FoundCard | None, Box | None]:
        """The card that fills the island, if the island is about as large as one card, the usual case.

        Also the rectangle itself, in pixels of the plan, even if no card was read in it.
        """
        shape = self._shape(left)
        if shape is None:
            return None, None
        patch = self._patch(moment, left, CANDIDATES.shape_reach)
        place = patch.cut(shape)
        box = patch.fit(place.middle, place.angle, CARD_SEARCH.shape_reach_px)
        card = None
        if not outlined(box) and self._fills(left, shape):
            box = self._by_colour(moment, patch, left, place) or box
        if outlined(box):
            card = self._read(moment, patch, box)
        return card, patch.whole(box)

    def _fills(self, left: Mask, shape: Box) -> bool:
        """Whether what has changed is just a rectangle of a card's size; `shape` in pixels of the plan."""
        place = self._coarse.fill(self._fine.to_mm(shape.corners))
        return float((left & place).sum()) >= CARD_SEARCH.filled * float((left | place).sum())

    def _by_colour(self, moment: Moment, patch: Patch, left: Mask, place: Box) -> Box | None:
        """The rectangle fitted by colour, for a card about as light as what it lies on."""
        coloured = in_colour(patch, moment.picture, self._fine, Island(left, self._coarse.mm_per_px))
        if coloured is None:
            return None
        box = coloured.fit(place.middle, place.angle, CARD_SEARCH.shape_reach_px)
        return box if outlined(box) else None

    def still_there(self, picture: Picture, before: FoundCard, visible: Mask) -> bool:
        """Whether a found card is read again at its place, as far as it is `visible`.

        Half covered, another card may look like this one turned: a card at another pose is not the same card.
        """
        if self._deck is None:
            return True
        corners_px = order_corners(self._fine.registration.to_px(before.corners_mm))
        on_coarse = self._coarse.to_px(self._fine.registration.to_mm(corners_px))
        shown = flatten_px(visible.astype(np.uint8), on_coarse, FACE_PX) > 0
        reading = self._deck.faces.in_picture(picture).read(flatten_px(picture, corners_px, FACE_PX), shown)
        turned = (
            abs(reading.turn_rad) > CANDIDATES.still_rad or np.hypot(*reading.shift_px) > CANDIDATES.still_px
        )
        return (
            reading.name == before.reading.name and reading.likeness >= MAT_CARD.sure_likeness and not turned
        )

    def in_place(self, picture: Picture, t: float, before: FoundCard, hands: Mask) -> FoundCard | None:
        """What now lies where a card was found before: that card, or one laid squarely on it."""
        place = self._coarse.fill(before.corners_mm)
        moment = Moment(picture, t, np.ones_like(place), hands)
        patch = self._patch(moment, place, CANDIDATES.shape_reach)
        corners = self._fine.to_px(before.corners_mm) - patch.corner
        (x, y), (along_x, along_y) = corners.mean(axis=0), corners[1] - corners[0]
        angle = float(np.arctan2(along_y, along_x))
        box = patch.fit((float(x), float(y)), angle, CANDIDATES.squarely_px)
        card = self._read(moment, patch, box)
        if card is not None and (card.reading.name == before.reading.name or card.told_by_print):
            return card
        ys, xs = np.ogrid[: patch.grey.shape[0], : patch.grey.shape[1]]
        near = (xs - x) ** 2 + (ys - y) ** 2 < CANDIDATES.square_middle_px**2
        return self._best(moment, patch, near, patch.whole(box), heaped=False)

    def another(self, found: FoundCard, before: FoundCard) -> float:
        """How surely another card is found where one was before: 1 = no doubt, 0 = equally likely."""
        name = found.reading.name
        if self._deck is None or name is None:
            return -1.0
        return self._deck.rather(name, found.crop, before.crop)

    def _best(
        self, moment: Moment, patch: Patch, middles: NDArray[np.bool_], shape: Box | None, heaped: bool
    ) -> FoundCard | None:
        """The best rectangle with a face among all that may lie here; `shape`: round the whole island."""
        known = [] if shape is None else [patch.cut(shape)]
        boxes = patch.boxes(middles, CANDIDATES.most_proposed, known)
        best: tuple[float, FoundCard] | None = None
        for box in boxes[: CANDIDATES.most_read]:
            if best is not None and best[0] >= 1.0 + CARD_SEARCH.support_weight * box.support:
                break  # no later box has more support, so no face can outweigh what is found
            card = self._read(moment, patch, box)
            if card is None:
                continue
            score = card.reading.likeness + CARD_SEARCH.support_weight * box.support
            if best is None or score > best[0]:
                best = (score, card)
        if self._deck is not None and (best is None or not best[1].sure):
            card = self._by_print(moment, patch, middles)
            if card is not None:
                return card
        if (
            heaped
            and self._deck is not None
            and (best is None or best[1].reading.likeness < CARD_SEARCH.no_face)
        ):
            # Seams of white on white mislead the outline; the print shows where the card lies.
            for box in boxes[: CANDIDATES.most_sought]:
                card = self._seek(moment, patch, box, self._deck)
                if card is not None and card.reading.likeness >= CARD_SEARCH.no_face:
                    return card
        return best[1] if best else None

    def _by_print(self, moment: Moment, patch: Patch, middles: NDArray[np.bool_]) -> FoundCard | None:
        """The card that its print alone identifies beyond doubt, whatever its outline."""
        if self._printed is None:
            return None
        searched = patch.printed is None
        if patch.printed is None:
            if not self._printed.vain.worth(patch, moment.t):
                patch.printed = []  # the same for other pieces of the island in this picture
                return None
            near = grow(moment.free, CANDIDATES.print_near)
            patch.printed = self._printed.places(moment.picture, patch, near, self._coarse.mm_per_px)
        card = self._read_printed(moment, patch, middles, patch.printed)
        if searched or card is not None:
            self._printed.vain.note(patch, moment.t, card=card is not None)
        return card

    def _read_printed(
        self, moment: Moment, patch: Patch, middles: NDArray[np.bool_], boxes: list[Box]
    ) -> FoundCard | None:
        for box in boxes:
            if not look_up(middles, np.array(box.middle)):
                continue
            card = self._read(moment, patch, box, printed=True)
            if card is not None:
                again = patch.cut(follow_print(self._fine, patch.whole(box), card.reading))
                return self._read(moment, patch, again, printed=True) or card
        return None

    def _seek(self, moment: Moment, patch: Patch, box: Box, deck: Deck) -> FoundCard | None:
        """The card whose print lies within a few millimetres of a rectangle."""
        found = seek_print(moment.picture, self._fine, patch.whole(box), deck.faces)
        if found is None:
            return None
        return self._read(
            moment, patch, patch.fit(patch.cut(found).middle, box.angle, CARD_SEARCH.print_reach_px)
        )

    def _shape(self, left: Mask) -> Box | None:
        """A card in place of the island, in pixels of the fine plan, if the island is about that large."""
        ys, xs = np.nonzero(left)
        points = np.column_stack([xs, ys]).astype(np.float32)
        (x, y), (w, h), turn = cv2.minAreaRect(points)
        w, h = (w + 1) * self._step, (h + 1) * self._step
        angle = np.deg2rad(turn)
        if w > h:
            w, h, angle = h, w, angle + np.pi / 2
        if max(abs(w - self._size[0]), abs(h - self._size[1])) > CARD_SEARCH.shape_slack_px:
            return None
        middle = (x + 0.5) * self._step - 0.5, (y + 0.5) * self._step - 0.5
        return Box(middle, float(angle), self._size, 0.0, 0.0)

    def _read(self, moment: Moment, patch: Patch, box: Box, printed: bool = False) -> FoundCard | None:
        """The card read in a rectangle that is free of hands and has changed; None if it is refused.

        A place proposed by a face's print needs no outline, but must be `printed` beyond doubt.
        """
        corners_mm = self._fine.to_mm(patch.whole(box).corners)
        place = self._coarse.fill(corners_mm)
        fresh = float((place & moment.free).sum()) / max(1, int(place.sum()))
        why = why_not(moment, box, place, fresh, printed)
        if why is not None:
            self._tell(FoundCard(corners_mm, box, _UNREAD, _NO_CROP, fresh), why)
            return None
        corners_px = order_corners(self._fine.registration.to_px(corners_mm))
        crop = flatten_px(moment.picture, corners_px, FACE_PX)
        faces = self._faces_in(moment)
        glimpse = faces.glimpse(crop) if faces else None
        glance = glimpse.likeness if glimpse else 0.0
        reading = Reading((), max(0.0, glance), 0.0, False)
        # A card that is mostly old counts only when its face is clear, as it must lie on top: white paper
        # over part of a print makes it look like another print.
        if fresh < CARD_SEARCH.least_fresh and faces and glance < CARD_SEARCH.least_glance:
            self._tell(FoundCard(corners_mm, box, reading, crop, fresh), _NO_GLANCE)
            return None
        if faces and glimpse and glance >= CARD_SEARCH.least_print:
            reading = faces.name(glimpse)
        found = FoundCard(corners_mm, box, reading, crop, fresh)
        if printed and not _beyond_doubt(reading):
            why = _UNLIKE_PRINT
        elif fresh < CARD_SEARCH.least_fresh and not found.told_by_print:
            why = _NOT_CLEAR
        self._tell(found, why)
        return found if why is None else None

    def _faces_in(self, moment: Moment) -> Faces | None:
        """The deck's faces as this picture's camera shows them."""
        if self._deck is None:
            return None
        if self._shown is None or self._shown[0] != moment.t:
            self._shown = moment.t, self._deck.faces.in_picture(moment.picture)
        return self._shown[1]

    def _tell(self, found: FoundCard, why: str | None) -> None:
        """Report to the listener what was proposed, and why it was refused."""
        if self._listener is not None:
            why, crop = why or found.why_unsure, None if found.crop is _NO_CROP else found.crop
            self._listener(Proposal(found.corners_mm, found.box, found.reading, why, crop, found.fresh))


def _beyond_doubt(reading: Reading) -> bool:
    """Whether print alone identifies a card: likeness and margin are high, or their sum is, under a glare."""
    if reading.likeness >= CARD_SEARCH.printed_likeness:
        return reading.margin >= CARD_SEARCH.printed_margin
    glared = reading.likeness + reading.margin >= CARD_SEARCH.glared_sum
    return glared and reading.likeness >= CARD_SEARCH.glared_likeness
