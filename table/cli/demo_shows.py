"""The shows of the virtual table: cards on a mat or dice in a box, each with its eye, hands and evening."""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import fact
from table.errors import StammtischError
from table.rules.games import GAMES, TRICK_GAMES, boxed

if TYPE_CHECKING:
    from table.devices import SightingSource
    from table.equipment import Equipment
    from table.printables import Drawing, MatPlan
    from table.rules.view import View
    from table.session import Session
    from table.settings import LampPlan
    from table.setup.desk import SetupDesk
    from table.virtual import VirtualTable
    from table.virtual.tonight import Tonight
    from vision.cards.deck import Deck
    from vision.layout import Layout
    from vision.synthetic.table import Painter

log = logging.getLogger(__name__)

SHEET_S = 30.0
"""How long the sheet of a game stays, at the usual speed, for a visitor to read it or to begin anew."""
OWN_SHEET_S = 240.0
"""How long it stays, at any speed, if people chose the game or ended it: they may want to print it."""


@dataclass(frozen=True, slots=True)
class DemoShow:
    """What differs between cards on a mat and dice in a box. `eye` enrols and prints what it learnt."""

    title: str
    layout: Layout
    seats: tuple[str, ...]
    eye: Callable[[], SightingSource]
    begin: Callable[[], tuple[VirtualTable, str]]
    tend: Callable[[], bool]
    leave: Callable[[], None]
    differences: Callable[[], int]
    alike: Callable[[], tuple[tuple[str, str], ...] | None] = lambda: None


def show_of(wish: Tonight, options: argparse.Namespace, session: Session, seed: int) -> DemoShow:
    """The show for a wish, not yet begun. Drawing its table takes a second or two."""
    return (_box_show if boxed(wish.game) else _card_show)(wish, options, session, seed)


def lamps_at(show: DemoShow) -> LampPlan:
    """The lamps of this show's table."""
    from table.settings import box_lamps, default_lamps

    return (box_lamps if show.layout.kind == "field" else default_lamps)(show.seats)


def equipment() -> Equipment:
    """What the virtual guests can play: every game, in adjacent seats from the first on."""
    from table.equipment import Equipment
    from table.virtual.box import BETS
    from table.virtual.box_evening import COLOURS

    most = max(many for game in TRICK_GAMES.values() for many in game.players)
    seats = tuple(f"S{n}" for n in range(1, most + 1))

    def suits(view: View) -> None:
        if boxed(view.game):
            if strange := [colour for colour in view.players if colour not in COLOURS]:
                raise StammtischError(fact("opening.black", colour=strange[0], known=COLOURS))
        elif view.seats != seats[: len(view.seats)]:
            raise StammtischError(fact("opening.side", last=f"S{len(view.seats)}"))

    return Equipment(seats, tuple(BETS), COLOURS, suits, drawn=True)


def shown_deck(desk: SetupDesk, speed: float) -> Callable[[], VirtualTable | None]:
    """The table at which a deck is shown while `desk` learns one; drawn on first use."""
    from table.printables import plan_mat
    from table.rules.packs import pack_of
    from table.virtual.rehearsal import rehearsal

    tables: dict[str, VirtualTable] = {}

    def table() -> VirtualTable | None:
        played = desk.shown
        if played is None:
            return None
        if played not in tables:
            tables.clear()
            tables[played] = rehearsal(
                plan_mat(4, "A2"), drawn_deck(pack_of(played)), lambda: desk.asked, speed
            )
        return tables[played]

    return table


def drawn_deck(names: Sequence[str]) -> dict[str, Drawing]:
    """Our own drawing of these cards: the Dubbe deck, otherwise a French one."""
    from table.printables import dubbe_deck
    from table.virtual.french import french_deck

    own = dubbe_deck()
    return {name: own[name] for name in names} if own.keys() >= set(names) else french_deck(list(names))


def _say(line: str) -> None:
    print(line, flush=True)


def _dealt(wish: Tonight, options: argparse.Namespace, seed: int) -> Tonight:
    sheet_s = SHEET_S / options.speed
    return replace(wish, seed=seed, limit=options.rounds, sheet_s=sheet_s, own_sheet_s=OWN_SHEET_S)


def _card_show(wish: Tonight, options: argparse.Namespace, session: Session, seed: int) -> DemoShow:
    from table.cli.seeing import look_alikes
    from table.printables import dubbe_deck, plan_mat
    from table.rules.packs import pack_of
    from table.virtual import MatHands, Players, VirtualTable, painter_for
    from table.virtual.camera import Pace
    from table.virtual.evening import Evening
    from table.virtual.french import french_deck
    from vision.mat.pipeline import Eye

    game, number, dice = wish.game, wish.players, GAMES[wish.game].character_dice
    plan, players = plan_mat(number, "A2", characters=dice), Players()
    evening = Evening(
        session,
        players,
        _dealt(wish, options, seed),
        tell=_say,
    )
    seats = tuple(place.name for place in plan.layout.seats)
    names = list(pack_of(game, seats))
    own = dubbe_deck()
    drawn = own if own.keys() >= set(names) else french_deck(names)
    painter = painter_for(plan, drawn, game=GAMES[game])

    learnt: list[Deck] = []

    def eye() -> SightingSource:
        deck = _deck(painter, plan, names)
        learnt[:] = [deck]
        art = "our own art" if drawn is own else "a French deck of our own drawing"
        print(f"deck: {len(deck.cards)} cards, enrolled from {art}")
        if not dice and "say" in GAMES[game].kinds:
            print("what is said (calls, bids, melds) reaches the page, as in a pub")
        return Eye(plan.layout, deck)

    def begin() -> tuple[VirtualTable, str]:
        lying, said = evening.take_up()
        hands = MatHands(plan, seed, dice=dice)
        return VirtualTable(painter, hands, players, hands.opening(lying), Pace(options.speed)), said

    title = f"{GAMES[game].title} with {number} players on a virtual {plan.sheet} mat"
    return DemoShow(
        title,
        plan.layout,
        seats,
        eye,
        begin,
        evening.tend,
        evening.leave,
        lambda: evening.differences,
        lambda: look_alikes(learnt[0]) if learnt else None,
    )


def _box_show(wish: Tonight, options: argparse.Namespace, session: Session, seed: int) -> DemoShow:
    from table.virtual.box import BOARD, BoxHands, Throwers, box_painter, enrolment_stills, plan_box
    from table.virtual.box_evening import BoxEvening
    from table.virtual.camera import Pace, VirtualTable
    from vision.box.dice_set import enrol_dice
    from vision.box.pipeline import BoxEye

    (plan, layout), throwers = plan_box(), Throwers()
    tonight = _dealt(wish, options, seed)
    evening = BoxEvening(session, throwers, layout, tonight, tell=_say)
    painter = box_painter(plan)

    def eye() -> SightingSource:
        with tempfile.TemporaryDirectory() as folder:
            stills = Path(folder)
            enrolment_stills(painter, evening.colours, layout.edge_mm, stills)
            dice = enrol_dice(stills, layout)
        print(f"dice: {', '.join(dice.bodies)}, enrolled from dice of our own drawing")
        return BoxEye(layout, dice)

    def begin() -> tuple[VirtualTable, str]:
        dice, bets, said = evening.take_up()
        hands = BoxHands(plan, evening.colours, seed)
        return VirtualTable(painter, hands, throwers, hands.opening(dice, bets), Pace(options.speed)), said

    title = f"{GAMES[wish.game].title} with {wish.players} players in a virtual box with field {BOARD}"
    return DemoShow(
        title, layout, evening.colours, eye, begin, evening.tend, evening.leave, lambda: evening.differences
    )


def _deck(painter: Painter, plan: MatPlan, names: list[str]) -> Deck:
    """Enrol the drawn cards as the virtual camera sees them; cached in a file, as it takes some seconds."""
    from table.virtual import stills
    from vision.cards.deck import learn, load_deck
    from vision.cards.still import Still
    from vision.errors import DeckError
    from vision.learnt import cache_folder

    pictures = stills(painter, names)
    seal = hashlib.sha256(b"".join(picture.tobytes() for picture in pictures.values())).hexdigest()[:16]
    kept = cache_folder() / f"demo-deck-{seal}.npz"
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
    except OSError as wrong:  # with a full or read-only home it takes some seconds again next time
        log.info("%s: not kept (%s)", kept, wrong)
    return deck
