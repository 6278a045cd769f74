"""Which journal lines are still to be sent, and how far they were sent: survives power cuts and long absence.

The journal is the store; beside it lies only a mark (`….told`, a line of JSON). If the mark's newest value is
lost, some lines are sent twice, with the same key. A new `boot`, whose keys are never those of other lines,
begins in three cases. First, the journal does not continue what was sent (restored from a copy, mended after
damage). Second, the table was renamed: what it sent under the old name stays there and is not sent again,
except that a game that goes on under the new name is sent completely. Third, a hub knows more of the table
than its journal does.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from table.journal import Entry, JournalError, JournalReader
from table.messages import JournalLine, encode
from table.public import public
from table.rules.events import UNPLAYED
from table.rules.games import boxed
from table.whole_file import replace_whole

log = logging.getLogger(__name__)

BATCH = 100

_READ = 400
"""Journal lines read at once; half of them are hands."""


class Checkpoint(msgspec.Struct, frozen=True):
    """How far was sent: the boot, the place before its first line, the last line sent and its checksum.

    `table` is the name under which it was sent; empty in a mark of an earlier release.
    """

    boot: int
    origin: int
    told: int
    check: int = 0
    table: str = ""
    left: tuple[str, ...] = ()
    """Former names of the table for which the broker may still retain messages."""
    renamed: bool = False
    """Nothing was sent yet under the current name; the last lines were sent under another."""
    known: bool = False
    """A hub has named this boot."""


def place_of(game: int, number: int) -> int:
    """A line's sequence."""
    return (game << 32) + number


def _check(entry: Entry) -> int:
    return crc32(msgspec.json.encode([entry.wall, entry.event.to_dict()], order="sorted"))


class Outbox:
    """Lines of one journal in the order in which they are sent. Belongs to one thread."""

    def __init__(
        self, path: Path, table: str, names: bool = True, wall: Callable[[], float] = time.time
    ) -> None:
        """`names`: whether to send the names that people gave themselves."""
        self._journal = JournalReader.open(path)
        self._path = Path(f"{path}.told")
        self._table, self._names, self._wall = table, names, wall
        self._saved = self._load()
        self.mark = self._continued(self._saved)
        self.save()
        self._next = self.mark
        self._opened_at = self.mark.told

    def close(self) -> None:
        """Save the mark and close the journal."""
        self.save()
        self._journal.close()

    def batch(self) -> list[JournalLine]:
        """The next lines to send; the same again until `confirm_batch`.

        Raises:
            JournalError: the journal's file was replaced; the new one needs a new outbox.
        """
        if not self._journal.in_place:
            raise JournalError(f"{self._journal.path}: the journal's file was replaced; it is read anew")
        if self.mark.renamed:
            self._begin_under_the_new_name()
        lines: list[JournalLine] = []
        at, after = self.mark.told, self.mark.told
        while len(lines) < BATCH:
            found = self._journal.after(at >> 32, at & 0xFFFFFFFF, _READ)
            for game, entry in found:
                at = place_of(game, entry.id)
                if entry.event.kind in UNPLAYED:
                    continue  # never sent, since a power cut may remove them from the journal
                lines.append(self._line(game, entry, 0 if after <= self.mark.origin else after))
                after = at
                self._next = msgspec.structs.replace(self.mark, told=at, check=_check(entry))
                if len(lines) == BATCH:
                    return lines
            if len(found) < _READ:
                break
        return lines

    def _begin_under_the_new_name(self) -> None:
        """Send a game that goes on completely under the new name: a hub recognises it and counts it once."""
        found = self._journal.after(self.mark.told >> 32, self.mark.told & 0xFFFFFFFF, 1)
        if not found:
            return
        goes_on = found[0][0] == self.mark.told >> 32
        start = place_of(found[0][0], 0) if goes_on else self.mark.told
        self.mark = msgspec.structs.replace(self.mark, origin=start, told=start, check=0, renamed=False)

    def confirm_batch(self) -> None:
        """Note that the last batch has arrived."""
        self.mark = self._next

    def back_to(self, boot: int, sequence: int) -> bool:
        """Go back to send again all that follows `sequence`, lost on the way; return whether there is any."""
        mark = self.mark
        ours = boot == mark.boot
        if not mark.known and ours:
            mark = self.mark = self._next = msgspec.structs.replace(mark, known=True)
        newer = boot > mark.boot and not mark.known  # our clock was slow when it named this boot
        ahead = ours and sequence > mark.told and sequence > self._last()  # an older disk image was restored
        if newer or ahead:
            self._begin_boot(boot + 1, mark.origin if newer else self._opened_at)
            return True
        if not ours or sequence < mark.origin:
            sequence = mark.origin  # the hub has nothing of this boot
        if sequence >= mark.told:
            return False
        entry = self._entry(sequence)
        self.mark = msgspec.structs.replace(mark, told=sequence, check=_check(entry) if entry else 0)
        self._next = self.mark
        return True

    def _begin_boot(self, boot: int, start: int) -> None:
        self.mark = msgspec.structs.replace(
            self.mark, boot=boot, origin=start, told=start, check=0, known=False
        )
        self._next = self.mark
        log.info("a hub has more of this table than its journal: what follows is sent as from a new one")

    def leave(self, name: str) -> None:
        """Drop a former name: the broker retains nothing under it, or this table may not clear it."""
        left = tuple(each for each in self.mark.left if each != name)
        self.mark = msgspec.structs.replace(self.mark, left=left)
        self._next = msgspec.structs.replace(self._next, left=left)

    def save(self) -> None:
        """Save the mark if it changed; a few bytes."""
        if self._saved == self.mark:
            return
        _keep(self._path, self.mark)
        self._saved = self.mark

    def _load(self) -> Checkpoint | None:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Checkpoint)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as wrong:
            log.warning("%s: cannot read how far was sent (%s); it is sent again", self._path, wrong)
            return None

    def _continued(self, mark: Checkpoint | None) -> Checkpoint:
        """The mark if the journal continues it; otherwise a new boot for what comes from now on."""
        if mark is None:  # games before the current one, played before sending was set up, stay at the table
            games = self._journal.games()
            start = place_of(games[-1], 0) if games else 0
            return Checkpoint(max(1, int(self._wall())), start, start, table=self._table)
        renamed = mark.table not in ("", self._table)
        entry = self._entry(mark.told)
        goes_on = mark.told == mark.origin or (entry is not None and _check(entry) == mark.check)
        if goes_on and not renamed:
            return msgspec.structs.replace(mark, table=self._table)
        start = min(mark.told, self._last())
        left = dict.fromkeys((*mark.left, mark.table) if renamed else mark.left)
        left.pop(self._table, None)
        anew = Checkpoint(max(mark.boot + 1, int(self._wall())), start, start, table=self._table)
        return msgspec.structs.replace(anew, left=tuple(left), renamed=renamed or mark.renamed)

    def _last(self) -> int:
        """The place of the journal's last line."""
        return max((place_of(game, self._length(game)) for game in self._journal.games()[-1:]), default=0)

    def _length(self, game: int) -> int:
        return max((entry.id for entry in self._journal.events(game)), default=0)

    def _entry(self, place: int) -> Entry | None:
        found = self._journal.after((place - 1) >> 32, (place - 1) & 0xFFFFFFFF, 1) if place else []
        return next((entry for game, entry in found if place_of(game, entry.id) == place), None)

    def _line(self, game: int, entry: Entry, after: int) -> JournalLine:
        event = storable(public(entry.event))
        if not self._names:
            event = nameless(event)
        where = place_of(game, entry.id)
        return JournalLine(self._table, self.mark.boot, where, after, game, entry.id, entry.wall, event)


def storable(event: dict[str, Any]) -> dict[str, Any]:
    """The event without NUL: no database stores one in a text, so a hub would request the line forever."""
    told = encode(event)
    if b"\\u0000" not in told:
        return event
    shown = told.replace(b"\\\\", b"\\u005c").replace(b"\\u0000", b"\\ufffd")
    return msgspec.json.decode(shown, type=dict[str, Any])


def nameless(event: dict[str, Any]) -> dict[str, Any]:
    """The event without the names of people. Players at a dice box are colours and stay."""
    inner = event.get("event")
    kept = {**event, "event": nameless(inner)} if isinstance(inner, dict) else event
    if kept.get("kind") != "game" or boxed(kept.get("game")):
        return kept
    return {key: value for key, value in kept.items() if key != "players"}


def begin_anew(path: Path, copy: Path, wall: Callable[[], float] = time.time) -> None:
    """Begin a new boot, because a journal with the lines of `copy` is about to replace this one.

    Call this before the exchange: then no key names two lines, whenever the power fails. If nothing was ever
    sent, it does nothing.
    """
    place = Path(f"{path}.told")
    try:
        mark = msgspec.json.decode(place.read_bytes(), type=Checkpoint)
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError):
        mark = Checkpoint(0, 0, 0)
    with JournalReader.open(copy) as journal:
        last = max(
            (place_of(game, entry.id) for game in journal.games()[-1:] for entry in journal.events(game)),
            default=0,
        )
    boot = max(mark.boot + 1, int(wall()))
    _keep(place, msgspec.structs.replace(mark, boot=boot, origin=last, told=last, check=0, known=False))


def _keep(place: Path, mark: Checkpoint) -> None:
    replace_whole(place, msgspec.json.encode(mark))
