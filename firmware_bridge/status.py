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
    """The board's answer to the last greeting."""
    shown: int
    """Pictures that were shown, or sent by `Link.stream`."""
    repeated: int
    """Requests that had to be sent again because something was lost on the way; greetings do not count."""
    broken: int
    """Answers of a greeted board that arrived damaged."""
    greetings: int
    """HELLOs answered: the first, and one for every reset, sleep, new cable, picture length or repaint."""
    repaints: int
    """How often the board had a wrong picture, so that the whole picture was sent again."""
    pong: Pong | None
    trouble: str | None
    """The last error; None while all is well."""
