"""Whether a camera shows its table at all: covered, dark, frozen, moved, gone, or well.

    health = CameraHealth()
    check = health.see(frame, t)           # every frame, before anything else, in order of time
    if not check.seen:
        return list(check.news)            # such a frame is not used: nothing is learnt or reported from it
    if check.back is not None:             # SightBack: compare what is seen now with what lay there before

It serves every pipeline, with or without a table. The picture is compared with the table as it last looked
(`reference`) and with the previous frame (`liveness`); hands, arms, a passing newspaper, candles and dimmers
leave enough of the table to recognise it. A frame that is not `seen` is one of these:

* the picture as a whole does not resemble the table, or its light keeps going on and off. `SightLost` is
  reported once that has lasted `TELL_S`, `SightBack` with the first frame that can be trusted again; shorter
  gaps are not reported;
* the light of the whole picture is changing strongly, or the picture, or rows of it, repeats the previous one
  although this camera has noise. Such a frame proves nothing; the decision is left to later frames.

`check.news` must always be passed on. Anything decided within `ONSET_S` before `SightBack.since` may have
been caused by the onset of the fault; a pipeline discards such decisions that it has not reported yet.

`finds`: a pipeline with a table searches for it, by all its tags, in a picture that shows something else: a
camera or mat that was pushed, a box that was turned, a table cleared at once. If it returns True, the picture
is the table. `moves_on_s`: where no table can be found, another scene that stays this long becomes the table.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from vision.camera_health.liveness import Liveness
from vision.camera_health.reference import Thin, brighter
from vision.camera_health.verdict import PictureJudge
from vision.frame import Frame
from vision.imgproc.small_change import pixels_apart
from vision.sightings import SightBack, SightLost

TELL_S = 0.25
"""Shortest blind time that is reported: nothing can be played unseen in less."""
ONSET_S = 0.6
"""How long a cover takes to slide in, or a lamp to go out."""
CALM_S, UNEASY_S = 0.15, 0.6
"""How long the table must be seen before sight is back; the second if it was lost again within `AGAIN_S`."""
AGAIN_S = 2.0
FROZEN_S = 0.5
"""How long a camera must repeat a frame to count as frozen; all cameras repeat one now and then."""
GONE_S = 2.0
"""How long the camera may deliver no frame before it counts as gone."""
SEEK_S = 0.25
"""Time between two searches for the table while the picture shows something else."""

_RUSH, _MOST_RUSH_S = 0.25, 0.35
"""A "rush": change of the logarithm of the whole light from frame to frame, exceeded by lamps that go on or
off (candles and a hunting exposure change it less); and the longest time for which such frames are
ignored."""
_FLICKERS, _FLICKER_S = 4, 0.7
"""Number of rushes within this time that make a strobe or a dying tube, under which motion cannot be told
from light. A lamp that goes on makes one or two."""
_SAME_LEVELS, _SAME_PIXELS = 6, 2
_REST = 6
"""Number of equal frames after which the whole picture is learnt as the table."""


@dataclass(frozen=True, slots=True)
class FrameCheck:
    """Whether a frame may be used, and what to report about the camera."""

    seen: bool
    news: tuple[SightLost | SightBack, ...] = ()

    @property
    def back(self) -> SightBack | None:
        """The end of a gap that ended with this frame."""
        return next((news for news in self.news if isinstance(news, SightBack)), None)


_FINE, _NOTHING = FrameCheck(True), FrameCheck(False)


@dataclass(slots=True)
class _Gap:
    """A blind time: since when, why, whether it was reported, and since when the picture looks well again."""

    since: float
    why: str
    told: bool = False
    well_since: float | None = None


class CameraHealth:
    """Judges the frames of one camera. Pure: the caller passes frames and times, in order."""

    def __init__(self, finds: Callable[[Frame], bool] | None = None, moves_on_s: float | None = None) -> None:
        self._finds, self._moves_on_s = finds, moves_on_s
        self._sought_t = -math.inf
        self._liveness, self._judge = Liveness(), PictureJudge()
        self._judged: Thin | None = None
        self._alike = 0
        self._alike_since = 0.0
        self._t: float | None = None
        self._doubt_since: float | None = None
        self._repeats_since: float | None = None
        self._rushes: deque[float] = deque(maxlen=_FLICKERS)
        """Times of the last rushes that reversed direction; `_brightens`: the direction of the last one."""
        self._brightens = False
        self._gap: _Gap | None = None
        self._back_t = -math.inf

    @property
    def why(self) -> str | None:
        """What is wrong now, as reported by `SightLost`; None while the table is seen."""
        return self._gap.why if self._gap is not None and self._gap.told else None

    @property
    def calms(self) -> bool:
        """Whether the newest picture shows the table again, though sight is not back yet."""
        return self._gap is not None and self._gap.well_since is not None and self._doubt_since is None

    @property
    def doubt(self) -> str | None:
        """What seems wrong with the newest picture, reported or not; repeated pictures are not judged."""
        return self._judge.verdict

    def undisturbed(self, frame: Frame) -> bool:
        """Whether sight is good and a frame equals the last one apart from noise; nothing is learnt."""
        well = self._gap is None and self._judge.verdict is None and not self._judge.torn
        judged, thin = self._judged, frame.thin
        as_before = judged is not None and judged.shape == thin.shape and _same(thin, judged)
        return well and as_before and self._liveness.differs(frame.grey)

    def trust(self, frame: Frame) -> None:
        """Accept this frame as the table, whatever it looks like: the table was found again in it."""
        self._judge.trust(frame)
        self._judged = frame.thin
        self._clear()

    def bear(self, frame: Frame) -> None:
        """Accept this frame as the table in its place, though an arm hides much of it; nothing is learnt."""
        self._judge.bear(frame)
        self._judged = frame.thin
        self._clear()

    def _clear(self) -> None:
        """Drop the present doubt, and a gap that was not reported yet."""
        self._doubt_since = None
        if self._gap is not None and not self._gap.told:
            self._gap = None

    def see(self, frame: Frame, t: float) -> FrameCheck:
        """Take in one frame; return whether it may be used. Raises SourceError for a damaged frame."""
        thin, before = frame.thin, self._t
        self._t = t
        if self._judged is None or not self._judge.fits(frame):
            self._liveness.repeated(frame.grey, quiet=False)
            self.trust(frame)
            return _FINE
        if before is not None and t - before > GONE_S and self._gap is None:
            self._gap = _Gap(before, "gone")
        alike = _same(thin, self._judged)
        repeated = self._liveness.repeated(frame.grey, alike)
        if repeated and self._doubt_since is None and self._judge.verdict is None:
            return self._repeated(t)
        self._thaw(t)
        rush = 0.0 if alike else math.log(brighter(self._judged, thin))
        rushes = abs(rush) > _RUSH
        if rushes and (not self._rushes or (rush > 0) != self._brightens):
            self._brightens = rush > 0
            self._rushes.append(t)
        if len(self._rushes) == _FLICKERS and t - self._rushes[0] < _FLICKER_S:
            return self._flickers(thin, t)
        if alike and self._doubt_since is None:
            self._rest(frame, t)
        else:
            self._judged, self._alike, self._alike_since = thin, 0, t
            self._doubt_since = t if self._doubt_since is None else self._doubt_since
            if rushes and t - self._doubt_since < _MOST_RUSH_S:
                return _NOTHING
            self._judge.judge(frame, t, t if self._gap is None else self._gap.since)
        if self._judge.verdict is not None and self._judge.seekable and t - self._sought_t >= SEEK_S:
            self._sought_t = t
            if self._finds is not None and self._finds(frame):
                self.trust(frame)
        return self._conclude(t)

    def _rest(self, frame: Frame, t: float) -> None:
        """Handle a picture that equals the one last judged."""
        self._alike += 1
        if self._judge.verdict is None:
            self._judge.stays(t)
            if self._alike == _REST:
                self._judge.rest()
        patience_s = self._moves_on_s
        if self._judge.verdict == "moved" and patience_s is not None and t - self._alike_since >= patience_s:
            self.trust(frame)

    def _repeated(self, t: float) -> FrameCheck:
        """Handle a picture that the camera repeats."""
        if self._repeats_since is None:
            self._repeats_since = t
        if self._gap is None and t - self._repeats_since >= FROZEN_S:
            self._gap = _Gap(self._repeats_since, "frozen")
        return self._lost(t) if self._gap is not None else _NOTHING

    def _thaw(self, t: float) -> None:
        """Note that the camera delivers new pictures again; a long repetition before them was a gap."""
        since, self._repeats_since = self._repeats_since, None
        if since is not None and self._gap is None and t - since >= FROZEN_S:
            self._gap = _Gap(since, "frozen")

    def _flickers(self, thin: Thin, t: float) -> FrameCheck:
        """Handle lamps that keep going on and off: it is dark half of the time."""
        self._judged, self._doubt_since = thin, t
        if self._gap is None:
            self._gap = _Gap(max(self._rushes[0], self._back_t), "dark")
        self._gap.well_since = None
        return self._lost(t)

    def _conclude(self, t: float) -> FrameCheck:
        """Return the result for the newest verdict, given the gap so far."""
        since, self._doubt_since = (t if self._doubt_since is None else self._doubt_since), None
        if self._judge.verdict is not None:
            if self._gap is None:
                self._gap = _Gap(since, self._judge.verdict)
            if self._gap.why != self._judge.verdict and not self._gap.told:
                self._gap.why = self._judge.verdict
            self._gap.well_since = None
            return self._lost(t)
        gap = self._gap
        if gap is None:
            return _FINE
        gap.well_since = since if gap.well_since is None else gap.well_since
        if not gap.told and gap.why not in ("frozen", "gone") and gap.well_since - gap.since < TELL_S:
            self._gap = None
            return _FINE
        calm_s = UNEASY_S if gap.since - self._back_t < AGAIN_S else CALM_S
        if t - gap.well_since < calm_s:
            return _NOTHING
        self._gap, self._back_t = None, t
        back = SightBack(t, gap.since, gap.why)
        return FrameCheck(True, (back,) if gap.told else (SightLost(t, gap.since, gap.why), back))

    def _lost(self, t: float) -> FrameCheck:
        """Return the result for a frame without sight; `SightLost` is reported once, after `TELL_S`."""
        gap = self._gap
        if gap is None or gap.told or t - gap.since < TELL_S:
            return _NOTHING
        gap.told = True
        return FrameCheck(False, (SightLost(t, gap.since, gap.why),))


def _same(thin: Thin, before: Thin) -> bool:
    """Whether two thin copies are equal apart from noise, light included."""
    return pixels_apart(thin, before, _SAME_LEVELS, lit=False) <= _SAME_PIXELS
