"""`stammtisch run`: a real table, with any camera that OpenCV can open, with or without a lamp board."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.catalogue import LANGUAGES
from table.cli import numbers
from table.cli.outside import SystemEnd, ended_by_the_system, say, undisturbed
from table.cli.real_table import PORT, add_equipment, camera, camera_now, journal_place, lamp_board
from table.processes import count_log

if TYPE_CHECKING:
    from table.cli.safe_mode import Starts
    from table.runtime import Service
    from table.session import Session

log = logging.getLogger(__name__)

KEEP_DAYS = 7
"""How many days the pictures of doubts are kept."""

FORGET_S = 3600.0
"""Time between two searches for older pictures; the first search is at the start."""


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
    parser.add_argument("--language", choices=LANGUAGES, help="language of the page (default: de)")
    pin = parser.add_mutually_exclusive_group()
    pin.add_argument(
        "--pin",
        metavar="NNNNNN",
        help="with --listen: the host's PIN from now on (default: a random one, shown at the first start)",
    )
    pin.add_argument(
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
        type=numbers.from_nothing,
        metavar="MINUTES",
        help="idle minutes until a screen at /?kiosk shows a round that plays itself (default: never)",
    )
    parser.add_argument(
        "--keep-pictures",
        type=numbers.from_nothing,
        metavar="DAYS",
        help=f"keep pictures of doubts for this many days (default: {KEEP_DAYS})",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="log everything the table does, not only warnings"
    )
    parser.set_defaults(mqtt=None)  # only in the settings file


def run(options: argparse.Namespace) -> int:
    """Play until Ctrl-C or SIGTERM; the journal keeps the game, and the next run continues it."""
    from table.cli.config import as_given, fill
    from table.cli.unread_settings import UnfitSettingsError, of_settings, unread
    from table.errors import UsageError
    from table.integrations.systemd import under_systemd

    given = dict(vars(options))  # from the command line; a resumed game need not agree with --config
    options.fault = None
    try:
        with ended_by_the_system():  # the table's loop takes over as soon as it runs
            try:
                with of_settings():
                    fill(options)
                return _start(options, given)
            except UnfitSettingsError as unfit:
                if given["config"] is None or not under_systemd():
                    raise unfit.why from None
                why = unfit.why.fact
            try:
                return _start(unread(given, why), given)
            except (
                UnfitSettingsError
            ) as unfit:  # not even by hand, perhaps because of the game in the journal
                raise unfit.why from None
    except SystemEnd:
        return 0
    except UsageError as wrong:
        raise UsageError(as_given(options, str(wrong))) from None


def _start(options: argparse.Namespace, given: Mapping[str, Any]) -> int:
    from table.cli.seeing import needed
    from table.cli.unread_settings import of_settings

    if options.fault is None:
        with of_settings():
            needed(options, "table")
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING, format="%(message)s", stream=sys.stderr
    )
    count_log()
    from table.cli.safe_mode import Starts
    from table.integrations.systemd import under_systemd

    with Starts(Path(options.journal or journal_place()), again=under_systemd()) as starts:
        return _play(options, given, starts)


def _play(options: argparse.Namespace, given: Mapping[str, Any], starts: Starts) -> int:
    """Play; `given` are the options of the command line, without those of `--config`."""
    # Imported now: `--help` and a wrong option should not wait for OpenCV.
    from table.camera_watch import Watching
    from table.cli.config import would_start
    from table.cli.network import host_pin, phones_find, told_over_mqtt
    from table.cli.safe_mode import (
        at_hand,
        end_stand_in,
        free_port,
        once_possible,
        open_journal,
        reachable,
        try_journal,
        try_port,
    )
    from table.cli.seeing import Sight, fit_lamps
    from table.cli.sitting import ASKED, sit_down
    from table.cli.unread_settings import mended, no_table, of_settings
    from table.integrations.systemd import Systemd, notify, under_systemd
    from table.interpret import Interpreter
    from table.live import Table
    from table.memory import keep_at_hand, one_arena, stay_small
    from table.panel import Panel, try_pins
    from table.runtime import Runtime
    from table.session import Session
    from table.settings import read_table
    from table.settings.house import HouseFile
    from table.setup.desk import Keeping, SetupDesk
    from table.waking import Waking
    from table.web import HostTools, Page, PageAddress, PageError, PageLook
    from table.web.host import HostDesk
    from table.web.kept_hosts import hosts_place

    one_arena()
    keep_at_hand()
    with of_settings():
        table_file = read_table(options.table) if options.fault is None else no_table()
    safe = options.fault or starts.safe
    source = options.camera or "usb:0"
    # Opened before a game begins: if it fails, no game has been begun.
    opened = None if safe else camera(source)
    with ExitStack() as quiet, ExitStack() as closing:
        pins, header = (None, None) if safe else try_pins(table_file.pins)
        if pins is not None:
            closing.enter_context(pins)
        place = "none" if safe else options.board or table_file.board.port
        said, board = lamp_board(place, table_file.lamps.limit_ma, pins.reset_board if pins else None)
        waking = Waking(board, table_file.lamps)
        sight = Sight(options, table_file, safe)
        # If the user asks for a game that the cards do not suit, refuse at once.
        if (given["game"] is not None or given["new"]) and options.fault is None:
            sight.name()
        if options.listen and (alone := reachable(options.listen)):
            say(f"network: {alone}")
            options.listen = "127.0.0.1"
        notify("STATUS=waking: the journal is checked")
        closing.enter_context(waking)
        own = Path(options.journal or journal_place())
        journal = open_journal(own)
        closing.callback(end_stand_in, journal, own)  # after it is closed
        closing.enter_context(journal)
        session = Session(journal)
        session.equipment = sight.equipment
        table = Table(session, Interpreter(table_file.layout))
        with of_settings():
            asked, pin = host_pin(
                options.pin, options.listen or "127.0.0.1", at_hand(own, journal, options.pin)
            )
        if asked:  # printed at once: a new PIN is already kept, and the next steps may fail
            say(f"host PIN: {asked}")
        house_file = None if options.config is None else HouseFile(options.config, would_start)
        keeping = Keeping(house_file, table_file.path, lambda changed: sight.renew(changed, runtime.relearn))
        desk = SetupDesk(table, keeping)
        listen, port = options.listen or "127.0.0.1", PORT if options.port is None else options.port
        wanted_port = None
        try:
            try_port(listen, port)
        except PageError as wrong:
            if not under_systemd():
                raise
            log.warning("%s", wrong)
            wanted_port, port = partial(try_port, listen, port), free_port(listen)
        page = Page(
            table,
            PageAddress(port, listen, options.names or ()),
            PageLook(
                options.language or "de", options.camera_picture is not False, max(0, options.attract or 0)
            ),
            HostTools(
                HostDesk(pin, file=hosts_place(at_hand(own, journal, options.pin))),
                house_file,
                lambda: runtime.end_soon() if under_systemd() else False,
                desk,
            ),
        )
        closing.callback(page.close)
        wanted = {} if options.fault is not None else {key: given[key] for key in ASKED}
        with of_settings():
            say(sit_down(session, options, table_file, wanted))
        session.listen(lambda view: fit_lamps(table, table_file, view))
        table.board_buttons = table_file.board.buttons
        say(f"lamps: {said}")
        say(f"camera: {'not used' if safe else camera_now(source)}")
        say(f"journal: {journal.renewed or journal.path}")
        outside = phones_find(options.listen or "127.0.0.1", page.port)
        ends = "   (Ctrl-C ends; the game is kept)" if sys.stdout.isatty() else ""
        say(f"page: {page.url}{outside}{ends}")
        watching = None
        if opened is not None:
            watching = Watching(opened, sight.eye, lambda: sight.serve(table, runtime.post), desk.visitor)
        runtime = Runtime(table, watching, waking.board)
        sight.tell(table)
        if header is not None:
            table.ail("pins", header.what, header.detail)
        services: list[Service] = [page.serve, Systemd(table, runtime.pulse).serve, stay_small]
        services += [lambda: _forget(session, options.keep_pictures), starts.serve]
        if journal.apart is None:
            services += told_over_mqtt(table, options.mqtt, journal.path)
        else:  # a broker counts by the table's own journal
            services.append(partial(once_possible, partial(try_journal, own, journal.path), runtime.end_soon))
        if options.fault is not None:
            services.append(partial(mended, options.config, given["table"], runtime.end_soon))
        if wanted_port is not None:
            services.append(partial(once_possible, wanted_port, runtime.end_soon))
        if pins is not None:
            services.append(Panel(table, table_file.pins, pins).serve)
        runtime.run(*services)
        quiet.enter_context(undisturbed())
        starts.mark_proven()  # an orderly end shows that it ran
    return 0


async def _forget(session: Session, days: int | None) -> None:
    """Delete old pictures periodically, until cancelled."""
    from table.journal import JournalError

    while True:
        try:
            session.forget_pictures((KEEP_DAYS if days is None else days) * 86400.0)
        except JournalError as wrong:  # such as a full disk: try again next time
            log.warning("%s", wrong)
        await asyncio.sleep(FORGET_S)
