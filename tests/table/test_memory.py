"""Freed memory goes back to the system; where no glibc allocates nothing happens."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest

from table import memory


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * 4096 / 1e6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_was_freed_goes_back() -> None:
    memory.few_arenas()
    pieces = [np.ones(4000, np.float64) for _ in range(4000)]  # 128 MB in pieces too small to be mapped
    held = pieces[-1]
    full = resident_mb()
    del pieces
    memory.give_back()
    assert resident_mb() < full - 60
    assert held[0] == 1.0


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_libc", lambda: None)
    memory.few_arenas()
    memory.give_back()


def test_it_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    paused: list[float] = []
    given: list[None] = []

    async def sleep(pause_s: float) -> None:
        paused.append(pause_s)
        if len(paused) > 4:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(memory, "give_back", lambda: given.append(None))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(memory.stay_small())
    assert paused == [5.0, 15.0, 10.0, 10.0, 10.0]
    assert len(given) == 4
