"""Freed memory goes back to the system; without glibc nothing happens."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from table import memory


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * 4096 / 1e6


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_was_freed_goes_back() -> None:
    memory.one_arena()
    pieces = [np.ones(4000, np.float64) for _ in range(4000)]  # 128 MB in pieces too small to be mapped
    held = pieces[-1]
    full = resident_mb()
    del pieces
    memory.give_back()
    assert resident_mb() < full - 60
    assert held[0] == 1.0


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_libc", lambda: None)
    memory.one_arena()
    memory.give_back()


async def told(monkeypatch: pytest.MonkeyPatch, sizes_mb: Sequence[float]) -> list[float]:
    """The sizes at which memory was given back, for a process with these sizes at successive looks."""
    sizes, given, now = iter(sizes_mb), [], 0.0

    def look() -> int:
        nonlocal now
        now = next(sizes)
        return int(now * (1 << 20))

    async def sleep(_: float) -> None:
        pass

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(memory, "resident_bytes", look)
    monkeypatch.setattr(memory, "give_back", lambda: given.append(now))
    with pytest.raises(RuntimeError, match="StopIteration"):
        await memory.stay_small()
    return given


def test_it_is_given_back_whenever_the_process_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [100, 101, 120, 102, 103, 104, 107, 107, 110, 112, 105]
    assert asyncio.run(told(monkeypatch, looks)) == [120, 107, 112]


def test_a_process_that_shrank_by_itself_is_measured_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(told(monkeypatch, [100, 80, 82, 90, 81])) == [90]


def test_a_quiet_table_gives_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(told(monkeypatch, [100, 102, 99, 102, 100])) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_the_process_knows_what_it_holds() -> None:
    before = memory.resident_bytes()
    held = np.ones(4_000_000, np.float64)
    assert memory.resident_bytes() > before + 0.9 * held.nbytes


def test_where_the_system_does_not_tell_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory, "_STATM", tmp_path / "none")
    assert memory.resident_bytes() == 0
