"""Replaces files atomically: after a power cut there is the old file or the new one, never half of one.

    replace_whole(path, b"…")
    with replacing(path) as new:    # for code that writes its file itself
        deck.save(new)

A rename alone is not enough: the disk may store the new name before the file's contents.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[Path]:
    """An empty file beside `path`, which replaces it after the block; after an error it is deleted.

    A link stays, and its target is replaced; a device or a pipe (`/dev/null`) is written to as it is.
    `mode`: its permissions; None: those of the file that it replaces, or else the default ones.

    Raises:
        OSError: the file cannot be written; the old file is unchanged.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    path = Path(os.path.realpath(path))  # `Path.resolve` raises no OSError for links in a circle
    new = path.with_name(f".{path.name}.new")
    try:
        _make(new, path, mode)
        yield new
        _sync(new)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # the new file is in place; not every file system can sync a folder
        _sync(path.parent)


def replace_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file by `data`, as `replacing` does.

    Raises:
        OSError: the file cannot be written; the old file is unchanged.
    """
    with replacing(path, mode) as new:
        new.write_bytes(data)


def _make(new: Path, path: Path, mode: int | None) -> None:
    if mode is None:
        with suppress(FileNotFoundError):
            mode = path.stat().st_mode & 0o777
    new.unlink(missing_ok=True)  # a leftover of a power cut may have other permissions
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666 if mode is None else mode)
    try:
        if mode is not None:
            with suppress(PermissionError):  # FAT has no permissions, or the file is another user's
                os.fchmod(file, mode)
    finally:
        os.close(file)


def _sync(place: Path) -> None:
    file = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
