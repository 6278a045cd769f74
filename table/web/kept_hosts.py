"""What must survive a restart of the table: the host's browsers, and wrong tries of the PIN.

The file lies beside the journal, readable by its owner only. It has just the SHA-256 of a browser's token,
which opens nothing; as the token is random, nobody can find it from that.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import msgspec

from table.whole_file import replace_whole

log = logging.getLogger(__name__)


TriesCount = Annotated[int, msgspec.Meta(ge=0)]
"""A number of tries."""


class KeptHosts(msgspec.Struct, forbid_unknown_fields=True):
    """The file's contents, as JSON."""

    pin: str = ""
    """The salt of the PIN that was shown: with a new PIN the stored browsers are no longer the host's."""
    browsers: dict[str, float] = {}
    """Until when each browser, named by its token's SHA-256, is the host's (seconds since 1970)."""
    wrong: dict[str, TriesCount] = {}
    """Wrong tries by address; "" has those of all together."""
    at: float = 0.0
    """When the file was written (seconds since 1970)."""


def hosts_place(journal: Path) -> Path:
    """The file beside a journal."""
    return journal.with_suffix(".hosts")


def read_hosts(file: Path) -> KeptHosts:
    """The file's contents; empty if there is no such file, or it cannot be read."""
    if not file.exists():
        return KeptHosts()
    try:
        if not file.is_file():
            raise ValueError("this is not a file")
        return msgspec.json.decode(file.read_bytes(), type=KeptHosts)
    except (OSError, ValueError) as wrong:  # a broken UTF-8 sequence raises no msgspec.DecodeError
        log.warning("%s: cannot be read (%s); phones show the PIN again", file, wrong)
    return KeptHosts()


def keep_hosts(file: Path, kept: KeptHosts) -> str | None:
    """Replace the file; return why the disk refused, if it did: the old file then stays."""
    try:
        replace_whole(file, msgspec.json.encode(kept), 0o600)
    except OSError as wrong:
        return wrong.strerror or str(wrong)
    return None
