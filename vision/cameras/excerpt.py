"""The first seconds of a film or camera, for measurements that do not need all of it."""

from __future__ import annotations

from vision.cameras import Camera
from vision.frame import Frame
from vision.sightings import Picture


class Excerpt:
    """The first `seconds` of another camera."""

    def __init__(self, camera: Camera, seconds: float) -> None:
        self._camera, self.seconds = camera, seconds

    @property
    def decode_s(self) -> float:
        """CPU seconds spent on decoding so far."""
        return self._camera.decode_s

    def read(self) -> tuple[Picture, float] | None:
        """As the camera's, None after the last second. Raises SourceError."""
        taken = self._camera.read()
        return None if taken is None or taken[1] > self.seconds else taken

    def read_frame(self) -> tuple[Frame, float] | None:
        """As the camera's, None after the last second. Raises SourceError."""
        taken = self._camera.read_frame()
        return None if taken is None or taken[1] > self.seconds else taken

    def close(self) -> None:
        """Release file or device."""
        self._camera.close()
