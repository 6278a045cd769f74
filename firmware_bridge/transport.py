"""The protocol of a transport: bytes to the board and back, whatever carries them."""

from __future__ import annotations

from typing import Protocol


class Transport(Protocol):
    """Bytes to the board and back."""

    @property
    def name(self) -> str:
        """The name in messages: a device path, `loopback`, `emulated`."""

    def write(self, data: bytes) -> None:
        """Send all of `data`; raises `BoardLostError` if the port is gone."""

    def read(self, patience_s: float) -> bytes:
        """Whatever has arrived, or empty after `patience_s` without any; raises `BoardLostError`."""

    def close(self) -> None:
        """Release the port; never raises."""
