"""The state of a link, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.answers import Pong, Welcome


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The state of the wire; counters since the link was made."""

    connected: bool
    port: str | None
    welcome: Welcome | None
    """What the board told of itself when it was last greeted."""
    shown: int
    """Pictures that the board has confirmed."""
    repeated: int
    """Requests that had to be sent again because something was lost on the way; greetings do not count."""
    broken: int
    """Answers of a greeted board that arrived damaged."""
    greetings: int
    """HELLOs answered: the first, and one more for every reset, nap or new cable."""
    repaints: int
    """Times that the board had another picture than it was sent, which was then sent whole."""
    pong: Pong | None
    trouble: str | None
    """The last error, None while all is well."""
