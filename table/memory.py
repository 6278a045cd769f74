"""Memory that is no longer needed goes back to the system: a small computer shares little with a browser.

The C library keeps freed memory for the next time, separately for each thread. Learning a deck and the search
for a card take many times what is held afterwards, and all of that would stay with the table all evening.
"""

from __future__ import annotations

import asyncio
import ctypes
import mmap
import sys
from functools import cache
from pathlib import Path

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""mallopt(3), malloc.h."""
_ARENAS = 1
"""What one thread freed serves the others."""
_AT_HAND_BYTES = 16 << 20
"""Freed bytes that are kept: more than two pictures of 1920 x 1080."""
_LOOK_S = 1.0
"""Time between two looks at how much the process holds."""
_GROWN_BYTES = 4 << 20
"""Growth since freed memory was last given back from which that is done again: while cards are sought, some
45 MB are freed and not given back (dev-dubbe4); a quiet table frees nothing."""
_STATM = Path("/proc/self/statm")


@cache
def _libc() -> ctypes.CDLL | None:
    """glibc; None where another C library allocates: that has its own ways."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None)
        libc.malloc_trim.argtypes, libc.mallopt.argtypes = [ctypes.c_size_t], [ctypes.c_int, ctypes.c_int]
    except (OSError, AttributeError):
        return None
    return libc


def one_arena() -> None:
    """Let all threads share one heap from now on: each of many heaps keeps what was freed in it."""
    if (libc := _libc()) is not None:
        libc.mallopt(_M_ARENA_MAX, _ARENAS)


def keep_at_hand() -> None:
    """Keep what one frame frees for the next: else each would ask the system for the same pages again."""
    if (libc := _libc()) is not None:
        libc.mallopt(_M_MMAP_THRESHOLD, _AT_HAND_BYTES)
        libc.mallopt(_M_TRIM_THRESHOLD, _AT_HAND_BYTES)


def give_back() -> None:
    """Give freed memory back to the system: 1 to 15 ms on a desktop core, while other threads go on."""
    if (libc := _libc()) is not None:
        libc.malloc_trim(0)


def resident_bytes() -> int:
    """Memory that the process holds now (proc(5), statm); 0 where the system does not tell."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


async def stay_small() -> None:
    """Give memory back whenever the process has grown, until cancelled."""
    least = resident_bytes()
    while True:
        await asyncio.sleep(_LOOK_S)
        now = resident_bytes()
        if now > least + _GROWN_BYTES:
            await asyncio.to_thread(give_back)
            least = resident_bytes()
        else:
            least = min(least, now)
