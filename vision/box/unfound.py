"""A box at rest that cannot be found (blurred, a cloth over its tags): it is read once it is found again."""

from __future__ import annotations

from vision.box.motion_parameters import BOX_MOTION
from vision.dice.found import FoundDie
from vision.sightings import SightBack, SightLost

TELL_S = 1.5
"""Time for which a lost box is not reported: an arm that rests over the tags is mostly gone by then."""
WHY = "covered"
DiceNamed = tuple[tuple[str, str, str], ...]
"""The dice of one picture: colour, face, place."""


class Unfound:
    """Records since when the box is not found, the last search, and the reading when it is found again."""

    def __init__(self) -> None:
        self._unread_t: float | None = None
        """Start of the rest, past or present, that could not be read."""
        self._touched = False
        """Whether a hand has been over the box since then."""
        self._sought_t = -BOX_MOTION.look_s
        self._doubtful = False
        """Whether the next reading is only believed when two pictures read alike."""
        self._reading: DiceNamed | None = None
        self._told = False

    def tell_lost(self, t: float) -> list[SightLost]:
        """Return the sighting that the box is lost, once, when that has lasted `TELL_S`."""
        if self._told or self._unread_t is None or t - self._unread_t < TELL_S:
            return []
        self._told = True
        return [SightLost(t, self._unread_t, WHY)]

    def tell_back(self, t: float) -> list[SightBack]:
        """Return the sighting that the box is back, if its loss was reported; call before `close_s`."""
        told, self._told = self._told, False
        return [SightBack(t, self._unread_t, WHY)] if told and self._unread_t is not None else []

    def hand_over(self) -> bool:
        """Leave the report to the sighting that no table is seen; return whether the loss was reported."""
        told, self._told = self._told, False
        return told

    def waits(self, t: float) -> bool:
        """Whether the last search failed too recently to search again."""
        return t - self._sought_t < BOX_MOTION.look_s

    def seek_again(self, t: float) -> None:
        """Note that the picture at that time does not show enough yet."""
        self._sought_t = t

    def lose(self, resting_since: float) -> None:
        """Note that the box is not found in a picture, though all is at rest."""
        self._doubtful, self._reading = True, None
        if self._unread_t is None:
            self._unread_t = resting_since

    @property
    def doubtful(self) -> bool:
        """Whether the next reading needs a second one to confirm it, because a blur goes away gradually."""
        return self._doubtful

    def agrees(self, found: list[FoundDie]) -> bool:
        """Whether a reading has the same dice as the one before."""
        before = self._reading
        self._reading = tuple(sorted((f.die.colour or "", f.die.face or "", f.die.where) for f in found))
        self._doubtful = before != self._reading
        return not self._doubtful

    def touch(self) -> None:
        """Note that a hand is over the box."""
        self._touched = self._unread_t is not None

    def close_s(self, t: float) -> float:
        """Close the search after a reading; return how long ago a rest began that may be unread, or 0."""
        missed_s = t - self._unread_t if self._unread_t is not None and self._touched else 0.0
        self._unread_t, self._touched = None, False
        return missed_s
