"""A transport that wraps another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from firmware_bridge.transport import Transport


class TransportAround:
    """Wraps a transport that a link opens by `dial`, again after each hang-up: a closed one is useless."""

    def __init__(self, dial: Callable[[], Transport], name: str) -> None:
        self.name = name
        self._dial = dial
        self._inner: Transport | None = None

    def dial(self) -> Self:
        """Open the wrapped port, for a `Link`. Raises `BridgeError`."""
        self._inner = self._dial()
        return self

    def close(self) -> None:
        """Close the wrapped port."""
        if self._inner is not None:
            self._inner.close()

    @property
    def _open(self) -> Transport:
        assert self._inner is not None, "open a link before using it"
        return self._inner
