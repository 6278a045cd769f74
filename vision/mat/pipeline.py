"""The eye: frames in, sightings in millimetres out. Pure: no clock, no files; pictures and times come in.

    eye = Eye(layout, deck)
    for picture, t in frames:
        for sighting in eye.see(picture, t):
            ...

Each thin frame is compared with the last one looked at. While nothing moves and nothing is pending, no more
is done, and soon not even that for every frame (`vision/doze`).
Otherwise a coarse top view separates hands (change connected to the rim) from islands of change. An
island that is quiet for two frames and free of hands is searched in full: the newest card is whole and on
top, so a rectangle of the known size must fit it and a face of the deck must explain it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.detector import ONSET_S, SEEK_S, CameraHealth
from vision.cards.deck import Deck
from vision.cards.proposal import ProposalListener
from vision.dehazing import Dehazing
from vision.dice.reading import read_spots
from vision.doze import Doze
from vision.errors import SourceError, TagsNotFoundError
from vision.frame import Frame, as_frame
from vision.geometry import Registration, register
from vision.imgproc.change_detection import Relit, grow
from vision.imgproc.small_change import pixels_apart
from vision.layout import CameraModel, Layout, Point
from vision.mat.arrivals import Arrivals
from vision.mat.card_search import CardsSought
from vision.mat.card_tracker import CardTracker
from vision.mat.dice_spots import DiceSpots, ReadDice
from vision.mat.hand import Hand, as_seen
from vision.mat.registration_check import RegistrationCheck
from vision.mat.scene import MatScene
from vision.mat.watch_parameters import MAT_WATCH
from vision.pushed import register_again
from vision.sightings import CardDown, Picture, SightBack, Sighting
from vision.stabilisation import Stabiliser
from vision.tags import find_tags

USUAL_CARD_MM = (59.0, 91.0)
"""Width and height of French cards, for tables and decks that do not state a card size."""


@dataclass(frozen=True, slots=True)
class _FoundTable:
    """A table that was found in the picture."""

    scene: MatScene
    """Its registration and how it looks; replaced when the table was pushed."""
    arrivals: Arrivals
    spots: DiceSpots
    check: RegistrationCheck
    """Checks whether the table still lies where `scene` has it."""


class Eye:
    """Watches one table. `see` takes frames in order of time; all other state is memory of earlier frames."""

    def __init__(
        self,
        layout: Layout,
        deck: Deck | None = None,
        camera: CameraModel | None = None,
        read_dice: ReadDice = read_spots,
        listener: ProposalListener | None = None,
    ) -> None:
        """`listener` receives every rectangle that is proposed as a card, for a trace; usually None."""
        self.layout = layout
        self.deck = deck
        self.card_mm: Point = layout.card_size_mm or (deck.size_mm if deck else None) or USUAL_CARD_MM
        self.tracker = CardTracker()
        self._camera = camera
        self._read_dice, self._listener = read_dice, listener
        self._table: _FoundTable | None = None
        self._thin: NDArray[np.uint8] | None = None
        self._awake = 0
        self._health = CameraHealth(self._finds)
        self._doze, self._resting = Doze(MAT_WATCH.put_by), False
        self._stabiliser, self._dehazing = Stabiliser(), Dehazing()
        self._veil_t = -SEEK_S
        """When the veil was last measured because the table was not seen."""
        self._held: list[CardDown] = []
        self._calm: tuple[Frame, float] | None = None
        """The previous frame and its time, if it showed the table again but was not believed yet."""
        self._jolted = False
        """Whether the frame in which the table was found was jolted, and no frame since was at rest."""

    @property
    def registration(self) -> Registration | None:
        """Where the table lies in the picture; None until it is found."""
        return self._table.scene.registration if self._table else None

    @property
    def _waiting(self) -> bool:
        """Whether something that was seen is still undecided, though nothing moves."""
        table = self._table
        return table is not None and (
            self.tracker.waiting or table.arrivals.waiting or table.spots.waiting or bool(self._held)
        )

    def hands_mm(self) -> list[NDArray[np.float64]]:
        """Outlines (n, 2) in millimetres of the hands now over the table."""
        if self._table is None:
            return []
        scene = self._table.scene
        return [line for hand in scene.hands.now for line in _lines(scene, hand.mask)]

    def changed_mm(self) -> list[NDArray[np.float64]]:
        """Outlines (n, 2) in millimetres of what now differs from the settled table."""
        return [] if self._table is None else _lines(self._table.scene, self._table.scene.changed)

    def see(self, picture: Picture | Frame, t: float) -> list[Sighting]:
        """Process one frame taken at `t` seconds: decoded (h, w, 3) BGR uint8, or to be decoded on demand.

        Raises TagsNotFoundError until the table has been found once, SourceError for a damaged frame.
        """
        out: list[Sighting] = []
        table = self._table
        urgent = table is None or table.scene.measuring or table.check.due(t)
        for frame, then in self._doze.due(as_frame(picture), t, self._quiet, urgent):
            out += self._take_in(frame, then)
        return out

    def _quiet(self, frame: Frame) -> bool:
        """Whether a frame shows the table at rest."""
        frame = self._dehazing.cleared(frame)
        thin, before = frame.thin, self._thin
        as_before = before is not None and thin.shape == before.shape and not _stirred(thin, before)
        return as_before and self._health.undisturbed(frame)

    def _take_in(self, frame: Frame, t: float) -> Sequence[Sighting]:
        """Process a frame that is not dozed over, after clearing it of haze and stabilising it."""
        self._resting = False
        if self._table is not None and self._health.why is not None and self._dehazing.clears:
            self._measure_veil(self._table, frame, t)
        frame = self._dehazing.cleared(frame)
        if self._awake:
            _ = frame.small  # needed anyhow; asking for it first saves a second decoding of the frame
        if self._awake or self._stabiliser.trembles:
            frame = self._stabiliser.steadied(frame)
        seen = self._judge_camera(frame, t)
        self._doze.rests(t, self._resting)
        return seen

    def _measure_veil(self, table: _FoundTable, raw: Frame, t: float) -> None:
        """Measure a veil that may have gone or changed; keep the result if the table is found with it."""
        if t - self._veil_t < SEEK_S:
            return
        self._veil_t, before = t, copy(self._dehazing)
        another = self._dehazing.has_changed(raw.picture, table.scene.registration, self.layout)
        if not (another and self._finds(self._dehazing.cleared(raw))):
            self._dehazing = before
            return
        scene = self._table.scene if self._table else table.scene
        # What the old veil leaves in the memory of the table would pass for hands at the rim.
        scene.see_afresh(self.tracker.places(scene.changed.shape))

    def _judge_camera(self, frame: Frame, t: float) -> Sequence[Sighting]:
        """Check first whether the frame shows the table: nothing is read or learnt from any other frame."""
        thin = frame.thin
        if self._table is not None:
            glance = self._health.see(frame, t)
            calm, self._calm = self._calm, (frame, t) if self._health.calms else None
            if glance.back is not None:
                self._recall(self._table, glance.back, calm)
            if glance.news or not glance.seen:
                return [*glance.news, *(self._find_or_follow(frame, thin, t) if glance.seen else ())]
        return self._find_or_follow(frame, thin, t)

    def _find_or_follow(self, frame: Frame, thin: NDArray[np.uint8], t: float) -> list[Sighting]:
        """Find the table in the first frame; after that, look where something moves or is undecided.

        `thin` is the frame's thin copy.
        """
        if self._table is None or self._thin is None:
            return self._find(frame, t)
        if thin.shape != self._thin.shape:
            text = "the picture changed its size during play; one source gives one size"
            raise SourceError(text, "camera.size")
        stirred = _stirred(thin, self._thin)
        if stirred:
            self._thin = thin
            self._awake = MAT_WATCH.awake_frames
        elif self._awake:
            self._awake -= 1
        elif not (self._waiting or self._table.scene.hands.now or self._table.scene.measuring):
            return self._rest(self._table, frame, t)
        return self._look(self._table, frame, t)

    def _find(self, frame: Frame, t: float) -> list[Sighting]:
        """Find the table in a first frame, and the cards already on it. Raises TagsNotFoundError."""
        registration = register(frame.picture, self.layout, self._camera)
        self._dehazing.measure(frame.picture, registration, self.layout)
        frame = self._dehazing.cleared(frame)
        scene = MatScene(registration, self.layout, frame.small)
        sought = CardsSought(self.deck, self.card_mm, self._listener)
        arrivals = Arrivals(self.layout, sought, self.tracker, scene)
        if self._table is not None:
            arrivals.cover.take_over(self._table.arrivals.cover)
        spots = DiceSpots(self.layout, scene, self._read_dice)
        self._table = _FoundTable(scene, arrivals, spots, RegistrationCheck(registration, self.layout))
        self._thin = frame.thin
        self._health.trust(frame)
        return [*arrivals.at_start(scene, frame.picture, t)]

    def _rest(self, table: _FoundTable, frame: Frame, t: float) -> list[Sighting]:
        """Check at intervals, while nothing moves, whether the table and the light are still as they were."""
        self._resting = True
        if table.check.due(t):
            table.scene.measure_light(frame.small)  # a dimmer does not count as movement
        elif not (table.scene.relit and table.check.awake(t)):
            return []
        if table.check.moved(frame.picture, t):
            with contextlib.suppress(TagsNotFoundError):
                table = self._settle(table, self._found_anew(table.scene, frame), frame)
        elif relit := table.scene.relit:
            with contextlib.suppress(TagsNotFoundError):
                table = self._see_relit(table, relit, frame)
        return list(table.check.light(frame.picture, t))

    def _recall(self, table: _FoundTable, gap: SightBack, calm: tuple[Frame, float] | None) -> None:
        """Go back to the state before sight began to go. What differs now happened unseen.

        Compared with the last frame alone, everything that differs would seem to move now: a card that lay
        uncovered only for a moment, before the next hand came, would not be read. The `calm` frame before it
        shows what is at rest.
        """
        table.scene.recall(gap.since - ONSET_S)
        table.arrivals.cover.recall(table.scene)
        self.tracker.recall(table.scene)
        table.arrivals.recall(gap.t)
        table.spots.recall(gap.t)
        self._awake = MAT_WATCH.awake_frames
        if calm is not None:
            before, then = calm
            table.scene.take_in(before.small)
            self._follow_hands(table.scene, then)

    def _finds(self, frame: Frame) -> bool:
        """Whether a frame unlike the table still shows nearly all its tags: it was pushed. Finds it anew."""
        table = self._table
        if table is None:
            return False
        old = table.scene
        # Include tags that were not in view before: a camera that saw few may be turned to the others.
        found = find_tags(frame.picture, [tag.id for tag in self.layout.tags])
        tags = {tag.id: found[tag.id] for tag in self.layout.tags if tag.id in found}
        if len(tags) < max(2, MAT_WATCH.most_tags * len(old.registration.tags)):
            return False
        with contextlib.suppress(TagsNotFoundError):
            scene = self._found_anew(old, frame, tags)
            # Another table may have the same tags.
            if scene.changed.sum() < MAT_WATCH.other_table * scene.coarse.valid.sum():
                self._settle(table, scene, frame)
                return True
        return False

    def _found_anew(
        self, old: MatScene, frame: Frame, tags: Mapping[int, NDArray[np.float64]] | None = None
    ) -> MatScene:
        """The table as it lies in this picture. Raises TagsNotFoundError."""
        registration = register_again(frame.picture, self.layout, self._camera, old.registration, tags)
        scene = MatScene(registration, self.layout, frame.small, old.lift)
        scene.take_over(old)
        return scene

    def _settle(self, table: _FoundTable, scene: MatScene, frame: Frame) -> _FoundTable:
        """Accept that the mat or the camera was pushed: the cards lie on the table as before."""
        check = RegistrationCheck(scene.registration, self.layout)
        check.take_over(table.check)
        self._table = moved = replace(table, scene=scene, check=check)
        table.arrivals.move(scene)
        table.spots.move(scene)
        self._health.trust(frame)
        self._stabiliser.begin(frame)
        return moved

    def _relight(self, table: _FoundTable, relit: Relit) -> None:
        """Raise the threshold of change: the camera's frames vary more than was assumed."""
        self.tracker.relight(relit)
        table.arrivals.cover.relight(relit)
        table.scene.relight(relit)
        table.arrivals.move(table.scene)
        table.spots.move(table.scene)

    def _is_elsewhere(self, table: _FoundTable, frame: Frame, t: float) -> bool:
        """Whether the table lies elsewhere in the picture than where it was found.

        If it does so soon after it was found, the frame in which it was found was jolted: compared with that
        frame, every edge would look changed for as long as the eye runs. So the table is found anew until it
        lies where it lay the time before.
        """
        moved, before = table.check.moved(frame.picture, t), self._jolted
        self._jolted = moved and self._untouched(table.scene)
        return moved or before

    def _untouched(self, scene: MatScene) -> bool:
        """Whether the table was found just now, and no hand and no card has been seen on it."""
        return scene.measuring and not (scene.hands.now or self.tracker.cards)

    def _find_lit(self, dark: _FoundTable, frame: Frame, t: float) -> list[Sighting]:
        """Find the table when the lamps go on: nothing that was seen in the dark counts.

        Raises TagsNotFoundError.
        """
        seen = self._find(frame, t)
        if self._table is not None:
            self._table.check.take_over(dark.check)
            seen += self._table.check.light(frame.picture, t)
        return seen

    def _see_relit(self, table: _FoundTable, relit: Relit, frame: Frame) -> _FoundTable:
        """Find the table in its new light after lamps were switched on or off, and return it.

        Raises TagsNotFoundError.
        """
        old = table.scene
        registration = register_again(frame.picture, self.layout, self._camera, old.registration)
        scene = MatScene(registration, self.layout, frame.small, relit.lift)
        anew = scene.take_over_relit(old, relit, grow(self.tracker.places(old.changed.shape)))
        self.tracker.see_relit(relit, scene, anew)
        table.arrivals.cover.relight(relit)
        return self._settle(table, scene, frame)

    def _look(self, table: _FoundTable, frame: Frame, t: float) -> list[Sighting]:
        """Follow hands, cards and dice in a frame."""
        scene, arrivals, check = table.scene, table.arrivals, table.check
        # In every frame: a dark sleeve on dark ground hardly moves, and noise is measured in quiet frames.
        scene.keep(t)
        scene.take_in(frame.small)
        if (relit := scene.noisier()) is not None:
            self._relight(table, relit)
        if scene.lit_up and check.awake(t) and not self.tracker.cards:
            check.note_look(t)
            with contextlib.suppress(TagsNotFoundError):
                return self._find_lit(table, frame, t)
        if check.awake(t) and (self._jolted or scene.upset()) and self._is_elsewhere(table, frame, t):
            with contextlib.suppress(TagsNotFoundError):
                if self._untouched(scene):
                    return self._find(frame, t)
                self._settle(table, self._found_anew(scene, frame), frame)
                arrivals.unseen.begin()  # nobody saw what was played while nothing was where it was
                return []
        gone_hands = self._follow_hands(scene, t)
        arrivals.note_covers(scene, t)
        self.tracker.note_hands(scene, t)
        arrivals.note_hands(scene, t)
        out: list[Sighting] = [as_seen(hand) for hand in gone_hands]
        # This comes first: where a card was taken away there is nothing to search for.
        self.tracker.note_gone(scene, t, arrivals.unseen, arrivals.cover.hidden)
        cards = arrivals.look(scene, frame, t)
        parted = self.tracker.part(gone_hands, scene, t)
        dice = table.spots.watch(frame, scene, t, grow(self.tracker.places(scene.changed.shape)))
        self._held += [card for card in cards if card.after_gap]
        out += [card for card in cards if not card.after_gap]
        out += [*parted, *dice]
        # Of what happened unseen, report first what is gone and how the dice lie: dice declare.
        if self._held and (not table.spots.asks or t - self._held[0].t > MAT_WATCH.dice_first_s):
            out += [replace(card, t=t) for card in self._held]
            self._held = []
        self._absorb(table, t)
        return out + arrivals.cover.told(scene, self.tracker, t)

    def _follow_hands(self, scene: MatScene, t: float) -> list[Hand]:
        """Follow the hands in the frame that the scene has taken in; return those that have gone."""
        scene.clear_bare(grow(self.tracker.places(scene.changed.shape)))
        return scene.hands.follow(scene.changed | scene.moving, scene.moving, t, scene.light)

    def _absorb(self, table: _FoundTable, t: float) -> None:
        """Make what is quiet, free of hands and no card part of the settled table."""
        scene = table.scene
        table.arrivals.absorb(scene, t)
        for hand in [h for h in scene.hands.now if t - h.moved_t > MAT_WATCH.resting_s]:
            scene.absorb(hand.mask)
            scene.hands.forget(hand)
        scene.follow_light(self.tracker.places(scene.changed.shape))


def _lines(scene: MatScene, mask: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [scene.coarse.to_mm(contour.reshape(-1, 2)) for contour in contours]


def _stirred(thin: NDArray[np.uint8], before: NDArray[np.uint8]) -> bool:
    """Whether a thin frame differs from the last one looked at by more than noise and a dimmer.

    The last one looked at need not be the previous frame, so slow movement counts in the end.
    """
    return pixels_apart(thin, before, MAT_WATCH.stir_levels, lit=True) >= MAT_WATCH.stir_pixels
