"""What is public in a round of Klapper-Jas: the turned card, trump, the rest pile, who showed which card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.rules.cards import SUITS
from table.rules.klapperjas.bidding import Bidding
from table.rules.klapperjas.score import sides
from table.rules.klapperjas.terms import CARDS, HAND_SIZE, PACK, KlapperContract, contract
from table.rules.tricks import TrickRound


class OpenCards(TrickRound):
    """The part of a round that everybody sees; what is said is in `Talk`."""

    def __init__(
        self, options: Mapping[str, Any], number: int, seats: tuple[str, ...], dealer: str, first: int
    ):
        super().__init__(CARDS, PACK, seats, HAND_SIZE[len(seats)], dealer)
        self.options, self.number = options, number
        self.leader = first
        self.bidding = Bidding(tuple((first + n) % len(seats) for n in range(len(seats))))
        self.turned: tuple[str, ...] = ()
        """Open cards beside the hands: the first names the Orgi; with four it is in the dealer's hand."""
        self.swapper: int | None = None
        """The seat that has put the 7 in place of the turned card, as far as anybody knows (J-33)."""
        self.swapped_late: frozenset[int] = frozenset()
        self.turned_unsure = False
        """Whether the open card may be that of an earlier deal, as words are missing in the bidding."""
        self.owner: dict[str, int] = {}
        """The seat that has shown each card."""

    @property
    def turned_suit(self) -> str | None:
        """The suit of the Orgi."""
        return self.turned[0][0] if self.turned else None

    @property
    def trump(self) -> str | None:
        """The trump suit, None while nobody has named one."""
        return self.bidding.trump(self.turned_suit)

    def contract(self) -> KlapperContract:
        """Return the tables of the current trump."""
        return contract(self.trump, self.options["undertrump"] == "forced")

    def possible_contracts(self) -> tuple[KlapperContract, ...]:
        """Return the tables of every suit while none was named (G-I9): any may be trump."""
        return () if self.trump is not None else tuple(contract(suit, True) for suit in SUITS)

    @property
    def has_pile(self) -> bool:
        """Whether there is a rest pile: with two or three players (J-28, J-29); with four there is none."""
        return len(self.seats) < 4

    @property
    def seven(self) -> str | None:
        """The 7 that may be swapped for the turned card."""
        if not self.turned or self.turned[0][1] == "7" or not self.has_pile:
            return None
        return f"{self.turned[0][0]}7"

    def party(self, seat: int) -> frozenset[int]:
        """Return the seats whose Augen are added to a seat's, the seat itself included."""
        side = sides(len(self.seats))
        return frozenset(other for other in range(len(self.seats)) if side[other] == side[seat])

    def _side_of_declarer(self, seat: int) -> bool:
        return self.bidding.declarer is not None and seat in self.party(self.bidding.declarer)

    def in_pile(self, seat: int, name: str) -> bool:
        """Return whether a card lies open in the rest pile: the turned one until it is taken (J-I10)."""
        if name not in self.turned or not self.has_pile:
            return False
        if name != self.turned[0]:
            return True
        return seat != self.swapper and seat not in self.swapped_late

    def _lies_elsewhere(self, seat: int) -> frozenset[str]:
        """Return the cards that a seat is known not to hold and cannot get."""
        if not self.turned:
            return frozenset()
        if not self.has_pile:
            return frozenset() if self.seats[seat] == self.dealer else frozenset(self.turned[:1])
        open_cards = set(self.turned)
        may_take = self.swapper is None and not self.spent[seat] and self.swap_allowed()
        may_take = may_take and self.seven not in self.owner
        if seat == self.swapper or may_take:
            open_cards.discard(self.turned[0])
        if seat == self.swapper and self.seven is not None:
            open_cards.add(self.seven)
        return frozenset(open_cards)

    def swap_allowed(self) -> bool:
        """Return whether the 7 may be swapped in this game at all (J-30, JA-6)."""
        only_orgi = self.options["seven_swap"] == "orgi_only" and self.bidding.kind == "kleines"
        return self.has_pile and self.turned != () and self.seven is not None and not only_orgi
