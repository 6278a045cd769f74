"""What of the journal is still to be sent, and how far it was sent: survives a power cut and a long absence.

The journal is the store; beside it stands only a mark (`….told`, a line of JSON). Losing the mark's newest
value tells some lines twice, with the same key. A journal that does not continue what was told (restored from
a copy, mended after damage) begins a new `boot`: its keys are never those of other lines. So does a table
that has another name now: what it told under the old one stays there, and is not told once more, but for a
game that goes on under the new name; that is told whole. So does one of which a hub knows more than it does.
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
"""Lines of the journal read at once; half of them are hands."""


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
    """Names under which it was told before, as long as the broker may keep something of theirs."""
    renamed: bool = False
    """Nothing was told yet under the name of now; what was told last was told under another one."""
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
        """Keep the mark and close the journal."""
        self.save()
        self._journal.close()

    def batch(self) -> list[JournalLine]:
        """The next lines to tell; the same again until `confirm_batch`.

        Raises:
            JournalError: another file lies there now, to be read by another outbox.
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
                    continue  # they stay at the table, since a power cut may take them from the journal
                lines.append(self._line(game, entry, 0 if after <= self.mark.origin else after))
                after = at
                self._next = msgspec.structs.replace(self.mark, told=at, check=_check(entry))
                if len(lines) == BATCH:
                    return lines
            if len(found) < _READ:
                break
        return lines

    def _begin_under_the_new_name(self) -> None:
        """A game that goes on is told whole under the new name: a hub knows it again, and counts it once."""
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
        """Tell again all that follows `sequence`, because it was lost on the way; whether there is any."""
        mark = self.mark
        ours = boot == mark.boot
        if not mark.known and ours:
            mark = self.mark = self._next = msgspec.structs.replace(mark, known=True)
        newer = boot > mark.boot and not mark.known  # our clock was behind when this boot was named
        ahead = ours and sequence > mark.told and sequence > self._last()  # a copy of the disk was put back
        if newer or ahead:
            self._begin_boot(boot + 1, mark.origin if newer else self._opened_at)
            return True
        if not ours or sequence < mark.origin:
            sequence = mark.origin  # nothing of this boot was kept
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
        log.info("a hub knows more of this table than its journal: what follows is told as of a new one")

    def leave(self, name: str) -> None:
        """The broker keeps nothing of that former name any more, or nobody here can change that."""
        left = tuple(each for each in self.mark.left if each != name)
        self.mark = msgspec.structs.replace(self.mark, left=left)
        self._next = msgspec.structs.replace(self._next, left=left)

    def save(self) -> None:
        """Keep the mark; a few bytes, only where it changed."""
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
            log.warning("%s: how far was told cannot be read (%s); it is told anew", self._path, wrong)
            return None

    def _continued(self, mark: Checkpoint | None) -> Checkpoint:
        """The mark where the journal continues it; otherwise a new boot for what comes from now on."""
        if mark is None:  # what was played before anybody wanted it sent stays at the table
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
    """The event without a NUL, which no database keeps in a text: a hub would ask for that line for ever."""
    told = encode(event)
    if b"\\u0000" not in told:
        return event
    shown = told.replace(b"\\\\", b"\\u005c").replace(b"\\u0000", b"\\ufffd")
    return msgspec.json.decode(shown, type=dict[str, Any])


def nameless(event: dict[str, Any]) -> dict[str, Any]:
    """The event without the names that people gave themselves. A dice box has colours, not names."""
    inner = event.get("event")
    kept = {**event, "event": nameless(inner)} if isinstance(inner, dict) else event
    if kept.get("kind") != "game" or boxed(kept.get("game")):
        return kept
    return {key: value for key, value in kept.items() if key != "players"}


def begin_anew(path: Path, copy: Path, wall: Callable[[], float] = time.time) -> None:
    """Prepare for another journal, with the lines of `copy`, in this one's place: a new boot follows.

    Call it before the exchange: no key then names two lines, whenever the power fails. Where nothing was ever
    sent it does nothing.
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
