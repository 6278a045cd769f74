"""`stammtisch demo`: the whole table without hardware. Only camera, hands and board are virtual.

Drawn frames go to the same eye, the same interpreter, the same rules, the same lamps and page as in a pub.
"""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import sys
import webbrowser
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import fact
from table.cli import numbers
from table.cli.demo_shows import equipment, lamps_at, show_of, shown_deck
from table.cli.outside import undisturbed
from table.cli.real_table import state_folder
from table.errors import UsageError
from table.processes import count_log
from table.rules.events import nearest
from table.rules.games import GAMES

if TYPE_CHECKING:
    from firmware_bridge.link import Link
    from table.live import Table
    from table.setup.desk import SetupDesk
    from table.web import Page

FIRST = next(iter(GAMES))
PORTS = range(8080, 8090)
"""Ports tried without --port: the first free one is taken, otherwise any free port."""
ATTRACT = 5
"""Idle minutes until a kiosk shows a round that plays itself: in a demo nobody needs to ask for it."""
SHOWN_FASTER = 4.0
"""Speed relative to people's at which a deck is shown: nobody wants to watch 75 cards being laid."""
_SEEN_BOARDS = 100
"""Number of pictures that the virtual strip remembers; limited, as a demo may run for days."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("--game", default=FIRST, metavar="G", help=f"{', '.join(GAMES)} (default: {FIRST})")
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many play (default: 4)")
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="X", help="speed: 0.1 to 20 times the usual one"
    )
    parser.add_argument("--rounds", type=int, metavar="N", help="stop after N rounds (default: play on)")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="where the games are kept; existing ones stay"
    )
    parser.add_argument(
        "--port", type=numbers.port, metavar="P", help="port of the page (default: 8080 or the next free one)"
    )
    parser.add_argument(
        "--mqtt",
        metavar="HOST:PORT/TABLE",
        help="send what is played to a broker (see docs/reference/mqtt.md)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the evening: the same number plays the same evening again",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="log everything the table does, not only warnings"
    )


def run(options: argparse.Namespace) -> int:
    """Play until Ctrl-C or until the requested rounds are over."""
    _check(options)
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING, format="%(message)s", stream=sys.stderr
    )
    count_log()
    # Imported only now: `stammtisch demo --help` should not wait for OpenCV.
    from table.camera_watch import Watching
    from table.cli.demo_house import Playhouse
    from table.cli.network import broker_at, told_over_mqtt
    from table.interpret import Interpreter
    from table.journal import Journal
    from table.live import Table
    from table.memory import keep_at_hand, one_arena, stay_small
    from table.rules.referee import Referee
    from table.runtime import Runtime
    from table.session import Session
    from table.setup.desk import SetupDesk
    from table.virtual.tonight import Tonight

    one_arena()
    keep_at_hand()
    broker = broker_at(options.mqtt) if options.mqtt else None
    with ExitStack() as quiet, Journal.open(options.journal or state_folder() / "demo.sqlite") as journal:
        seed = secrets.randbits(32) if options.seed is None else options.seed
        session = Session(journal, Referee)
        session.equipment = equipment()
        if options.journal is not None:  # the usual file is the demo's own
            session.others = max(journal.games(), default=0)
        make = partial(show_of, options=options, session=session, seed=seed)
        show = make(Tonight(options.game, options.players))
        table = Table(session, Interpreter(show.layout), lamps_at(show))
        desk = SetupDesk(table, pausing=True)
        page = _page(table, options.port, desk)
        try:
            print(show.title, flush=True)
            eye = show.eye()
            lamps, board = _board()
            print(f"lamps: {lamps}")
            showing = shown_deck(desk, SHOWN_FASTER * options.speed)
            house = Playhouse(table, show, eye, make, showing)
            print(f"journal: {journal.path}: {house.said}")
            print(f"page: {page.url}   (Ctrl-C ends)", flush=True)
            runtime = Runtime(table, Watching(lambda: house, house, visitor=desk.visitor), board)
            if not options.no_browser and _has_screen():
                webbrowser.open(page.url)
            runtime.run(page.serve, house.serve, stay_small, *told_over_mqtt(table, broker, journal.path))
            quiet.enter_context(undisturbed())
        finally:
            page.close()
    if house.differences:
        print(f"{house.differences} times the table did not record what was played; see the lines above")
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.game not in GAMES:
        raise UsageError(fact("opening.game", game=options.game, remedy=nearest(options.game, GAMES)))
    game = GAMES[options.game]
    may = game.players
    if options.players not in may:
        known = " or ".join(map(str, may)) if len(may) < 3 else f"{may[0]} to {may[-1]}"
        raise UsageError(f"{game.title} is for {known} players, not {options.players}; choose with --players")
    if not 0.1 <= options.speed <= 20:
        raise UsageError(f"--speed {options.speed:g} is outside 0.1 to 20")
    if options.rounds is not None and options.rounds < 1:
        raise UsageError("--rounds must be 1 or more")


def _page(table: Table, port: int | None, desk: SetupDesk) -> Page:
    """The page on the requested port, or on the first free one of the usual ones."""
    from table.web import HostTools, Page, PageAddress, PageError, PageLook

    look, host = PageLook(attract=ATTRACT), HostTools(setup_desk=desk)

    if port is not None:
        return Page(table, PageAddress(port), look, host)
    for each in PORTS:
        try:
            page = Page(table, PageAddress(each), look, host)
        except PageError:
            continue
        break
    else:
        page = Page(table, PageAddress(0), look, host)
    if page.port != PORTS[0]:
        print(f"port {PORTS[0]} is taken; the page is at port {page.port}")
    return page


def _board() -> tuple[str, Callable[[], Link]]:
    """The real firmware if it can run, otherwise the board in Python; its description and how to open it."""
    from firmware_bridge.errors import EmulatorError
    from firmware_bridge.link import Link
    from firmware_bridge.transports.emulated import EmulatedBoard, EmulatedPort
    from firmware_bridge.transports.loopback import Loopback

    def emulated() -> EmulatedPort:
        return EmulatedPort(EmulatedBoard(memory=_SEEN_BOARDS))

    def loopback() -> Loopback:
        port = Loopback()
        port.board.shown = deque(maxlen=_SEEN_BOARDS)
        return port

    try:
        first = [emulated()]
    except EmulatorError as why:
        return f"loopback board, no firmware ({why})", lambda: Link(loopback)
    return (
        "the real firmware on an emulated ATmega328P (simavr)",
        lambda: Link(lambda: first.pop() if first else emulated()),
    )


def _has_screen() -> bool:
    """Whether there is a screen; without one a text browser would take over the terminal."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
