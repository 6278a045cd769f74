"""A box at rest that is not found (blurred, a cloth over its tags): it is read when it is found again."""

from __future__ import annotations

from vision.box.motion_parameters import BOX_MOTION
from vision.dice.found import FoundDie
from vision.sightings import SightBack, SightLost

TELL_S = 1.5
"""How long it may be lost untold: an arm that rests over the tags is mostly gone by then."""
WHY = "covered"
DiceNamed = tuple[tuple[str, str, str], ...]
"""The dice of one picture: colour, face, place."""


class Unfound:
    """Since when it is not found, when it was last sought, and what was read when it was found again."""

    def __init__(self) -> None:
        self._unread_t: float | None = None
        """Start of the rest, past or present, that was not read."""
        self._touched = False
        """Whether a hand has been over the box since."""
        self._sought_t = -BOX_MOTION.look_s
        self._doubtful = False
        """Whether it is believed only when two pictures after that read alike."""
        self._reading: DiceNamed | None = None
        self._told = False

    def tell_lost(self, t: float) -> list[SightLost]:
        """The sighting that it is lost, once that has lasted `TELL_S`."""
        if self._told or self._unread_t is None or t - self._unread_t < TELL_S:
            return []
        self._told = True
        return [SightLost(t, self._unread_t, WHY)]

    def tell_back(self, t: float) -> list[SightBack]:
        """The sighting that it is found again, if it was told to be lost; to be asked before `close_s`."""
        told, self._told = self._told, False
        return [SightBack(t, self._unread_t, WHY)] if told and self._unread_t is not None else []

    def hand_over(self) -> bool:
        """Leave it to the sighting that the picture shows no table; return whether it was told to be lost."""
        told, self._told = self._told, False
        return told

    def waits(self, t: float) -> bool:
        """Whether the last search failed too recently to search again."""
        return t - self._sought_t < BOX_MOTION.look_s

    def seek_again(self, t: float) -> None:
        """Note that the picture at that time tells nothing yet."""
        self._sought_t = t

    def lose(self, resting_since: float) -> None:
        """Note that it is not found in a picture, though all rests."""
        self._doubtful, self._reading = True, None
        if self._unread_t is None:
            self._unread_t = resting_since

    @property
    def doubtful(self) -> bool:
        """Whether the next reading needs a second one, since a blur goes gradually."""
        return self._doubtful

    def agrees(self, found: list[FoundDie]) -> bool:
        """Whether a reading tells the same as the one before."""
        before = self._reading
        self._reading = tuple(sorted((f.die.colour or "", f.die.face or "", f.die.where) for f in found))
        self._doubtful = before != self._reading
        return not self._doubtful

    def touch(self) -> None:
        """Note that a hand is over the box."""
        self._touched = self._unread_t is not None

    def close_s(self, t: float) -> float:
        """Close the search after a reading; return how long ago dice lay that may have gone unread, or 0."""
        missed_s = t - self._unread_t if self._unread_t is not None and self._touched else 0.0
        self._unread_t, self._touched = None, False
        return missed_s
