"""Finds a running table and asks it for its verdicts."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.catalogue import foreign
from table.checkup import CheckupLine
from table.errors import StammtischError
from table.journal.lock import writer

if TYPE_CHECKING:
    from vision.sightings import Picture

PATIENCE_S = 20.0
"""How long a table may take to answer: it may be busy with a frame and a long journal."""

STRANGER_S = 2.0
"""The same if no table writes this journal: whatever has the port is hardly a table."""


@dataclass(frozen=True, slots=True)
class RunningTable:
    """The running table's verdicts, and its camera's picture (h, w, 3), BGR uint8."""

    verdicts: tuple[CheckupLine, ...]
    picture: Picture | None = None


def beside(journal: Path, listen: str, port: int) -> RunningTable | None:
    """Ask the table that writes this journal; None if there is none.

    Raises:
        StammtischError: it does not answer at this port, or another table has the port.
    """
    process = writer(journal)
    host = "127.0.0.1" if listen in ("0.0.0.0", "::", "localhost") else listen
    patience_s = STRANGER_S if process is None else PATIENCE_S
    said = _get(host, port, "/api/doctor?lang=en", patience_s) if port else None
    other = _json(said)
    if process is None:
        if other is None or "process" not in other:
            return None  # not a table's port: binding it will report that
        raise StammtischError(
            f"port {port} belongs to another table (process {other['process']}) with another journal; "
            "give that --journal, or choose another --port"
        )
    if other is None or other.get("process") != process:
        raise StammtischError(
            f"a table is running (process {process}) and does not answer at port {port}; "
            "give the --port that it was started with"
        )
    found = [
        CheckupLine(
            str(each["part"]),
            each["well"],
            foreign(str(each["said"])),
            foreign(str(each["remedy"])) if each["remedy"] else None,
        )
        for each in other["checks"]
    ]
    found.append(
        CheckupLine("page", True, foreign(f"the running table (process {process}) shows it at port {port}"))
    )
    return RunningTable(tuple(found), _picture(_get(host, port, "/camera.jpg")))


def _get(host: str, port: int, path: str, patience_s: float = PATIENCE_S) -> bytes | None:
    line = http.client.HTTPConnection(host, port, timeout=patience_s)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        data = answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        line.close()
    return data if answer.status == 200 else None


def _json(data: bytes | None) -> dict[str, Any] | None:
    try:
        found = json.loads(data or b"null")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _picture(data: bytes | None) -> Picture | None:
    if not data:
        return None
    import cv2
    import numpy as np

    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return None if read is None else np.asarray(read, np.uint8)
