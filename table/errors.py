"""Errors that end a command: one sentence that says what, where and what to do."""

from __future__ import annotations

import errno
import shlex
import sys

from table.catalogue import Fact, fact, foreign

_REASONS = {
    errno.ENOENT: fact("system.absent"),
    errno.EACCES: fact("system.rights"),
    errno.EPERM: fact("system.rights"),
    errno.ENOSPC: fact("system.full"),
    errno.EDQUOT: fact("system.quota"),
    errno.EROFS: fact("system.read-only"),
    errno.EIO: fact("system.broken"),
    errno.EISDIR: fact("system.folder"),
    errno.ENOTDIR: fact("system.no-folder"),
    errno.ELOOP: fact("system.loop"),
    errno.ENAMETOOLONG: fact("system.long"),
    errno.EMFILE: fact("system.handles"),
    errno.ENFILE: fact("system.handles"),
}


def system_reason(wrong: OSError) -> Fact:
    """Why the system refused, in the table's words; where it has none, in the system's own, quoted."""
    return _REASONS.get(wrong.errno or 0) or fact("system.said", text=wrong.strerror or str(wrong))


def installing(*packages: str) -> str:
    """The command that installs these packages for this very Python, whichever `pip` is on the path."""
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])


def not_text(wrong: OSError | UnicodeDecodeError, remedy: str = "fix it") -> str:
    """Why a file cannot be read as text and what to do about it, in plain words."""
    if isinstance(wrong, IsADirectoryError):
        return "is a folder; give a file"
    if isinstance(wrong, UnicodeDecodeError):
        return f"cannot be read as text: byte {wrong.start + 1} is not UTF-8; {remedy}"
    return f"cannot be read as text: {(wrong.strerror or str(wrong)).lower()}; {remedy}"


class StammtischError(Exception):
    """The work failed; `fact` is for the user, `str()` gives its English sentence. Exit status 1."""

    def __init__(self, said: str | Fact = "") -> None:
        super().__init__(said)
        self.fact = said if isinstance(said, Fact) else foreign(said)


class UsageError(StammtischError):
    """The command was used wrongly. Exit status 2."""
