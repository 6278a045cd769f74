"""A file is replaced whole: whenever the plug is pulled, the old file is there or the new one, never a half.

    replace_whole(path, b"…")
    with replacing(path) as new:    # for what writes its file by itself
        deck.save(new)

A rename alone is not enough: a disk may keep the new name before it has the file's contents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[Path]:
    """An empty file beside `path`, which takes its place after the block; after an error it is gone.

    `mode`: its permissions; None: those of the file that it replaces, or else the usual ones.

    Raises:
        OSError: it cannot be written; the old file stands as it stood.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        _make(new, path, mode)
        yield new
        _sync(new)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # the new file stands; not every file system can force a folder to the disk
        _sync(path.parent)


def replace_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Put `data` in a file's place, as `replacing` does.

    Raises:
        OSError: it cannot be written; the old file stands as it stood.
    """
    with replacing(path, mode) as new:
        new.write_bytes(data)


def _make(new: Path, path: Path, mode: int | None) -> None:
    if mode is None:
        with suppress(FileNotFoundError):
            mode = path.stat().st_mode & 0o777
    new.unlink(missing_ok=True)  # left by a power cut: it may have other permissions
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666 if mode is None else mode)
    try:
        if mode is not None:
            with suppress(PermissionError):  # a stick with FAT knows no rights, or they are another user's
                os.fchmod(file, mode)
    finally:
        os.close(file)


def _sync(place: Path) -> None:
    file = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
