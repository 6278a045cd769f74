"""What one picture shows, held against the table as it looked last: the table, darkness, nothing, another."""

from __future__ import annotations

from collections import deque

from vision.camera_health.reference import Likeness, Reference
from vision.frame import Frame

TORN_S, STAYS_S = 20.0, 2.0
"""What suddenly hides a large part of the table is a thing on it when it stays so long, blank or not."""

_SEEN, _UNSEEN = 0.45, 0.25
"""Of the table's structure more than the first must show to be known again, less than the second to be lost.
With up to four arms over card tables .63 and more was measured, with covers .1 and less."""
_JUMP, _JUMP_S = 0.28, 0.21
"""Hands hide no more of the structure in so short a time: .19 was measured."""
_BACK = 0.12
"""As much of the structure as before, but for so much, is all of it."""
_DARK_GAIN, _DARK_LEVEL = 0.3, 12.0
"""With less of its light the table cannot be compared with itself; below this level ink is noise."""
_OF_BORNE = 0.6
"""An arm that lies over the table hides a little more of it now and then."""
_FLAT = 0.5
"""With less than this share of the table's contrast a picture shows nothing at all."""
_HAZE = 0.4
"""With less than this share of its contrast the table shows through a palm, a menu or fog on the lens. In ten
films it kept .94 and more of it; through a drawn palm it kept .07, badly out of focus .5 and more."""
_BLURRED = 0.62
"""With less than this share of its edges the table is out of focus: a breath on the lens, a focus that hunts.
In seven films of card tables it kept .96 and more, over three dice boxes .85 (turned; 45 s each); blurred by
3 pixels .73 to .80, by 5 .50 to .61, by 8 .29 to .44 (2026-11)."""
_SAME_WHOLE = 0.3
_MOSTLY_BLANK = 0.5


class PictureJudge:
    """Knows how the table looked last, and how much of it showed in the pictures judged lately."""

    def __init__(self) -> None:
        self._reference: Reference | None = None
        self._shown: deque[tuple[float, float]] = deque(maxlen=30)
        self._torn: float | None = None
        self._borne: float | None = None
        """How much of the table showed when it was known behind what hides the rest."""
        self.verdict: str | None = None
        """What is wrong with the picture judged last, as `SightLost` says it; None: it shows the table."""
        self.seekable = False
        """Whether that picture shows enough for the table to be looked for in it."""

    @property
    def torn(self) -> bool:
        """Whether a part of the picture only is lost."""
        return self._torn is not None

    def fits(self, frame: Frame) -> bool:
        """Whether a frame can be held against the table: one was trusted, and this has its size."""
        return self._reference is not None and self._reference.fits(frame)

    def trust(self, frame: Frame) -> None:
        """This is the table, however it looks."""
        self._reference, self._borne = Reference(frame), None
        self._clear()

    def bear(self, frame: Frame) -> None:
        """This is the table in its place, though much hides it; what hides it is not learnt."""
        if self._reference is None or not self._reference.fits(frame):
            self.trust(frame)
            return
        self._borne = self._reference.compare(frame).shown
        self._clear()

    def _clear(self) -> None:
        self.verdict = self._torn = None
        self._shown.clear()

    def stays(self, t: float) -> None:
        """The picture judged last is still there, and shows the table."""
        self._shown.append((t, self._shown[-1][1] if self._shown else 1.0))

    def rest(self) -> None:
        """It has been there for long: all of it is how the table looks."""
        if self._reference is not None:
            self._reference.rest()

    def judge(self, frame: Frame, t: float, lost_t: float) -> None:
        """Judge a frame that `fits`; `lost_t`: since when there is no sight, `t` itself where there is.

        What shows the table is learnt. Raises SourceError for a damaged frame.
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
        self.seekable = like.contrast >= _FLAT
        if like.gain < _DARK_GAIN or like.bright < _DARK_LEVEL:
            if like.alike > _SAME_WHOLE or like.shown > _SEEN:
                self.seekable = False
                return "dark"
            return "covered" if like.bright < _DARK_LEVEL else _kind(like)
        if like.clear < _HAZE:
            return "covered"
        if like.sharp < _BLURRED:
            self.seekable = False  # tags are large enough to be found, cards are not
            return "covered"
        if like.shown < self._least_shown() and self._torn is None:
            return _kind(like)
        return "covered" if self._is_torn(like, t, lost_t) else None

    def _least_shown(self) -> float:
        """Return how much of the table must show."""
        if self._borne is not None:
            return min(_UNSEEN, _OF_BORNE * self._borne)
        return _UNSEEN if self.verdict is None else _SEEN

    def _is_torn(self, like: Likeness, t: float, lost_t: float) -> bool:
        """Whether a large part of the table is gone at once: a torn picture, or a cover on its way."""
        if self._torn is None:
            lately = [shown for then, shown in self._shown if t - then <= _JUMP_S]
            if not lately or max(lately) - like.shown <= _JUMP:
                return False
            self._torn = max(lately)
        stays_s = TORN_S if like.blank > _MOSTLY_BLANK * (self._torn - like.shown) else STAYS_S
        if like.shown >= self._torn - _BACK or (like.shown > _SEEN and t - lost_t > stays_s):
            self._torn = None
            self._shown.clear()
        return self._torn is not None


def _kind(like: Likeness) -> str:
    """A picture that is not the table's shows nothing (it is covered) or something else."""
    return "covered" if like.contrast < _FLAT else "moved"
