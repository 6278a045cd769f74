"""A table that plays, by its own figures: nothing is opened a second time, nothing is asked of the wire."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.status import LinkStatus
from table.checkup import computer, picture
from table.checkup.verdict import CheckupLine, Words
from table.errors import StammtischError
from table.health import QUIET, Health, State
from table.journal import Journal
from table.live import Table
from vision.layout import Layout
from vision.sightings import Picture

MANY = 0.01
"""From one repeated or damaged message in a hundred on the cable is to blame: a good one loses none."""

SLOW_HZ = 5.0
"""Below so many frames a second a card that is laid and taken quickly may never be seen lying."""

_STATES = {
    "starting": Words("is being looked for", "wird gesucht"),
    "fine": Words("answers", "antwortet"),
    "lost": Words("is gone", "ist weg"),
    "blind": Words("its picture does not show the table", "ihr Bild zeigt den Tisch nicht"),
    "unread": Words("is not used, all is told by touch", "wird nicht benutzt, alles wird eingetippt"),
    "safe": Words("is left alone in safe mode", "bleibt im sicheren Betrieb aus"),
    "ended": Words("the film is over", "der Film ist zu Ende"),
    "none": Words("none at this table", "gibt es an diesem Tisch nicht"),
    "covered": Words("something covers the table", "etwas verdeckt den Tisch"),
    "dark": Words("it is dark", "es ist dunkel"),
    "frozen": Words("its picture stands still", "das Bild steht"),
    "moved": Words("the camera was moved", "die Kamera wurde verschoben"),
    "gone": Words("the table is not in the picture", "der Tisch ist nicht im Bild"),
    "poor": Words("the light is poor", "das Licht ist schlecht"),
    "mended": Words("it was damaged and is mended", "es war beschädigt und ist geflickt"),
    "stuck": Words("cannot be written", "kann nicht geschrieben werden"),
}

_REMEDIES = {
    ("camera", "lost"): Words("check the cable of the camera", "das Kabel der Kamera prüfen"),
    ("camera", "blind"): Words("free the printed tags", "die gedruckten Marken frei machen"),
    ("sight", "covered"): Words("take away what lies over it", "wegnehmen, was darüber liegt"),
    ("sight", "dark"): Words("give more light", "mehr Licht machen"),
    ("sight", "frozen"): Words("plug the camera out and in again", "die Kamera aus- und einstecken"),
    ("sight", "moved"): Words(
        "put it back, or wait until it has found the table",
        "zurückstellen oder warten, bis sie den Tisch gefunden hat",
    ),
    ("sight", "gone"): Words("turn the camera to the table", "die Kamera auf den Tisch richten"),
    ("board", "lost"): Words("check the cable of the lamp board", "das Kabel der Lampenplatine prüfen"),
}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the table knows of itself at one moment: taken on its loop, looked at elsewhere."""

    health: Health
    frames_hz: float | None
    link: LinkStatus | None
    lamps: int
    frame: Picture | None
    layout: Layout | None
    journal: Path
    alike: Callable[[], tuple[str, ...] | None]


def snapshot(table: Table) -> Snapshot:
    """Take it; call this where the table lives."""
    equipment = table.session.equipment
    return Snapshot(
        table.health, table.frames_hz(), table.link(), table.plan.count if table.plan else 0, table.frame(),
        equipment.layout, table.session.journal_path, equipment.alike,
    )  # fmt: skip


def verdicts(table: Snapshot) -> list[CheckupLine]:
    """Everything that can be said of a running table; takes a second, so call it off the loop."""
    return [
        computer.program(),
        computer.power(),
        *journal(table.journal),
        *_camera(table),
        *_board(table),
        deck(table.alike),
    ]


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
        return CheckupLine("journal", True, Words(f"{place}: will be made", f"{place}: wird angelegt")), None
    try:
        with Journal.read_only(place) as kept:
            kept.check()
            games = kept.games()
            newest = max((entry.wall for entry in kept.events(games[-1])), default=None) if games else None
    except StammtischError as wrong:
        return CheckupLine("journal", False, Words(str(wrong))), None
    said = Words(f"{place}: whole, {len(games)} games", f"{place}: heil, {len(games)} Spiele")
    return CheckupLine("journal", True, said), newest


def deck(alike: Callable[[], tuple[str, ...] | None]) -> CheckupLine:
    """Cards of the deck whose faces hardly differ."""
    pairs = alike()
    if pairs is None:
        said = Words("none: cards are told by touch", "keine Bilder: Karten werden eingetippt")
        return CheckupLine(
            "deck", None, said, Words("learn them with stammtisch enrol", "mit stammtisch enrol lernen")
        )
    if not pairs:
        return CheckupLine(
            "deck", True, Words("all cards differ enough", "alle Karten sind verschieden genug")
        )
    shown = ", ".join(pairs[:3])
    said = Words(f"{len(pairs)} pairs look alike: {shown}", f"{len(pairs)} Paare sehen sich ähnlich: {shown}")
    remedy = Words("stammtisch enrol says what to do", "stammtisch enrol sagt, was hilft")
    return CheckupLine("deck", True, said, remedy)


def _state(part: str, state: State) -> CheckupLine:
    said = _STATES.get(state.what, Words(state.what))
    if state.detail:
        said = Words(f"{said.en} ({state.detail})", f"{said.de or said.en} ({state.detail})")
    well = None if state.what in ("none", "starting", "ended") else state.what in QUIET
    return CheckupLine(part, well, said, _REMEDIES.get((part, state.what), Words()))


def _camera(table: Snapshot) -> list[CheckupLine]:
    health = table.health
    found = [_state("camera", health.camera)]
    if health.camera.what == "fine" and table.frames_hz is not None:
        rate = f"{table.frames_hz:.1f}"
        said = Words(f"{rate} frames a second", f"{rate} Bilder in der Sekunde")
        slow = Words(
            "close other programs that use the camera or the processor", "andere Programme schließen"
        )
        few = table.frames_hz < SLOW_HZ
        found.append(CheckupLine("rate", not few, said, slow if few else Words()))
    if health.sightless or table.frame is None:
        return [*found, _state("sight", health.sight)] if health.sight.what not in QUIET else found
    looks = picture.examine(table.frame, table.layout)
    if health.light.what == "poor":
        looks = [_state("exposure", health.light), *(each for each in looks if each.part != "exposure")]
    return [*found, *looks]


def _board(table: Snapshot) -> list[CheckupLine]:
    found = [_state("board", table.health.board)]
    link = table.link
    if table.health.board.what == "none" or link is None:
        return found
    found.append(cable(link))
    capacity = link.welcome.capacity if link.welcome else 0
    said = Words(
        f"{table.lamps} lamps at a board for {capacity}",
        f"{table.lamps} Lampen an einer Platine für {capacity}",
    )
    fits = table.lamps <= capacity
    remedy = Words(
        "stammtisch board test --camera looks at each of them", "stammtisch board test --camera sieht jede an"
    )
    too_many = Words("name fewer in [lamps], or flash a board for more", "in [lamps] weniger nennen")
    found.append(CheckupLine("lamps", fits, said, remedy if fits else too_many))
    return found


def cable(link: LinkStatus) -> CheckupLine:
    """What the counters of the wire say about cable and supply."""
    lost = link.repeated + link.broken
    said = Words(
        f"{link.shown} pictures shown, {lost} messages lost or damaged, {link.greetings} greetings",
        f"{link.shown} Bilder gezeigt, {lost} Nachrichten gestört, {link.greetings} Begrüßungen",
    )
    if lost > MANY * max(link.shown, 1):
        remedy = Words("the cable: take a shorter or better one, away from mains and lamp wires",
                       "das Kabel: ein besseres nehmen, weg von Netz- und Lampenleitungen")  # fmt: skip
        return CheckupLine("link", False, said, remedy)
    if link.greetings > 3:
        remedy = Words("the board starts again and again: check its supply and plug",
                       "die Platine startet immer wieder: Stromversorgung und Stecker prüfen")  # fmt: skip
        return CheckupLine("link", False, said, remedy)
    return CheckupLine("link", True, said)
