"""Keeps a damaged journal, or one of an earlier form, aside and continues its contents in a new file.

The new file is first completed under another name. From its renaming to `.rescued` (`.renewed`) on it counts:
a power cut before that leaves the old file in place; after one later, the next start completes the work
(`finish`).
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
"""Suffix with which a new file waits for its place → suffix that the file it replaces gets."""


class Mended(NamedTuple):
    """What was done to make a file fit for writing, each in a sentence; None where nothing was needed."""

    lost: Fact | None = None
    renewed: str | None = None


def mend(path: Path, witness: Witness | None) -> Mended:
    """Make a journal fit for writing, whatever happened to it."""
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
        renewed = f"{path}: rewritten in the current format; the old file is kept as {aside.name}"
    if findings.torn:
        game, number = findings.last
        return Mended(fact("journal.torn", path=str(path), n=number, game=game), renewed)
    return Mended(renewed=renewed)


def rescue(path: Path, fault: Fact, witness: Witness | None) -> Fact:
    """Keep `path` and its companion files aside and write the journal anew; return what was lost.

    Raises:
        JournalError: there is no room for the new file; nothing has changed.
    """
    kept = salvage(path, witness.identity if witness else None)
    was_there = any(_holds_anything(Path(f"{path}{end}")) for end in ("", "-wal"))
    _write(path, kept.started, [line for lines in kept.games.values() for line in lines], kept.crops)
    if not was_there:
        path.unlink(missing_ok=True)  # an empty file is not worth keeping aside
    aside = finish(path)
    if not was_there or aside is None:
        return fact("journal.gone", path=str(path), fault=fault)
    return _loss(kept, witness, {"path": str(path), "fault": fault, "aside": aside.name})


def _holds_anything(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0


def renew(path: Path) -> Path | None:
    """Rewrite an intact journal of an earlier form in the current one; return where the old file is kept.

    Raises:
        JournalError: there is no room for the new file; nothing has changed.
    """
    _write(path, *_whole_lines(path), _RENEWED)
    return finish(path)


def put_in_place(copy: Path, path: Path) -> Path | None:
    """Rewrite `path` with the lines of an intact journal and a new identity; return where the old file is.

    Raises:
        JournalError: there is no room for the new file; nothing has changed.
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
    """Put a waiting new file in place and the old one aside; return where. None: there was no new file."""
    for end in _BESIDE:
        Path(f"{path}.rescued-part{end}").unlink(missing_ok=True)
    waiting = next((name for name in _ASIDE if Path(f"{path}.{name}").is_file()), None)
    if waiting is None:
        return None
    # Named by the new file's own time, so that an interrupted rescue continues under the same name.
    rescued = Path(f"{path}.{waiting}")
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(rescued.stat().st_mtime))
    aside = _free(path, f"{path.name}.{_ASIDE[waiting]}-{stamp}")
    for end in reversed(_BESIDE):  # the main file last: an old -wal must never lie beside the new one
        beside = Path(f"{path}{end}")
        whole_shm = end == "-shm" and waiting != "rescued"
        if end and beside.exists() and (whole_shm or not beside.stat().st_size):
            beside.unlink()  # SQLite makes such a file even to read; it holds no data
        elif beside.is_file():
            beside.rename(f"{aside}{end}")
    rescued.rename(path)
    sync(path.parent)
    return aside


def _free(path: Path, name: str) -> Path:
    """A free path with this name, numbered if it is taken: at a clock change an hour comes twice."""
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
    """Write a journal with these lines, complete and synced, under the suffix `name`."""
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
        with suppress(PermissionError):  # FAT has no permissions, or the file is another user's
            part.chmod(path.stat().st_mode & 0o777)
    sync(part)
    part.rename(f"{path}.{name}")
    sync(path.parent)


def sync(path: Path) -> None:
    """Force a file or folder to disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _loss(kept: Salvage, witness: Witness | None, damage: Mapping[str, str | Fact]) -> Fact:
    """What a file with this damage lost, given the salvaged part, as far as it can be known."""
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
