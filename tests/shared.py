"""Footage and test vectors that others made, in `../shared` beside the checkout, as an independent judge.

A user's clone has no `../shared`; tests that need it are skipped there with a reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
FOOTAGE = SHARED / "footage"


def needs(name: str) -> pytest.MarkDecorator:
    """Skip a test if `../shared/NAME` does not exist."""
    return pytest.mark.skipif(not (SHARED / name).exists(), reason=_why(name))


def shared(name: str) -> Path:
    """The file or folder `../shared/NAME`; the calling test is skipped if it does not exist."""
    if not (SHARED / name).exists():
        pytest.skip(_why(name))
    return SHARED / name


def _why(name: str) -> str:
    return f"../shared/{name} is not beside the checkout"
