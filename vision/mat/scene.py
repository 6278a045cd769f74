"""What the eye knows of one table in one place: its registration, its views and its settled light."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Mask
from vision.geometry import Registration
from vision.imgproc.black_bars import black_bars
from vision.imgproc.change_detection import (
    BEAM_CELLS,
    COARSE_MM,
    NO_GAINS,
    SHRINK,
    Coarse,
    Relit,
    Unrest,
    gains_of,
    grow,
    lift_for,
    lift_in_noise,
    light_apart,
    light_at,
    log_light,
    overall,
    sunlit,
)
from vision.imgproc.flicker import Flicker
from vision.imgproc.parameters import CHANGE
from vision.imgproc.temporal_noise import TemporalNoise
from vision.layout import Layout
from vision.mat.hands import Hands
from vision.mat.illumination import shadow, smooth, spread
from vision.mat.scene_parameters import SCENE
from vision.mat.surface import Mat
from vision.rectified import Plan

MARGIN_MM = 20.0
"""Width of the ground around the mat that is watched as well."""


class MatScene:
    """Everything that depends on one registration.

    `light` is the newest frame as coarse logarithms (3, h, w), `settled` the last settled table, `bare` the
    table without cards. `moving` masks (h, w) where the frame differs from the one before, `changed` where it
    differs from the settled table.
    """

    def __init__(
        self, registration: Registration, layout: Layout, small: NDArray[Any], lift: float | None = None
    ) -> None:
        """`lift` as in `log_light`: that of the same table found before; None: measure it in this frame."""
        self.registration, self._layout = registration, layout
        self.fine = Plan(registration, layout.size_mm, 1.0, MARGIN_MM)
        self.coarse = Plan(registration, layout.size_mm, COARSE_MM, MARGIN_MM, SHRINK)
        self.coarse.bars = black_bars(small)
        self.hands = Hands(layout, self.coarse)
        self._drawn = self.coarse.draw(small)
        self.lift = lift_for(self._drawn, self.coarse.valid) if lift is None else lift
        self.light = log_light(self._drawn, self.lift)
        self.settled, self.bare = self.light.copy(), self.light.copy()
        self.mat = Mat(layout, self.coarse, self.light)
        shape = self.light.shape[1:]
        self.unrest = Unrest((shape[0], shape[1]), self.mat.pale)
        self.moving: Mask = np.zeros(shape, np.bool_)
        self.changed: Mask = np.zeros(shape, np.bool_)
        self._noise: TemporalNoise | None = TemporalNoise() if lift is None else None
        self._gains, self._dark = NO_GAINS, self._brightest() < SCENE.dark_level
        self._least_lift = 0.0
        """The least lift that the camera's noise required when it was measured."""
        self._flicker = Flicker(self.coarse.rows, self.coarse.valid)
        self._quiet = np.zeros(shape, np.uint8)
        """Number of frames for which nothing has moved at each place, up to `SCENE.at_rest`."""
        self._under: Coarse | None = None
        """The empty table under things that were laid down and stay, infinite elsewhere; None: no such."""
        self._frames = 0
        self._kept: deque[tuple[float, Coarse, Coarse, Unrest]] = deque(maxlen=SCENE.kept)

    def keep(self, t: float) -> None:
        """Keep a copy of the table as it was before the frame at `t`, once every `SCENE.keep_s`."""
        if not self._kept or t - self._kept[-1][0] >= SCENE.keep_s:
            self._kept.append((t, self.settled.copy(), self.bare.copy(), self.unrest.copy()))

    def recall(self, t: float) -> None:
        """Go back to the table as it was before `t`; forget all movement and every hand."""
        earlier = [kept for kept in self._kept if kept[0] <= t] or [*self._kept][:1]
        if earlier:
            _, settled, bare, unrest = earlier[-1]
            self.settled, self.bare, self.unrest = settled.copy(), bare.copy(), unrest.copy()
        self._kept.clear()
        self.hands.forget_all()
        self.light = self.settled.copy()
        self.moving, self.changed = np.zeros_like(self.moving), np.zeros_like(self.changed)
        self._quiet = np.zeros_like(self._quiet)

    @property
    def measuring(self) -> bool:
        """Whether the camera's noise is still unknown; it is measured in frames in which nothing happens."""
        return self._noise is not None

    def noisier(self) -> Relit | None:
        """The lift that the camera's noise requires, returned once, when measured; None: no change."""
        if self._noise is None:
            return None
        noise = self._noise.see(self._drawn)
        if noise is not None or self._noise.given_up:
            self._noise = None
        lift = self.lift if noise is None else lift_in_noise(self.lift, noise)
        if lift == self.lift:
            return None
        self._least_lift = lift
        return Relit(self.lift, lift)

    def measure_light(self, small: NDArray[Any]) -> None:
        """Measure how a shrunk frame is lit, and nothing else."""
        self._drawn = self.coarse.draw(small)
        self._gains = gains_of(self._drawn, self.settled, self.lift, self.coarse.valid & ~self.changed)

    @property
    def lit_up(self) -> bool:
        """Whether the table was found in the dark and is lit by now."""
        return self._dark and self._brightest() > 2 * SCENE.dark_level

    def _brightest(self) -> float:
        """Grey level of the brightest things in the newest frame, mainly paper."""
        return float(np.percentile(self._drawn[self.coarse.valid].mean(axis=1), SCENE.bright_rank))

    @property
    def relit(self) -> Relit | None:
        """How the table is lit now, if that is far from the light in which it was found; else None."""
        if abs(np.log(np.median(self._gains))) < np.log(SCENE.other_brightness):
            return None
        return Relit(self.lift, max(lift_for(self._drawn, self.coarse.valid), self._least_lift), self._gains)

    def relight(self, relit: Relit) -> None:
        """Convert the remembered light to how light is compared from now on."""
        self.lift = relit.lift
        self.light, self.settled, self.bare = (
            relit.of(planes) for planes in (self.light, self.settled, self.bare)
        )
        if self._under is not None:
            self._under = relit.of(self._under)
        self.mat = Mat(self._layout, self.coarse, self.bare)
        self.unrest = Unrest(self.moving.shape, self.mat.pale)
        self._kept.clear()
        self.hands.forget_all()
        self.moving, self.changed = np.zeros_like(self.moving), np.zeros_like(self.changed)
        self._quiet = np.zeros_like(self._quiet)

    def take_in(self, small: NDArray[Any]) -> None:
        """Process a new shrunk frame: find what moves and what has changed."""
        self._drawn = self.coarse.draw(small)
        light = self._lit_as_settled(self._drawn, self.coarse.valid & ~self.hands.mask)
        bands = self._flicker.bands(light, self.settled, self.hands.mask)
        if bands is not None:
            light -= bands
        self.moving = self.unrest.moving(light, self.light)
        self._quiet = np.where(self.moving, 0, np.minimum(self._quiet + 1, SCENE.at_rest)).astype(np.uint8)
        self.light = light
        self.compare()

    def _lit_as_settled(self, drawn: NDArray[np.uint8], where: Mask) -> Coarse:
        """The light (3, h, w) of a shrunk top view, without what a dimmer or the exposure changed since."""
        self._gains = gains_of(drawn, self.settled, self.lift, where)
        light = log_light(drawn, self.lift, self._gains)
        return np.asarray(light - overall(light, self.settled, where), np.float32)

    def take_over(self, old: MatScene) -> None:
        """Take over the state of the same table, found anew in the picture: what lay on it still does."""
        both = self.coarse.valid & old.coarse.valid
        np.copyto(self.settled, old.settled, where=both)
        np.copyto(self.bare, old.bare, where=both)
        self.light = self._lit_as_settled(self._drawn, both & ~old.hands.mask)
        np.copyto(self.settled, self.light, where=~both)
        np.copyto(self.bare, self.light, where=~both)
        self.unrest, self.mat.pale, self.mat.plain = old.unrest, old.mat.pale, old.mat.plain
        self.hands.take_over(old.hands)
        self._kept, self._under = old._kept, old._under
        self._noise, self._least_lift = old._noise, old._least_lift
        self.compare()

    def take_over_relit(self, old: MatScene, relit: Relit, cards: Mask) -> Mask:
        """Take over the state of the same table, found anew in other light, and convert it to that light.

        Only what had changed on the mat stays changed, and under known `cards` the mat is as it was.
        Returns where the settled table is as the new frame shows it.
        """
        both = self.coarse.valid & old.coarse.valid
        doubted = both & old.changed & old.mat.open
        np.copyto(self.settled, relit.of(old.settled), where=doubted)
        np.copyto(self.bare, relit.of(old.bare), where=doubted | (both & cards))
        self._under = None if old._under is None else relit.of(old._under)
        self._least_lift, self._noise = old._least_lift, TemporalNoise()
        self.mat = Mat(self._layout, self.coarse, self.bare)
        self.unrest = Unrest(self.moving.shape, self.mat.pale)
        self.hands.take_over(old.hands)
        self.compare()
        return self.coarse.valid & ~doubted

    def compare(self) -> None:
        """Recompute what has changed, after a new frame or after something was settled."""
        self.changed = self.unrest.changed(self.light, self.settled, self.bare)
        still = self.changed & (self._quiet >= SCENE.at_rest)
        if still.sum() >= BEAM_CELLS:
            self.changed &= ~sunlit(self.light, self.settled, still)
        shade = shadow(self.light - self.settled, self.changed | self.hands.mask)
        if shade is not None:
            # Paper in a shadow may be as light as the mat was before.
            self.changed |= self.unrest.brighter(self.light, self.settled, shade) & (shade < SCENE.shade)

    def upset(self) -> bool:
        """Whether nothing seems to be where it was, as after a push of camera or mat.

        Two displaced tags are enough, even while players move: tags move for no other reason.
        """
        if sum(self._shifted(place) for place in self.mat.tags) >= 2:
            return True
        size = max(1, int(self.coarse.valid.sum()))
        return bool(self.changed.sum() > SCENE.upset * size and self.moving.sum() < SCENE.upset_moving * size)

    def _shifted(self, tag: Mask) -> bool:
        """Whether a tag looks different, though no hand hides it."""
        return bool(
            (self.changed & tag).sum() > SCENE.tag_shifted * tag.sum() and not (self.hands.mask & tag).any()
        )

    def not_bare(self, gain: NDArray[np.float32] | None = None) -> Mask:
        """Where something lies on the empty table; `gain` (3,): how the place is lit now, as logarithms."""
        light = self.light if gain is None else self.light - gain[:, None, None]
        return self.unrest.changed(light, self.bare)

    def tint(self, place: Mask, gain: NDArray[np.float32] | None = None) -> float:
        """How far the colour of a whole place is from the empty table's, as a logarithm; `gain` as above.

        A shadow over all of it or a part does not count, nor does noise, which cancels in the mean.
        """
        at = np.flatnonzero(place)
        apart = (light_at(self.light, at) - light_at(self.bare, at)).mean(axis=1) if len(at) else np.zeros(3)
        apart -= 0 if gain is None else gain
        return float(np.abs(apart - apart.mean()).max())

    def lit(self, beside: Mask) -> NDArray[np.float32] | None:
        """How the empty table is lit now `beside` a place, as logarithms (3,); None where it is unchanged.

        Also None where it is unknown: a lamp or a shadow is equally strong all round, a sleeve is not. What
        makes wood brighter and changes its colour at once is a sheet of paper.
        """
        at = np.flatnonzero(beside)
        if len(at) < SCENE.least_beside:
            return None
        gains = light_at(self.light, at) - light_at(self.bare, at)
        gain = np.median(gains, axis=1)
        if np.abs(gain).max() <= SCENE.lit or (gain.max() > 0 and np.ptp(gain) > CHANGE.beam_tint):
            return None
        even = (np.abs(gains - gain[:, None]) < SCENE.even).all(axis=0).mean()
        return np.asarray(gain, np.float32) if even > 0.5 else None

    def unlike(self, light: Coarse, place: Mask) -> float:
        """Share of a place that looks different from an earlier light (3, h, w), darker or brighter."""
        at = np.flatnonzero(place)
        apart = np.abs(light_at(self.light, at) - light_at(light, at)).max(axis=0)
        return float((apart > SCENE.otherwise).mean()) if apart.size else 0.0

    def telling(self, light: Coarse, place: Mask) -> Mask:
        """The part of a place that set it apart from the empty table when it looked as `light` (3, h, w).

        Paper on a mat as light as paper, or ink as dark as the mat, does not count.
        """
        return place & (light_apart(light, self.bare) > SCENE.otherwise)

    def kept(self, light: Coarse, place: Mask) -> float:
        """How much shows of what set a place apart from the empty table when it looked as `light` (3, h, w).

        1 = all of it, 0 = nothing. What lamps have added to the whole place since does not count.
        """
        at = np.flatnonzero(place)
        if not len(at):
            return 0.0
        bare = light_at(self.bare, at)
        then, now = (light_at(seen, at) - bare for seen in (light, self.light))
        then, now = (seen - seen.mean(axis=1, keepdims=True) for seen in (then, now))
        size = float((then * then).sum())
        return float((then * now).sum()) / size if size > SCENE.tells * then.size else 0.0

    def altered(self, light: Coarse, place: Mask) -> float:
        """As `unlike`, without the effect of lamps, even over a small place less than half covered."""
        at = np.flatnonzero(place)
        apart = light_at(self.light, at) - light_at(light, at)
        if not apart.size:
            return 0.0
        apart -= np.median(apart, axis=1, keepdims=True)
        return float((np.abs(apart).max(axis=0) > SCENE.otherwise).mean())

    def settle(self, place: Mask) -> None:
        """Count what is there now as part of the table."""
        np.copyto(self.settled, self.light, where=place)

    def see_afresh(self, cards: Mask) -> None:
        """Take all but the known `cards` as the empty table as it looks now: the camera sees differently."""
        empty = ~cards
        self.settle(empty)
        np.copyto(self.bare, self.light, where=empty)
        self._kept.clear()
        self.compare()

    def absorb(self, place: Mask) -> None:
        """Make a thing that was laid down and stays part of the table, until it is taken away."""
        self.settle(place)
        if self._under is None:
            self._under = np.full_like(self.bare, np.inf)
        np.copyto(self._under, self.bare, where=place & np.isinf(self._under[0]))

    def clear(self, place: Mask) -> None:
        """Settle a place at once: the empty table shows there again."""
        self.settle(place)
        self.changed &= ~place

    def clear_bare(self, cards: Mask) -> None:
        """Clear what is quiet and looks like the empty table, except where known `cards` lie.

        The shadow of an arm may have been followed as lamplight. The change that it leaves at the rim would
        then pass for the hand itself, and the next card beside it for the hand's fingers. The same holds for
        the place where a newspaper lay for a while, and for an arm that was over the table when the eye
        started. So where the mat is of one colour, what did not look like the mat and does now counts as the
        empty table, too.
        """
        doubted = self.changed & ~self.moving & ~cards
        if not doubted.any():
            return
        self.clear(doubted & self.unrest.alike(self.light, self.bare))
        if self._under is not None:
            back = doubted & self.unrest.alike(self.light, self._under)
            self.clear(back)
            np.copyto(self.bare, self.light, where=back)
            np.copyto(self._under, np.inf, where=back)
        if not self.mat.plain:
            return
        mat = self.mat.usual(self.light)
        other = light_apart(self.settled, mat) > SCENE.other_light
        shown = doubted & other & (light_apart(self.light, mat) < SCENE.mat_light)
        if shown.any():
            self.clear(shown)
            np.copyto(self.bare, self.light, where=shown)

    def uncover(self, place: Mask) -> None:
        """Estimate the bare table under what lay there from the start: it looks like its surroundings."""
        ring = grow(grow(place)) & ~grow(place) & self.coarse.valid
        if ring.any():
            self.bare[:, grow(place)] = np.median(self.bare[:, ring], axis=1)[:, None]

    def follow_light(self, cards: Mask) -> None:
        """Slowly follow lamps and daylight where nothing happens; `cards` are not bare table."""
        self._frames += 1
        if self._frames % SCENE.follow_every:
            return
        busy = grow(self.changed | self.moving | self.hands.mask)
        self.settled += np.float32(SCENE.follow) * spread(
            self.light - self.settled, ~busy & self.coarse.valid
        )
        # A pack of backs may be as bright as the mat. So the empty table follows only what light does, which
        # is smooth over more than a card's size.
        drift = np.clip(self.settled - self.bare, -SCENE.most_drift, SCENE.most_drift)
        drift *= ~(busy | cards) & self.coarse.valid
        self.bare += np.float32(SCENE.follow) * np.stack([smooth(plane) for plane in drift])
        self.bare += np.float32(SCENE.leak) * drift * (np.abs(drift) < SCENE.as_bare)
