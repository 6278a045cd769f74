"""`stammtisch doctor`: look at everything a table needs, and say what to do about what is not well."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from table.cli.run import PORT, add_equipment, journal_place
from table.errors import StammtischError

if TYPE_CHECKING:
    from table.settings import TableFile
    from vision.layout import Layout

LEAST_DISK_MB = 200
"""An evening takes a few megabytes; less than this and the night may end early."""

DARK = 90.0
"""The whitest paper in the picture (98 % of all pixels are darker) should be brighter than this (0..255)."""

FRAMES = 15
"""So many frames are looked at before a camera is judged: exposure needs a moment."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found: well, not well, or nothing to look at (None)."""

    well: bool | None
    said: str


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    add_equipment(parser)


def run(options: argparse.Namespace) -> int:
    """Check one thing after the other; 0 when all is well, 1 when something needs a hand."""
    from table.cli.config import fill

    fill(options)
    troubles = 0
    for name, answer in _rounds(options):
        mark = {True: "ok  ", False: "BAD ", None: "--  "}[answer.well]
        print(f"{mark} {name:<9}{answer.said}", flush=True)
        troubles += answer.well is False
    print("all is well" if not troubles else f"{troubles} to look after, see BAD above")
    return 1 if troubles else 0


def _rounds(options: argparse.Namespace) -> Iterator[tuple[str, Answer]]:
    table_file: TableFile | None = None

    def table() -> Answer:
        nonlocal table_file
        if options.table is None:
            return Answer(None, "no table file given; print a mat (stammtisch print mat) and pass --table")
        from table.settings import read_table

        table_file = read_table(options.table)
        layout = table_file.layout
        return Answer(
            True, f"{options.table}: {layout.kind}, {len(layout.seats)} seats, {table_file.lamps.count} lamps"
        )

    yield "program", _told(_program)
    yield "table", _told(table)
    if table_file is not None and table_file.layout.kind == "field":
        layout = table_file.layout
        yield "dice", _told(lambda: _dice(options.dice, layout))
    else:
        yield "deck", _told(lambda: _deck(options.deck, table_file, bool(options.partial)))
    yield "camera", _told(lambda: _camera(options.camera or "usb:0", table_file))
    yield "board", _told(lambda: _board(options.board or (table_file.board.port if table_file else "auto")))
    yield "journal", _told(lambda: _journal(Path(options.journal or journal_place())))
    yield (
        "page",
        _told(lambda: _page(options.listen or "127.0.0.1", PORT if options.port is None else options.port)),
    )
    yield "display", _told(_display)


def _told(look: Callable[[], Answer]) -> Answer:
    from firmware_bridge.errors import BridgeError
    from vision.errors import VisionError

    try:
        return look()
    except (StammtischError, VisionError, BridgeError) as wrong:
        return Answer(False, str(wrong))
    except Exception as fault:  # a doctor that faints helps nobody
        return Answer(False, f"a fault in this program ({fault!r}); please report it with this line")


def _program() -> Answer:
    versions = [f"Python {sys.version.split()[0]}"]
    for package in ("cv2", "numpy", "serial", "starlette", "uvicorn", "websockets", "msgspec"):
        try:
            module = importlib.import_module(package)
        except ImportError as wrong:
            missing = "libgl1 libglib2.0-0 (apt)" if package == "cv2" else package
            return Answer(False, f"{package} cannot be used ({wrong}); install {missing}")
        versions.append(f"{package} {getattr(module, '__version__', '')}".strip())
    return Answer(True, ", ".join(versions))


def _deck(where: str | None, table_file: TableFile | None, partial: bool) -> Answer:
    if where is None:
        return Answer(None, "no deck given; photograph the cards (stammtisch enrol) and pass --deck")
    from vision.cards.deck import load_deck

    deck = load_deck(Path(where), table_file.layout if table_file else None, partial)
    pairs = deck.look_alikes()
    if pairs:
        likest = f"{pairs[0].first} and {pairs[0].second}"
        said = f"{where}: {len(deck.cards)} cards; {len(pairs)} pairs look alike, {likest} most"
        return Answer(True, f"{said} (stammtisch enrol says what to do)")
    return Answer(True, f"{where}: {len(deck.cards)} cards, all different enough")


def _dice(where: str | None, layout: Layout) -> Answer:
    if where is None:
        return Answer(None, "no dice given; photograph each die and face and the empty box, and pass --dice")
    from vision.box.dice_set import enrol_dice

    dice = enrol_dice(Path(where), layout)
    lacks = "" if "white" in dice.bodies else "; the white die is missing, nobody can throw without it"
    return Answer(not lacks, f"{where}: {', '.join(sorted(dice.bodies))}{lacks}")


def _camera(source: str, table_file: TableFile | None) -> Answer:
    import numpy as np

    from vision.box.pose_fit import register_box
    from vision.cameras import open_camera
    from vision.geometry import register

    camera = open_camera(source)
    try:
        frame = None
        for _ in range(FRAMES):
            frame = camera.read() or frame
    finally:
        camera.close()
    if frame is None:
        return Answer(False, f"{source}: gives no picture; check its cable")
    picture = frame[0]
    height, width = picture.shape[:2]
    white = float(np.percentile(picture.max(axis=2), 98))
    said = f"{source}: {width} x {height}"
    if white < DARK:
        return Answer(False, f"{said}, too dark (white is {white:.0f} of 255); more light over the table")
    if table_file is None:
        return Answer(True, f"{said}, white is {white:.0f} of 255; with --table I can also look for the tags")
    layout = table_file.layout
    boxed = layout.kind == "field"
    found = register_box(picture, layout) if boxed else register(picture, layout, layout.camera)
    hidden = [tag.id for tag in table_file.layout.tags if tag.id not in found.tags]
    said += f", white is {white:.0f} of 255, the table is found, its tags fit to {found.rms_px:.1f} px"
    return Answer(True, f"{said}; hidden now: tag {', '.join(map(str, hidden))}" if hidden else said)


def _board(port: str) -> Answer:
    if port == "none":
        return Answer(None, "none wanted")
    from firmware_bridge.errors import NoBoardError
    from firmware_bridge.link import Link

    try:
        with Link.open(port) as link:
            board = link.status.welcome
            lamps = f", drives {board.capacity} lamps" if board else ""
            return Answer(True, f"answers at {link.status.port}{lamps}")
    except NoBoardError as wrong:
        # Nobody promised a board: a table plays without one.
        return Answer(None if port == "auto" else False, str(wrong))


def _journal(place: Path) -> Answer:
    from table.journal import Journal

    folder = next(parent for parent in place.absolute().parents if parent.exists())
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if not os.access(folder, os.W_OK):
        return Answer(False, f"{folder} may not be written; choose another place with --journal")
    if free_mb < LEAST_DISK_MB:
        return Answer(False, f"{folder} has only {free_mb} MB left; free some space before the evening")
    if not place.exists():
        return Answer(True, f"{place}: will be made; {free_mb} MB free")
    with Journal.read_only(place) as journal:
        journal.check()
        games = journal.games()
    return Answer(True, f"{place}: whole, {len(games)} games; {free_mb} MB free")


def _page(listen: str, port: int) -> Answer:
    from table.web.page import bind

    bind(listen, port).close()
    return Answer(True, f"port {port} is free: http://localhost:{port}")


def _display() -> Answer:
    names = ("chromium", "chromium-browser", "google-chrome", "firefox")
    browser = next((name for name in names if shutil.which(name)), None)
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if browser and screen:
        return Answer(
            True, f"{browser} at {screen}; full screen: {browser} --kiosk http://localhost:{PORT}/?kiosk"
        )
    lacks = "a screen" if browser else "a browser"
    return Answer(None, f"this computer has not got {lacks}; open the page on another with --listen 0.0.0.0")
