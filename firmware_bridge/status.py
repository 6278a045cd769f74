"""How a link is, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.answers import Pong, Welcome


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """How the wire is; counters since the link was made."""

    connected: bool
    port: str | None
    welcome: Welcome | None
    """What the board said of itself when it was greeted last."""
    shown: int
    """Pictures that the board has confirmed."""
    repeated: int
    """Requests that had to be sent again because something was lost on the way; greetings are none."""
    broken: int
    """Answers of a greeted board that arrived damaged."""
    greetings: int
    """HELLOs answered: the first, and one more for every reset, nap or new cable."""
    repaints: int
    """Times that the board's own picture was not the one that it was sent, and was sent whole."""
    pong: Pong | None
    trouble: str | None
    """The last error, None while all is well."""
