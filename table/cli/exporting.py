"""Evenings for other programs: JSON with every line and the result, or CSV with the points of every round."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from table.catalogue import Language, text
from table.errors import StammtischError, UsageError
from table.fold import Fold
from table.journal import Journal
from table.public import public
from table.rules.referee import Referee
from table.spreadsheet import spreadsheet_safe

_HEAD = ("game", "began", "kind", "round", "seat", "name", "points", "total", "state")
"""Column heads of the CSV, as keys of the catalogue (`export.…`)."""


def export(journal: Path, file: Path, language: Language) -> str:
    """Write every evening of a journal; return in one sentence what was written.

    Raises:
        StammtischError: the journal cannot be read, or the file cannot be written.
        UsageError: the file's name says neither .json nor .csv.
    """
    if file.suffix.lower() not in (".json", ".csv"):
        raise UsageError(f"{file}: say what you want by its name: NAME.json or NAME.csv")
    evenings = list(_evenings(journal))
    if file.suffix.lower() == ".json":
        text = json.dumps({"evenings": evenings}, ensure_ascii=False, indent=1) + "\n"
    else:
        text = _csv(evenings, language)
    try:
        file.write_text(text, encoding="utf-8-sig" if file.suffix.lower() == ".csv" else "utf-8")
    except OSError as wrong:
        raise StammtischError(f"{file}: cannot be written ({wrong.strerror}); choose another place") from None
    return f"{file}: {len(evenings)} games"


def _evenings(place: Path) -> Iterator[dict[str, Any]]:
    with Journal.read_only(place) as journal:
        for game in journal.counted():
            entries = list(journal.events(game))
            if not entries:
                continue
            fold = Fold(Referee)
            fold.begin(entries)
            view = fold.referee.view()
            yield {
                "number": game,
                "began": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(entries[0].wall)),
                "players": dict(zip(view.seats, view.players, strict=True)),
                "result": fold.referee.result(),
                "events": [{**public(entry.event), "id": entry.id, "wall": entry.wall} for entry in entries],
            }


def _csv(evenings: list[dict[str, Any]], language: Language) -> str:
    written = io.StringIO()
    writer = csv.writer(written, delimiter="," if language == "en" else ";", lineterminator="\r\n")
    writer.writerow([text(f"export.{name}", language) for name in _HEAD])
    for evening in evenings:
        result, total = evening["result"], dict.fromkeys(evening["players"], 0)
        for entry in result["rounds"]:
            for seat, points in entry["points"].items():
                total[seat] = total.get(seat, 0) + points
                name = spreadsheet_safe(str(evening["players"].get(seat, seat)))
                about = (evening["number"], evening["began"], result["game"], entry["round"])
                writer.writerow((*about, seat, name, points, total[seat], _state(entry, language)))
    return written.getvalue()


def _state(entry: Mapping[str, Any], language: Language) -> str:
    """How far a round got: the points of one that still goes on, or was broken off, are no result."""
    if entry["complete"]:
        return text("export.complete", language)
    return text("export.broken", language) if entry.get("broken_off") else text("export.open", language)
