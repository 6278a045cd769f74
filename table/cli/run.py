"""`stammtisch run`: a real table, with any camera that OpenCV opens, with and without a lamp board."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import LANGUAGES
from table.processes import count_log
from vision.errors import SourceError

if TYPE_CHECKING:
    from firmware_bridge.link import Link
    from table.devices import FrameSource
    from table.journal import Journal
    from table.runtime import Service
    from vision.sightings import Picture

log = logging.getLogger(__name__)

PORT = 8080

KEEP_DAYS = 7
"""How long the pictures of doubts are kept beside their lines."""

FORGET_S = 3600.0
"""What is older is looked for at every start and this often."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    add_equipment(parser)
    parser.add_argument(
        "--game",
        metavar="G",
        help="a game, or a file of game, round and say lines (default: as chosen on the page)",
    )
    parser.add_argument(
        "--players",
        metavar="NAMES",
        type=lambda names: names.split(","),
        help="Anna,Bernd,… clockwise from S1, an empty name leaves a seat free; "
        "DoppelX: the dice's colours, the first begins",
    )
    parser.add_argument(
        "--rules", metavar="R", help="house rules: a preset or a file (see `stammtisch rules`)"
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds agreed (default: until you end it)")
    parser.add_argument("--dealer", metavar="WHO", help="who deals first, by seat or name")
    parser.add_argument("--new", action="store_true", help="begin a new game even if one is not finished")
    parser.add_argument("--language", choices=LANGUAGES, help="of the page (default: de)")
    parser.add_argument(
        "--pin",
        metavar="NNNNNN",
        help="with --listen: the host's PIN from now on (default: a random one, said at the first start)",
    )
    parser.add_argument(
        "--no-pin", dest="pin", action="store_const", const="none", help="phones may do whatever the host may"
    )
    parser.add_argument(
        "--no-camera-picture",
        dest="camera_picture",
        action="store_false",
        default=None,
        help="the page shows nothing of what the camera sees",
    )
    parser.add_argument(
        "--attract",
        type=int,
        metavar="MINUTES",
        help="idle minutes until a screen at /?kiosk shows a round that plays itself (default: never)",
    )
    parser.add_argument(
        "--keep-pictures",
        type=int,
        metavar="DAYS",
        help=f"pictures of doubts are forgotten after so long (default: {KEEP_DAYS})",
    )
    parser.add_argument("--verbose", action="store_true", help="say what the table says to itself")
    parser.set_defaults(mqtt=None)  # only in the settings file


def add_equipment(parser: argparse.ArgumentParser) -> None:
    """Options that say where everything is; `doctor` takes the same."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of every evening (TOML)")
    parser.add_argument("--table", metavar="FILE", help="the table file that came with the mat")
    parser.add_argument("--deck", metavar="DIR", help="pictures of the cards, or a saved deck")
    parser.add_argument(
        "--partial",
        action="store_true",
        default=None,
        help="play though cards are missing from the deck: the table asks for those",
    )
    parser.add_argument("--dice", metavar="DIR", help="pictures of the dice of a box: <colour>-<face>, empty")
    parser.add_argument("--camera", metavar="SOURCE", help="usb:0, pi:0 or a film (default: usb:0)")
    parser.add_argument(
        "--board", metavar="PORT", help="lamp board: a port, auto or none (default: as the table file says)"
    )
    parser.add_argument(
        "--journal", metavar="FILE", help=f"where the games are kept (default: {journal_place()})"
    )
    parser.add_argument("--port", type=int, metavar="P", help=f"of the page (default: {PORT})")
    parser.add_argument(
        "--listen", metavar="ADDRESS", help="0.0.0.0 lets phones in (default: this machine only)"
    )
    parser.add_argument(
        "--name", dest="names", action="append", metavar="NAME", help="a further name the page answers to"
    )


def run(options: argparse.Namespace) -> int:
    """Play until Ctrl-C or SIGTERM; the game is in the journal and goes on next time."""
    from table.cli.config import fill, would_start
    from table.cli.seeing import Sight, light, needed

    given = dict(vars(options))  # by whoever started it; what --config says is for when there is no game yet
    fill(options)
    needed(options, "table")
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING, format="%(message)s", stream=sys.stderr
    )
    count_log()
    # Imported now: `--help` and a wrong option should not wait for OpenCV.
    from table.cli.network import host_pin, phones_find, told_over_mqtt
    from table.cli.safe_mode import Starts, reachable
    from table.cli.sitting import ASKED, sit_down
    from table.integrations.systemd import Systemd, notify, under_systemd
    from table.interpret import Interpreter
    from table.journal import Journal
    from table.live import Table
    from table.memory import few_arenas, keep_at_hand, stay_small
    from table.panel import Panel, open_pins
    from table.runtime import Runtime
    from table.session import Session
    from table.settings import read_table
    from table.settings.house import HouseFile
    from table.setup.desk import SetupDesk
    from table.waking import Waking
    from table.web import Page
    from table.web.host import HostDesk

    few_arenas()
    keep_at_hand()
    table_file = read_table(options.table)
    starts = Starts(Path(options.journal or journal_place()))
    source = options.camera or "usb:0"
    # Where one of these cannot be had, no game was begun.
    camera = None if starts.safe else _camera(source)
    pins = None if table_file.pins.empty or starts.safe else open_pins(table_file.pins)
    place = "none" if starts.safe else options.board or table_file.board.port
    said, board = find_board(place, table_file.lamps.limit_ma, pins.reset_board if pins else None)
    waking = Waking(board, table_file.lamps)
    sight = Sight(options, table_file, starts.safe)
    if (
        given["game"] is not None or given["new"]
    ):  # whoever asks for a game hears at once that cards do not suit it
        sight.learn()
    if options.listen and (alone := reachable(options.listen)):
        print(f"network: {alone}", flush=True)
        options.listen = "127.0.0.1"
    notify("STATUS=waking: the journal is looked at")
    with waking, Journal.open(options.journal or journal_place()) as journal:
        session = Session(journal)
        session.equipment = sight.equipment
        table = Table(session, Interpreter(table_file.layout))
        asked, pin = host_pin(options.pin, options.listen or "127.0.0.1", journal.path)
        if asked:  # said at once: a new one is kept already, and what follows may fail
            print(f"host PIN: {asked}", flush=True)
        house_file = None if options.config is None else HouseFile(options.config, would_start)
        page = Page(
            table,
            PORT if options.port is None else options.port,
            options.listen or "127.0.0.1",
            options.names or (),
            options.language or "de",
            HostDesk(pin),
            camera_picture=options.camera_picture is not False,
            house_file=house_file,
            start_anew=lambda: runtime.end_soon() if under_systemd() else False,
            attract=max(0, options.attract or 0),
            setup_desk=SetupDesk(
                table, house_file, table_file.path, lambda changed: sight.renew(changed, runtime.relearn)
            ),
        )
        try:
            print(sit_down(session, options, table_file, {key: given[key] for key in ASKED}), flush=True)
            session.listen(lambda view: light(table, table_file, view))
            table.board_buttons = table_file.board.buttons
            print(f"lamps: {said}")
            print(f"camera: {'not used' if starts.safe else source}")
            print(f"journal: {journal.renewed or journal.path}")
            outside = phones_find(options.listen or "127.0.0.1", page.port)
            print(f"page: {page.url}{outside}   (Ctrl-C ends; the game is kept)", flush=True)
            runtime = Runtime(
                table, camera, sight.eye, waking.board, learn=lambda: sight.serve(table, runtime.post)
            )
            sight.tell(table)
            services: list[Service] = [page.serve, Systemd(table, runtime.pulse).serve, stay_small]
            services += [lambda: _forget(journal, options.keep_pictures), starts.serve]
            services += told_over_mqtt(table, options.mqtt, journal.path)
            if pins is not None:
                services.append(Panel(table, table_file.pins, pins).serve)
            runtime.run(*services)
            starts.proven()  # whoever ends it in order has seen it run
        finally:
            page.close()
    return 0


async def _forget(journal: Journal, days: int | None) -> None:
    """Drop pictures that nobody needs any more, now and then, until cancelled."""
    from table.journal import JournalError

    while True:
        try:
            journal.forget_pictures(time.time() - (KEEP_DAYS if days is None else days) * 86400)
        except JournalError as wrong:  # a full disk: the next time
            log.warning("%s", wrong)
        await asyncio.sleep(FORGET_S)


def find_board(
    port: str, budget_ma: float, reset: Callable[[], None] | None = None
) -> tuple[str, Callable[[], Link] | None]:
    """How to open the lamp board, and that in words; None where there is none.

    `auto` looks once: a table without lamps must not open other people's serial ports all evening.
    `reset` pulls the board's reset line; it is used when the board does not answer.
    """
    from firmware_bridge.errors import BridgeError
    from firmware_bridge.known import KnownBoard
    from firmware_bridge.link import Link
    from firmware_bridge.transports import SERIAL, dialler

    def opened(at: str) -> Callable[[], Link]:
        way, known = dialler(at), KnownBoard()  # they outlive a pulled cable: no press counts twice
        return lambda: Link.open(way, budget_ma=budget_ma, known=known, reset=reset)

    if port == "none":
        return "none", None
    if port != "auto":
        return f"at {port}", opened(port)
    try:
        with Link.open("auto", budget_ma=budget_ma) as link:
            status = link.status
    except BridgeError as wrong:
        return f"none ({wrong})", None
    assert status.port is not None
    if status.welcome is None or not status.welcome.serial:
        return f"at {status.port}", opened(status.port)
    return f"at {status.port}", opened(f"{SERIAL}{status.welcome.serial:08x}")


def _camera(source: str) -> Callable[[], FrameSource]:
    from vision.cameras import OnDemand, open_camera

    if not Path(source).exists():
        if source.partition(":")[0] not in ("usb", "pi"):
            open_camera(source).close()  # neither film nor camera: that will not come by itself
        return lambda: OnDemand(open_camera(source))
    film = PacedFilm(source)
    return lambda: film


class PacedFilm:
    """A film as a camera: its frames come at the times at which they were taken, and it ends once."""

    def __init__(self, film: str) -> None:
        """Raises SourceError when it is no film."""
        from vision.cameras import open_camera

        self._film = open_camera(film)
        self._began: float | None = None

    def read(self) -> tuple[Picture, float] | None:
        """The next frame when its time has come; None at the end, also where the film is broken."""
        try:
            frame = self._film.read()
        except SourceError as wrong:
            if self._began is None:
                raise
            log.warning("%s", wrong)
            return None
        if frame is not None:
            now = time.monotonic()
            self._began = now - frame[1] if self._began is None else self._began
            time.sleep(max(0.0, self._began + frame[1] - now))
        return frame

    def close(self) -> None:
        """Let go of the film."""
        self._film.close()


def journal_place() -> Path:
    """Where the journal is kept unless somebody says otherwise."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "stammtisch" / "evening.sqlite"
