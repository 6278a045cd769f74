"""Dice on the characters' spots in Dubbe, compared with what should lie there (D-I2, D-I3, D-I5)."""

from __future__ import annotations

from table.rules.cards import COLOURS
from table.rules.dubbe.terms import AAGEWWER, CHARACTERS, JO_LOSSEN, JO_VALUE, Change, colour_of
from table.rules.dubbe.trump import TrumpFold
from table.rules.events import Event
from table.rules.setup import Setup
from table.rules.view import Finding


class DiceFold(TrumpFold):
    """The dice of a round of Dubbe: wrong ones are found, and forgiven where they were reported early."""

    def __init__(self, setup: Setup, dealer: str) -> None:
        super().__init__(setup, dealer)
        self.options = setup.options
        self.changes: list[tuple[Change, ...]] = []
        """The changes that each finished trick made."""
        self.dice: dict[str, tuple[str, int]] = {}
        """The last die seen on each character's spot."""
        self.skipped: dict[str, tuple[str, int]] = {}
        """By spot, the die that nobody reported before the right one there: reported now, it is only late."""
        self.wrong_dice: set[str] = set()
        """Spots whose die was found wrong and has not changed since: it is reported once."""
        self.ahead: dict[str, Finding] = {}
        """Wrong dice since the last trick, by spot: perhaps reported before the cards of their trick."""
        self.early: dict[str, Finding] = {}
        """Those of them that the trick made right: early, unless the die is reported again after it."""

    def die(self, event: Event) -> None:
        """Fold a die on a character: it declares trump, or is compared with what should lie there."""
        spot, colour, value = event.get("spot"), event.get("colour"), event.get("value")
        if spot not in CHARACTERS or event.id is None or self.broken_off:
            return
        if colour is None or value is None:
            self.unread_die(event)
            return
        if self.dice.get(spot) == (colour, value) and spot in self.wrong_dice:
            self.early.pop(spot, None)
            return
        if self.skipped.pop(spot, None) == (colour, value):
            return
        before, self.dice[spot] = self.dice.get(spot), (colour, value)
        self.wrong_dice.discard(spot)
        which = CHARACTERS.index(spot)
        if not self.begun and which != AAGEWWER:
            return  # the last round's dice are still being taken off
        if self.over and which == AAGEWWER and value == 1:
            return  # the trump of another round, which nobody has begun yet
        if self.over and spot not in [change.character for change in self.changes[-1]]:
            return  # after the last trick only its own die is still to be set; the others are taken off
        if which == AAGEWWER and colour in COLOURS and not self.over:
            if not self.begun:
                self.declare(colour)  # before the first card another die is a change of mind
            elif self.trump is None or self.supposed:
                self.told_late(colour)
        if (colour, value) in self._may_lie(which) or self._lay_a_trick_ago(which, before):
            if value > 1 and before == ((colour, value - 2) if value > 2 else None):
                self.skipped[spot] = (colour, value - 1)
            return
        rule = "DA-11" if which == AAGEWWER and colour != self.trump else "D-I3"
        rule = {AAGEWWER: "D-I2" if not self.begun else rule, JO_LOSSEN: "D-I5"}.get(which, rule)
        self.wrong_dice.add(spot)
        owner = self.chooser if which == AAGEWWER else self.tiles[which].owner
        self.evidence.report("marker_mismatch", rule, owner, event.id)
        if not self.trick:
            self.ahead[spot] = self.evidence.findings[-1]

    def _may_lie(self, which: int) -> tuple[tuple[str | None, int | None], ...]:
        """Return what may lie on a character's spot: during a trick also what the trick will make of it."""
        tile = self.tiles[which]
        right = ((tile.colour, tile.value),)
        if self.trick and tile.colour is not None and colour_of(self.trick[0].name) == tile.colour:
            return (*right, (tile.colour, self.raised(which)))
        return right

    def _lay_a_trick_ago(self, which: int, before: tuple[str, int] | None) -> bool:
        """Return whether a die is the one that should have lain here a trick ago and was not reported."""
        tile, die = self.tiles[which], self.dice[CHARACTERS[which]]
        if which == JO_LOSSEN or tile.value is None:
            return False
        earlier = (tile.colour, tile.value - 2) if tile.value > 2 else None
        return die == (tile.colour, tile.value - 1) and before == earlier

    def expected(self) -> dict[str, tuple[str, int] | None]:
        """Return for every character's spot the die that should lie there, (colour, value), or None."""
        return {
            name: None if tile.colour is None or tile.value is None else (tile.colour, tile.value)
            for name, tile in zip(CHARACTERS, self.tiles, strict=True)
        }

    def raised(self, which: int) -> int:
        """Return what a character's die will show once its colour is led again."""
        value = self.tiles[which].value
        if which == JO_LOSSEN:
            return JO_VALUE
        if value is None:
            return 1
        top = self.options["die_max"]
        return value + 1 if top == "unbounded" else min(value + 1, top)

    def note_early(self) -> None:
        """Note, after a trick, the dice that it made right: perhaps set before its cards were reported."""
        ahead, self.ahead = self.ahead, {}
        self.early = {spot: one for spot, one in ahead.items() if self.dice[spot] == self.expected()[spot]}

    def forgive_early(self) -> None:
        """Drop, as the next trick begins, the findings on dice that were only reported too early."""
        for spot, one in self.early.items():
            self.evidence.findings.remove(one)
            self.wrong_dice.discard(spot)
        self.early = {}
