"""What a USB camera's automatic finds and what is then held: exposure with white balance, and focus.

An automatic that goes on working changes the whole picture for a hand or a white card. So it is let settle
and then held; if the picture changes for good, it may settle anew. Drivers differ in what they tell and do,
so holding is a trial: if the picture changes with it, the automatic gets its way again, and after some trials
for good.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import Generic, Protocol, TypeVar

from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import Picture

LOOK_S = 0.5
"""How often the picture is looked at while it settles; a quarter of its size is enough."""
HELD_LOOK_S = 5.0
"""How often once it is held."""
PATIENCE = 3
"""Looks in a row that must be strange: light or lens that changed, against somebody who leans over."""
TRIALS = 3
"""Times that holding may change the picture before the automatic is left alone for good."""

Measure = TypeVar("Measure")


class Device(Protocol):
    """What is needed of `cv2.VideoCapture`."""

    def get(self, setting: int, /) -> float:
        """The value of a property, 0 or -1 where there is none."""

    def set(self, setting: int, value: float, /) -> bool:
        """Ask for a value."""


class _Stage(Enum):
    SETTLING = auto()
    TRYING = auto()
    HELD = auto()
    LEFT_ALONE = auto()


class HeldSetting(ABC, Generic[Measure]):
    """Holds a setting of one camera; call `look` with every frame from the thread that owns the device.

    A subclass says what of a picture it goes by (`Measure`), when that has settled, and how the automatic is
    switched off and on.
    """

    def __init__(self, device: Device, known: bool) -> None:
        """`known`: the device has such an automatic, and it is at work; else nothing is ever touched."""
        self._device = device
        self._stage = _Stage.SETTLING if known else _Stage.LEFT_ALONE
        self._next: float | None = None
        self._trials = self._strange_looks = 0

    @property
    def held(self) -> bool:
        """Tell whether the setting stands still."""
        return self._stage is _Stage.HELD

    def look(self, frame: Frame, t: float) -> None:
        """Take in a frame at `t` seconds; now and then it is looked at, and the camera told something."""
        if self._stage is _Stage.LEFT_ALONE or (self._next is not None and t < self._next):
            return
        self._next = t + (HELD_LOOK_S if self.held else LOOK_S)
        try:
            now = self._measure(frame.small)
        except SourceError:
            return  # a damaged picture: whoever reads it will hear of it
        match self._stage:
            case _Stage.SETTLING if self._has_settled(now):
                self._hold()
                self._stage = _Stage.TRYING
            case _Stage.TRYING if self._is_as_before(now):
                self._stage, self._strange_looks = _Stage.HELD, 0
            case _Stage.TRYING:
                self._trials += 1
                self._release(_Stage.LEFT_ALONE if self._trials >= TRIALS else _Stage.SETTLING)
            case _Stage.HELD:
                self._strange_looks = self._strange_looks + 1 if self._is_strange(now) else 0
                if self._strange_looks >= PATIENCE:
                    self._release(_Stage.SETTLING)

    def end(self) -> None:
        """Leave the camera as it was found, for whoever uses it next."""
        if self._stage in (_Stage.TRYING, _Stage.HELD):
            self._release(_Stage.LEFT_ALONE)

    def _release(self, then: _Stage) -> None:
        self._let_go()
        self._stage = then

    @abstractmethod
    def _measure(self, picture: Picture) -> Measure:
        """What of a small picture (h, w, 3) BGR the setting goes by; SourceError where it is damaged."""

    @abstractmethod
    def _has_settled(self, now: Measure) -> bool:
        """Whether the automatic has found its value; this look is then what later ones are held against."""

    @abstractmethod
    def _is_as_before(self, now: Measure) -> bool:
        """Whether holding has left the picture as it was."""

    @abstractmethod
    def _is_strange(self, now: Measure) -> bool:
        """Whether the picture is another one than it was held in."""

    @abstractmethod
    def _hold(self) -> None:
        """Switch the automatic off at what it has found."""

    @abstractmethod
    def _let_go(self) -> None:
        """Switch the automatic on again, and forget what was seen."""
