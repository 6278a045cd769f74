"""A base class for context managers that close themselves."""

from __future__ import annotations

from typing import Self


class Closing:
    """Something that holds a port, a process or pins until `close`."""

    def close(self) -> None:
        """Release what is held; a second call does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
