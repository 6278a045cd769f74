"""Cache of what was learnt from a folder of pictures, kept beside them so that only the first start learns.

The file is valid for exactly these pictures, this table and this program; if it was written for others, or
is damaged, everything is learnt anew. For a folder without write permission the file is kept in the user's
cache folder; if that cannot be written either, nothing is kept.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

import vision
from vision.layout import Layout

log = logging.getLogger(__name__)

_NAME = ".learnt.npz"
_WRITABLE = 0o222
"""Write permission bits of user, group and others."""

Arrays = dict[str, NDArray[Any]]


def cache_folder() -> Path:
    """Folder for results that cost seconds to compute; for a user without a home nothing can be kept."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        home = Path(os.devnull)  # reading or writing below it raises OSError, as on a full disk
    return home / "stammtisch"


class LearntFile:
    """The cache file of one folder.

    Args:
        folder: the pictures that the cached result was learnt from.
        layout: the table whose millimetres it is measured in, if any.
    """

    def __init__(self, folder: Path, layout: Layout | None) -> None:
        self._folder, self._layout = folder, layout
        # Results in millimetres and in pixels differ, so each has a file of its own.
        self._name = _NAME if layout is not None else f".px{_NAME}"
        self._seal: str | None = None

    def read(self) -> Arrays | None:
        """Return the cached arrays by name; None where there are none that are valid."""
        try:
            with self._place().open("rb") as file, np.load(file, allow_pickle=False) as kept:
                if str(kept["seal"]) != self._sealed():
                    return None
                return {name: kept[name] for name in kept.files if name != "seal"}
        except Exception as wrong:  # a damaged archive raises many kinds of errors: learn anew after each
            log.info("%s: %s", self._folder, wrong)
            return None

    def keep(self, arrays: Mapping[str, Any]) -> None:
        """Write arrays for the next start; failing to write is no error."""
        place = self._place()
        half = place.with_name(f"{place.name}.{os.getpid()}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with half.open("wb") as out:
                np.savez_compressed(out, seal=np.array(self._sealed()), **dict(arrays))
            half.replace(place)
        except OSError as wrong:
            log.info("%s: not kept (%s)", place, wrong)
            with suppress(OSError):
                half.unlink(missing_ok=True)

    def _place(self) -> Path:
        folder = self._folder.absolute()
        # os.access lets the superuser write anywhere, but a read-only folder is meant to stay unchanged.
        if folder.stat().st_mode & _WRITABLE and os.access(folder, os.W_OK):
            return folder / self._name
        return cache_folder() / f"{hashlib.sha256(bytes(folder)).hexdigest()[:16]}{self._name}"

    def _sealed(self) -> str:
        """A hash of everything that the result depends on: pictures, table, program."""
        if self._seal is None:
            seal = hashlib.sha256(f"{_program()} {self._layout!r}".encode())
            for file in sorted(self._folder.iterdir()):
                if file.is_file() and _NAME not in file.name:
                    seal.update(f"\n{file.name} {file.stat().st_size}\n".encode())
                    seal.update(file.read_bytes())
            self._seal = seal.hexdigest()
        return self._seal


@cache
def _program() -> str:
    """A hash of the eye's source and its libraries: another version must learn anew."""
    own = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for source in sorted(Path(str(vision.__file__)).parent.rglob("*.py")):
        own.update(source.read_bytes())
    return own.hexdigest()
