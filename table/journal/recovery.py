"""A damaged journal, or one of an earlier form, is kept aside, and its contents continue in a new file.

The new file is made whole first, under another name. Its renaming to `.rescued` (`.renewed`) is the moment
from which it holds; a power cut before it leaves the old file where it was, one after it is gone on from at
the next start (`finish`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from table.catalogue import Fact, fact
from table.journal.entry import seal, seal_crop
from table.journal.file import (
    SealedLine,
    as_journal_errors,
    connect_read_only,
    create,
    transaction,
    write_line,
)
from table.journal.inspection import inspect
from table.journal.lock import Witness
from table.journal.salvage import Crop, Salvage, SalvagedLine, salvage

_BESIDE = ("", "-wal", "-shm", "-journal")

_RENEWED, _KEPT, _RESTORED = "renewed", "old-form", "restored"
_ASIDE = {"rescued": "damaged", _RENEWED: _KEPT, _RESTORED: "replaced"}
"""Suffix with which a new file waits for its place, and the suffix of the one it replaces from then on."""


class Mended(NamedTuple):
    """What was done to a file before it is written, each in a sentence; None where there was no need."""

    lost: Fact | None = None
    renewed: str | None = None


def mend(path: Path, witness: Witness | None) -> Mended:
    """Make a file fit for writing, whatever happened to it."""
    aside = finish(path)
    findings = inspect(path, witness)
    if findings.faults:
        return Mended(lost=rescue(path, findings.faults[0], witness))
    if findings.empty:
        return Mended(lost=fact("journal.empty", path=str(path)))
    if findings.old_form:
        aside = renew(path)
    renewed = None
    if aside is not None and f".{_KEPT}-" in aside.name:
        renewed = f"{path}: written anew in today's form; the old file is kept as {aside.name}"
    if findings.torn:
        game, number = findings.last
        return Mended(fact("journal.torn", path=str(path), n=number, game=game), renewed)
    return Mended(renewed=renewed)


def rescue(path: Path, fault: Fact, witness: Witness | None) -> Fact:
    """Keep `path` and its companion files aside, make it anew; return what was lost.

    Raises:
        JournalError: there is no room for the new file; then nothing has changed.
    """
    kept = salvage(path, witness.identity if witness else None)
    was_there = any(_holds_anything(Path(f"{path}{end}")) for end in ("", "-wal"))
    _write(path, kept.started, [line for lines in kept.games.values() for line in lines], kept.crops)
    if not was_there:
        path.unlink(missing_ok=True)  # of no bytes: nothing is kept aside
    aside = finish(path)
    if not was_there or aside is None:
        return fact("journal.gone", path=str(path), fault=fault)
    return _loss(kept, witness, {"path": str(path), "fault": fault, "aside": aside.name})


def _holds_anything(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def renew(path: Path) -> Path | None:
    """Write a whole journal of an earlier form anew in today's, keep the old file aside; return its place.

    Raises:
        JournalError: there is no room for the new file; then nothing has changed.
    """
    _write(path, *_whole_lines(path), _RENEWED)
    return finish(path)


def put_in_place(copy: Path, path: Path) -> Path | None:
    """Make `path` anew with the lines of a whole journal, under a new identity; return the old one's place.

    Raises:
        JournalError: there is no room for the new file; then nothing has changed.
    """
    _write(path, *_whole_lines(copy), _RESTORED)
    return finish(path)


def _whole_lines(path: Path) -> tuple[dict[int, float], list[SalvagedLine], list[Crop]]:
    with as_journal_errors(path), closing(connect_read_only(path)) as base:
        started = dict(base.execute("SELECT id, started FROM games"))
        lines = [
            SalvagedLine(*row)
            for row in base.execute("SELECT game, id, wall, json, NULL FROM events ORDER BY game, id")
        ]
        crops = [Crop(*row) for row in base.execute("SELECT game, id, jpeg, NULL FROM crops")]
    return started, lines, crops


def finish(path: Path) -> Path | None:
    """Put a new file in its place, the old one aside; return where. None: there was nothing to do."""
    for end in _BESIDE:
        Path(f"{path}.rescued-part{end}").unlink(missing_ok=True)
    waiting = next((name for name in _ASIDE if Path(f"{path}.{name}").is_file()), None)
    if waiting is None:
        return None
    # By the file's own time: a rescue that was cut short continues under the same name.
    rescued = Path(f"{path}.{waiting}")
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(rescued.stat().st_mtime))
    aside = _free(path, f"{path.name}.{_ASIDE[waiting]}-{stamp}")
    for end in reversed(_BESIDE):  # the main file last: an old -wal must never lie beside the new one
        beside = Path(f"{path}{end}")
        whole_shm = end == "-shm" and waiting != "rescued"
        if end and beside.exists() and (whole_shm or not beside.stat().st_size):
            beside.unlink()  # SQLite makes one to look into the file; it holds nothing
        elif beside.is_file():
            beside.rename(f"{aside}{end}")
    rescued.rename(path)
    sync(path.parent)
    return aside


def _free(path: Path, name: str) -> Path:
    """A free place under this name for `path`, replacing nothing: at a clock change an hour comes twice."""
    moved = [end for end in _BESIDE if Path(f"{path}{end}").exists()]
    place, number = path.with_name(name), 1
    while any(Path(f"{place}{end}").exists() for end in moved):
        number += 1
        place = path.with_name(f"{name}-{number}")
    return place


def _write(
    path: Path,
    started: dict[int, float],
    lines: Iterable[SalvagedLine],
    crops: Iterable[Crop],
    name: str = "rescued",
) -> None:
    """Make a journal with these lines, whole on the disk under the name `.rescued` (`name`)."""
    part = Path(f"{path}.rescued-part")
    for end in _BESIDE:
        Path(f"{part}{end}").unlink(missing_ok=True)
    try:
        with as_journal_errors(path), closing(create(part)) as base:
            (identity,) = base.execute("SELECT identity FROM journal").fetchone()
            with transaction(base):
                for line in lines:
                    game, number, wall, text, _ = line
                    if number == 1:
                        base.execute("INSERT INTO games VALUES (?, ?)", (game, started.get(game, wall)))
                    write_line(base, SealedLine(*line[:4], seal(identity, game, number, wall, text)))
                for crop in crops:
                    base.execute(
                        "INSERT INTO crops VALUES (?, ?, ?, ?)", (*crop[:3], seal_crop(identity, *crop[:3]))
                    )
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except BaseException:
        for end in _BESIDE:
            Path(f"{part}{end}").unlink(missing_ok=True)
        raise
    if path.exists():
        with suppress(PermissionError):  # a stick with FAT knows no rights, or they are another user's
            part.chmod(path.stat().st_mode & 0o777)
    sync(part)
    part.rename(f"{path}.{name}")
    sync(path.parent)


def sync(path: Path) -> None:
    """Force a file or folder onto the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _loss(kept: Salvage, witness: Witness | None, damage: Mapping[str, str | Fact]) -> Fact:
    """What was lost of a file with this damage, given what continues, as far as it can be known."""
    known = dict(kept.known_to)
    if witness is not None and witness.identity == kept.identity:
        for game, number in (*witness.earlier, witness.last):
            known[game] = max(number, known.get(game, 0))
    missing = [
        _lines(game, len(kept.games.get(game, ())), last)
        for game, last in sorted(known.items())
        if last > len(kept.games.get(game, ()))
    ]
    if kept.crops_lost > 0:
        missing.append(
            fact("journal.pictures", n=kept.crops_lost) if kept.crops_lost > 1 else fact("journal.picture")
        )
    if not kept.games:
        return fact("journal.unreadable", **damage)
    newest = max(kept.games)
    last = kept.games[newest][-1]
    at = time.strftime("%Y-%m-%d %H:%M", time.localtime(last.wall))
    if missing:
        return fact("journal.lost", n=last.id, game=newest, at=at, what=missing, **damage)
    if witness is not None and witness.identity == kept.identity:
        return fact("journal.none", n=last.id, game=newest, at=at, **damage)
    return fact("journal.tail", n=last.id, game=newest, at=at, **damage)


def _lines(game: int, kept: int, last: int) -> Fact:
    if not kept:
        return fact("journal.game", game=game)
    if last == kept + 1:
        return fact("journal.event", n=last, game=game)
    return fact("journal.events", first=kept + 1, last=last, game=game)
