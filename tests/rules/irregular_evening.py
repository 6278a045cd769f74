"""An evening in which something goes wrong."""

from __future__ import annotations

from typing import Any

from tests.rules.evening import Evening


def begun(**options: Any) -> Evening:
    t = Evening(**options)
    t.trump("red")
    return t
