"""A slot for one value between two threads: the newest value wins."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Newest(Generic[T]):
    """Holds one value between two threads: a newer one replaces it, and `put` never waits for a reader."""

    def __init__(self) -> None:
        self._value: T | None = None
        self._changed = threading.Condition()

    def put(self, value: T) -> None:
        """Leave a value for the other thread."""
        with self._changed:
            self._value = value
            self._changed.notify()

    def take(self, timeout_s: float, unlike: T | None = None) -> T | None:
        """Return the newest value once it differs from `unlike`, or after `timeout_s`; None: no value yet."""
        with self._changed:
            self._changed.wait_for(lambda: self._value is not None and self._value != unlike, timeout_s)
            return self._value
