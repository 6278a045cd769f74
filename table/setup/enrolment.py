"""Learns a deck card by card with the table's own camera, and checks it before it is stored."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from table.catalogue import Fact, fact
from table.errors import StammtischError, system_reason
from table.eye_words import told_by, unlearnt_told
from table.jpeg import FACE, jpeg
from table.whole_file import replacing
from vision.cards.deck import Deck
from vision.errors import VisionError
from vision.layout import Layout
from vision.sightings import Picture
from vision.untagged.live_enrolment import Showing, Shown

Phase = Literal["ground", "cards", "learning", "learnt"]
"""Waiting for the bare table; cards are being shown; all faces are being compared; done."""


@dataclass(frozen=True, slots=True)
class EnrolmentState:
    """Progress of the enrolment. `asked` is the card to be laid next, `last` the result of the one before."""

    game: str
    phase: Phase
    asked: str | None
    learnt: tuple[str, ...]
    missing: int
    last: Shown | None
    alike: tuple[tuple[str, str, float], ...]
    """Pairs of similar cards with the share of ink that differs, most alike first; once all is learnt."""
    refused: tuple[tuple[str, Fact], ...]
    doubted: tuple[tuple[str, str], ...] = ()
    """Cards that look much like one of another rank or suit, each with that one."""
    unchecked: bool = False
    """Whether some cards could not be compared with each other, as no print distinguishes them."""


class DeckEnrolment:
    """One deck being learnt. `see` belongs to the camera's thread; any thread may call the rest."""

    def __init__(self, game: str, names: Sequence[str], layout: Layout | None) -> None:
        self.game = game
        self._names = tuple(dict.fromkeys(names))
        self._showing = Showing(self._names, layout)
        self._busy = threading.Lock()
        self._last: Shown | None = None
        self._deck: Deck | None = None
        self._learning = False

    @property
    def asked(self) -> str | None:
        """The card to be laid next; None if there is none."""
        missing = self._showing.missing
        return missing[0] if missing and self._showing.ready and self._over is None else None

    @property
    def _over(self) -> Phase | None:
        return "learnt" if self._deck else "learning" if self._learning else None

    def see(self, picture: Picture, t: float) -> None:
        """Take one frame (h, w, 3) BGR uint8 at `t` seconds."""
        if self._over is not None:
            return
        with self._busy:
            self._last = self._showing.see(picture, t) or self._last

    def skip(self) -> None:
        """Ask for the next card; ask for the current one, which is not at hand, at the end."""
        with self._busy:
            self._showing.skip()

    def insist(self) -> None:
        """Insist that the card laid is the one asked for, though the table took it for a known one."""
        with self._busy:
            if self._last is not None:
                self._last = self._showing.insist(self._last.t) or self._last

    def again(self, name: str) -> None:
        """Ask for a card again: the face learnt under this name is another card's."""
        with self._busy:
            self._showing.forget(name)
            self._deck, self._last = None, None

    def learn(self) -> None:
        """Compare all faces with each other; takes seconds, so call it off the loop.

        Raises:
            StammtischError: no card that could be learnt was shown.
        """
        self._learning = True
        try:
            with self._busy:
                self._deck = None
                deck = self._showing.deck()
                if deck.names:
                    lacking = {name for name in self._names if name not in deck.cards}
                    whole = replace(deck, missing=tuple(sorted({*deck.missing, *lacking})))
                    whole.look_alikes()  # caches them in the deck: the page requests them on the loop
                    self._deck = whole
        except VisionError as wrong:
            raise StammtischError(told_by(wrong)) from None
        finally:
            self._learning = False
        if not deck.names:
            raise StammtischError(fact("setup.deck.nothing"))

    def keep(self, file: Path) -> bool:
        """Write the learnt deck; return whether it has every card of the game.

        Raises:
            StammtischError: nothing was learnt yet, or the file cannot be written.
        """
        deck = self._deck
        if deck is None:
            raise StammtischError(fact("setup.deck.first"))
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as new:
                deck.save(new)
        except OSError as wrong:
            raise StammtischError(
                fact("settings.unwritten", where=str(file), why=system_reason(wrong))
            ) from None
        return not deck.missing

    def face(self, name: str) -> bytes | None:
        """A JPEG of the face that was learnt under a name; None if there is none."""
        deck = self._deck or self._showing.seen
        for known, picture in zip(deck.names, deck.pictures, strict=True):
            if known == name:
                return jpeg(picture, FACE)
        return None

    def state(self) -> EnrolmentState:
        """Current progress."""
        deck = self._deck
        names = (deck or self._showing.seen).cards
        refused = deck.refused if deck else ()
        phase: Phase = self._over or ("cards" if self._showing.ready else "ground")
        return EnrolmentState(
            self.game,
            phase,
            self.asked,
            tuple(name for name in self._names if name in names),
            len(set(self._names) - set(names)),
            self._last,
            tuple((pair.first, pair.second, pair.apart) for pair in deck.look_alikes()) if deck else (),
            tuple((each.name, unlearnt_told(each.reason)) for each in refused),
            deck.doubted if deck else (),
            bool(deck and deck.unchecked),
        )
