"""The eye of `stammtisch run`: it learns in the background, and the page does not wait for it."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import Fact, fact
from table.cli.outside import say
from table.cli.real_table import is_absent
from table.errors import StammtischError, UsageError
from table.interpret import Interpreter
from table.settings import read_table
from table.settings.house import Setting

if TYPE_CHECKING:
    from table.devices import SightingSource
    from table.equipment import Equipment
    from table.live import Table
    from table.rules.view import View
    from table.settings import LampPlan, TableFile
    from vision.cards.deck import Deck


class Sight:
    """The eye and the equipment. Until deck or dice are learnt, everything is entered by touch."""

    def __init__(self, options: argparse.Namespace, table_file: TableFile, safe: Fact | None) -> None:
        """`safe`: why this start leaves the camera alone; None if it does not."""
        from table.cli.safe_mode import by_hand

        self._options, self._table_file, self._safe = options, table_file, safe
        self.eye: SightingSource | None = None
        self.equipment: Equipment = by_hand(table_file)
        self._lacks = safe
        self._learnt = False
        self._renewed = False

    def name(self) -> None:
        """Determine the equipment at once: load a saved deck, or take the names of its pictures.

        Learning pictures takes a while, and nobody should wait for it.
        """
        from table.cli.named import by_name

        if self._options.deck is not None and Path(self._options.deck).is_file():
            self.learn()
        else:
            self.equipment = by_name(self._options, self._table_file)

    def learn(self, learning: Callable[[], None] = lambda: None) -> None:
        """Learn deck or dice; print the reason if nothing can be learnt.

        `learning` is called if no earlier start has kept the result.
        """
        from table.eye_words import told_by
        from table.memory import give_back
        from vision.errors import VisionError

        if self._learnt:
            return
        self._learnt = True
        said: Fact | None = None
        if self._safe is None:
            try:
                self.eye, self.equipment = eye_for(self._options, self._table_file, learning)
            except UsageError as wrong:  # the page is for guests: command syntax is printed instead
                boxed, said = self._table_file.layout.kind == "field", wrong.fact
                self._lacks = fact("sight.dice") if boxed else fact("sight.cards")
            except StammtischError as wrong:
                self._lacks = wrong.fact
            except VisionError as wrong:
                self._lacks = told_by(wrong)
        give_back()
        if self._lacks:
            say(f"by hand: {said or self._lacks}")

    def renew(self, changed: Mapping[str, Setting], relearn: Callable[[], None]) -> None:
        """Have the eye learn anew, with these settings and the table file, after the host's set-up."""
        for key, value in changed.items():
            setattr(self._options, key, value)
        self._renewed = True
        relearn()

    def tell(self, table: Table) -> None:
        """Report to the table what is lacking, also a named camera; call it in the table's thread."""
        named = getattr(self._options, "camera", None)
        if self._safe:
            unfit = getattr(self._options, "fault", None) is not None
            table.ail("camera", "unfit" if unfit else "safe", self._safe)
        elif self._lacks and named and is_absent(named):
            table.ail("camera", "unread", fact("sight.absent", why=self._lacks, source=named))
        elif self._lacks:
            table.ail("camera", "unread", self._lacks)

    def serve(self, table: Table, post: Callable[..., None]) -> SightingSource | None:
        """Learn in the camera's thread; `post` calls a function in the table's. None if there is no eye."""
        renewed, self._renewed = self._renewed, False
        if renewed:
            self._look_anew()
        self.learn(lambda: post(table.ail, "camera", "learning"))
        post(self._equip, table)
        if renewed:
            post(self._lie_anew, table)
        return self.eye

    def _look_anew(self) -> None:
        """Read the table file again and forget what was learnt; if it is now wrong, the old one stays."""
        from table.cli.safe_mode import by_hand

        with contextlib.suppress(StammtischError):
            self._table_file = read_table(self._table_file.path)
        self._learnt, self.eye, self._lacks = False, None, self._safe
        self.equipment = by_hand(self._table_file)  # the new file's layout, even if no deck is learnt yet

    def _lie_anew(self, table: Table) -> None:
        table.rearrange(Interpreter(self._table_file.layout), lamps_of(self._table_file, table.session.view))

    def _equip(self, table: Table) -> None:
        self.tell(table)
        if table.health.camera.what == "learning":
            table.ail("camera", "starting")
        session = table.session
        session.equipment = self.equipment
        if session.game is None:
            return
        try:
            self.equipment.suits(session.view)
            self.equipment.prepare(session.view)
        except StammtischError as wrong:
            table.refuse(wrong.fact)


def needed(options: argparse.Namespace, key: str) -> str:
    """The value of a required option. Raises UsageError if it is missing."""
    if getattr(options, key) is None:
        raise UsageError(fact("option.missing", what=key))
    return str(getattr(options, key))


def eye_for(
    options: argparse.Namespace, table_file: TableFile, learning: Callable[[], None]
) -> tuple[SightingSource, Equipment]:
    """The eye for this table, and its equipment. Raises StammtischError or VisionError.

    `learning` is called if no earlier start has kept the result.
    """
    import cv2

    boxed = table_file.layout.kind == "field"
    where = needed(options, "dice" if boxed else "deck")
    # The eye's arrays are small: threads that wait for each other would leave less to page and browser.
    cv2.setNumThreads(1)
    # Printed first, since learning from pictures takes a while.
    say(f"{'dice' if boxed else 'deck'}: {where}")
    return _box_eye(table_file, where, learning) if boxed else _mat_eye(options, table_file, where, learning)


def _mat_eye(
    options: argparse.Namespace, table_file: TableFile, where: str, learning: Callable[[], None]
) -> tuple[SightingSource, Equipment]:
    from table.cli.opening import check_deck, expect_missing
    from table.cli.safe_mode import by_hand
    from table.equipment import Equipment
    from vision.cards.deck import load_deck
    from vision.mat.pipeline import Eye

    layout, suits = table_file.layout, by_hand(table_file).suits
    deck = load_deck(Path(where), layout, bool(options.partial), keep=True, learning=learning)
    seats = tuple(seat.name for seat in layout.seats)

    def cards(view: View) -> None:
        suits(view)
        check_deck(deck, view.pack, where)

    return Eye(layout, deck), Equipment(
        seats,
        suits=cards,
        prepare=lambda view: expect_missing(deck, view.pack),
        layout=layout,
        faces=_faces(deck),
        alike=lambda: look_alikes(deck),
    )


def _box_eye(
    table_file: TableFile, where: str, learning: Callable[[], None]
) -> tuple[SightingSource, Equipment]:
    from table.cli.opening import check_dice
    from table.cli.safe_mode import by_hand
    from table.equipment import Equipment
    from vision.box.dice_set import enrol_dice
    from vision.box.pipeline import BoxEye

    layout, suits = table_file.layout, by_hand(table_file).suits
    known = enrol_dice(Path(where), layout, keep=True, learning=learning)

    def dice(view: View) -> None:
        suits(view)
        check_dice(known.bodies, view.players, where)

    return BoxEye(layout, known), Equipment(
        bets=tuple(bet.kind for bet in layout.bets),
        colours=tuple(colour for colour in known.bodies if colour != "white"),
        suits=dice,
        layout=layout,
    )


def look_alikes(deck: Deck) -> tuple[tuple[str, str], ...]:
    """The pairs of cards in a deck that look alike, the nearest first."""
    return tuple((pair.first, pair.second) for pair in deck.look_alikes())


def lamps_of(table_file: TableFile, view: View) -> LampPlan:
    """The table file's lamps; after the usual two of a box each player gets one more for his turn."""
    from table.settings import box_lamps, default_lamps

    plan = table_file.lamps
    if view.box is None or plan.lamps != default_lamps(()).lamps:
        return plan
    players = box_lamps(view.seats)
    return replace(plan, lamps=players.lamps, count=max(plan.count, players.count))


def fit_lamps(table: Table, table_file: TableFile, view: View) -> None:
    """Fit a box's lamps to the players, who change with the game."""
    table.plan = lamps_of(table_file, view)


def _faces(deck: Deck) -> dict[str, bytes]:
    """A JPEG of each enrolled card for the page; of several pictures of one card the first."""
    from table.jpeg import FACE, jpeg

    found: dict[str, bytes] = {}
    for name, picture in zip(deck.names, deck.pictures, strict=True):
        if name not in found and (face := jpeg(picture, FACE)) is not None:
            found[name] = face
    return found
