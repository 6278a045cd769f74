"""Where releases are, and which of them runs: folders that never change, and links to them.

    /opt/stammtisch/releases/0.2.0-1f3a9c04/     one release: an environment with everything locked
    /opt/stammtisch/current                      the release that the service starts
    /opt/stammtisch/proven                       the last that ran well; judges `current`; rolled back to
    /opt/stammtisch/next                         the release that waits for a pause

While `current` is not `proven`, `current` is on trial. A link is replaced in one step, so a power cut leaves
the old or the new one. The method is that of Mender and RAUC: install beside, switch, watch, then commit or
roll back.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from table.errors import StammtischError

ReleaseLink = Literal["current", "proven", "next"]

WHOLE = "whole"
"""Name of the file that is written last: a folder without it was not finished."""

FAILED = "failed"
"""Name of the file that says why a release was rolled back."""

KEPT = 3
"""Number of releases that are kept, including those that links name."""


class Shelf:
    """The releases under one folder. `root` is its file system, other than `/` only in tests and images."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        self.base = root / "opt" / "stammtisch"
        self.folder = self.base / "releases"

    def path(self, name: str) -> Path:
        """The folder of a release."""
        return self.folder / name

    def names(self) -> tuple[str, ...]:
        """Names of the complete releases, oldest first."""
        found = [each for each in self.folder.glob("*") if (each / WHOLE).exists()]
        return tuple(each.name for each in sorted(found, key=lambda each: (each / WHOLE).stat().st_mtime_ns))

    def named(self, link: ReleaseLink) -> str | None:
        """The release that a link names; None if there is no link, or the release is gone."""
        try:
            name = os.path.basename(os.readlink(self.base / link))
        except OSError:
            return None
        return name if (self.path(name) / WHOLE).exists() else None

    @property
    def on_trial(self) -> str | None:
        """The release that runs and is not yet proven."""
        current = self.named("current")
        return current if current != self.named("proven") else None

    def look_for(self, name: str) -> None:
        """Raise StammtischError if there is no such release."""
        if not (self.path(name) / WHOLE).exists():
            known = ", ".join(self.names()) or "none"
            raise StammtischError(f"{self.path(name)}: there is no such release; there are: {known}")

    def point(self, link: ReleaseLink, name: str) -> None:
        """Point a link to a release, in one step that a power cut leaves done or undone.

        Raises:
            StammtischError: there is no such release.
        """
        self.look_for(name)
        new = self.base / f".{link}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(Path("releases") / name)
        new.replace(self.base / link)
        sync(self.base)

    def drop(self, link: ReleaseLink) -> None:
        """Remove a link."""
        (self.base / link).unlink(missing_ok=True)
        sync(self.base)

    def failure(self, name: str) -> str | None:
        """Why a release was rolled back; None if it was not."""
        try:
            return (self.path(name) / FAILED).read_text("utf-8").strip()
        except OSError:
            return None

    def fail(self, name: str, why: str) -> None:
        """Record why a release failed, so that it is not tried again automatically."""
        (self.path(name) / FAILED).write_text(f"{why}\n", "utf-8")

    def pardon(self, name: str) -> None:
        """Let a failed release be tried again, at somebody's request."""
        (self.path(name) / FAILED).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Drop unfinished folders and, beyond `KEPT`, the oldest releases that no link names."""
        linked = {self.named("current"), self.named("proven"), self.named("next")}
        whole = self.names()
        spare = [name for name in whole if name not in linked]
        gone = spare[: max(0, len(whole) - KEPT)]
        unfinished = [each.name for each in self.folder.glob("*") if each.name not in whole]
        for name in (*gone, *unfinished):
            shutil.rmtree(self.path(name), ignore_errors=True)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold a lock, so that nobody else changes anything in the meantime.

        Raises:
            StammtischError: another process holds the lock.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.base / ".lock", "w", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StammtischError(
                    f"{self.base}: another installation is running; wait until it is done"
                ) from None
            yield


def sync(folder: Path) -> None:
    """Force a folder's entries to disk."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
