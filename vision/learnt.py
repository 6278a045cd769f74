"""What was learnt from a folder of pictures, kept beside them, so that only the first start learns it.

The file belongs to exactly these pictures, this table and this program: if it was written for others, or
is damaged, all is learnt anew. A folder without write permission is left alone; its file then lies in the
cache of the user who starts the program, and where that cannot be written either, nothing is kept.
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
"""Mode bits, of which at least one is set where anybody may write."""

Arrays = dict[str, NDArray[Any]]


def cache_folder() -> Path:
    """Where results that cost seconds to compute are kept; nothing can be kept for a user without a home."""
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        home = Path(os.devnull)  # reading or writing there raises OSError, as on a full disk
    return home / "stammtisch"


class LearntFile:
    """The file of one folder.

    Args:
        folder: holds the pictures that all belong to what is learnt.
        layout: the table in whose millimetres they are measured, if any.
    """

    def __init__(self, folder: Path, layout: Layout | None) -> None:
        self._folder, self._layout = folder, layout
        # What is measured on a table and what is looked at in pixels differ; neither replaces the other.
        self._name = _NAME if layout is not None else f".px{_NAME}"
        self._seal: str | None = None

    def read(self) -> Arrays | None:
        """Return what was kept, by name; None where nothing fits."""
        try:
            with self._place().open("rb") as file, np.load(file, allow_pickle=False) as kept:
                if str(kept["seal"]) != self._sealed():
                    return None
                return {name: kept[name] for name in kept.files if name != "seal"}
        except Exception as wrong:  # a damaged archive fails in many ways: each means to learn anew
            log.info("%s: %s", self._folder, wrong)
            return None

    def keep(self, arrays: Mapping[str, Any]) -> None:
        """Write these for the next start; failing to write is no error."""
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
        # The superuser may write anywhere: what is marked read-only is meant to stay as it is.
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
    """A hash of the eye's own source and its libraries: another program learns for itself."""
    own = hashlib.sha256(f"{np.__version__} {cv2.__version__}".encode())
    for source in sorted(Path(str(vision.__file__)).parent.rglob("*.py")):
        own.update(source.read_bytes())
    return own.hexdigest()
