"""The port of the page, taken before anything else begins."""

from __future__ import annotations

import errno
import socket

from table.errors import StammtischError

_NOT_OURS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""This computer has no such address, or (the second) no IPv6."""


class PageError(StammtischError):
    """The page cannot be shown; the text says where and what to do."""


def found_at(listen: str, port: int) -> str:
    """Address at which a browser on this machine finds a page that listens there."""
    host = "localhost" if listen in ("127.0.0.1", "0.0.0.0", "::", "::1") else listen
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def bind(listen: str, port: int) -> socket.socket:
    """Take a port early: a user who cannot have it should know before the camera is opened.

    Raises:
        PageError: the port is taken, or there is no such address.
    """
    family = socket.AF_INET6 if ":" in listen else socket.AF_INET
    taken = None
    try:
        # Explicitly TCP, since otherwise asyncio does not set TCP_NODELAY and every answer waits 40 ms.
        taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((listen, port))
        taken.listen(128)
    except (OSError, OverflowError) as wrong:
        if taken is not None:
            taken.close()
        why = getattr(wrong, "strerror", None) or str(wrong)
        elsewhere = isinstance(wrong, socket.gaierror) or getattr(wrong, "errno", None) in _NOT_OURS
        remedy = (
            "listen at an address of this machine (--listen)" if elsewhere else "choose another port (--port)"
        )
        raise PageError(f"the page cannot be shown at {listen} port {port} ({why}); {remedy}") from None
    return taken
