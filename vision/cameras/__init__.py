"""Where frames come from: a film, a folder of pictures, a USB camera, a Pi camera.

camera = open_camera("usb:0")           # or "pi:0", a film, a folder
while (frame := camera.read()) is not None:
    picture, t = frame
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from vision.cameras.newest import LiveCamera
from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import Picture

__all__ = ["Camera", "OnDemand", "is_live", "open_camera"]

_DEVICES = ("usb", "pi")
"""Kinds of live cameras, as a source names them before its colon."""


class Camera(Protocol):
    """Anything that delivers frames in order of time."""

    @property
    def decode_s(self) -> float:
        """CPU seconds spent on decoding so far."""

    def read(self) -> tuple[Picture, float] | None:
        """The next (live: newest) frame, BGR uint8, and its time in seconds since the first; None at the end.

        Raises:
            SourceError: the source broke off.
        """

    def read_frame(self) -> tuple[Frame, float] | None:
        """As `read`, but the frame is decoded only as far as it is used."""

    def close(self) -> None:
        """Release file or device."""


class OnDemand:
    """A camera whose `read` returns undecoded frames, for callers that often need only a reduced decode."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def read(self) -> tuple[Frame, float] | None:
        """The next (live: newest) frame and its time in seconds since the first. Raises SourceError."""
        return self._camera.read_frame()

    @property
    def share_seen(self) -> float | None:
        """As `LiveCamera.share_seen`; None for a film, whose frames are all examined."""
        return self._camera.share_seen if isinstance(self._camera, LiveCamera) else None

    def wake(self) -> None:
        """As `LiveCamera.wake`; without effect on a film, which is never waited for."""
        if isinstance(self._camera, LiveCamera):
            self._camera.wake()

    def close(self) -> None:
        """Release file or device."""
        self._camera.close()


def is_live(source: str) -> bool:
    """Whether a source names a live camera (`usb:0`) rather than a film or folder."""
    kind, _, number = source.partition(":")
    return kind in _DEVICES and number.isdecimal()


def open_camera(source: str) -> Camera:
    """Open `usb:N`, `pi:N`, a film or a folder of pictures. Raises SourceError."""
    kind, colon, number = source.partition(":")
    if colon and kind in _DEVICES:
        if not number.isdecimal():
            text = f"{source}: a camera is called {kind}:0, {kind}:1 and so on"
            raise SourceError(text, "camera.named", camera=source, kind=kind)
        if kind == "usb":
            from vision.cameras.usb import UsbCamera

            return UsbCamera(int(number))
        from vision.cameras.pi import PiCamera

        return PiCamera(int(number))
    from vision.cameras.replay import Film, Folder

    path = Path(source)
    if (path / "frames.jsonl").is_file():
        from vision.cameras.recording import open_recording

        return open_recording(path)
    if path.is_dir():
        return Folder(path)
    if not path.exists():
        raise SourceError(
            f"{source}: no such film or folder; give a film, a folder of pictures, usb:0 or pi:0",
            "camera.unknown",
            camera=source,
        )
    return Film(path)
