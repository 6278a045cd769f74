"""`stammtisch watch SOURCE`: recognise what happens in a film, a folder of pictures or a camera."""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from table import gaps
from table.cli.opening import check_deck
from table.cli.watch_px import PixelEye
from table.errors import StammtischError, UsageError
from table.interpret import Interpreter
from table.journal import Entry
from table.rules import EventError, Referee, View, parse
from table.settings import read_table
from vision.box_eye import BoxEye
from vision.cameras import Camera, open_camera
from vision.deck import Deck, load_deck
from vision.dice_set import enrol_dice
from vision.errors import TagsNotFoundError
from vision.layout import Layout
from vision.pipeline import Eye
from vision.sightings import CardDown, Picture, Sighting, ThrowSeen

Event = dict[str, Any]

TELL_S = 3.0
"""Who waits so long before a table that is not found wants to know why."""

NO_TABLE = Layout(kind="mat", size_mm=(0.0, 0.0), tags=())


def register(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("source", metavar="SOURCE", help="a film, a folder of pictures, usb:0 or pi:0")
    parser.add_argument("--table", metavar="FILE", help="the table file of the mat or box")
    parser.add_argument("--deck", metavar="DIR", help="one picture per card, or a deck saved by enrol")
    parser.add_argument("--dice", metavar="DIR", help="one picture per die and face, and empty.jpg")
    parser.add_argument("--game", metavar="FILE", help="game, round and say lines; the rules keep the score")
    parser.add_argument("--events", metavar="OUT", help="write the same events to this file as well")
    parser.add_argument("--json", action="store_true", help="JSON Lines, a log that replay accepts")
    parser.add_argument("--stats", action="store_true", help="print what it cost as the last line")


def run(options: argparse.Namespace) -> int:
    """Watch until the source ends. Raises StammtischError, VisionError."""
    layout = read_table(options.table).layout if options.table else NO_TABLE
    game = game_lines(options.game) if options.game else []
    _spare_inputs(options.events, options.source, options.table, options.game)
    camera = open_camera(options.source)
    with contextlib.closing(camera):
        deck = load_deck(Path(options.deck), layout if options.table else None) if options.deck else None
        pack = _pack(game, options.game)
        if deck is not None:
            check_deck(deck, pack, options.deck)
        eye = open_eye(options, layout, deck)
        _keep_log(options, camera, eye, layout, game)
    return 0


def _keep_log(
    options: argparse.Namespace, camera: Camera, eye: Sees, layout: Layout, game: list[Event]
) -> None:
    """Only now, when all that can be wrong was looked at, an old file of events is written over."""
    with _file(options.events) as copy:
        log = Log(game, bool(options.json), copy, folding=bool(options.game))
        cost = Cost()
        follow(camera, eye, Interpreter(layout), log, cost)
        log.end()
        if not (log.heard or options.json):
            print(
                f"nothing was seen in {options.source}; `stammtisch look` reads single pictures",
                file=sys.stderr,
            )
        if options.stats:
            log.say(cost.sums(camera))


def _spare_inputs(out: str | None, *inputs: str | None) -> None:
    """Raises UsageError where the file to be written is one of those to be read."""
    for each in inputs:
        if out and each and Path(out).resolve() == Path(each).resolve():
            raise UsageError(f"--events {out}: that file is read here; give another one")


def _pack(game: list[Event], where: str | None) -> Mapping[str, int]:
    """The cards that will be played with; none without --game. Raises StammtischError."""
    referee = Referee()
    for event in game:
        if "t" not in event:
            try:
                referee.add(event)
            except EventError as wrong:
                raise StammtischError(f"{where}: {wrong}") from None
    return referee.view().pack if game else {}


def open_eye(options: argparse.Namespace, layout: Layout, deck: Deck | None) -> Sees:
    """The eye for this table: cards on a mat, enrolled dice in a box, pips in pixels without a table."""
    if not options.table:
        return PixelEye(deck)
    if layout.kind == "mat":
        return Eye(layout, deck)
    if not options.dice:
        raise UsageError(
            f"{options.table} is the table of a dice box: give --dice with one picture per die and face"
        )
    return BoxEye(layout, enrol_dice(Path(options.dice), layout))


class Sees(Protocol):
    """An eye: with a table `vision.pipeline.Eye`, without one `PixelEye`."""

    def see(self, picture: Picture, t: float) -> Sequence[Sighting]:
        """What came to be known with this frame."""


def follow(camera: Camera, eye: Sees, interpreter: Interpreter, log: Log, cost: Cost) -> None:
    """Give every frame to the eye, its sightings to the interpreter and the events to the log."""
    blind: TagsNotFoundError | None = None
    seen_once = told = False
    while (taken := camera.read_frame()) is not None:
        frame, t = taken
        log.reach(t)
        started = time.process_time()
        try:
            # The eyes over a table decode on demand, the one for pixels always looks at the whole picture.
            seen = eye.see(frame, t) if isinstance(eye, Eye | BoxEye) else eye.see(frame.picture, t)
            sightings: Sequence[Sighting] = seen
            # An eye over a box looks for it only when all is still.
            seen_once |= bool(seen) or not isinstance(eye, BoxEye)
        except TagsNotFoundError as wrong:
            if t > TELL_S and not (seen_once or told):
                told = True
                print(f"{wrong}; looking on", file=sys.stderr, flush=True)
            blind = wrong
            sightings = ()
        for sighting in sightings:
            for event in interpreter.hear(sighting, log.view):
                log.add(event)
        cost.frame(time.process_time() - started, sightings)
    if blind is not None and not seen_once:
        raise blind


class Log:
    """Prints events in the order they are decided and folds them by the rules; game lines come in by time."""

    def __init__(self, game: list[Event], as_json: bool, copy: TextIO | None, folding: bool) -> None:
        self._as_json, self._copy, self._folding = as_json, copy, folding
        self._referee = Referee()
        self._entries: list[Entry] = []
        self._leader: str | None = None
        self.heard = False
        """Something was seen."""
        self._later = sorted((e for e in game if "t" in e), key=lambda e: float(e["t"]))
        self._view: View | None = None
        for event in game:
            if "t" not in event:
                self._write(event)

    @property
    def view(self) -> View:
        """The game as it stands; an empty view without --game."""
        if self._view is None:
            self._view = self._referee.view()
            if not self._view.trick:
                self._leader = self._view.turn
        return self._view

    def reach(self, t: float) -> None:
        """Write the game lines whose time has come."""
        while self._later and float(self._later[0]["t"]) <= t:
            self._write(self._later.pop(0))

    def add(self, event: Event) -> None:
        """Write one event; the table itself opens the next round when its first event comes.

        A card that nobody saw gets a doubt in its place as soon as its trick was taken away.
        """
        self.heard = True
        if self._folding:
            for doubt in gaps.filling(self.view, self._entries, self._leader, event):
                self._write(doubt)
            self._settle()
        if self._folding and (opening := self._referee.next_round(event)) is not None:
            self._write({**opening, "t": event["t"]} if "t" in event else opening)
        self._write(event)
        if self._folding:
            self._settle()

    def _settle(self) -> None:
        """Write what the cards decide by themselves; one answer may leave one for the next doubt."""
        while corrections := self._referee.settle_by_rules():
            for correction in corrections:
                self._write(correction)

    def end(self) -> None:
        """Write what is left of the game lines and, with rules, the result."""
        for event in self._later:
            self._write(event)
        self._later = []
        if self._folding:
            for doubt in gaps.filling(self.view, self._entries, self._leader, {"kind": "round"}):
                self._write(doubt)
            self._referee.conclude()
            self._settle()
            result = self._referee.result()
            self.say(result if self._as_json else {"points": result["points"], "winners": result["winners"]})

    def say(self, plain: dict[str, Any]) -> None:
        """Print one line that is no event."""
        print(json.dumps(plain, ensure_ascii=False) if self._as_json else _human(plain), flush=True)

    def _write(self, event: Event) -> None:
        if self._folding:
            try:
                self._referee.add(event)
            except EventError as wrong:
                raise StammtischError(
                    f"the rules cannot take {json.dumps(event, ensure_ascii=False)}: {wrong}"
                ) from None
            self._view = None
            self._entries.append(Entry(len(self._entries) + 1, event, 0.0, False))
            if event.get("kind") == "throw":
                event = {**event, "points": dict(self.view.points)}
        line = json.dumps(event, ensure_ascii=False)
        print(line if self._as_json else _human(event), flush=True)
        if self._copy is not None:
            print(line, file=self._copy, flush=True)


class Cost:
    """What watching costs: CPU seconds, medians of quiet frames and of frames with a card or throw."""

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
    """The lines of a --game file as events without ids. Raises StammtischError, UsageError."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
        return [{k: v for k, v in event.to_dict().items() if k != "id"} for event in parse(lines)]
    except UnicodeDecodeError:
        raise StammtischError(f"{path}: this is not text in UTF-8; give a file of JSON Lines") from None
    except OSError as wrong:
        raise UsageError(
            f"{path}: {(wrong.strerror or 'cannot be read').lower()}; give a file of game lines"
        ) from None
    except EventError as wrong:
        raise StammtischError(f"{path}: {wrong}") from None


@contextlib.contextmanager
def _file(path: str | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        out = open(path, "w", encoding="utf-8")  # noqa: SIM115 - closed below, opened here for its error
    except OSError as wrong:
        raise UsageError(
            f"{path}: {(wrong.strerror or 'cannot be written').lower()}; give another file"
        ) from None
    with out:
        yield out


def _human(event: Event) -> str:
    """One event as a line for people."""
    when = f"{event['t']:8.2f} s  " if isinstance(event.get("t"), int | float) else " " * 12
    kind = event.get("kind")
    who = event.get("seat") or ""
    match kind:
        case "card":
            doubt = f"  ({event['reason']})" if event.get("reason") else ""
            return f"{when}{who} plays {event.get('card')}{doubt}"
        case "unsure":
            options = ", ".join(f"{name} {belief:.0%}" for name, belief in event.get("candidates", []))
            return f"{when}{who} plays a card I cannot name: {options}"
        case "collected":
            return f"{when}{who} takes the trick"
        case "touch":
            return f"{when}{who} touches the trick"
        case "die":
            return f"{when}the {event.get('colour')} die shows {event.get('value')} on {event.get('spot')}"
        case "hand":
            return f"{when}a hand of {who or 'somebody'} until {event.get('until', 0):.2f} s"
        case "throw":
            return when + _throw_in_words(event)
        case "game":
            people = event.get("players") or event.get("seats") or []
            return f"{when}{event.get('game')}: {', '.join(people)}"
        case "round":
            deals = f": {event['dealer']} deals" if event.get("dealer") else ""
            return f"{when}the next round begins{deals}"
        case "say":
            return f"{when}{who or 'somebody'} says {event.get('what')}"
        case "correction":
            instead = event.get("event")
            return f"{when}no. {event.get('of')} was " + (
                _human({k: v for k, v in instead.items() if k != "t"}).strip() if instead else "nothing"
            )
        case "too-dark":
            return f"{when}{event.get('why') or 'too dark'}"
        case None:
            return ", ".join(f"{name}: {value}" for name, value in event.items())
        case _:
            rest = ", ".join(f"{k} {v}" for k, v in event.items() if k not in ("kind", "t"))
            return f"{when}{kind} {rest}"


def _throw_in_words(event: Event) -> str:
    """Who threw, how every die lies, and the points after it where rules keep them."""

    def die(told: Event) -> str:
        name = f"{told.get('colour') or 'some die'} {told.get('face') or '?'}"
        place = told.get("counts_as") if told.get("where") == "field" else told.get("where")
        unsure = f" ({' and '.join(told['doubt'])} in doubt)" if told.get("doubt") else ""
        if told.get("counts_as"):
            return f"{name} on {place}{unsure}"
        return f"{name} {place}{unsure}" if place else name + unsure  # in plain pixels there are no places

    who = event.get("player")
    said = "all throw" if who == "all" else f"{who} throws" if who else "thrown"
    points = ", ".join(f"{name} {value}" for name, value in event.get("points", {}).items())
    dice = ", ".join(die(told) for told in event.get("dice", []))
    return f"{said}: {dice or 'nothing in view'}" + (f"; points: {points}" if points else "")
