"""What a start of the table must not forget: the host's browsers, and wrong tries of the PIN.

It stands beside the journal, readable by its owner only. Of a browser's token only the SHA-256 is kept, which
opens nothing; the token is random, so that nobody finds it from that.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import msgspec

from table.whole_file import replace_whole

log = logging.getLogger(__name__)


TriesCount = Annotated[int, msgspec.Meta(ge=0)]
"""How often."""


class KeptHosts(msgspec.Struct, forbid_unknown_fields=True):
    """The file's contents, as JSON."""

    pin: str = ""
    """The salt of the PIN that was shown: another PIN admits nobody who knew this one."""
    browsers: dict[str, float] = {}
    """Until when each browser, named by its token's SHA-256, is the host's (seconds since 1970)."""
    wrong: dict[str, TriesCount] = {}
    """Wrong tries of each address, and under "" of all together."""
    at: float = 0.0
    """When this was written (seconds since 1970)."""


def hosts_place(journal: Path) -> Path:
    """The file beside a journal."""
    return journal.with_suffix(".hosts")


def read_hosts(file: Path) -> KeptHosts:
    """What is kept; nothing where there is no such file, or none that can be read."""
    if not file.exists():
        return KeptHosts()
    try:
        if not file.is_file():
            raise ValueError("this is no file")
        return msgspec.json.decode(file.read_bytes(), type=KeptHosts)
    except (OSError, ValueError) as wrong:  # a damaged letter is no DecodeError
        log.warning("%s: cannot be read (%s); phones show the PIN again", file, wrong)
    return KeptHosts()


def keep_hosts(file: Path, kept: KeptHosts) -> str | None:
    """Replace the file; why it could not be, where the disk refuses: what it said before stays."""
    try:
        replace_whole(file, msgspec.json.encode(kept), 0o600)
    except OSError as wrong:
        return wrong.strerror or str(wrong)
    return None
