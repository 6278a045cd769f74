"""Returns unneeded memory to the system: the table shares a small computer with a browser.

The C library keeps freed memory for reuse, separately for each thread. Learning a deck and searching for a
card need many times what is held afterwards, and the table would keep all of that all evening.
"""

from __future__ import annotations

import asyncio
import ctypes
import mmap
import sys
from functools import cache
from pathlib import Path

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Parameters of mallopt(3), from malloc.h."""
_ARENAS = 1
"""With one arena, memory freed by one thread serves the others."""
_AT_HAND_BYTES = 16 << 20
"""Freed bytes that are kept: more than two pictures of 1920 x 1080."""
_LOOK_S = 1.0
"""Time between two checks of the process's memory."""
_GROWN_BYTES = 4 << 20
"""Growth after which freed memory is returned again: while cards are sought, some 45 MB are freed and not
returned (dev-dubbe4); a quiet table frees nothing."""
_STATM = Path("/proc/self/statm")


@cache
def _libc() -> ctypes.CDLL | None:
    """glibc; None on other systems and with other C libraries, which allocate differently."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None)
        libc.malloc_trim.argtypes, libc.mallopt.argtypes = [ctypes.c_size_t], [ctypes.c_int, ctypes.c_int]
    except (OSError, AttributeError):
        return None
    return libc


def one_arena() -> None:
    """Let all threads share one heap from now on: with several, each keeps the memory freed in it."""
    if (libc := _libc()) is not None:
        libc.mallopt(_M_ARENA_MAX, _ARENAS)


def keep_at_hand() -> None:
    """Keep the memory that one frame frees for the next, so that not each requests the same pages again."""
    if (libc := _libc()) is not None:
        libc.mallopt(_M_MMAP_THRESHOLD, _AT_HAND_BYTES)
        libc.mallopt(_M_TRIM_THRESHOLD, _AT_HAND_BYTES)


def give_back() -> None:
    """Return freed memory to the system: takes 1 to 15 ms on a desktop core, while other threads go on."""
    if (libc := _libc()) is not None:
        libc.malloc_trim(0)


def resident_bytes() -> int:
    """Resident memory of the process (proc(5), statm); 0 where the system does not report it."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


async def stay_small() -> None:
    """Return freed memory whenever the process has grown, until cancelled."""
    least = resident_bytes()
    while True:
        await asyncio.sleep(_LOOK_S)
        now = resident_bytes()
        if now > least + _GROWN_BYTES:
            await asyncio.to_thread(give_back)
            least = resident_bytes()
        else:
            least = min(least, now)
