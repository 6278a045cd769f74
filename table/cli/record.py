"""`stammtisch record SOURCE --out FOLDER`: record an evening and its events, to send or to watch again."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shlex
import shutil
from pathlib import Path

import cv2

from table.cli import watch
from table.cli.outside import ended_by_the_system
from table.cli.progress import ProgressLine
from table.cli.watch_log import Log
from table.errors import StammtischError, UsageError
from table.interpret import Interpreter
from table.rules import View
from table.rules.events import Event
from table.settings import read_table
from vision.cameras import open_camera
from vision.cameras.recording import Recorder
from vision.layout import Layout
from vision.sightings import Sighting

EVENTS, CROPS, NOTE = "events.jsonl", "crops", "recording.json"
_KEPT = ("table", "deck", "dice", "game")
_PICTURED = ("card", "unsure", "die", "throw")


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("source", metavar="SOURCE", help="usb:0, pi:0, a film or a folder of pictures")
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, required=True, help="a new folder for all of it"
    )
    parser.add_argument("--table", metavar="FILE", help="the table file of the mat or box")
    parser.add_argument("--deck", metavar="DIR", help="one picture per card, or a deck saved by enrol")
    parser.add_argument("--partial", action="store_true", help=watch.PARTIAL)
    parser.add_argument("--dice", metavar="DIR", help="one picture per die and face, and empty.jpg")
    parser.add_argument("--game", metavar="FILE", help="game, round and say lines; the rules keep the score")
    parser.add_argument(
        "--minutes",
        metavar="N",
        type=float,
        default=30.0,
        help="stop after N minutes, at most 1440 (default: 30, about 3 GB)",
    )
    parser.add_argument("--json", action="store_true", help="print events as JSON Lines")


def run(options: argparse.Namespace) -> int:
    """Record until the source or the time ends, Ctrl-C or SIGTERM. Raises StammtischError, VisionError."""
    out: Path = options.out
    if not 0 < options.minutes <= 24 * 60:
        raise UsageError(f"--minutes {options.minutes:g}: give more than 0 and up to 1440, a day")
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: is a file; give a new folder")
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out}: is not empty; give a new folder, a recording is never mixed with another")
    layout = read_table(options.table).layout if options.table else watch.NO_TABLE
    game = watch.game_lines(options.game) if options.game else []
    deck = watch.deck_of(options, layout)
    eye = watch.open_eye(options, layout, deck)
    film = Path(options.source) if Path(options.source).is_file() else None
    with contextlib.ExitStack() as stack:
        stack.enter_context(ended_by_the_system())
        camera = stack.enter_context(contextlib.closing(open_camera(options.source)))
        recorder = stack.enter_context(contextlib.closing(Recorder(camera, out, options.minutes * 60, film)))
        kept = _keep(options, out)
        events = stack.enter_context(open(out / EVENTS, "w", encoding="utf-8"))
        progress = stack.enter_context(ProgressLine("record", options.minutes * 60))
        log = Log(game, bool(options.json), events, bool(options.game), progress.told)
        again = shlex.join(["stammtisch", "watch", ".", *kept, "--json"])
        try:
            witness = PictureWitness(layout, out / CROPS)
            watch.FilmWatch(recorder, eye, witness, log, watch.Cost(), progress).follow()
            log.end()
        except KeyboardInterrupt:
            log.end()
        finally:
            note = {"source": options.source, "frames": recorder.frames, "seconds": round(recorder.last_t, 3)}
            (out / NOTE).write_text(json.dumps({**note, "watch": again}, indent=2) + "\n", encoding="utf-8")
    if not options.json:
        ended = f"the {options.minutes:g} minutes are up: " if recorder.full else ""
        print(f"{ended}{recorder.frames} frames, {recorder.last_t:.1f} s in {out}; send the whole folder")
        print(f"to see it again: cd {shlex.quote(str(out))} && {again}")
    return 0


class PictureWitness(Interpreter):
    """An interpreter that also keeps a picture for every decision, named after it."""

    def __init__(self, layout: Layout, folder: Path) -> None:
        super().__init__(layout)
        self._folder = folder
        folder.mkdir()

    def hear(self, sighting: Sighting, view: View) -> list[Event]:
        """As `Interpreter.hear`. Raises StammtischError when a picture cannot be written."""
        events = list(super().hear(sighting, view))
        crop = getattr(sighting, "crop", None)
        for event in events:
            if crop is None or event.kind not in _PICTURED:
                continue
            said = event.get("card") or event.get("value") or ""
            words = (f"{float(event.get('t', 0)):09.3f}", event.kind, event.get("seat", ""), said)
            name = re.sub(r"[^\w.-]+", "_", "-".join(str(word) for word in words if word != ""))
            if not cv2.imwrite(str(self._folder / f"{name}.jpg"), crop):
                raise StammtischError(f"{self._folder}: a picture cannot be written; is the disk full?")
        return events


def _keep(options: argparse.Namespace, out: Path) -> list[str]:
    """Copy table, deck, dice and game beside the frames; return the options that name the copies."""
    words: list[str] = []
    for name in _KEPT:
        given = getattr(options, name)
        if not given:
            continue
        source = Path(given)
        goal = out / (name if source.is_dir() else f"{name}{source.suffix}")
        try:
            if source.is_dir():
                shutil.copytree(source, goal)
            else:
                shutil.copyfile(source, goal)
        except (OSError, shutil.Error) as wrong:
            raise StammtischError(f"{source}: cannot be copied into {out} ({wrong})") from None
        words += [f"--{name}", goal.name]
    return [*words, "--partial"] if options.partial else words
