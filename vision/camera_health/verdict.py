"""What one picture shows, judged by how the table last looked: table, darkness, a cover, another scene."""

from __future__ import annotations

from collections import deque

from vision.camera_health.parameters import SIGHT
from vision.camera_health.reference import Likeness, Reference
from vision.frame import Frame

_LATELY = 90
"""Number of frames whose share of the table is remembered: `slide_s` at 60 frames a second."""


class PictureJudge:
    """Remembers how the table last looked, and how much of it showed in the pictures judged lately."""

    def __init__(self) -> None:
        self._reference: Reference | None = None
        self._shown: deque[tuple[float, float]] = deque(maxlen=_LATELY)
        self._torn: float | None = None
        self._borne: float | None = None
        """Share of the table that was visible when `bear` accepted a partly hidden table."""
        self.verdict: str | None = None
        """What is wrong with the last picture, in the terms of `SightLost.why`; None: it shows the table."""
        self.seekable = False
        """Whether that picture has enough contrast to search for the table in it."""

    @property
    def torn(self) -> bool:
        """Whether only part of the picture is lost."""
        return self._torn is not None

    def fits(self, frame: Frame) -> bool:
        """Whether a frame can be compared with the table: one was trusted, and this one has its size."""
        return self._reference is not None and self._reference.fits(frame)

    def trust(self, frame: Frame) -> None:
        """Accept this frame as the table, whatever it looks like."""
        self._reference, self._borne = Reference(frame), None
        self._clear()

    def bear(self, frame: Frame) -> None:
        """Accept this frame as the table in its place, though much hides it; what hides it is not learnt."""
        if self._reference is None or not self._reference.fits(frame):
            self.trust(frame)
            return
        self._borne = self._reference.compare(frame).shown
        self._clear()

    def _clear(self) -> None:
        self.verdict = self._torn = None
        self._shown.clear()

    def stays(self, t: float) -> None:
        """Note that the picture at `t` equals the last one, which shows the table."""
        self._shown.append((t, self._shown[-1][1] if self._shown else 1.0))

    def rest(self) -> None:
        """Note that the picture has not changed for long: all of it is learnt as the table."""
        if self._reference is not None:
            self._reference.rest()

    def judge(self, frame: Frame, t: float, lost_t: float) -> None:
        """Judge a frame that `fits`; `lost_t`: when sight was lost, `t` itself if it is not.

        A frame that shows the table is learnt. Raises SourceError for a damaged frame.
        """
        assert self._reference is not None
        like = self._reference.compare(frame)
        self.verdict = self._verdict_on(like, t, lost_t)
        if self.verdict is None:
            self._shown.append((t, like.shown))
            self._reference.learn(frame)
        else:
            self._borne = None

    def _verdict_on(self, like: Likeness, t: float, lost_t: float) -> str | None:
        """What is wrong with a picture; None when it shows the table."""
        self.seekable = like.contrast >= SIGHT.flat
        if like.gain < SIGHT.dark_gain or like.bright < SIGHT.dark_level:
            if like.alike > SIGHT.same_whole or like.shown > SIGHT.seen:
                self.seekable = False
                return "dark"
            # After a partial cover a darker picture is still a cover, whatever the cover's colour.
            return "covered" if like.bright < SIGHT.dark_level or self.torn else _kind(like)
        if like.clear < SIGHT.haze:
            return "covered"
        if like.sharp < SIGHT.blurred:
            self.seekable = False  # tags may still be found, being large, but cards cannot be read
            return "covered"
        if like.shown < self._least_shown() and self._torn is None:
            return _kind(like)
        return "covered" if self._is_torn(like, t, lost_t) else None

    def _least_shown(self) -> float:
        """Return the share of the table that must be visible."""
        if self._borne is not None:
            return min(SIGHT.unseen, SIGHT.of_borne * self._borne)
        return SIGHT.unseen if self.verdict is None else SIGHT.seen

    def _is_torn(self, like: Likeness, t: float, lost_t: float) -> bool:
        """Whether a large part of the table is gone: at once, as in a torn picture, or as a cover comes."""
        if self._torn is None:
            gone = ((SIGHT.jump, SIGHT.jump_s), (SIGHT.slide, SIGHT.slide_s))
            before = [
                shown
                for share, within_s in gone
                for then, shown in self._shown
                if t - then <= within_s and shown - like.shown > share
            ]
            if not before:
                return False
            self._torn = max(before)
        stays_s = (
            SIGHT.torn_s if like.blank > SIGHT.mostly_blank * (self._torn - like.shown) else SIGHT.stays_s
        )
        if like.shown >= self._torn - SIGHT.back or (like.shown > SIGHT.seen and t - lost_t > stays_s):
            self._torn = None
            self._shown.clear()
        return self._torn is not None


def _kind(like: Likeness) -> str:
    """Verdict on a picture that is not of the table: "covered" if it shows nothing, "moved" otherwise."""
    return "covered" if like.contrast < SIGHT.flat else "moved"
