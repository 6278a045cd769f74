"""A way to the board that wraps another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from firmware_bridge.transport import Transport


class TransportAround:
    """Wraps a transport that a link opens by `dial`, again after each hang-up: a closed one is of no use."""

    def __init__(self, dial: Callable[[], Transport], name: str) -> None:
        self.name = name
        self._dial = dial
        self._inner: Transport | None = None

    def dial(self) -> Self:
        """What a `Link` calls to open the port. Raises `BridgeError`."""
        self._inner = self._dial()
        return self

    def close(self) -> None:
        """Close the way to the board."""
        if self._inner is not None:
            self._inner.close()

    @property
    def _open(self) -> Transport:
        assert self._inner is not None, "a link dials before it speaks"
        return self._inner
