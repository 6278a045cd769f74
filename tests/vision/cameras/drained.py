"""Reads a camera to its end."""

from __future__ import annotations

from vision.cameras import Camera


def drain(camera: Camera) -> None:
    while camera.read() is not None:
        pass
