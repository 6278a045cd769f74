"""Automatic settings of a USB camera that settle and are then held: exposure with white balance, and focus.

An automatic mode that keeps working changes the whole picture for a hand or a white card. So it may settle
and is then switched off; if the picture changes for good, it may settle anew. Drivers differ in what they
report and do, so holding is a trial: if the picture changes with it, the automatic mode is switched on again,
and after some failed trials left on for good.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto
from typing import Generic, Protocol, TypeVar

from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import Picture

LOOK_S = 0.5
"""Time between two looks at the picture while it settles; a quarter of its size is enough."""
HELD_LOOK_S = 5.0
"""Time between two looks once the setting is held."""
PATIENCE = 3
"""Number of consecutive strange looks that release the setting: somebody who leans over is gone sooner."""
TRIALS = 3
"""Number of times that holding may change the picture before the automatic mode is left on for good."""

Measure = TypeVar("Measure")


class Device(Protocol):
    """The part of `cv2.VideoCapture` that is used here."""

    def get(self, setting: int, /) -> float:
        """The value of a property, 0 or -1 where there is none."""

    def set(self, setting: int, value: float, /) -> bool:
        """Request a value; return whether the backend accepts the property."""


class _Stage(Enum):
    SETTLING = auto()
    TRYING = auto()
    HELD = auto()
    LEFT_ALONE = auto()


class HeldSetting(ABC, Generic[Measure]):
    """Holds a setting of one camera; call `look` with every frame from the thread that owns the device.

    A subclass defines what it measures in a picture (`Measure`), when that has settled, and how the automatic
    mode is switched off and on.
    """

    def __init__(self, device: Device, known: bool) -> None:
        """`known`: the device has such an automatic mode, and it is on; otherwise nothing is ever changed."""
        self._device = device
        self._stage = _Stage.SETTLING if known else _Stage.LEFT_ALONE
        self._next: float | None = None
        self._trials = self._strange_looks = 0

    @property
    def held(self) -> bool:
        """Whether the setting is held."""
        return self._stage is _Stage.HELD

    def look(self, frame: Frame, t: float) -> None:
        """Take in a frame at `t` seconds; some frames are measured, and may change the camera's setting."""
        if self._stage is _Stage.LEFT_ALONE or (self._next is not None and t < self._next):
            return
        self._next = t + (HELD_LOOK_S if self.held else LOOK_S)
        try:
            now = self._measure(frame.small)
        except SourceError:
            return  # a damaged picture raises the same error where it is read
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
        """Switch the automatic mode on again, for whoever uses the camera next."""
        if self._stage in (_Stage.TRYING, _Stage.HELD):
            self._release(_Stage.LEFT_ALONE)

    def _release(self, then: _Stage) -> None:
        self._let_go()
        self._stage = then

    @abstractmethod
    def _measure(self, picture: Picture) -> Measure:
        """Measure a small picture (h, w, 3) BGR."""

    @abstractmethod
    def _has_settled(self, now: Measure) -> bool:
        """Whether the automatic mode has found its value; later looks are then compared with this one."""

    @abstractmethod
    def _is_as_before(self, now: Measure) -> bool:
        """Whether holding has left the picture as it was."""

    @abstractmethod
    def _is_strange(self, now: Measure) -> bool:
        """Whether the picture no longer suits the value that is held."""

    @abstractmethod
    def _hold(self) -> None:
        """Switch the automatic mode off at the value that it has found."""

    @abstractmethod
    def _let_go(self) -> None:
        """Switch the automatic mode on again, and forget the last measurement."""
