"""`stammtisch watch SOURCE`: recognise what happens in a film, a folder of pictures or a camera."""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TextIO

from table.cli.opening import check_deck, expect_missing
from table.cli.progress import ProgressLine
from table.cli.trace import Trace
from table.cli.watch_log import Log
from table.cli.watch_px import PixelEye
from table.errors import StammtischError, UsageError
from table.interpret import Interpreter
from table.rules import EventError, Referee, parse
from table.rules.events import Event, lines_of
from table.settings import read_table
from table.ties import in_turn
from vision.box.dice_set import enrol_dice
from vision.box.pipeline import BoxEye
from vision.cameras import Camera, open_camera
from vision.cameras.excerpt import Excerpt
from vision.cameras.replay import Film
from vision.cards.deck import Deck, load_deck
from vision.cards.proposal import ProposalListener
from vision.errors import TagsNotFoundError
from vision.layout import Layout
from vision.mat.pipeline import Eye
from vision.sightings import CardDown, Picture, Sighting, ThrowSeen

PARTIAL = "play even if cards are missing from the deck; the table asks about those"

TELL_S = 3.0
"""How long a table may stay unfound before the reason is printed."""

NO_TABLE = Layout(kind="mat", size_mm=(0.0, 0.0), tags=())


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("source", metavar="SOURCE", help="a film, a folder of pictures, usb:0 or pi:0")
    parser.add_argument("--table", metavar="FILE", help="the table file of the mat or box")
    parser.add_argument("--deck", metavar="DIR", help="one picture per card, or a deck saved by enrol")
    parser.add_argument("--partial", action="store_true", help=PARTIAL)
    parser.add_argument("--dice", metavar="DIR", help="one picture per die and face, and empty.jpg")
    parser.add_argument("--game", metavar="FILE", help="game, round and say lines; the rules keep the score")
    parser.add_argument("--events", metavar="OUT", help="write the same events to this file as well")
    parser.add_argument(
        "--json", action="store_true", help="JSON Lines; with --game a log that replay accepts"
    )
    parser.add_argument(
        "--trace",
        metavar="DIR",
        help="write what led to each event, and what was refused, as a page (DIR/index.html)",
    )
    parser.set_defaults(until_s=None)
    parser.add_argument(
        "--stats", action="store_true", help="print frames and computing time as the last line"
    )


def run(options: argparse.Namespace) -> int:
    """Watch until the source ends. Raises StammtischError, VisionError."""
    layout = read_table(options.table).layout if options.table else NO_TABLE
    game = game_lines(options.game) if options.game else []
    _spare_inputs(options.events, options.source, options.table, options.game)
    trace = Trace(options.trace, options.source) if options.trace else None
    camera: Camera = open_camera(options.source)
    if options.until_s is not None:
        camera = Excerpt(camera, options.until_s)
    whole = camera.seconds if isinstance(camera, Film | Excerpt) else None
    with contextlib.closing(camera):
        deck = deck_of(options, layout)
        pack = _pack(game, options.game)
        if deck is not None:
            check_deck(deck, pack, options.deck)
            expect_missing(deck, pack)
            if deck.lacking:
                print(
                    f"the deck has no picture of {', '.join(deck.lacking)}: the table asks", file=sys.stderr
                )
        eye = open_eye(options, layout, deck, trace.heed if trace else None)
        interpreter = trace.before(layout, eye, deck) if trace else Interpreter(layout)
        try:
            # Overwrite an old file of events only now, after everything that can be wrong was checked.
            with _file(options.events) as copy, ProgressLine("watch", whole) as progress:
                log = Log(game, bool(options.json), copy, bool(options.game), progress.told)
                if trace is not None:
                    camera, log.listener = trace.behind(camera), trace.written
                _keep_log(options, FilmWatch(camera, eye, interpreter, log, Cost(), progress))
        finally:
            if trace is not None:
                trace.close()
    return 0


def _keep_log(options: argparse.Namespace, watch: FilmWatch) -> None:
    """Watch to the end and print the sums."""
    watch.follow()
    watch.progress.told()
    watch.log.end()
    if not (watch.log.heard or options.json):
        print(
            f"nothing was seen in {options.source}; `stammtisch look` reads single pictures", file=sys.stderr
        )
    if options.stats:
        watch.log.say(watch.cost.sums(watch.camera))


def _spare_inputs(out: str | None, *inputs: str | None) -> None:
    """Raise UsageError if the output file is one of the input files."""
    for each in inputs:
        if out and each and Path(out).resolve() == Path(each).resolve():
            raise UsageError(f"--events {out}: that file is read here; give another one")


def _pack(game: list[Event], where: str | None) -> Mapping[str, int]:
    """The cards of the game and how many of each; empty without --game. Raises StammtischError."""
    referee = Referee()
    for event in game:
        if "t" not in event.fields:
            try:
                referee.add(event)
            except EventError as wrong:
                raise StammtischError(f"{where}: {wrong}") from None
    return referee.view().pack if game else {}


def deck_of(options: argparse.Namespace, layout: Layout) -> Deck | None:
    """The deck of --deck, with --partial also an incomplete one; None without. Raises VisionError."""
    if not options.deck:
        return None
    return load_deck(Path(options.deck), layout if options.table else None, options.partial)


def open_eye(
    options: argparse.Namespace, layout: Layout, deck: Deck | None, listener: ProposalListener | None = None
) -> Sees:
    """The eye for this table: cards on a mat, enrolled dice in a box, pips in pixels without a table.

    `listener` gets the proposals of an eye over a mat. Raises UsageError, VisionError.
    """
    if options.dice and layout.kind != "field":
        raise UsageError("--dice needs --table with a [field]; dice with pips are read without it")
    if not options.table:
        return PixelEye(deck)
    if layout.kind == "mat":
        return Eye(layout, deck, listener=listener)
    if not options.dice:
        raise UsageError(
            f"{options.table} is the table of a dice box: give --dice with one picture per die and face"
        )
    return BoxEye(layout, enrol_dice(Path(options.dice), layout))


class Sees(Protocol):
    """An eye: with a table `vision.mat.pipeline.Eye`, without one `PixelEye`."""

    def see(self, picture: Picture, t: float) -> Sequence[Sighting]:
        """The sightings that this frame led to."""


@dataclass(frozen=True, slots=True)
class FilmWatch:
    """Passes every frame of a camera to the eye, its sightings to the interpreter, the events to the log."""

    camera: Camera
    eye: Sees
    interpreter: Interpreter
    log: Log
    cost: Cost
    progress: ProgressLine

    def follow(self) -> None:
        """Watch to the end. Raises TagsNotFoundError if no frame showed the table."""
        try:
            self._follow()
        finally:
            for event in self.interpreter.close():
                self.log.add(event)

    def _follow(self) -> None:
        log, eye = self.log, self.eye
        blind: TagsNotFoundError | None = None
        seen_once = told = False
        while (taken := self.camera.read_frame()) is not None:
            frame, t = taken
            log.reach(t)
            started = time.process_time()
            try:
                # The eyes over a table decode on demand; the one for pixels always needs the whole picture.
                seen = eye.see(frame, t) if isinstance(eye, Eye | BoxEye) else eye.see(frame.picture, t)
                sightings: Sequence[Sighting] = seen
                # An eye over a box searches for the box only when all is still.
                seen_once |= bool(seen) or not isinstance(eye, BoxEye)
            except TagsNotFoundError as wrong:
                if t > TELL_S and not (seen_once or told):
                    told = True
                    print(f"{wrong}; continuing", file=sys.stderr, flush=True)
                blind = wrong
                sightings = ()
            for sighting in in_turn(sightings, log.view) if len(sightings) > 1 else sightings:
                for event in self.interpreter.hear(sighting, log.view):
                    self.interpreter.written(event, log.add(event), game=1)
            self.cost.frame(time.process_time() - started, sightings)
            self.progress.reach(t, f"{int(t) // 60}:{int(t) % 60:02d}")
        if blind is not None and not seen_once:
            raise blind


class Cost:
    """The cost of watching: CPU seconds, medians of quiet frames and of frames with a card or throw."""

    def __init__(self) -> None:
        self._quiet: list[float] = []
        self._events: list[float] = []
        self._busy = 0.0
        self._frames = 0

    def frame(self, seconds: float, sightings: Sequence[Sighting]) -> None:
        """Count one frame."""
        self._frames += 1
        self._busy += seconds
        if any(isinstance(s, CardDown | ThrowSeen) for s in sightings):
            self._events.append(seconds)
        elif not sightings:
            self._quiet.append(seconds)

    def sums(self, camera: Camera) -> dict[str, Any]:
        """The object that --stats prints."""

        def middle_ms(times: list[float]) -> float | None:
            return round(1000 * statistics.median(times), 3) if times else None

        return {
            "frames": self._frames,
            "seconds_busy": round(self._busy + camera.decode_s, 3),
            "decode_seconds": round(camera.decode_s, 3),
            "idle_ms": middle_ms(self._quiet),
            "event_ms": middle_ms(self._events),
        }


def game_lines(path: str) -> list[Event]:
    """The lines of a --game file as events without ids. Raises StammtischError."""
    try:
        lines = lines_of(Path(path).read_text("utf-8-sig"))
        events = [event.numbered(None) for event in parse(lines)]
    except UnicodeDecodeError:
        raise StammtischError(f"{path}: this is not text in UTF-8; give a file of JSON Lines") from None
    except OSError as wrong:
        reason = (wrong.strerror or "cannot be read").lower()
        raise StammtischError(f"{path}: {reason}; give a file of game lines") from None
    except EventError as wrong:
        raise StammtischError(f"{path}: {wrong}") from None
    if all(event.kind != "game" for event in events):
        raise StammtischError(f'{path}: there is no game in it; the first line is a "game" line')
    return events


@contextlib.contextmanager
def _file(path: str | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        out = open(path, "w", encoding="utf-8")  # noqa: SIM115 - closed below, opened here for its error
    except OSError as wrong:
        reason = (wrong.strerror or "cannot be written").lower()
        raise StammtischError(f"{path}: {reason}; give another file") from None
    with out:
        yield out
