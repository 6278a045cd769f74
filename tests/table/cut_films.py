"""Strangers' films with random cuts, watched as `stammtisch watch` does and compared with their truth.

    python -m tests.table.cut_films 50 2           # seed, how often each film; prints a line per film
    python -m tests.table.cut_films 50 2 wood:1    # only that film's run of this seed, with its events
    python -m tests.table.cut_films 50 2 odd       # fog, coloured light, a newspaper … instead of blackouts
    python -m tests.table.cut_films 50 2 hunting   # one kind only

Several cuts (`tests.vision.disturbed`) disturb each film, because what the table knows after one cut affects
the next. What a cut hides may be lost; what the table reports must have happened, and no player may be
accused.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from argparse import Namespace
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from table.cli.progress import ProgressLine
from table.cli.watch import Cost, FilmWatch, deck_of, game_lines, open_eye
from table.cli.watch_log import Log
from table.interpret import Interpreter
from table.rules.events import PlainEvent
from table.settings import read_table
from tests.shared import FOOTAGE
from tests.vision.disturbed import KINDS, ODD_KINDS, Cut, Framed, disturbed
from tests.vision.film_verdict import Told, Verdict, judge
from vision.cameras import Camera, open_camera
from vision.frame import Frame

FILMS = (
    "dev-dubbe4",
    "dev-dubbe4-wood",
    "dev-dubbe4-check",
    "dev-doko",
    "dev-doko-lens",
    "dev-two-rounds",
    "dev-two-rounds-b",
)
BOX_FILMS = ("dev-doppelx3", "dev-doppelx4", "dev-doppelx6")
CUTS = 8
LONGEST_S = 12.0
BETWEEN_S = 2.0
"""Least time between the end of one cut and the start of the next."""
EARLY_S = 0.5
CARD_LATE_S = 4.0
TAKEN_EARLY_S, TAKEN_LATE_S = 1.5, 8.0
"""The truth dates a taking when the cards lie on the pile.

If nobody saw it, the table reports it once the hands are gone and the places are seen empty.
"""
THROW_EARLY_S = 1.0
"""The truth dates a throw six frames after everything is at rest; the eye may be sure earlier."""
LEAD_S = 1.5
"""What happened so shortly before a cut need not have been decided yet."""


def random_cuts(seed: int, until_s: float, kinds: tuple[str, ...] = KINDS) -> list[Cut]:
    """Up to `CUTS` separate cuts of .2 s to `LONGEST_S`, short ones most often."""
    chance = np.random.default_rng(seed)
    cuts: list[Cut] = []
    for _ in range(CUTS):
        seconds = float(np.exp(chance.uniform(np.log(0.2), np.log(LONGEST_S))))
        start, ramp = float(chance.uniform(2.0, until_s)), int(chance.choice((0, 0, 3, 5, 10)))
        cut = Cut(str(chance.choice(kinds)), start, seconds, int(chance.integers(1 << 16)), ramp=ramp)
        if all(cut.start_s > c.until_s + BETWEEN_S or c.start_s > cut.until_s + BETWEEN_S for c in cuts):
            cuts.append(cut)
    return sorted(cuts, key=lambda cut: cut.start_s)


class CutCamera:
    """A `Camera` whose pictures the cuts disturb."""

    def __init__(self, camera: Camera, cuts: list[Cut]) -> None:
        self._camera = camera
        self._frames = disturbed(iter(camera.read, None), *cuts)

    @property
    def decode_s(self) -> float:
        """Time spent on decoding, in seconds."""
        return self._camera.decode_s

    def read(self) -> Framed | None:
        """The next picture and its time in seconds; None at the end."""
        return next(self._frames, None)

    def read_frame(self) -> tuple[Frame, float] | None:
        """The same as `read`, with a frame."""
        taken = self.read()
        return None if taken is None else (Frame(taken[0]), taken[1])

    def close(self) -> None:
        """Close the film."""
        self._camera.close()


def watched(film: Path, cuts: list[Cut]) -> list[PlainEvent]:
    """All lines that `watch --json --game` prints for a film with these cuts."""
    options = Namespace(
        table=film / "table.toml",
        deck=film / "deck",
        dice=film / "enrol" if (film / "enrol").exists() else None,
        partial=False,
        game=film / "game.jsonl",
    )
    layout = read_table(options.table).layout
    deck = deck_of(options, layout) if options.deck.exists() else None
    told, quiet = io.StringIO(), ProgressLine("watch")
    with contextlib.redirect_stdout(told), contextlib.closing(open_camera(str(film / "clip.mp4"))) as camera:
        log = Log(game_lines(options.game), True, None, folding=True)
        eye = open_eye(options, layout, deck)
        FilmWatch(CutCamera(camera, cuts), eye, Interpreter(layout), log, Cost(), quiet).follow()
        log.end()
    return [json.loads(line) for line in told.getvalue().splitlines()]


def standing(rows: list[PlainEvent]) -> list[PlainEvent]:
    """The events after their corrections; an event's id is the number of its line, from 1."""
    events: dict[int, PlainEvent] = {}
    for number, row in enumerate((row for row in rows if "kind" in row), 1):
        if row["kind"] != "correction":
            events[number] = row
        elif row["event"] is None:
            events.pop(row["of"], None)
        elif row["event"].get("inferred") and row.get("source") == "rules":
            pass  # worked out from the cards left over: it does not say when the card was played
        elif row["of"] in events:
            events[row["of"]] = {**events[row["of"]], **row["event"]}
    return [*events.values()]


@dataclass(frozen=True, slots=True)
class Report:
    """What the table made of one disturbed film."""

    film: str
    cuts: list[Cut]
    cards: Verdict
    taken: Verdict
    dice: Verdict
    throws: Verdict
    seats: list[tuple[PlainEvent, PlainEvent]]
    """A true card and its event, which has a wrong seat and does not call it a guess."""
    findings: list[PlainEvent]
    rows: list[PlainEvent]

    @property
    def faults(self) -> int:
        """The number of errors."""
        return (
            sum(v.faults for v in (self.cards, self.taken, self.dice, self.throws))
            + len(self.seats)
            + len(self.findings)
        )

    def __str__(self) -> str:
        said = [f"{self.film}: {len(self.cuts)} cuts"]
        for name in ("cards", "taken", "dice", "throws"):
            verdict = getattr(self, name)
            said += [f"{name} {verdict}"] if verdict.faults else []
        said += [f"seat {told.get('seat')} for {true['seat']}: {told}" for true, told in self.seats]
        said += [f"finding {finding}" for finding in self.findings]
        if self.faults:
            said += [f"cut {c.kind} {c.start_s:.2f}–{c.until_s:.2f} ramp {c.ramp}" for c in self.cuts]
        return "\n    ".join(said)


def cut_film(name: str, cuts: list[Cut]) -> Report:
    """Watch a film with these cuts and compare the events with its truth."""
    film = FOOTAGE / name
    truth = [json.loads(line) for line in (film / "truth.jsonl").read_text("utf-8").splitlines()]
    rows = watched(film, cuts)
    told = [row for row in standing(rows) if row.get("t") is not None]

    def of(events: list[PlainEvent], kind: str, *keys: str) -> list[Told]:
        return [(e["t"], tuple(e.get(key) for key in keys)) for e in events if e["kind"] == kind]

    def held(
        told: list[Told], truth: list[Told], early_s: float = EARLY_S, late_s: float = CARD_LATE_S
    ) -> Verdict:
        return judge(told, truth, cuts, early_s=early_s, late_s=late_s, lead_s=LEAD_S)

    cards = held(of(told, "card", "card"), of(truth, "card", "card"))
    # A doubt is an answer too: it counts for a card that would otherwise be missed.
    doubts = held(of(told, "unsure"), [(t, ()) for t, _ in cards.lost])
    cards.lost = [card for card in cards.lost if (card[0], ()) in doubts.lost]
    taken = held(of(told, "collected"), of(truth, "collected"), TAKEN_EARLY_S, TAKEN_LATE_S)
    taken.lost = [one for one in taken.lost if _lay_in_sight(one[0], truth, cuts)]
    spots = [e for e in truth if e["kind"] == "die" and e.get("spot")]
    dice = held(
        [e for e in of(told, "die", "colour", "value", "spot") if all(e[1])],  # type: ignore[arg-type]
        of(spots, "die", "colour", "value", "spot"),
    )
    thrown = [e for e in of(told, "throw", "player") if e[1][0]]  # type: ignore[index]
    throws = held(thrown, of(truth, "throw", "player"), THROW_EARLY_S)
    # A throw whose thrower the table asks for is a throw, and one in a cut may be reported after it.
    asked = held(
        [(t, ()) for t, (player,) in of(told, "throw", "player") if not player],
        [(t, ()) for t, _ in sorted(throws.lost + throws.unseen, key=lambda one: one[0])],
        THROW_EARLY_S,
    )
    throws.invented += asked.invented + asked.twice
    throws.lost = [one for one in throws.lost if (one[0], ()) in asked.lost]
    findings: list[PlainEvent] = next((row["findings"] for row in reversed(rows) if "findings" in row), [])
    seats = _wrong_seats(told, truth, cuts) + _wrong_takers(told, truth, cuts)
    return Report(name, cuts, cards, taken, dice, throws, seats, findings, rows)


def _lay_in_sight(taken_t: float, truth: list[PlainEvent], cuts: list[Cut]) -> bool:
    """Whether a card of the trick taken at that time could be seen: it was played outside all cuts."""
    before = max((e["t"] for e in truth if e["kind"] == "collected" and e["t"] < taken_t), default=0.0)
    fallen = [e["t"] for e in truth if e["kind"] == "card" and before < e["t"] < taken_t]
    blind = [(c.start_s - LEAD_S, c.until_s) for c in cuts if c.blinds]
    return any(all(not since <= t < until for since, until in blind) for t in fallen)


def _wrong_seats(
    told: list[PlainEvent], truth: list[PlainEvent], cuts: list[Cut]
) -> list[tuple[PlainEvent, PlainEvent]]:
    """Cards with another seat than the truth's that the event does not call a guess."""
    left = [event for event in told if event["kind"] == "card"]
    pairs: list[tuple[PlainEvent, PlainEvent]] = []
    for right in (True, False):
        for card in [e for e in truth if e["kind"] == "card" and all(e is not true for true, _ in pairs)]:
            over = [
                c.until_s
                for c in cuts
                if c.blinds and c.start_s - LEAD_S <= card["t"] < c.until_s + CARD_LATE_S
            ]
            until = max((card["t"], *over)) + CARD_LATE_S
            for event in left:
                near = event["card"] == card["card"] and card["t"] - EARLY_S <= event["t"] <= until
                if near and (event.get("seat") == card["seat"] or not right):
                    pairs.append((card, event))
                    left = [other for other in left if other is not event]
                    break
    return [
        (card, event)
        for card, event in pairs
        if event.get("seat") not in (None, card["seat"]) and not event.get("inferred")
    ]


def _wrong_takers(
    told: list[PlainEvent], truth: list[PlainEvent], cuts: list[Cut]
) -> list[tuple[PlainEvent, PlainEvent]]:
    """Takings by a seat that took no trick at that time nor in the cut before it."""
    wrong = []
    for event in told:
        if event["kind"] != "collected" or event.get("seat") is None:
            continue
        since = min(
            [event["t"], *(c.start_s for c in cuts if c.start_s < event["t"] < c.until_s + TAKEN_LATE_S)]
        )
        near = [
            one
            for one in truth
            if one["kind"] == "collected" and since - TAKEN_LATE_S <= one["t"] <= event["t"] + TAKEN_EARLY_S
        ]
        if near and all(one.get("seat") != event["seat"] for one in near):
            wrong.append((near[-1], event))
    return wrong


def last_s(name: str) -> float:
    """Time of the last event in a film, in seconds."""
    lines = (FOOTAGE / name / "truth.jsonl").read_text("utf-8").splitlines()
    return max(float(json.loads(line)["t"]) for line in lines)


def reports(seed: int, times: int, only: Hashable = None, kinds: tuple[str, ...] = KINDS) -> Iterator[Report]:
    """Reports of each film, `times` times with other cuts each."""
    for run in range(times):
        for at, name in enumerate((*FILMS, *BOX_FILMS)):
            if only in (None, f"{name}:{run}", f"{name.split('-')[-1]}:{run}"):
                yield cut_film(name, random_cuts(seed * 1000 + run * 10 + at, last_s(name), kinds))


def main() -> None:
    """Print a line for each film, and its errors."""
    seed, times, more = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    named = tuple(one for one in more if one in (*KINDS, *ODD_KINDS))
    kinds = named or (ODD_KINDS if "odd" in more else KINDS)
    only = next((one for one in more if one != "odd" and one not in named), None)
    cuts = faults = 0
    for report in reports(seed, times, only, kinds):
        cuts, faults = cuts + len(report.cuts), faults + report.faults
        print(report, flush=True)
        if only:
            print(*(json.dumps(row, ensure_ascii=False) for row in report.rows), sep="\n")
    print(f"seed {seed}: {cuts} cuts, {faults} faults")


if __name__ == "__main__":
    main()
