"""A playing table, by its own figures: nothing is opened a second time, nothing is asked of the wire."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.status import LinkStatus
from table.catalogue import fact, known
from table.checkup import computer, picture
from table.checkup.verdict import CheckupLine
from table.errors import StammtischError
from table.health import QUIET, Health, State
from table.journal import JournalReader
from table.live import Table
from table.rules.words import card_fact
from vision.layout import Layout
from vision.sightings import Picture

MANY = 0.01
"""Share of repeated or damaged messages from which on the cable is to blame: a good one loses none."""

ENOUGH = 100
"""Number of pictures below which a single lost message would say too much of the cable."""

LEFT_OUT = 0.8
"""Share of the camera's frames below which the computer sets the pace, not the camera."""

SLOW_HZ = 5.0
"""Frames a second below which a card that is laid and taken quickly may never be seen lying."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the table knows of itself at one moment: taken on its loop, evaluated elsewhere."""

    health: Health
    frames_hz: float | None
    frames_seen: float | None
    link: LinkStatus | None
    lamps: int
    frame: Picture | None
    layout: Layout | None
    journal: Path
    alike: Callable[[], tuple[tuple[str, str], ...] | None]


def snapshot(table: Table) -> Snapshot:
    """Take a snapshot; call this on the table's loop."""
    equipment = table.session.equipment
    return Snapshot(
        table.health, table.frames_hz(), table.frames_seen(), table.link(),
        table.plan.count if table.plan else 0, table.frame(),
        equipment.layout, table.session.journal_path, equipment.alike,
    )  # fmt: skip


def verdicts(table: Snapshot) -> list[CheckupLine]:
    """Everything that can be said of a running table; takes a second, so call it off the loop."""
    apart = table.health.journal.what == "apart"  # its own cannot be opened: nothing is asked of it
    return [
        computer.program(),
        computer.power(),
        *([_state("journal", table.health.journal)] if apart else journal(table.journal)),
        *_camera(table),
        *_board(table),
        *([] if table.health.pins.what == "none" else [_state("pins", table.health.pins)]),
        *([] if _without_cards(table) else [deck(table.alike)]),
    ]


def _without_cards(table: Snapshot) -> bool:
    """Whether nobody needs a deck here: a box has dice, and of a table without settings nobody knows."""
    return table.health.camera.what == "unfit" or (table.layout is not None and table.layout.kind == "field")


def journal(place: Path) -> list[CheckupLine]:
    """Clock, disk and database."""
    looks, newest = database(place)
    return [
        computer.clock(time.time(), newest, computer.synchronised()),
        computer.disk(place),
        looks,
    ]


def database(place: Path) -> tuple[CheckupLine, float | None]:
    """Whether the journal is whole, and the time of its newest line."""
    if not place.exists():
        return CheckupLine("journal", True, fact("checkup.journal.new", path=str(place))), None
    try:
        with JournalReader.open(place) as kept:
            kept.check()
            games = kept.games()
            newest = max((entry.wall for entry in kept.events(games[-1])), default=None) if games else None
    except StammtischError as wrong:
        return CheckupLine("journal", False, wrong.fact), None
    said = fact("checkup.journal.whole", path=str(place), n=len(games))
    return CheckupLine("journal", True, said), newest


def deck(alike: Callable[[], tuple[tuple[str, str], ...] | None]) -> CheckupLine:
    """Cards of the deck whose faces hardly differ."""
    pairs = alike()
    if pairs is None:
        said = fact("checkup.deck.none")
        return CheckupLine("deck", None, said, fact("checkup.deck.none.do"))
    if not pairs:
        return CheckupLine("deck", True, fact("checkup.deck.well"))
    shown = [fact("checkup.deck.pair", first=card_fact(one), other=card_fact(two)) for one, two in pairs[:3]]
    said = fact("checkup.deck.alike", n=len(pairs), pairs=shown)
    remedy = fact("checkup.deck.alike.do")
    return CheckupLine("deck", True, said, remedy)


def _state(part: str, state: State) -> CheckupLine:
    told = fact(f"checkup.state.{state.what}")
    said = told if state.detail is None else fact("checkup.because", what=told, why=state.detail)
    well = None if state.what in ("none", "starting", "learning", "ended") else state.what in QUIET
    remedy = fact(f"checkup.do.{part}.{state.what}")
    return CheckupLine(part, well, said, remedy if known(remedy.code) else None)


def _camera(table: Snapshot) -> list[CheckupLine]:
    health = table.health
    found = [_state("camera", health.camera)]
    if health.camera.what == "fine" and table.frames_hz is not None:
        found.append(rate(table.frames_hz, table.frames_seen))
    if health.sightless or table.frame is None:
        return [*found, _state("sight", health.sight)] if health.sight.what not in QUIET else found
    looks = picture.examine(table.frame, table.layout)
    if health.light.what == "poor":
        looks = [_state("exposure", health.light), *(each for each in looks if each.part != "exposure")]
    return [*found, *looks]


def rate(frames_hz: float, seen: float | None) -> CheckupLine:
    """How many frames are looked at, and how many come: a slow computer leaves some out evenly."""
    said = fact("checkup.rate", n=round(frames_hz, 1))
    slow, few = seen is not None and seen < LEFT_OUT, frames_hz < SLOW_HZ
    if slow and seen is not None:
        said = fact("checkup.rate.part", rate=said, n=round(100 * seen))
    return CheckupLine("rate", not few, said, fact("checkup.rate.do") if few or slow else None)


def _board(table: Snapshot) -> list[CheckupLine]:
    found = [_state("board", table.health.board)]
    link = table.link
    if table.health.board.what == "none" or link is None:
        return found
    found.append(cable(link))
    capacity = link.welcome.capacity if link.welcome else 0
    said = fact("checkup.lamps", n=table.lamps, capacity=capacity)
    fits = table.lamps <= capacity
    remedy = fact("checkup.lamps.do")
    too_many = fact("checkup.lamps.many.do")
    found.append(CheckupLine("lamps", fits, said, remedy if fits else too_many))
    return found


def cable(link: LinkStatus) -> CheckupLine:
    """What the counters of the wire tell of cable and supply."""
    lost = link.repeated + link.broken
    said = fact("checkup.link", n=link.shown, lost=lost, greetings=link.greetings)
    if link.greetings > 3:  # first: a board that starts while it is spoken to loses messages, too
        remedy = fact("checkup.link.starts.do")  # fmt: skip
        return CheckupLine("link", False, said, remedy)
    if lost and link.shown < ENOUGH:
        return CheckupLine("link", None, said)
    if lost > MANY * link.shown:
        remedy = fact("checkup.link.cable.do")  # fmt: skip
        return CheckupLine("link", False, said, remedy)
    return CheckupLine("link", True, said)
