"""From a frame to the cards that have appeared: islands of change, resting hands, squarely laid cards."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.found import FoundCard
from vision.cards.parameters import FACE
from vision.cards.proposal import Proposal
from vision.frame import Frame
from vision.imgproc.change_detection import COARSE_MM, grow, pieces
from vision.layout import Layout
from vision.mat.candidates import Candidates, Pending
from vision.mat.card_search import CardSearch, CardsSought
from vision.mat.card_tracker import CardTracker
from vision.mat.cover import FieldCover
from vision.mat.moment import Moment
from vision.mat.overlap import OverlapReader, lies_on
from vision.mat.overlap_parameters import OVERLAP
from vision.mat.scene import MatScene
from vision.mat.tracked_card import TrackedCard
from vision.mat.tracker_parameters import CARD_TRACKER
from vision.mat.unseen import UnseenPlaces
from vision.sightings import CardDown, Picture


class Arrivals:
    """Finds the cards that appear on one table and adds them to its tracker."""

    def __init__(self, layout: Layout, sought: CardsSought, tracker: CardTracker, scene: MatScene) -> None:
        self._layout, self._sought, self._tracker = layout, sought, tracker
        self._candidates = Candidates(sought.card_mm)
        self._rested: dict[int, float] = {}
        self._stirred_t: NDArray[np.float32] | None = None
        """When each place last moved; None after a reset: what was not seen may have moved."""
        self._overlaps = OverlapReader()
        self.unseen = UnseenPlaces()
        self.cover = FieldCover()
        self.move(scene)

    def move(self, scene: MatScene) -> None:
        """Start again: the table now lies elsewhere in the picture."""
        self._searcher = CardSearch(scene.fine, scene.coarse, self._sought)
        self._stirred_t = None
        self._candidates.forget()

    def recall(self, t: float) -> None:
        """Reopen what was undecided before the time without sight."""
        self._candidates.forget()
        self._rested, self._stirred_t = {}, None
        self._overlaps.recall(self._tracker, t)
        self.unseen.begin()

    def note_covers(self, scene: MatScene, t: float) -> None:
        """Note large things that came to rest over cards; what differs once they are gone changed unseen."""
        if self._stirred_t is not None:
            self.cover.seek(scene, self._tracker, t - self._stirred_t)
        self.cover.follow(scene, self._tracker, self.unseen)

    @property
    def waiting(self) -> bool:
        """Whether a place has still to be read, though nothing moves."""
        return bool(self._candidates.now) or self._overlaps.waiting or self.cover.waiting

    def at_start(self, scene: MatScene, picture: Picture, t: float) -> list[CardDown]:
        """Find the cards that already lie there: after a power cut the trick is still on the table."""
        if self._sought.deck is None:
            return []
        nothing = np.zeros(scene.changed.shape, np.bool_)
        whole = int(self._sought.card_mm[0] * self._sought.card_mm[1] / COARSE_MM**2)
        out: list[CardDown] = []
        for mask, size, _ in pieces(scene.mat.lying(scene.light), whole // 2):
            cards = min(CARD_TRACKER.most_at_start, 1 + 2 * size // whole)
            for card in self._searcher.search(Moment(picture, t, mask, nothing, nothing), mask, cards):
                if card.sure:
                    lying = self._tracker.add(card, scene, t, None)
                    scene.uncover(lying.place)
                    out.append(replace(self._as_seen(lying, t), at_start=True))
        return out

    def note_hands(self, scene: MatScene, t: float) -> None:
        """Remember which cards hands cover now."""
        self.unseen.follow(scene)
        if self._stirred_t is None:
            self._stirred_t = np.full(scene.moving.shape, t, np.float32)
        self._stirred_t[scene.moving] = t
        self._candidates.note_strange(scene, t)
        self._overlaps.note_hands(self._tracker, scene, t)

    def look(self, scene: MatScene, frame: Frame, t: float) -> list[CardDown]:
        """The cards that have appeared."""
        out = self._look_at_islands(scene, frame, t)
        out += self._look_at_resting(scene, frame, t)
        for found, unseen in self._overlaps.find(self._tracker, self._searcher, scene, frame, t):
            if not self._tracker.follow_moved(found, scene, by_name=found.sure):
                hand = scene.hands.over(scene.coarse.fill(found.corners_mm), scene.altered)
                out.append(self._add(found, scene, t, hand, unseen))
        return out

    def absorb(self, scene: MatScene, t: float) -> None:
        """Make what is quiet, free of hands and no card part of the settled table."""
        for pending in self._candidates.long_quiet(t):
            self.cover.note_laid(pending.mask, scene, self._tracker)
        self._candidates.absorb(scene, t)

    def _look_at_islands(self, scene: MatScene, frame: Frame, t: float) -> list[CardDown]:
        """Search for cards in what has changed, has been quiet for two frames, and is no hand."""
        free = scene.changed & ~grow(scene.hands.mask)
        if not free.any():
            self._candidates.now = []
            return []
        out: list[CardDown] = []
        covered = grow(scene.hands.mask)
        cards = grow(self._tracker.places(covered.shape))
        handless = self._candidates.lain(t)
        if self.unseen.handless is not None:
            handless |= self.unseen.handless
        for pending, on_cards in self._candidates.due(self._tracker, scene, free, t):
            vain = pending.tries >= CARD_TRACKER.vain_tries
            lying = cards if on_cards else None
            altered = partial(scene.altered, scene.settled)
            moment = Moment(frame.picture, t, free, covered, lying, altered, scene.mat.pale, handless)
            # Of several cards that are seen at once, the lowest was laid first.
            seen = self._searcher.search(moment, pending.mask)
            like = [found for found in seen if found.reading.likeness >= FACE.least_likeness]
            self._candidates.note_searched(pending, bool(like), t)
            vain &= not like
            for found in reversed(seen):
                card = self._accept(found, scene, pending, t)
                if card is not None:
                    out.append(card)
            if vain:
                self._candidates.note_vain(pending)
        return out

    def _look_at_resting(self, scene: MatScene, frame: Frame, t: float) -> list[CardDown]:
        """Search for a card in what looks like a hand but does not move: a resting hand, or light.

        A rectangle with four sides and a face beyond doubt does not lie under a hand.
        """
        out: list[CardDown] = []
        resting = {h.number: h.moved_t for h in scene.hands.now if t - h.moved_t >= CARD_TRACKER.still_s}
        before, self._rested = self._rested, resting
        for hand in scene.hands.now:
            if resting.get(hand.number) == before.get(hand.number):
                continue
            others = grow(scene.hands.mask & ~hand.mask)
            moment = Moment(frame.picture, t, scene.changed & ~others, others)
            by = hand.number if t - hand.since_t < CARD_TRACKER.play_s else None
            for found in self._searcher.search(moment, hand.mask, most=2):
                if not found.clear:
                    self._refuse(found, "what passes for a hand lies there, and the card is not clear")
                elif not self._tracker.follow_moved(found, scene):
                    out.append(self._add(found, scene, t, by))
        return out

    def _accept(self, found: FoundCard, scene: MatScene, pending: Pending, t: float) -> CardDown | None:
        """Decide what a found rectangle is: a new card, a moved one, or one to be searched for again."""
        reading, quiet_s = found.reading, t - pending.since_t
        place = scene.coarse.fill(found.corners_mm)
        if found.clear and self._stirred_t is not None and place.any():
            # A guest's own cards may sway beside it all the while.
            quiet_s = max(quiet_s, t - float(self._stirred_t[place].max()))
        over = scene.hands.over(place, scene.altered)
        hand = pending.brought.setdefault(reading.name, over)
        if not found.sure and (not found.doubtful or found.fresh < CARD_TRACKER.doubtful_fresh):
            self._refuse(found, found.why_unsure or "")
            return None
        wait_s = max(OVERLAP.doubt_s * (not found.sure), CARD_TRACKER.alone_wait_s * (not found.alone))
        if quiet_s < wait_s:
            pending.ripe_t = min(pending.ripe_t, pending.since_t + wait_s)
            self._refuse(
                found, "waits: something lies beside it" if found.sure else "waits: it may get clearer"
            )
            return None
        if self._tracker.follow_moved(found, scene):
            self._refuse(found, "a card that lay here already: it was pushed")
            return None
        card = self._tracker.under(found)
        if found.sure and card is not None and not lies_on(found, card, self._searcher):
            # White paper over part of its print made it look like another print.
            self._refuse(found, f"lies on {card.found.reading.name}, and may be that one, partly covered")
            return None
        return self._add(found, scene, t, hand)

    def _refuse(self, found: FoundCard, why: str) -> None:
        if (listener := self._sought.listener) is not None:
            listener(Proposal(found.corners_mm, found.box, found.reading, why, found.crop, found.fresh))

    def _add(
        self, found: FoundCard, scene: MatScene, t: float, hand: int | None, unseen: bool = False
    ) -> CardDown:
        """Add a new card, brought by `hand` unless nobody saw it come."""
        unseen = unseen or self.unseen.laid(scene.coarse.fill(found.corners_mm))
        self._tracker.note_stirred(self.unseen)
        card = self._tracker.add(found, scene, t, None if unseen else hand)
        self.unseen.note_told(card.place)
        return replace(self._as_seen(card, t), after_gap=unseen)

    def _as_seen(self, card: TrackedCard, t: float) -> CardDown:
        a, b, c, d = ((float(x), float(y)) for x, y in card.found.corners_mm)
        return CardDown(
            t=t,
            key=card.key,
            guesses=card.found.reading.guesses,
            sure=card.found.sure,
            corners_mm=(a, b, c, d),
            zone=self._zone(card.found),
            hand=card.seat,
            crop=card.found.crop,
        )

    def _zone(self, found: FoundCard) -> str | None:
        x, y = found.corners_mm.mean(axis=0)
        for seat in self._layout.seats:
            polygon = np.array(seat.zone_mm, np.float32).reshape(-1, 1, 2)
            if len(polygon) >= 3 and cv2.pointPolygonTest(polygon, (float(x), float(y)), False) >= 0:
                return seat.name
        return None
