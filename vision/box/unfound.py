"""A box at rest that is not found (blurred, a cloth over its tags): it is read when it is found again."""

from __future__ import annotations

from vision.box.motion_parameters import BOX_MOTION
from vision.dice.found import FoundDie
from vision.sightings import SightBack, SightLost

TELL_S = 1.5
"""An arm that rests over the tags is mostly away by then."""
WHY = "covered"
DiceNamed = tuple[tuple[str, str, str], ...]
"""The dice of one picture: colour, face, place."""


class Unfound:
    """Since when it is not found, when it was sought last, and what was read when it was found again."""

    def __init__(self) -> None:
        self._unread_t: float | None = None
        """Since when all rests, or rested, that was not read."""
        self._touched = False
        """Whether a hand has been over the box since."""
        self._sought_t = -BOX_MOTION.look_s
        self._doubtful = False
        """Whether it is believed only when two pictures after that read alike."""
        self._reading: DiceNamed | None = None
        self._told = False

    def tell_lost(self, t: float) -> list[SightLost]:
        """The word that it is lost, once that has lasted `TELL_S`."""
        if self._told or self._unread_t is None or t - self._unread_t < TELL_S:
            return []
        self._told = True
        return [SightLost(t, self._unread_t, WHY)]

    def tell_back(self, t: float) -> list[SightBack]:
        """The word that it is found again, where it was told to be lost; to be asked for before `close_s`."""
        told, self._told = self._told, False
        return [SightBack(t, self._unread_t, WHY)] if told and self._unread_t is not None else []

    def hand_over(self) -> bool:
        """The picture as a whole shows no table now, which is told apart; whether it was told to be lost."""
        told, self._told = self._told, False
        return told

    def waits(self, t: float) -> bool:
        """Whether it was sought in vain so lately that it is not sought again yet."""
        return t - self._sought_t < BOX_MOTION.look_s

    def seek_again(self, t: float) -> None:
        """The picture at that time tells nothing yet."""
        self._sought_t = t

    def lose(self, resting_since: float) -> None:
        """It is not found in a picture, though all rests."""
        self._doubtful, self._reading = True, None
        if self._unread_t is None:
            self._unread_t = resting_since

    @property
    def doubtful(self) -> bool:
        """Whether what is read next needs a second reading: a blur goes by and by."""
        return self._doubtful

    def agrees(self, found: list[FoundDie]) -> bool:
        """Whether a reading tells the same as the one before."""
        before = self._reading
        self._reading = tuple(sorted((f.die.colour or "", f.die.face or "", f.die.where) for f in found))
        self._doubtful = before != self._reading
        return not self._doubtful

    def touch(self) -> None:
        """A hand is over the box."""
        self._touched = self._unread_t is not None

    def close_s(self, t: float) -> float:
        """It was read: how long ago dice came to rest that may have been taken up unread; 0.0 if none."""
        missed_s = t - self._unread_t if self._unread_t is not None and self._touched else 0.0
        self._unread_t, self._touched = None, False
        return missed_s
