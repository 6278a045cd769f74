"""What can go wrong between the house and the lamp board, on one page."""

from __future__ import annotations


class BridgeError(Exception):
    """Base of all errors of the wire; the text says what, where and what to do."""
