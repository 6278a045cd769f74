"""Export of evenings: JSON with every line and the result, or CSV with the points of every round."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from table.catalogue import Fact, Language, text
from table.errors import StammtischError, UsageError
from table.fold import Fold
from table.journal import Entry, JournalReader
from table.public import public
from table.rules.events import EventError
from table.rules.referee import Referee
from table.spreadsheet import spreadsheet_safe
from table.web.kept_games import GameTold
from table.whole_file import replace_whole

_HEAD = ("game", "began", "kind", "round", "seat", "name", "points", "total", "state")
"""Column heads of the CSV, as keys of the catalogue (`export.…`)."""

_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair: UTF-8 cannot encode it."""


def export(journal: Path, file: Path, language: Language) -> str:
    """Write every evening of a journal; return a sentence on what was written.

    Raises:
        StammtischError: the journal cannot be read, or the file cannot be written.
        UsageError: the file's name ends in neither .json nor .csv.
    """
    if file.suffix.lower() not in (".json", ".csv"):
        raise UsageError(f"{file}: choose the form by its name: NAME.json or NAME.csv")
    evenings = list(_evenings(journal))
    if file.suffix.lower() == ".json":
        written = json.dumps({"evenings": [*map(_plain, evenings)]}, ensure_ascii=False, indent=1) + "\n"
    else:
        written = "\ufeff" + _csv(evenings, language)  # spreadsheets recognise UTF-8 by this byte order mark
    whole = _HALF.sub("\ufffd", written).encode()
    try:
        replace_whole(Path(os.path.realpath(file)), whole)
    except OSError as wrong:
        raise StammtischError(f"{file}: cannot be written ({wrong.strerror}); choose another place") from None
    strange = [
        f"; game {told.game} cannot be exported ({why})" for told in evenings if (why := _refused(told))
    ]
    return f"{file}: {len(evenings)} games{''.join(strange)}"


def _evenings(place: Path) -> Iterator[GameTold]:
    with JournalReader.open(place) as journal:
        for game in journal.counted():
            entries = list(journal.events(game))
            if not entries:
                continue
            fold = Fold(Referee)
            fold.begin(entries if _why(entries) is None else [])
            yield GameTold(game, entries, fold.referee.view(), fold.referee.result())


def _why(entries: Sequence[Entry]) -> Fact | None:
    """Why today's rules refuse the opening of a game; None: they accept it."""
    try:
        Referee().add(entries[0].told().numbered(1))
    except EventError as wrong:
        return wrong.fact
    return None


def _refused(told: GameTold) -> Fact | None:
    return None if told.view.game else _why(told.entries)


def _began(told: GameTold) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(told.entries[0].wall))


def _plain(told: GameTold) -> dict[str, Any]:
    return {
        "number": told.game,
        "began": _began(told),
        "players": told.players,
        "result": told.result,
        "events": [{**public(entry.event), "id": entry.id, "wall": entry.wall} for entry in told.entries],
    }


def _csv(evenings: Sequence[GameTold], language: Language) -> str:
    written = io.StringIO()
    writer = csv.writer(written, delimiter="," if language == "en" else ";", lineterminator="\r\n")
    writer.writerow([text(f"export.{name}", language) for name in _HEAD])
    for told in evenings:
        called, total = told.called(language), dict.fromkeys(told.players, 0)
        for entry in told.result["rounds"]:
            for seat, points in entry["points"].items():
                total[seat] = total.get(seat, 0) + points
                name = spreadsheet_safe(called.get(seat, seat))
                about = (told.game, _began(told), told.result["game"], entry["round"])
                writer.writerow((*about, seat, name, points, total[seat], _state(entry, language)))
    return written.getvalue()


def _state(entry: Mapping[str, Any], language: Language) -> str:
    """The state of a round: points of one that still goes on, or was broken off, are not a result."""
    if entry["complete"]:
        return text("export.complete", language)
    return text("export.broken", language) if entry.get("broken_off") else text("export.open", language)
