"""The eye over a dice box: waits until all is still and no hand is in view, then reports how the dice lie.

It reports facts, not play: the rules decide whether dice were thrown, taken back or laid as a bet. But it
does report whether anything moved without a hand, as rolling dice do, and dice that fly past the box.
While the picture does not show the box (`camera_health`), nothing is read or learnt; afterwards the eye
marks each die that landed meanwhile.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Mask
from vision.box.denoising import RestingFrames
from vision.box.dice_set import DiceSet
from vision.box.flights import Flights
from vision.box.frame_diff import SmallCopy, changed, grown, is_capped, is_torn, small_copy, stirs
from vision.box.hands import LyingArm, come_since, in_the_way, only_turned, reaching
from vision.box.motion_parameters import BOX_MOTION
from vision.box.moving_light import MovingLight
from vision.box.passing_shade import creeping
from vision.box.reached_tiles import ReachedTiles
from vision.box.reader import BoxReader
from vision.box.restless import RestlessPlaces
from vision.box.unfound import Unfound
from vision.camera_health.colours import ColourCheck, no_colours
from vision.camera_health.detector import CameraHealth
from vision.dice.found import FoundDie, dice_crop
from vision.doze import Doze
from vision.errors import BlurredError, TagsNotFoundError
from vision.frame import Frame, as_frame
from vision.geometry import Registration
from vision.imgproc.flicker import Deflicker
from vision.layout import Layout
from vision.sightings import DieSeen, LightFine, LightPoor, Picture, SightBack, SightLost, ThrowSeen
from vision.untagged.gap import NO_THROW_S, Gaps
from vision.untagged.throws import PATIENCE_S, REST_S

LATER_S = (0.4, 0.8)
"""Times into a rest after which dice that flew out of view have stopped, too: almost surely, and surely."""
_PUT_BY = 1
"""Frames of a quiet box examined only if the next one shows motion: no die flies past in one frame."""


BoxNews = ThrowSeen | SightLost | SightBack | LightPoor | LightFine


@dataclass(frozen=True, slots=True)
class _Ahead:
    """A reading made before a rest was proven: the small copy of its picture, and the reader."""

    small: SmallCopy
    reader: BoxReader


class BoxEye:
    """Watches one box. Pure: the caller supplies pictures and times, in order."""

    def __init__(self, layout: Layout, dice: DiceSet) -> None:
        self._reader = BoxReader(layout, dice)
        self._health, self._colours, self._gaps = CameraHealth(), ColourCheck(), Gaps(_differs)
        self._back: Picture | None = None
        self._looked_t = -BOX_MOTION.look_s
        self._strange: SmallCopy | None = None
        self._strange_since = 0.0
        self._seen_t = 0.0
        self._last: SmallCopy | None = None
        self._clean: SmallCopy | None = None
        self._still_since: float | None = None
        self._frames_still = 0
        self._judged = False
        self._flights, self._reached = Flights(), ReachedTiles(layout)
        self._restless, self._unrest = RestlessPlaces(), MovingLight()
        self._told: ThrowSeen | None = None
        self._due: tuple[float, ...] = ()
        self._arm = LyingArm()
        self._found_once, self._unfound = False, Unfound()
        self._lacks: TagsNotFoundError | None = None
        """Why the last search did not find the box; only set while it has never been found."""
        self._ahead: _Ahead | None = None
        self._doze, self._deflicker, self._resting = Doze(_PUT_BY), Deflicker(), RestingFrames()

    @property
    def registration(self) -> Registration | None:
        """Pose of the box in the picture, once it has been read."""
        return self._reader.registration

    def see(self, seen: Picture | Frame, t: float) -> list[BoxNews]:
        """Take in one frame, decoded (h, w, 3) BGR or not, at `t` seconds; return the news it brings.

        Raises TagsNotFoundError while the box has never been found.
        """
        out: list[BoxNews] = []
        for frame, then in self._doze.due(as_frame(seen), t, self._quiet):
            out += self._take_in(frame, then)
            self._doze.rests(then, self._rests)
        return out

    @property
    def _rests(self) -> bool:
        """Whether the box has been read, nothing has stirred since, and no report is pending."""
        return self._judged and not self._due and self._back is None and not self._gaps.length_s

    def _quiet(self, frame: Frame) -> bool:
        """Whether a frame shows the box at rest."""
        last, small = self._last, small_copy(frame)
        as_before = last is not None and last.shape == small.shape and not stirs(self._moved(last, small))
        return as_before and self._health.undisturbed(frame)

    def _take_in(self, frame: Frame, t: float) -> list[BoxNews]:
        # The small copy comes first, so that other uses of the frame need no second decoding.
        small = self._deflicker.steadied(small_copy(frame))
        if not self._found_once:
            return self._await_box(frame, small, t)
        glance = self._health.see(frame, t)
        if not glance.seen and (aside_mm := self._box_aside_mm(frame, small, t)) is not None:
            known = self._health.bear if aside_mm < BOX_MOTION.pushed_mm else self._health.trust
            known(frame)
        news: list[BoxNews] = [*glance.news]
        if not glance.seen:
            if not any(isinstance(told, SightLost) for told in news):
                return news
            return [*self._cut_short(), *([] if self._unfound.hand_over() else news)]
        if glance.back is not None:
            news = [*self._cut_short(), *news]
            self._come_back(glance.back)
        self._seen_t = t
        return [*news, *self._watch(frame, small, t)]

    def _await_box(self, frame: Frame, small: SmallCopy, t: float) -> list[BoxNews]:
        """Search for the box in any picture: compared with the first frame, the box itself would look wrong.

        Raises TagsNotFoundError for every frame once a search has failed: otherwise the next would seem fine.
        """
        self._seen_t = t
        try:
            news = self._watch(frame, small, t)
        except TagsNotFoundError as wrong:
            self._lacks = wrong
            raise
        if self._found_once:
            self._health.trust(frame)
        elif self._lacks is not None:
            raise self._lacks.with_traceback(None)  # otherwise its traceback would grow with every frame
        return news

    def _watch(self, frame: Frame, small: SmallCopy, t: float) -> list[BoxNews]:
        """Take in a frame that shows the box."""
        self._gaps.show(small, t)
        if self._gaps.length_s and self._back is None:
            self._back = frame.picture
        before, self._last = self._last, small
        if before is None or before.shape != small.shape:
            self._begin_anew(small, t)
            return []
        moved = changed(before, small)
        shade = creeping(before, small, moved) if stirs(moved) else np.zeros_like(moved)
        self._restless.see(moved & ~shade, t)
        moved = self._beside_the_restless(moved)
        if stirs(moved & ~shade):
            return [*self._stirred(moved, shade, small, t)]
        since = self._still_since = t if self._still_since is None else self._still_since
        self._frames_still += 1
        if self._reader.noisy and not self._judged:
            self._resting.see(frame)
        if self._due and t - since >= self._due[0]:
            self._due = tuple(s for s in self._due if s > t - since)
            return [*self._tell(t, since)]
        # Cameras repeat frames, so a single one equal to the last does not prove a rest.
        if self._judged or self._frames_still < 2:
            return []
        if t - since < REST_S:
            if t - since >= REST_S / 2:
                self._read_ahead(frame, small)
            return []
        if self._arm_hides(frame, small, t, t - since):
            return [*self._seek_beside_the_arm(frame, t, since)]
        if self._unfound.waits(t):
            return []
        self._judged = True
        return [*self._rested(t), *self._look(self._resting.mean(frame), small, t)]

    def _rested(self, t: float) -> list[BoxNews]:
        """Return the news that moving light over the box has ended, if it was reported."""
        if not self._unrest.rest():
            return []
        return [no_colours(t) if self._colours.gone else LightFine(t)]

    def _begin_anew(self, small: SmallCopy, t: float) -> None:
        """Start anew with this picture: nothing is known to have stirred before, so a rest may begin."""
        self._still_since, self._frames_still = t, 0
        self._resting.forget()
        if self._clean is not None and self._clean.shape != small.shape:
            self._clean = None  # another camera or picture size: not comparable
        self._ahead = None
        self._flights.still(small.shape)

    def _stirred(self, moved: Mask, shade: Mask, small: SmallCopy, t: float) -> list[BoxNews]:
        """Follow what moved, and end the current rest.

        A rest cut short before its first later report is still reported, once.
        """
        hand = self._hand(small)
        self._flights.see(moved, hand, t, shade)
        self._follow_hand(hand, small, t)
        over_box = in_the_way(hand, self._reader.pose)
        if over_box:
            self._unfound.touch()
        unrest = self._unrest.stir(t, over_box)
        if self._flights.rolled:
            self._gaps.roll()
        since, due, self._due = self._still_since, self._due, ()
        self._still_since, self._frames_still, self._judged = None, 0, False
        self._ahead = None
        self._resting.forget()
        return [*unrest, *(self._tell(t, since) if since is not None and due == LATER_S else [])]

    def _arm_hides(self, frame: Frame, small: SmallCopy, t: float, rest_s: float) -> bool:
        """Whether to wait with a box at rest for `rest_s`, because an arm over it may still go away."""
        patience_s = BOX_MOTION.rolled_s if self._flights.rolled else PATIENCE_S
        return (
            rest_s < patience_s
            and self._in_the_way(small)
            and not self._arm.lies_long(self._clean, small, t)
            and not only_turned(self._clean, frame.picture, small, self._reader.pose)
        )

    def _seek_beside_the_arm(self, frame: Frame, t: float, since: float) -> list[SightLost]:
        """Check now and then whether the box can be found while it rests under an arm, since `since`."""
        if self._unfound.waits(t) or self._reader.finds(frame.picture):
            return []
        self._unfound.lose(since)
        self._unfound.touch()
        self._unfound.seek_again(t)
        return self._unfound.tell_lost(t)

    def _moved(self, one: SmallCopy, two: SmallCopy) -> Mask:
        return self._beside_the_restless(changed(one, two))

    def _beside_the_restless(self, news: Mask) -> Mask:
        """Remove screens and candles beside the box from a mask (h, w) of changes."""
        if not self._restless.known:
            return news
        nowhere, pose = np.zeros_like(news), self._reader.pose
        return self._restless.beside(news, pose.covers(news.shape) if self._found_once else nowhere)

    def _cut_short(self) -> list[ThrowSeen]:
        """End the rest, and report what the eye saw last before it went blind."""
        since, due, self._due = self._still_since, self._due, ()
        self._last, self._still_since, self._ahead = None, None, None
        return self._tell(self._seen_t, since) if since is not None and due == LATER_S else []

    def _come_back(self, back: SightBack) -> None:
        """Start afresh after the eye was blind: a change from the last picture to this one is no motion."""
        self._gaps.note(back)
        self._last, self._still_since, self._frames_still, self._judged = None, None, 0, False
        self._ahead = self._back = None
        self._arm.forget()
        if self._gaps.length_s > NO_THROW_S:
            self._flights.forget()

    def _box_aside_mm(self, frame: Frame, small: SmallCopy, t: float) -> float | None:
        """Distance of the camera from its last place over a box that looks unusual; None where none is seen.

        Such a picture shows the box although it looks covered or moved: an arm reaches far over it, hands
        have turned it, or the camera was moved and stays.
        """
        doubted = self._health.doubt in ("covered", "moved")  # in the dark, tags may show while dice do not
        if not (doubted and self._found_once) or t - self._looked_t < BOX_MOTION.look_s:
            return None
        self._looked_t = t
        before = self._strange
        if before is None or before.shape != small.shape or stirs(changed(before, small)):
            self._strange, self._strange_since = small, t
        aside_mm = self._reader.pose.aside_mm(frame.picture)
        if aside_mm is None or self._hidden(frame, small):
            return None
        return aside_mm if aside_mm < BOX_MOTION.pushed_mm or t - self._strange_since >= PATIENCE_S else None

    def _hidden(self, frame: Frame, small: SmallCopy) -> bool:
        """Whether a cap, a sleeve or a decoder's fault hides more of the picture than any arm does."""
        if self._clean is None:
            return False
        if self._health.doubt != "covered":  # a camera that was moved shows another side of the table
            return is_torn(changed(self._clean, small))
        news = come_since(self._clean, frame.picture, small, self._reader.pose)
        return is_capped(news) or bool(news.mean() > BOX_MOTION.most_arms)

    def _tell(self, t: float, since: float) -> list[ThrowSeen]:
        """Report again how the dice lie, later in their rest."""
        long_enough = self._told is not None and t - since >= 2 * REST_S
        return [replace(self._told, t=t, rest_s=t - since)] if self._told and long_enough else []

    def _read_ahead(self, frame: Frame, small: SmallCopy) -> None:
        """Read the box before its rest is proven, so that nobody need wait for the reading afterwards."""
        if self._ahead is not None or self._in_the_way(small):
            return
        reader = self._reader.apart()
        with suppress(TagsNotFoundError, BlurredError):
            reader.read(self._resting.mean(frame), self._news(small))
            self._ahead = _Ahead(small, reader)

    def _read(self, picture: Picture, small: SmallCopy) -> list[FoundDie]:
        """Every die in the still box; the reading made ahead is used if all still lies as it did then."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None and not stirs(self._moved(ahead.small, small)):
            found = ahead.reader.confirmed(picture)
            if found is not None:
                self._reader = ahead.reader
                return found
        return self._reader.read(picture, self._news(small))

    def _news(self, small: SmallCopy) -> Mask | None:
        """Mask of where the box differs from the last reading's picture; None before the first reading."""
        return None if self._clean is None else grown(changed(self._clean, small, BOX_MOTION.faint))

    def _look(self, picture: Picture, small: SmallCopy, t: float) -> list[BoxNews]:
        """Read the still box."""
        try:
            if not self._reads_alike(picture, small):
                self._look_again(t)
                return []
            found = self._read(picture, small)
        except (TagsNotFoundError, BlurredError):
            if not self._found_once:
                self._look_again(t)
                raise
            if self._still_since is not None:
                self._unfound.lose(self._still_since)
            self._look_again(t)
            return [*self._unfound.tell_lost(t)]
        self._found_once = True
        # A turned box, too, seems to move by itself, once the hand that turns it counts as part of it.
        pose = self._reader.pose
        turned = pose.turned and not (self._back is not None and pose.lies_so(self._back))
        rolled, missed_s = self._flights.rolled and not turned, 0.0 if turned else self._flights.missed_s(t)
        found_again = self._unfound.tell_back(t)
        missed_s, self._back = max(missed_s, self._unfound.close_s(t)), None
        self._flights.forget()
        self._clean = small
        self._arm.forget()
        crop, reader = _crop(picture, found), self._reader
        dice, gap_s = self._dice(picture, found, small, rolled=rolled)
        if missed_s:  # it is unknown which throw brought which die
            dice, gap_s = tuple(replace(die, unseen=True) for die in dice), max(gap_s, missed_s)
        colours = self._colours.see(picture, t)
        if self._colours.gone:
            # Lightness alone makes no colour sure.
            dice = tuple(die.doubted("colour") for die in dice)
        at_tiles = () if turned else self._reached.letters  # hands that turn a box reach everywhere
        self._reached.forget()
        seen = ThrowSeen(t, dice, crop, rolled, REST_S, reader.hiding, gap_s, reader.hiding_bets, at_tiles)
        self._told, self._due = seen, LATER_S
        return [*found_again, *colours, seen]

    def _look_again(self, t: float) -> None:
        """Schedule another look: the dice will still be there when the picture shows more."""
        self._judged = False
        self._unfound.seek_again(t)
        self._resting.forget()

    def _reads_alike(self, picture: Picture, small: SmallCopy) -> bool:
        """Whether a picture reads the same as the one before; only tested after the box was not found."""
        if not self._unfound.doubtful:
            return True
        return self._unfound.agrees(self._reader.tried(picture, self._news(small)))

    def _dice(
        self, picture: Picture, found: list[FoundDie], small: SmallCopy, *, rolled: bool
    ) -> tuple[tuple[DieSeen, ...], float]:
        """The dice, marked where they landed unseen, and for how many seconds the eye was blind."""
        gap_s, turned = self._gaps.length_s, self._reader.pose.turned
        unseen = self._gaps.unseen(found, small, picture.shape[1], moved=turned)
        self._gaps.close()
        if gap_s <= NO_THROW_S and rolled:  # only one throw fits into the gap, and it was seen in part
            return tuple(f.die for f in found), 0.0
        return tuple(replace(f.die, unseen=hid) for f, hid in zip(found, unseen, strict=True)), gap_s

    def _in_the_way(self, small: SmallCopy) -> bool:
        """Whether a hand reaches over the box."""
        return in_the_way(self._hand(small), self._reader.pose)

    def _hand(self, small: SmallCopy) -> Mask:
        """Mask of what has come in from the rim since the box was read."""
        return reaching(self._clean, small, box=self._reader.pose.covers(small.shape[:2]))

    def _follow_hand(self, hand: Mask, small: SmallCopy, t: float) -> None:
        """Note which tiles a hand is at."""
        if self._clean is not None and self._reader.hiding_bets:
            box = self._reader.pose.covers(small.shape[:2])
            self._reached.see(changed(self._clean, small), hand, box, self._reader.registration, t)


def _differs(one: SmallCopy, two: SmallCopy) -> Mask:
    return grown(changed(one, two))


def _crop(picture: Picture, found: list[FoundDie]) -> Picture | None:
    """Crop the picture to all dice; None without any."""
    return dice_crop(picture, found) if found else None
