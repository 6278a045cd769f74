"""What is said in Klapper-Jas: bidding, melds, Belle, the swap of the 7, Kontra and Re."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from table.rules.events import Event
from table.rules.klapperjas.bidding import Bidding
from table.rules.klapperjas.holdings import Holding, Left, refuted
from table.rules.klapperjas.melds import WORDS, Meld
from table.rules.klapperjas.open_cards import OpenCards


class Belle(NamedTuple):
    """König and Dame of trump in one hand (J-18)."""

    seat: int
    event: int


class Talk(OpenCards):
    """The part of a round that is spoken; cards and settlement are in `KlapperRound`."""

    def __init__(
        self, options: Mapping[str, Any], number: int, seats: tuple[str, ...], dealer: str, first: int
    ):
        super().__init__(options, number, seats, dealer, first)
        self.melds: list[Meld] = []
        self.belles: list[Belle] = []
        self.kontra: list[int] = []
        self.re: list[int] = []
        self.holdings: list[Holding] = []
        self.latest: int | None = None
        """The seat that has shown the latest card."""
        self.strange: dict[int, int] = {}
        """For each seat the number of its cards that cannot have been what they looked like."""
        self.said: list[tuple[int, str, int]] = []
        """(seat, what, event) of everything that is valid."""
        self.belle_from: dict[int, tuple[int, int]] = {}
        """Seat → (trick, number of cards played) when it first showed a König or Dame of trump."""

    # Speaking ---------------------------------------------------------------------------------------------

    def say(self, event: Event) -> None:
        """Fold what was said; without a seat it belongs to the one whose turn it is."""
        number, what = event.id or 0, str(event.get("what"))
        word, _, detail = what.partition(":")
        seat = self._speaker() if event.seat is None else self.seats.index(event.seat)
        if self.broken_off or (self.over and self.begun):
            return
        match word:
            case "passe" | "orgi" | "kleines" | "besser" | "farbe":
                stands = self._bid(seat, word, detail, number)
            case "kontra" | "re":
                stands = self._double(seat, word, number)
            case "terz" | "halber":
                stands = self._meld(seat, WORDS[word], detail, number)
            case "belle":
                stands = self._belle(seat, number)
            case _:
                stands = self._swap(seat, number)
        if stands:
            self.said.append((seat, what, number))
        self.check_holdings(number)

    def _speaker(self) -> int:
        asked = None if self.begun else self.bidding.asked()
        if asked is not None:
            return asked
        return self.due()[0] if not self.over else self.leader

    def _late(self, seat: int, rule: str, event: int) -> bool:
        """Report a late word: it is void (G-I10)."""
        self.evidence.report("late_declaration", rule, seat, event)
        return False

    def _void(self, what: str, seat: int) -> bool:
        self.remarks.append((len(self.tricks) + 1, what, self.seats[seat]))
        return False

    def _bid(self, seat: int, word: str, suit: str, event: int) -> bool:
        """Take a bid; bidding ends with the first card (J-20, J-21)."""
        if self.begun:
            return word != "passe" and self._late(seat, "G-I10", event)
        bidding, before = self.bidding, self.bidding
        self.turned_unsure |= bidding.skips(seat, word)
        match word:
            case "passe":
                if bidding.declarer is None and seat in bidding.no_kleines:  # more often than in one deal
                    self.deal_again()
                bidding = self.bidding.passe(seat)
            case "orgi":
                bidding = bidding.orgi(seat)
            case "kleines":
                bidding = bidding.kleines(seat)
            case "besser":
                bidding = bidding.say_besser(seat, self.turned_suit)
            case _:
                bidding = bidding.farbe(seat, suit, self.turned_suit)
        self.bidding = bidding
        self.over = bidding.passed_out
        if bidding == before:
            return self._void("bid_void", seat)
        if bidding.kind == "kleines" and bidding.suit is not None and bidding.suit == self.turned_suit:
            self._void("kleines_in_turned_suit", seat)
        return True

    def deal_again(self) -> None:
        """Note that the cards were dealt again without a line (J-20); which card lies open is not known."""
        if self.bidding.passed_out:
            self.bidding = Bidding(self.bidding.order)
        self.over, self.turned = False, ()

    def _double(self, seat: int, word: str, event: int) -> bool:
        """Take Kontra while the seat holds all cards, Re before its second card (J-27, JA-9)."""
        if self.played(seat) > (0 if word == "kontra" else 1):
            return self._late(seat, "J-I7", event)
        declarers = self._side_of_declarer(seat)
        if self.trump is not None and declarers == (word == "kontra"):
            self.evidence.report("wrong_side", "JA-9", seat, event)
            return False
        if word == "re" and not self.kontra:
            return self._void("re_without_kontra", seat)
        (self.kontra if word == "kontra" else self.re).append(seat)
        return True

    def doublings(self) -> int:
        """Return how often the round is doubled (J-43)."""
        if all(self._side_of_declarer(seat) for seat in self.kontra):
            return 0
        return 2 if any(self._side_of_declarer(seat) for seat in self.re) else 1

    # Melds ------------------------------------------------------------------------------------------------

    def _meld(self, seat: int, length: int, top: str, event: int) -> bool:
        """Take a sequence that is announced before the seat's first card (J-07)."""
        if self.spent[seat]:
            return self._late(seat, "J-I2", event)
        meld = Meld(seat, length, top, event)
        if any((m.seat, m.said) == (seat, meld.said) for m in self.melds):
            return False
        self.melds.append(meld)
        self.holdings.append(Holding(seat, meld.cards, event, "false_meld", "J-I4"))
        return True

    def _belle(self, seat: int, event: int) -> bool:
        """Take Belle: it comes with the first of its two cards, or a little later (J-18)."""
        if self.trump is None:
            return self._void("belle_without_trump", seat)
        if any(belle.seat == seat for belle in self.belles):
            return False
        first = self.belle_from.get(seat)
        if first is not None:
            trick, fallen = first
            if len(self.tricks) >= trick and self.fallen() > fallen:
                return self._late(seat, "J-I5", event)
        self.belles.append(Belle(seat, event))
        self.holdings.append(
            Holding(seat, (f"{self.trump}K", f"{self.trump}Q"), event, "false_belle", "J-I5")
        )
        return True

    # The swap of the 7 (J-33, JA-6) -----------------------------------------------------------------------

    def _swap(self, seat: int, event: int) -> bool:
        if self.has_pile and self.spent[seat]:
            if self.swapper is None:
                self.swapped_late |= {seat}
            return self._late(seat, "J-I6", event)
        if not self.turned and self.has_pile:
            return self._void("swap_of_nothing", seat)
        if not self.swap_allowed() or self.swapper is not None or self.seven in self.owner:
            if seat != self.swapper and not self.turned_unsure:
                self.evidence.report("false_swap", "J-I6", seat, event)
            return False
        self.swapper = seat
        # A sequence with the 7 can no longer be shown; the rest of it is still claimed.
        gone = [m.event for m in self.melds if m.seat == seat and self.seven in m.cards]
        self.melds = [meld for meld in self.melds if meld.event not in gone]
        self.holdings = [
            replace(held, cards=tuple(card for card in held.cards if card != self.seven))
            if held.event in gone
            else held
            for held in self.holdings
        ]
        if not self.turned_unsure:
            self.holdings.append(Holding(seat, self.turned[:1], event, "false_swap", "J-I6"))
        return True

    def swap_event(self) -> int | None:
        """Return the event of the valid swap."""
        return next((held.event for held in self.holdings if held.finding == "false_swap"), None)

    def seven_falls(self, name: str, event: int) -> None:
        """Check that the 7 lies in the pile after the swap: a swap without it was false.

        After a card that had fallen before, it may be the 7 of another deal that nobody reported.
        """
        if any(self.strange.values()):
            return
        said = self.swap_event()
        if name == self.seven and self.swapper is not None and said is not None:
            self.evidence.accuse("false_swap", "J-I6", self.swapper, event, said)

    # Holdings ---------------------------------------------------------------------------------------------

    def check_holdings(self, event: int, card: str | None = None) -> None:
        """Accuse anybody who claims to hold what he cannot have held, after this card or after a word."""
        if sum(self.strange.values()) > 1:
            return  # cards of two deals are in one round: nobody reported that another began
        anyone = card is None or card == self.seven
        for held in self.holdings:
            if not self.evidence.stands(held.rule, held.seat, held.event):
                continue
            if not anyone and held.seat != self.latest and card not in held.cards:
                continue  # the card has nothing to do with his claim
            strange = self.strange.get(held.seat, 0) + (self.unsure_cards(held.seat) if self.sceptic else 0)
            left = Left(self.hand_size - self.spent[held.seat], strange)
            if refuted(held, self.owner, self._lies_elsewhere(held.seat), left):
                about = None if event == held.event else held.event
                self.evidence.accuse(held.finding, held.rule, held.seat, event, about)

    def true_melds(self) -> list[Meld]:
        """Return the melds that nothing has refuted."""
        return [meld for meld in self.melds if self.evidence.stands("J-I4", meld.seat, meld.event)]

    def true_belles(self) -> list[Belle]:
        """Return the Belles that nothing has refuted."""
        return [belle for belle in self.belles if self.evidence.stands("J-I5", belle.seat, belle.event)]
