"""What lies beside the checkout, in `../shared`, is a further judge: footage and vectors that others made.

A user's clone has none of it; tests that need it are skipped there and say so.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
FOOTAGE = SHARED / "footage"


def needs(name: str) -> pytest.MarkDecorator:
    """Skip a test where `../shared/NAME` is not there."""
    return pytest.mark.skipif(not (SHARED / name).exists(), reason=_why(name))


def shared(name: str) -> Path:
    """The file or folder `../shared/NAME`; skips the test that asks for it where it is not there."""
    if not (SHARED / name).exists():
        pytest.skip(_why(name))
    return SHARED / name


def _why(name: str) -> str:
    return f"../shared/{name} is not beside the checkout"
