"""What is trump in a round of Dubbe: declared by die or word, late or never (D-10 to D-12, DA-10, DA-11)."""

from __future__ import annotations

from typing import Self

from table.rules.cards import COLOURS, DUBBE_CARDS
from table.rules.dubbe.terms import AAGEWWER, CHARACTERS, HAND_SIZE, Tile, contract, pack
from table.rules.events import Event
from table.rules.setup import Setup
from table.rules.tricks import Contract, TrickRound
from table.rules.view import Doubt


class TrumpFold(TrickRound):
    """A round of Dubbe as far as its trump is concerned."""

    def __init__(self, setup: Setup, dealer: str) -> None:
        seats = setup.seats
        super().__init__(DUBBE_CARDS, pack(len(seats)), seats, HAND_SIZE, dealer)
        self.chooser = (seats.index(dealer) + 1) % len(seats)  # D-10, D-14
        self.trump: str | None = None
        self.supposed = False
        """Whether nobody declared this trump, as far as the table knows."""
        self.unread: Doubt | None = None
        """A die of unreadable colour that lay on Aagewwer before the first card: it declares some trump."""
        self.tiles: list[Tile] = [Tile()] * 5

    def contract(self) -> Contract:
        """Return the tables of the current trump."""
        return contract(self.trump)

    def possible_contracts(self) -> tuple[Contract, ...]:
        """Return the tables of every colour while none was declared (D-I1): any may be trump."""
        return () if self.trump is not None else tuple(contract(colour) for colour in COLOURS)

    def first_card(self, event: int) -> None:
        """Note that trump should be declared by now (D-10, G-I9)."""
        if (self.trump is None or self.supposed) and self.unread is None:
            self.evidence.report("missing_declaration", "D-I1", self.chooser, event)

    def suppositions(self) -> tuple[Self, ...]:
        """Return a copy per colour: trump may have been declared although nobody saw or heard it (D-I1)."""
        if self.trump is not None:
            return ()
        twins = tuple(self.copy() for _ in COLOURS)
        for twin, colour in zip(twins, COLOURS, strict=True):
            twin.supposed = True
            twin.declare(colour)
        return twins

    def told_late(self, colour: str) -> None:
        """Note that trump is said, or shown by a die, only now."""
        if not self.supposed:
            self._declare_late(colour)
        elif colour == self.trump:
            self.supposed = False
        else:
            self.refuted = True

    def say(self, event: Event) -> None:
        """Fold `trump:<colour>`: it declares trump if no die does; void after the first card (G-I10)."""
        colour = str(event.get("what")).partition(":")[2]
        other = event.seat is not None and self.seats.index(event.seat) != self.chooser
        if other:
            self.remarks.append((len(self.tricks) + 1, "not_the_chooser", str(event.seat)))
        if not self.begun:
            if not other or self.trump is None:  # a word is valid, whoever said it
                self.declare(colour)
        elif self.trump is None or self.supposed:
            if not self.over:
                self.told_late(colour)
        elif not other and colour != self.trump and event.id is not None and not self.over:
            self.evidence.report("late_declaration", "G-I10", self.chooser, event.id)

    def declare(self, colour: str) -> None:
        """Make a colour trump: its die lies on Aagewwer, the chooser's (D-11, D-20)."""
        self.trump = colour
        self.tiles[AAGEWWER] = Tile(colour, 1, self.chooser)

    def _declare_late(self, colour: str) -> None:
        """Take the first die on Aagewwer after the first card as trump: better late than none at all."""
        opened = [tile for tile in self.tiles if tile.colour is not None]
        if not self.tricks:  # the current trick is judged as if trump had been declared before it
            self.tiles = [Tile()] * 5
            self.declare(colour)
            if self.trick:
                self.lead_falls(self.trick[0])
        elif all(tile.colour != colour for tile in opened):
            self.declare(colour)

    def phase(self) -> str:
        """Return the phase: trump is declared first, then cards are played."""
        return "declare" if self.trump is None and not self.begun and not self.over else super().phase()

    def unread_die(self, event: Event) -> None:
        """Note a die on Aagewwer before the first card: it declares a trump, even if read in part (D-11)."""
        if self.begun or event.id is None or event.get("spot") != CHARACTERS[AAGEWWER]:
            return
        if (colour := event.get("colour")) in COLOURS:
            self.declare(colour)
        elif self.trump is None:
            candidates = tuple((str(name), float(share)) for name, share in event.get("candidates") or ())
            self.unread = Doubt(event.id, None, candidates)

    def doubts(self) -> tuple[Doubt, ...]:
        """Return the die that declares an unknown trump, until somebody says which (events.md#doubts)."""
        return (self.unread,) if self.unread and (self.trump is None or self.supposed) else ()
