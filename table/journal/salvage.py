"""Reads what is left of a damaged journal: every line with a valid seal, wherever it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from table.journal.entry import seal, seal_crop, sound
from table.journal.file import PAGE
from table.journal.pages import PAGE_SIZES, Value, main_pages, records, wal_page_size, wal_pages

LineKey = tuple[int, int]
"""Game and id of a line."""


class SalvagedLine(NamedTuple):
    """A row of the table `events`."""

    game: int
    id: int
    wall: float
    json: str
    seal: int | None


class Crop(NamedTuple):
    """A row of the table `crops`."""

    game: int
    id: int
    jpeg: bytes
    seal: int | None


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was read: the lines of each game up to its first gap, and how far its lines are known to go."""

    games: dict[int, list[SalvagedLine]] = field(default_factory=dict)
    known_to: dict[int, int] = field(default_factory=dict)
    """The greatest id in each game that left any trace; lines between the kept ones and it are lost."""
    started: dict[int, float] = field(default_factory=dict)
    crops: list[Crop] = field(default_factory=list)
    crops_lost: int = 0
    identity: int | None = None


def salvage(path: Path, identity: int | None = None) -> Salvage:
    """Read the main file and its -wal page by page. `identity`: that of the journal, if a witness knows it.

    Raises:
        OSError: the files cannot be read at all.
    """
    main, wal = _bytes(path), _bytes(Path(f"{path}-wal"))
    # The main file decides first which journal this is: the -wal beside it may be another's.
    read = max((_found(main, wal, size) for size in _sizes(main, wal)), key=lambda found: len(found.lines))
    identity = identity or _identity(read.main_lines) or _identity(read.lines)
    lines = _trusted(read.lines, identity)
    games: dict[int, list[SalvagedLine]] = {}
    known_to: dict[int, int] = {}
    for game, number in sorted(lines):
        known_to[game] = number
        if number == len(games.setdefault(game, [])) + 1:
            games[game].append(lines[game, number])
    for line in read.lines:  # a line with a broken seal is lost, but it was there
        if line.game in known_to and line.seal is not None and line.id - known_to[line.game] == 1:
            known_to[line.game] = line.id
    games = {game: kept for game, kept in games.items() if kept}
    crops = {
        (crop.game, crop.id): crop
        for crop in read.crops
        if crop.seal is None or identity is None or crop.seal == seal_crop(identity, *crop[:3])
    }
    kept_crops = [crop for key, crop in sorted(crops.items()) if key[1] <= len(games.get(key[0], ()))]
    of_ours = {(c.game, c.id) for c in read.crops if (c.game, c.id) in lines}
    return Salvage(games, known_to, read.started, kept_crops, len(of_ours) - len(kept_crops), identity)


@dataclass(slots=True)
class _Found:
    main_lines: list[SalvagedLine] = field(default_factory=list)
    lines: list[SalvagedLine] = field(default_factory=list)
    """Lines of the main file first, then with the -wal applied: the later one wins."""
    crops: list[Crop] = field(default_factory=list)
    started: dict[int, float] = field(default_factory=dict)


def _found(main: bytes, wal: bytes, size: int) -> _Found:
    found = _Found()
    pages = main_pages(main, size)
    newer = wal_pages(wal, size)
    for each in (pages, {**pages, **newer} if newer else {}):
        for rowid, values in records(each):
            _sort_in(found, rowid, values)
        found.main_lines = found.main_lines or list(found.lines)
    return found


def _sort_in(found: _Found, rowid: int | None, values: list[Value]) -> None:
    """Distinguish the tables' rows by the types of their columns."""
    match values:
        case [None, int(game), int(number), float() | int() as wall, str(line), int() | None as kept] if (
            rowid
        ):
            if game > 0 and number > 0:
                found.lines.append(SalvagedLine(game, number, float(wall), line, kept))
        case [int(game), int(number), float() | int() as wall, str(line)] if rowid is None:  # the first form
            if game > 0 and number > 0:
                found.lines.append(SalvagedLine(game, number, float(wall), line, None))
        case [int(game), int(number), bytes(jpeg), *more] if rowid is not None and len(more) < 2:
            found.crops.append(Crop(game, number, jpeg, _whole(more)))
        case [None, float() | int() as started] if rowid is not None and rowid > 0:
            found.started[rowid] = float(started)


def _whole(values: list[Value]) -> int | None:
    return values[0] if values and isinstance(values[0], int) else None


def _trusted(lines: Iterable[SalvagedLine], identity: int | None) -> dict[LineKey, SalvagedLine]:
    """Lines with a valid seal, and lines that never had one but are events."""
    trusted: dict[LineKey, SalvagedLine] = {}
    for line in lines:
        key = (line.game, line.id)
        if line.seal is None:
            held = trusted.get(key)
            if (held is None or held.seal is None) and sound(line.json):
                trusted[key] = line
        elif identity is not None and line.seal == seal(identity, *line[:4]):
            trusted[key] = line
    return trusted


def _identity(lines: Iterable[SalvagedLine]) -> int | None:
    """The identity that most seals agree on: each seal is a checksum XOR the identity."""
    votes = Counter(line.seal ^ seal(0, *line[:4]) for line in lines if line.seal is not None)
    return votes.most_common(1)[0][0] if votes else None


def _sizes(main: bytes, wal: bytes) -> Iterator[int]:
    """Page sizes to try: those that the headers name; all if they name none."""
    named = wal_page_size(wal)
    headed = int.from_bytes(main[16:18]) if main[:15] == b"SQLite format 3" else 0
    sizes = {size for size in (named, 65536 if headed == 1 else headed, PAGE) if size in PAGE_SIZES}
    yield from sorted(sizes if headed in PAGE_SIZES or (named and not main) else {*PAGE_SIZES})


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
