"""`stammtisch demo`: the whole table without hardware. Only camera, hands and board are virtual.

Drawn frames go to the same eye, the same interpreter, the same rules, the same lamps and page as in a pub.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import secrets
import sys
import tempfile
import webbrowser
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from table.errors import UsageError

if TYPE_CHECKING:
    from firmware_bridge.link import Link
    from table.live import Table
    from table.printables import MatPlan
    from table.runtime import Eye as Sees
    from table.session import Session
    from table.virtual import VirtualTable
    from table.web import Page
    from vision.cards.deck import Deck
    from vision.layout import Layout
    from vision.synthetic.table import Painter

log = logging.getLogger(__name__)

TITLES = {
    "dubbe": "Dubbe",
    "dulle": "Dulle",
    "doppelkopf": "Doppelkopf",
    "klapper-jas": "Klapper-Jas",
    "doppelx": "DoppelX",
}
GAMES = tuple(TITLES)
PORTS = range(8080, 8090)
"""Without --port the first free one of these is taken."""
KEPT_GAMES = 3
_SEEN_BOARDS = 100
"""Pictures that the virtual strip remembers; a demo runs for days."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("--game", default="dubbe", metavar="G", help=f"{', '.join(GAMES)} (default: dubbe)")
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many play (default: 4)")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="0.1 to 20 times as fast")
    parser.add_argument("--rounds", type=int, metavar="N", help="stop after N rounds (default: play on)")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where the games are kept")
    parser.add_argument("--port", type=int, metavar="P", help="of the page (default: 8080 or the next free)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.add_argument("--seed", type=int, metavar="N", help="play the same evening again")
    parser.add_argument("--verbose", action="store_true", help="say what the table says to itself")


def run(options: argparse.Namespace) -> int:
    """Play until Ctrl-C or until the wished rounds are over."""
    _check(options)
    logging.basicConfig(
        level=logging.INFO if options.verbose else logging.WARNING, format="%(message)s", stream=sys.stderr
    )
    # Imported only now: `stammtisch demo --help` should not wait for OpenCV.
    from table.interpret import Interpreter
    from table.journal import Journal
    from table.live import Table
    from table.rules.referee import Referee
    from table.runtime import Runtime
    from table.session import Session
    from table.settings import default_lamps

    with Journal.open(options.journal or _state() / "demo.sqlite") as journal:
        seed = secrets.randbits(32) if options.seed is None else options.seed
        session = Session(journal, Referee)
        show = (_box_show if options.game == "doppelx" else _card_show)(options, session, seed)
        table = Table(session, Interpreter(show.layout), default_lamps(show.seats))
        page = _page(table, options.port)
        try:
            print(show.title, flush=True)
            eye = show.eye()
            lamps, board = _board()
            print(f"lamps: {lamps}")
            camera, said = show.begin()
            print(f"journal: {journal.path}: {said}")
            print(f"page: {page.url}   (Ctrl-C ends)", flush=True)
            runtime = Runtime(table, camera=lambda: camera, eye=eye, board=board)
            if not options.no_browser and _has_screen():
                webbrowser.open(page.url)
            runtime.run(page.serve, show.serve)
        finally:
            page.close()
    if show.differences():
        print(f"{show.differences()} times the table did not note what was played; see the lines above")
    return 0


@dataclass(frozen=True, slots=True)
class _Show:
    """What differs between cards on a mat and dice in a box. `eye` enrols and says what it learnt."""

    title: str
    layout: Layout
    seats: tuple[str, ...]
    eye: Callable[[], Sees]
    begin: Callable[[], tuple[VirtualTable, str]]
    serve: Callable[[], Awaitable[None]]
    differences: Callable[[], int]


def _say(line: str) -> None:
    print(line, flush=True)


def _card_show(options: argparse.Namespace, session: Session, seed: int) -> _Show:
    from table.printables import plan_mat
    from table.virtual import Choreography, Players, VirtualTable, painter_for
    from table.virtual.evening import Evening, pack_of
    from table.virtual.french import french_deck
    from vision.pipeline import Eye

    game, number, dubbe = options.game, options.players, options.game == "dubbe"
    plan, players = plan_mat(number, "A2"), Players()
    evening = Evening(session, players, number, seed, KEPT_GAMES, options.rounds, tell=_say, game=game)
    seats = tuple(place.name for place in plan.layout.seats)
    names = list(pack_of(game, seats))
    painter = painter_for(plan, None if dubbe else french_deck(names))

    def eye() -> Sees:
        deck = _deck(painter, plan, names)
        art = "our own art" if dubbe else "a French deck of our own drawing"
        print(f"deck: {len(deck.cards)} cards, enrolled from {art}")
        if not dubbe:
            print("what is said (calls, bids, melds) reaches the page, as in a pub")
        return Eye(plan.layout, deck)

    def begin() -> tuple[VirtualTable, str]:
        lying, said = evening.take_up()
        hands = Choreography(plan, seed, dice=dubbe)
        return VirtualTable(painter, hands, players, hands.opening(lying), options.speed), said

    title = f"{TITLES[game]} with {number} players on a virtual {plan.sheet} mat"
    return _Show(title, plan.layout, seats, eye, begin, evening.serve, lambda: evening.differences)


def _box_show(options: argparse.Namespace, session: Session, seed: int) -> _Show:
    from table.virtual.box import BOARD, BoxHands, Throwers, box_painter, enrolment_stills, plan_box
    from table.virtual.box_evening import BoxEvening
    from table.virtual.camera import VirtualTable
    from vision.box.dice_set import enrol_dice
    from vision.box.eye import BoxEye

    (plan, layout), throwers = plan_box(), Throwers()
    evening = BoxEvening(
        session, throwers, layout, options.players, seed, KEPT_GAMES, options.rounds, tell=_say
    )
    painter = box_painter(plan)

    def eye() -> Sees:
        with tempfile.TemporaryDirectory() as folder:
            stills = Path(folder)
            enrolment_stills(painter, evening.colours, layout.die_edge_mm or 16.0, stills)
            dice = enrol_dice(stills, layout)
        print(f"dice: {', '.join(dice.bodies)}, enrolled from dice of our own drawing")
        return BoxEye(layout, dice)

    def begin() -> tuple[VirtualTable, str]:
        dice, bets, said = evening.take_up()
        hands = BoxHands(plan, evening.colours, seed)
        return VirtualTable(painter, hands, throwers, hands.opening(dice, bets), options.speed), said

    title = f"DoppelX with {options.players} players in a virtual box with field {BOARD}"
    return _Show(title, layout, evening.colours, eye, begin, evening.serve, lambda: evening.differences)


def _check(options: argparse.Namespace) -> None:
    if options.game not in GAMES:
        raise UsageError(f"the virtual players know {', '.join(GAMES)}, not {options.game!r}")
    from table.virtual.evening import SEATS

    may = {**SEATS, "doppelx": tuple(range(3, 9))}[options.game]
    if options.players not in may:
        known = " or ".join(map(str, may)) if len(may) < 3 else f"{may[0]} to {may[-1]}"
        raise UsageError(
            f"{TITLES[options.game]} is for {known} players, not {options.players}; choose with --players"
        )
    if not 0.1 <= options.speed <= 20:
        raise UsageError(f"--speed {options.speed:g} lies outside 0.1 to 20")
    if options.rounds is not None and options.rounds < 1:
        raise UsageError("--rounds must be 1 or more")


def _page(table: Table, port: int | None) -> Page:
    """The page on the wished port, or on the first free one of the usual ones."""
    from table.web import Page, PageError

    if port is not None:
        return Page(table, port=port)
    for each in PORTS:
        try:
            page = Page(table, port=each)
        except PageError:
            continue
        if each != PORTS[0]:
            print(f"port {PORTS[0]} is taken; the page is at port {each}")
        return page
    raise PageError(f"the ports {PORTS[0]} to {PORTS[-1]} are all taken; choose a free one with --port")


def _board() -> tuple[str, Callable[[], Link]]:
    """The real firmware where it can run, else the board in Python; in words, and how to open it."""
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


def _deck(painter: Painter, plan: MatPlan, names: list[str]) -> Deck:
    """Enrol the drawn art as the virtual camera sees it; kept in a file, for it takes some seconds."""
    from table.virtual import stills
    from vision.cards.deck import learn, load_deck
    from vision.cards.enrolment import Still
    from vision.errors import DeckError

    pictures = stills(painter, names)
    seal = hashlib.sha256(b"".join(picture.tobytes() for picture in pictures.values())).hexdigest()[:16]
    kept = _cache() / f"demo-deck-{seal}.npz"
    if kept.is_file():
        try:
            return load_deck(kept)
        except DeckError as wrong:
            log.info("%s", wrong)
    deck = learn([Still(name, name, picture) for name, picture in pictures.items()])
    deck = replace(deck, size_mm=plan.layout.card_size_mm)
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        half = kept.with_suffix(f".{os.getpid()}")
        deck.save(half)
        half.replace(kept)
    except OSError as wrong:  # a full or read-only home costs some seconds next time, nothing else
        log.info("%s: not kept (%s)", kept, wrong)
    return deck


def _state() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "stammtisch"


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stammtisch"


def _has_screen() -> bool:
    """Without one a text browser would take over the terminal."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
