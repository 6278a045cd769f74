"""The eye: frames in, sightings in millimetres out. Pure: no clock, no files; pictures and times come in.

    eye = Eye(layout, deck)
    for picture, t in frames:
        for sighting in eye.see(picture, t):
            ...

A thin frame is held against the one before; while nothing stirs and nothing is pending that is all.
Else a coarse top view tells hands (change that hangs together with the rim) from islands of change. An
island that is quiet for two frames and free of hands is looked at in full: the newest card is whole and on
top, so a rectangle of the known size must fit it and a face of the deck must explain it.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.deck import Deck
from vision.cards.found import FACE_LIKENESS, Found
from vision.cards.heap import Heap, Lying
from vision.cards.islands import Moment, Searcher
from vision.cards.second_look import DOUBT_S, SecondLook, lies_on
from vision.cards.unsettled import Pending, Unsettled
from vision.dice.reading import read_spots
from vision.dice.spots import ReadDice, Spots
from vision.errors import SourceError, TagsNotFoundError
from vision.frame import Frame, as_frame
from vision.geometry import Registration, register
from vision.hands import as_seen
from vision.layout import CameraModel, Layout, Point
from vision.motion import COARSE_MM, grow, pieces
from vision.scene import Scene
from vision.sightings import CardDown, Picture, Sighting
from vision.watchman import Watchman

USUAL_CARD_MM = (59.0, 91.0)

LEAST_FRESH = 0.3
"""So much of its place must have changed for a card that cannot be named to be a new one."""
WAIT_ALONE_S = 0.8
"""A card with something strange beside it waits so long: the hand that brought it may lie there."""
STILL_S = 0.35
"""What passes for a hand and does not stir for so long is searched for a card."""
PLAY_S = 3.0
"""What is over the table for longer need not be the hand that laid a card there."""
RESTING_S = 4.0
"""A hand that does not stir for so long is an object that was laid down over the rim."""

MOST_AT_START = 8
"""So many cards are looked for on a table that is seen for the first time."""

_AWAKE_FRAMES = 6
_STIR_LEVELS = 8
_STIR_PIXELS = 2
_VAIN_TRIES = 2


class Eye:
    """Watches one table. `see` takes frames in order of time; everything else is memory."""

    def __init__(
        self,
        layout: Layout,
        deck: Deck | None = None,
        camera: CameraModel | None = None,
        read_dice: ReadDice = read_spots,
    ) -> None:
        self.layout = layout
        self.deck = deck
        self.card_mm: Point = layout.card_size_mm or (deck.size_mm if deck else None) or USUAL_CARD_MM
        self.heap = Heap()
        self._camera = camera
        self._read_dice = read_dice
        self._scene: Scene | None = None
        self._thin: NDArray[np.uint8] | None = None
        self._awake = 0
        self._unsettled = Unsettled(self.card_mm)
        self._rested: dict[int, float] = {}
        self._second_look = SecondLook()

    @property
    def registration(self) -> Registration | None:
        """Where the table lies in the picture, once it was found."""
        return self._scene.registration if self._scene else None

    @property
    def _waiting(self) -> bool:
        """Whether something that was seen is not yet decided, though nothing stirs."""
        return (
            self.heap.waiting
            or self._second_look.waiting
            or (self._scene is not None and self._spots.waiting)
        )

    def hands_mm(self) -> list[NDArray[np.float64]]:
        """Outlines (n, 2) in millimetres of the hands over the table at this moment."""
        scene = self._scene
        if scene is None:
            return []
        outlines = []
        for hand in scene.hands.now:
            shape = hand.mask.astype(np.uint8)
            contours, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            outlines += [scene.coarse.to_mm(contour.reshape(-1, 2)) for contour in contours]
        return outlines

    def see(self, picture: Picture | Frame, t: float) -> list[Sighting]:
        """Take in one frame, decoded (h, w, 3) BGR uint8 or to be decoded on demand, at `t` seconds.

        Raises TagsNotFoundError until the table was found once, SourceError for a damaged frame.
        """
        frame = as_frame(picture)
        thin = frame.thin
        if self._scene is None or self._thin is None:
            registration = register(frame.picture, self.layout, self._camera)
            self._scene = Scene(registration, self.layout, frame.small)
            self._searcher = Searcher(self._scene.fine, self._scene.coarse, self.card_mm, self.deck)
            self._spots = Spots(self.layout, self._scene, self._read_dice)
            self._watchman = Watchman(registration, self.layout)
            self._thin = thin
            return self._first_look(self._scene, frame.picture, t)
        if thin.shape != self._thin.shape:
            raise SourceError("the picture has changed its size in mid-play; one source gives one size")
        stirred = _stirred(thin, self._thin)
        if stirred:
            self._thin = thin
            self._awake = _AWAKE_FRAMES
        elif self._awake:
            self._awake -= 1
        elif not (self._unsettled.now or self._waiting or self._scene.hands.now):
            return self._rest(self._scene, frame, t)
        return self._look(self._scene, frame, t)

    def _rest(self, scene: Scene, frame: Frame, t: float) -> list[Sighting]:
        """Nothing stirs: see now and then whether table and light are still what they were."""
        if not self._watchman.due(t):
            return []
        if self._watchman.moved(frame.picture, t):
            with contextlib.suppress(TagsNotFoundError):
                self._settle_anew(scene, frame)
        return list(self._watchman.light(frame.picture, t))

    def _settle_anew(self, old: Scene, frame: Frame) -> None:
        """The mat or the camera was pushed: find the table again; the cards lie on it as before."""
        registration = register(frame.picture, self.layout, self._camera, previous=old.registration)
        scene = self._scene = Scene(registration, self.layout, frame.small)
        scene.take_over(old)
        self._searcher = Searcher(scene.fine, scene.coarse, self.card_mm, self.deck)
        self._spots.move(scene)
        self._watchman = Watchman(registration, self.layout)
        self._unsettled.forget()

    def _first_look(self, scene: Scene, picture: Picture, t: float) -> list[Sighting]:
        """Know again what lies there already: after a power cut the trick is still on the table."""
        if self.deck is None:
            return []
        nothing = np.zeros(scene.changed.shape, np.bool_)
        whole = int(self.card_mm[0] * self.card_mm[1] / COARSE_MM**2)
        out: list[Sighting] = []
        for mask, size, _ in pieces(scene.mat.lying(scene.light), whole // 2):
            cards = min(MOST_AT_START, 1 + 2 * size // whole)
            for card in self._searcher.search(Moment(picture, mask, nothing, nothing), mask, cards):
                if card.sure:
                    lying = self.heap.add(card, scene, t, None)
                    scene.uncover(lying.place)
                    out.append(replace(self._as_seen(lying, t), at_start=True))
        return out

    def _look(self, scene: Scene, frame: Frame, t: float) -> list[Sighting]:
        # Not only what stirs: a dark sleeve on a dark ground hardly does, and noise is learnt from quiet.
        scene.take_in(frame.small)
        if self._watchman.awake(t) and scene.upset() and self._watchman.moved(frame.picture, t):
            with contextlib.suppress(TagsNotFoundError):
                self._settle_anew(scene, frame)
                return []
        scene.clear_bare(grow(self.heap.places(scene.changed.shape)))
        gone_hands = scene.hands.follow(scene.changed | scene.moving, scene.moving, t)
        self.heap.note_hands(scene, t)
        self._second_look.note_hands(self.heap, scene, t)
        out: list[Sighting] = [as_seen(hand) for hand in gone_hands]
        self.heap.note_gone(scene, t)  # first: where a card was taken away there is nothing to look for
        out += self._look_at_islands(scene, frame, t)
        out += self._look_at_resting(scene, frame, t)
        for found in self._second_look.find(self.heap, self._searcher, scene, frame, t):
            if not self.heap.moved(found, scene, by_name=found.sure):
                hand = scene.hands.over(scene.coarse.fill(found.corners_mm))
                out.append(self._as_seen(self.heap.add(found, scene, t, hand), t))
        out += self.heap.part(gone_hands, scene, t)
        out += self._spots.watch(frame, scene, t)
        self._absorb(scene, t)
        return out

    def _look_at_islands(self, scene: Scene, frame: Frame, t: float) -> list[Sighting]:
        """Search cards in what has changed, is quiet for two frames, and is no hand."""
        free = scene.changed & ~grow(scene.hands.mask)
        if not free.any():
            self._unsettled.now = []
            return []
        out: list[Sighting] = []
        covered = grow(scene.hands.mask)
        cards = grow(self.heap.places(covered.shape))
        for pending, on_cards in self._unsettled.due(self.heap, scene, free, t):
            vain = pending.tries >= _VAIN_TRIES
            lying = cards if on_cards else None
            altered = partial(scene.altered, scene.settled)
            moment = Moment(frame.picture, free, covered, lying, altered, scene.mat.pale)
            for found in self._searcher.search(moment, pending.mask):
                vain &= found.reading.likeness < FACE_LIKENESS
                card = self._accept(found, scene, pending, t)
                if card is not None:
                    out.append(self._as_seen(card, t))
            if vain:
                self._unsettled.note_vain(pending)
        return out

    def _look_at_resting(self, scene: Scene, frame: Frame, t: float) -> list[Sighting]:
        """Search a card in what passes for a hand and does not stir: it rests against its card, or is light.

        Four sides and a face beyond doubt lie under no hand.
        """
        out: list[Sighting] = []
        resting = {h.number: h.moved_t for h in scene.hands.now if t - h.moved_t >= STILL_S}
        before, self._rested = self._rested, resting
        for hand in scene.hands.now:
            if resting.get(hand.number) == before.get(hand.number):
                continue
            others = grow(scene.hands.mask & ~hand.mask)
            moment = Moment(frame.picture, scene.changed & ~others, others)
            by = hand.number if t - hand.since_t < PLAY_S else None
            for found in self._searcher.search(moment, hand.mask, most=2):
                if found.clear and not self.heap.moved(found, scene):
                    out.append(self._as_seen(self.heap.add(found, scene, t, by), t))
        return out

    def _accept(self, found: Found, scene: Scene, pending: Pending, t: float) -> Lying | None:
        """A rectangle was found: a new card, a moved one, or one to be looked at again."""
        reading, quiet_s = found.reading, t - pending.since_t
        over = scene.hands.over(scene.coarse.fill(found.corners_mm))
        hand = pending.brought.setdefault(reading.name, over)
        if not found.sure and (not found.doubtful or found.fresh < LEAST_FRESH):
            return None
        wait_s = max(DOUBT_S * (not found.sure), WAIT_ALONE_S * (not found.alone))
        if quiet_s < wait_s:
            pending.ripe_t = min(pending.ripe_t, pending.since_t + wait_s)
            return None
        if self.heap.moved(found, scene):
            return None
        card = self.heap.under(found)
        if found.sure and card is not None and not lies_on(found, card, self._searcher):
            return None  # white paper over a part of its print made another print of it
        return self.heap.add(found, scene, t, hand)

    def _as_seen(self, card: Lying, t: float) -> CardDown:
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

    def _zone(self, found: Found) -> str | None:
        x, y = found.corners_mm.mean(axis=0)
        for seat in self.layout.seats:
            polygon = np.array(seat.zone_mm, np.float32).reshape(-1, 1, 2)
            if len(polygon) >= 3 and cv2.pointPolygonTest(polygon, (float(x), float(y)), False) >= 0:
                return seat.name
        return None

    def _absorb(self, scene: Scene, t: float) -> None:
        """What is quiet, free and no card becomes part of the settled table."""
        self._unsettled.absorb(scene, t)
        for hand in [h for h in scene.hands.now if t - h.moved_t > RESTING_S]:
            scene.settle(hand.mask)
            scene.hands.forget(hand)
        scene.follow_light(self.heap.places(scene.changed.shape))


def _stirred(thin: NDArray[np.uint8], before: NDArray[np.uint8]) -> bool:
    """Whether more than noise and a dimmer differs between a thin frame and the last one that was looked at.

    That is not the one before: what creeps stirs at last.
    """
    gain = float(thin.mean()) / max(1.0, float(before.mean()))
    apart = cv2.absdiff(thin, cv2.convertScaleAbs(before, alpha=gain))
    return int(np.count_nonzero(apart > _STIR_LEVELS)) >= _STIR_PIXELS
