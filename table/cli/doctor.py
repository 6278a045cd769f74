"""`stammtisch doctor`: examine everything a table needs, and say how to remedy what is wrong.

If a table is running, the doctor asks that table: camera, board and port are open already, and belong to it.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from table.board_words import board_told
from table.catalogue import foreign
from table.checkup import CheckupLine
from table.cli.real_table import PORT, add_equipment, journal_place
from table.errors import StammtischError, installing

if TYPE_CHECKING:
    from table.settings import PinPlan, TableFile
    from table.settings.broker import Broker
    from vision.layout import Layout
    from vision.sightings import Picture

FRAMES = 15
"""Number of frames read before a camera is judged: exposure needs a moment."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    add_equipment(parser)
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE",
        help="also write a ZIP for a report: no secrets, no names, no picture beyond the mat",
    )
    parser.set_defaults(pin=None, mqtt=None, players=None)  # from the settings; the bundle leaves them out


def run(options: argparse.Namespace) -> int:
    """Check one thing after another; return 0 when all is well, 1 when something needs attention."""
    from table.cli.config import as_installed, fill

    as_installed(options)
    fill(options)
    seen: list[Picture] = []
    found: list[CheckupLine] = []
    for verdict in _rounds(options, seen):
        mark = {True: "ok  ", False: "BAD ", None: "--  "}[verdict.well]
        print(f"{mark} {verdict.part:<10}{verdict.line()}", flush=True)
        found.append(verdict)
    troubles = sum(verdict.well is False for verdict in found)
    print("all is well" if not troubles else f"problems: {troubles}, see BAD above")
    if options.bundle is not None:
        from table.cli.doctor_bundle import bundle

        print(bundle(options.bundle, options, found, seen[-1] if seen else None))
    return 1 if troubles else 0


def _rounds(options: argparse.Namespace, seen: list[Picture]) -> Iterator[CheckupLine]:
    from table.checkup import computer, running
    from table.cli.running import RunningTable, beside

    place = Path(options.journal or journal_place())
    listen, port = options.listen or "127.0.0.1", PORT if options.port is None else options.port
    try:
        found = beside(place, listen, port)
    except StammtischError as wrong:
        found = RunningTable((CheckupLine("page", False, foreign(str(wrong))),))
    if found is not None:
        yield from found.verdicts
        if found.picture is not None:
            seen.append(found.picture)
        yield from _told("display", lambda: _display(listen, port))
        return
    table_file: TableFile | None = None

    def table() -> CheckupLine:
        nonlocal table_file
        if options.table is None:
            return _unknown(
                "table", "no table file given", "print a mat (stammtisch print mat) and pass --table"
            )
        from table.settings import read_table

        table_file = read_table(options.table)
        layout = table_file.layout
        seats, lamps = len(layout.seats), table_file.lamps.count
        return _well("table", f"{options.table}: {layout.kind}, {seats} seats, {lamps} lamps")

    yield from _told("program", lambda: [computer.program()])
    yield from _told("power", lambda: [computer.power()])
    yield from _told("table", lambda: [table()])
    if table_file is not None:
        from table.checkup.lamps import placed

        yield from _told("lamps", lambda: placed(table_file))
    if table_file is not None and table_file.layout.kind == "field":
        layout = table_file.layout
        yield from _told("dice", lambda: [_dice(options.dice, layout)])
    else:
        yield from _told("deck", lambda: [_deck(options.deck, table_file, bool(options.partial))])
    yield from _told("camera", lambda: _camera(options.camera or "usb:0", table_file, seen))
    port_of_board = options.board or (table_file.board.port if table_file else "auto")
    yield from _told("board", lambda: _board(port_of_board))
    if table_file is not None and not table_file.pins.empty:
        pins = table_file.pins
        yield from _told("pins", lambda: [_pins(pins)])
    yield from _told("journal", lambda: running.journal(place))
    if options.mqtt is not None:
        yield from _told("broker", lambda: [_broker(options.mqtt)])
    yield from _told("page", lambda: [_page(listen, port)])
    yield from _told("display", lambda: _display(listen, port))


def _told(part: str, look: Callable[[], Iterable[CheckupLine]]) -> list[CheckupLine]:
    from firmware_bridge.errors import BridgeError
    from vision.errors import VisionError

    try:
        return [*look()]
    except (StammtischError, VisionError, BridgeError) as wrong:
        return [CheckupLine(part, False, foreign(str(wrong)))]
    except Exception as fault:  # a bug in one check must not stop the others
        return [
            CheckupLine(
                part,
                False,
                foreign(f"a fault in this program ({fault!r})"),
                foreign("please report this line"),
            )
        ]


def _well(part: str, said: str) -> CheckupLine:
    return CheckupLine(part, True, foreign(said))


def _unknown(part: str, said: str, remedy: str = "") -> CheckupLine:
    return CheckupLine(part, None, foreign(said), foreign(remedy) if remedy else None)


def _deck(where: str | None, table_file: TableFile | None, partial: bool) -> CheckupLine:
    if where is None:
        return _unknown("deck", "no deck given", "photograph the cards (stammtisch enrol) and pass --deck")
    from vision.cards.deck import load_deck

    deck = load_deck(Path(where), table_file.layout if table_file else None, partial)
    pairs = deck.look_alikes()
    if pairs:
        likest = f"{pairs[0].first} and {pairs[0].second}"
        said = f"{where}: {len(deck.cards)} cards; {len(pairs)} pairs look alike, {likest} most"
        return CheckupLine("deck", True, foreign(said), foreign("stammtisch enrol says what to do"))
    return _well("deck", f"{where}: {len(deck.cards)} cards, all different enough")


def _dice(where: str | None, layout: Layout) -> CheckupLine:
    if where is None:
        return _unknown(
            "dice", "no dice given", "photograph each die and face and the empty box, and pass --dice"
        )
    from vision.box.dice_set import enrol_dice

    dice = enrol_dice(Path(where), layout)
    lacks = "" if "white" in dice.bodies else "; the white die is missing, nobody can throw without it"
    return CheckupLine("dice", not lacks, foreign(f"{where}: {', '.join(sorted(dice.bodies))}{lacks}"))


def _camera(source: str, table_file: TableFile | None, seen: list[Picture]) -> Iterator[CheckupLine]:
    from table.checkup.picture import examine
    from table.checkup.running import rate
    from vision.cameras import open_camera
    from vision.frame import as_picture

    camera = open_camera(source)
    times: list[float] = []
    frame = None
    try:
        for _ in range(FRAMES):
            if (read := camera.read()) is not None:
                frame = read
                times.append(read[1])
    finally:
        camera.close()
    if frame is None:
        yield CheckupLine("camera", False, foreign(f"{source}: gives no picture"), foreign("check its cable"))
        return
    picture = as_picture(frame[0])
    seen.append(picture)
    height, width = picture.shape[:2]
    yield _well("camera", f"{source}: {width} x {height}")
    if len(times) > 1 and times[-1] > times[0]:
        yield rate((len(times) - 1) / (times[-1] - times[0]), None)
    yield from examine(picture, table_file.layout if table_file else None)
    if table_file is None:
        yield _unknown("sight", "with --table the tags are checked, too")


def _board(port: str) -> Iterator[CheckupLine]:
    if port == "none":
        yield _unknown("board", "none wanted")
        return
    from firmware_bridge.errors import NoBoardError
    from firmware_bridge.link import Link
    from firmware_bridge.messages import Feature
    from table.checkup.running import cable

    try:
        with Link.open(port) as link:
            board = link.status.welcome
            lamps = f", drives {board.capacity} lamps" if board else ""
            yield _well("board", f"answers at {link.status.port}{lamps}")
            if board and Feature.OLD_BOOTLOADER in board.features:
                yield _unknown("board", f"starts through {board.bootloader}")
            yield cable(link.status)
    except NoBoardError as wrong:
        # With `auto` a board is optional: a table plays without one.
        yield CheckupLine("board", None if port == "auto" else False, board_told(wrong))


def _pins(plan: PinPlan) -> CheckupLine:
    from table.panel import open_pins

    open_pins(plan).close()
    return _well("pins", "those that the table file names can be used")


def _broker(broker: Broker) -> CheckupLine:
    try:
        from table.integrations.mqtt.probe import refusal
        from table.integrations.mqtt.remedies import remedy
    except ImportError:
        return CheckupLine("broker", False, foreign(f"install it with: {installing('aiomqtt')}"))
    where = f"{broker.host}:{broker.at_port}"
    try:
        refused = refusal(broker)
    except (OSError, ValueError) as wrong:
        said = foreign(f"{where}: no connection ({wrong})")
        return CheckupLine("broker", False, said, foreign(f"{remedy(wrong)}; the table plays without it"))
    if refused is not None:
        said = foreign(f"{where}: refuses {broker.who} ({refused})")
        return CheckupLine(
            "broker", False, said, foreign("check user, password_file and the broker's rights")
        )
    return _well("broker", f"{where}: accepts table {broker.table}")


def _page(listen: str, port: int) -> CheckupLine:
    from table.web.port import bind, found_at

    bind(listen, port).close()
    return _well("page", f"port {port} is free: {found_at(listen, port)}")


def _display(listen: str, port: int) -> list[CheckupLine]:
    from table.web.port import found_at

    names = ("chromium", "chromium-browser", "google-chrome", "firefox")
    browser = next((name for name in names if shutil.which(name)), None)
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if browser and screen:
        full = f"{browser} --kiosk {found_at(listen, port)}/?kiosk"
        return [_well("display", f"{browser} at {screen}; full screen: {full}")]
    # Over ssh and under sudo the session does not show what is connected to the computer.
    lacks = "this session has no screen" if browser else "this computer has no browser"
    return [_unknown("display", lacks, "open the page on another computer with --listen 0.0.0.0")]
