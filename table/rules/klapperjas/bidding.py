"""Who plays what: Orgi, Kleines, besser, decided on a first look (J-20 to J-22, J-31, J-32)."""

from __future__ import annotations

from typing import NamedTuple

from table.rules.klapperjas.terms import BESSER

ORGI, KLEINES = "orgi", "kleines"
VALUE: dict[str, int] = {ORGI: 2, KLEINES: 1}
"""Points for each game (J-41)."""


class Bidding(NamedTuple):
    """The state of the bidding; `order` are the seats from the dealer's left on.

    The table folds what is reported, even out of order: buttons are pressed late, and a group may leave out
    the passes.
    """

    order: tuple[int, ...]
    declarer: int | None = None
    kind: str | None = None
    suit: str | None = None
    """The named trump; an Orgi takes the turned card's."""
    besser: bool = False
    no_orgi: frozenset[int] = frozenset()
    """The seats that have passed the Orgi."""
    no_kleines: frozenset[int] = frozenset()
    """The seats that have also passed the Kleines."""

    @property
    def passed_out(self) -> bool:
        """Whether nobody plays: the same dealer deals again (J-20)."""
        return self.declarer is None and self.no_kleines >= set(self.order)

    def asked(self) -> int | None:
        """Return who is asked next, or None when nobody is."""
        if self.kind == ORGI or self.besser or self.suit is not None or self.passed_out:
            return None
        if self.declarer is not None:  # only those after him may still say besser
            after = self.order[self.order.index(self.declarer) + 1 :]
            return next((seat for seat in after if seat not in self.no_kleines), None)
        round_one = next((seat for seat in self.order if seat not in self.no_orgi), None)
        if round_one is not None:
            return round_one
        return next((seat for seat in self.order if seat not in self.no_kleines), None)

    def skips(self, seat: int, word: str) -> bool:
        """Return whether a seat speaks before another that is asked, in a group that reports its passes.

        A group may leave them all out. Where only some are missing, two deals may have run together.
        """
        told = word == "passe" or bool(self.no_orgi or self.no_kleines)
        return told and self.asked() not in (None, seat)

    def should_declare(self) -> int:
        """Return who should have said something when a card falls before the trump is known (G-I9)."""
        if self.declarer is not None:
            return self.declarer
        asked = self.asked()
        return self.order[0] if asked is None else asked

    def passe(self, seat: int) -> Bidding:
        """Let a seat pass: first the Orgi, then the Kleines."""
        if self.declarer is None and seat not in self.no_orgi:
            return self._replace(no_orgi=self.no_orgi | {seat})
        return self._replace(no_kleines=self.no_kleines | {seat})

    def orgi(self, seat: int) -> Bidding:
        """Let a seat play the Orgi; even one that passed it, took up all its cards and must (J-32)."""
        if self.kind == ORGI:
            return self
        return self._replace(declarer=seat, kind=ORGI, suit=None, besser=False)

    def kleines(self, seat: int) -> Bidding:
        """Let a seat play a Kleines, its suit still open; the first to say it keeps it (J-21)."""
        return self if self.declarer is not None else self._replace(declarer=seat, kind=KLEINES)

    def say_besser(self, seat: int, turned_suit: str | None) -> Bidding:
        """Let a later seat play Kreuz instead; nobody can when Kreuz is the Orgi; the first wins (JA-10)."""
        if self.kind == ORGI or self.besser or turned_suit == BESSER:
            return self
        if self.declarer is not None and self.order.index(seat) < self.order.index(self.declarer):
            return self  # he was asked before and passed (J-21)
        return self._replace(declarer=seat, kind=KLEINES, suit=BESSER, besser=True)

    def farbe(self, seat: int, suit: str, turned_suit: str | None) -> Bidding:
        """Take the suit that the declarer names. A seat that names one unasked plays a Kleines."""
        if self.declarer is None:
            return self.kleines(seat)._replace(suit=suit)
        if seat != self.declarer or self.besser or (self.kind == ORGI and turned_suit is not None):
            return self
        return self._replace(suit=suit)

    def trump(self, turned_suit: str | None) -> str | None:
        """Return the trump suit, None while it is open."""
        if self.kind == ORGI:
            return turned_suit or self.suit
        return self.suit if self.kind == KLEINES else None


def bids(bidding: Bidding, seat: int, turned_suit: str | None) -> tuple[str, ...]:
    """Return what the seat that is asked may play, besides passing."""
    if bidding.declarer is not None:
        return () if turned_suit == BESSER else ("besser",)
    return ("orgi",) if seat not in bidding.no_orgi else ("kleines",)
