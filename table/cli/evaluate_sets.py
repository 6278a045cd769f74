"""Runs `look` and `watch` over labelled sets and compares their output with the labels.

This measures what a user gets: the commands' own JSON, including doubts and corrections.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.cli import look, watch
from vision.errors import VisionError
from vision.evaluate.film import tally_film
from vision.evaluate.labels import LabelledStill, middle_of, read_stills
from vision.evaluate.tally import Prediction, Tally, tally_still

SetReport = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Portion:
    """How much of a set is evaluated: its first pictures, the first seconds of a film; None for all."""

    pictures: int | None = None
    seconds: float | None = None


WHOLE = Portion()


def evaluate_set(folder: Path, part: Portion = WHOLE) -> SetReport:
    """Count right, wrong, unsure, missed and invented by kind of thing, with confusion and CPU seconds.

    `printed` is a hash of everything that the eye reported, including times and places.
    Raises StammtischError, VisionError.
    """
    if folder.is_file():
        raise VisionError(f"{folder}: this is a file; give the folder of its labels")
    if not folder.is_dir():
        raise VisionError(f"{folder}: there is no such folder; give one with labelled pictures or a film")
    if (folder / "truth.jsonl").exists():
        return _film(folder, part.seconds)
    return _stills(folder, read_stills(folder)[: part.pictures])


def _stills(folder: Path, stills: list[LabelledStill]) -> SetReport:
    groups = defaultdict(list)  # one call of `look` for all pictures that share table, deck and dice
    for still in stills:
        groups[still.table, still.deck, still.dice].append(still)
    started, seen = time.process_time(), {}
    for (table, deck, dice), together in groups.items():
        words = ["--json", "--partial"]
        for option, place in (("--table", table), ("--deck", deck), ("--dice", dice)):
            words += [] if place is None else [option, str(place)]
        for told in _printed(look, [*(str(still.image) for still in together), *words]):
            seen[told["image"]] = told
    seconds = time.process_time() - started
    tallies: dict[str, Tally] = defaultdict(Tally)
    for still in stills:
        tally_still(tallies, still.labels, _answers(seen[str(still.image)]))
    told = _told(folder, "stills", len(stills), seconds, tallies)
    return told | {"printed": _hash(_nameless(seen.values()))}


def _nameless(told: Iterable[SetReport]) -> list[SetReport]:
    """The same without the pictures' folders, which differ from machine to machine."""
    return [{**one, "image": Path(one["image"]).name} for one in told]


def _answers(told: SetReport) -> list[Prediction]:
    answers = []
    for card in told["cards"]:
        name, corners = card["card"], card["corners"]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        names = {"card": name, "rank": name and name[-1]}
        answers.append(Prediction("card", names, middle_of(corners), (min(xs), min(ys), max(xs), max(ys))))
    for die in told["dice"]:
        face, colour = die.get("face"), die.get("colour")
        known = None if face is None or colour is None else f"{colour}-{face}"
        answers.append(Prediction("die", {"die": known, "face": face}, tuple(die["center"])))
    return answers


def _film(folder: Path, seconds: float | None) -> SetReport:
    film = next((path for path in sorted(folder.glob("clip.*"))), None)
    if film is None:
        raise VisionError(f"{folder}: no film; name it clip.mp4 (or .mkv, .avi)")
    words = [str(film), "--json", "--stats"]
    for option, name in (
        ("--table", "table.toml"),
        ("--deck", "deck"),
        ("--dice", "enrol"),
        ("--game", "game.jsonl"),
    ):
        words += [option, str(folder / name)] if (folder / name).exists() else []
    rows = _printed(watch, words, until_s=seconds)
    stats = next(row for row in rows if "seconds_busy" in row)
    truth = [
        json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8-sig").splitlines() if line
    ]
    events = [row for row in rows if "kind" in row]
    tally = tally_film(truth, _corrected(events), seconds)
    told = _told(folder, "film", stats["frames"], stats["seconds_busy"], tally.kinds)
    return told | {"late_s": tally.late(), "printed": _hash(events)}


def _corrected(events: Iterable[SetReport]) -> list[SetReport]:
    """The events with their corrections applied; a corrected event keeps its place and time."""
    kept: dict[Any, SetReport] = {}
    for number, event in enumerate(events, 1):
        if event["kind"] != "correction":
            kept[event.get("id", number)] = event
        elif event.get("event") is None:
            kept.pop(event["of"], None)
        elif event["of"] in kept:
            kept[event["of"]] = {"t": kept[event["of"]].get("t"), **event["event"]}
    return list(kept.values())


def _printed(command: Any, words: list[str], **more: Any) -> list[SetReport]:
    """What a command prints as JSON Lines. Raises StammtischError, VisionError."""
    parser = argparse.ArgumentParser()
    command.register(parser)
    parser.set_defaults(**more)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        command.run(parser.parse_args(words))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def _hash(printed: list[SetReport]) -> str:
    return hashlib.sha256(repr(printed).encode()).hexdigest()[:12]


def _told(folder: Path, kind: str, count: int, seconds: float, tallies: dict[str, Tally]) -> SetReport:
    return {
        "set": folder.resolve().name,
        "kind": kind,
        "count": count,
        "seconds": round(seconds, 2),
        "ms_each": round(1000 * seconds / max(1, count), 1),
        "things": {thing: tallies[thing].to_dict() for thing in sorted(tallies)},
    }
