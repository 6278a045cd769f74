"""Who plays with whom, and since when everybody knows it (K-08, K-17, K-18, K-54, K-55, G-11, G-12).

`sides` holds only what the cards or the Vorbehalt have shown to all: nothing here may be looked up in a hand.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from table.rules.doppelkopf.contracts import TRUMP
from table.rules.doppelkopf.reservation import SEATS, Reservation
from table.rules.doppelkopf.terms import CQ, DA, KONTRA, RE, DoppelkopfHanded
from table.rules.setup import Setup
from table.rules.tricks import Trick

_KREUZ_DAMEN = 2


class Parties(Reservation):
    """The sides of a round."""

    def __init__(self, setup: Setup, number: int, dealer: str, before: DoppelkopfHanded | None) -> None:
        super().__init__(setup, number, dealer, before)
        self.sides: list[int] = [0] * SEATS
        """Each seat's side, RE or KONTRA, once everybody knows it; otherwise 0."""
        self.queens: list[int] = []
        """The seats that have shown a Kreuz Dame, in order."""
        self.own_tricks = 0
        """Number of tricks won by a Hochzeiter who still seeks his partner."""
        self.clarified: int | None = None
        """The trick that found the partner, or left the Hochzeiter alone; 0: known from the start."""
        self.alone: int | None = None
        """The seat that plays against the three others."""
        self.poor_cards = 0
        """Number of cards that the Armut has surely shown; a misread one does not count."""
        self.poor_trumps = 0
        """Number of trumps among them."""
        self.poor_fuchs = False
        """Whether a Fuchs is among them."""
        self.fuchs_elsewhere = 0
        """Number of Füchse that others have shown in an Armut."""

    def parties_known(self) -> None:
        """Set the sides by the Vorbehalt: a solo, an Armut that was taken; for a Hochzeit only its seat."""
        self.sides, self.alone = [0] * SEATS, None
        if self.declarer is None:
            return
        if self.game == "solo":
            self._set((self.declarer,))
        elif self.game == "armut" and self.taker is not None:
            self._set((self.declarer, self.taker))
        elif self.game == "hochzeit":
            self.sides[self.declarer] = RE

    def _set(self, re: tuple[int, ...]) -> None:
        self.sides = [RE if seat in re else KONTRA for seat in range(SEATS)]
        self.alone = re[0] if len(set(re)) == 1 else None

    @property
    def looking(self) -> bool:
        """Return whether a Hochzeit still seeks its partner (K-21)."""
        return self.game == "hochzeit" and self.clarified is None

    def divisions(self) -> list[tuple[int, ...]]:
        """Return every division of the four into sides that the cards shown so far allow."""
        if all(self.sides):
            return [tuple(self.sides)]
        seats = range(SEATS)
        if self.game == "hochzeit" and self.declarer is not None:
            pairs: list[tuple[int, ...]] = [(self.declarer, other) for other in seats]
        else:
            shown = tuple(self.queens[:_KREUZ_DAMEN])
            left = _KREUZ_DAMEN - len(shown)
            pairs = [(*shown, *more) for more in combinations_with_replacement(seats, left)]
        return [tuple(RE if seat in pair else KONTRA for seat in seats) for pair in pairs]

    # What the cards show ----------------------------------------------------------------------------------

    def card_shows(self, seat: int, card: int, event: int) -> None:
        """Note what a Kreuz Dame, or any card in an Armut, proves."""
        if card == CQ:
            self._queen(seat, event)
        if self.game == "armut" and self.declarer is not None:
            self._poor(self.declarer, seat, card, event)

    def _queen(self, seat: int, event: int) -> None:
        self.queens.append(seat)
        if self.game == "hochzeit":
            bid, declarer = self.bid, self.declarer
            assert bid is not None
            assert declarer is not None
            if seat != declarer:  # K-I4; the game goes on as it was declared
                self.evidence.accuse("false_hochzeit", "K-I4", declarer, event, bid.event)
        elif self.game == "normal":
            self.sides[seat] = RE
            if len(self.queens) == _KREUZ_DAMEN:
                self._set(tuple(self.queens))  # one holder of both: a stille Hochzeit (K-18, K-I5)
            self.side_shown(event)

    def _poor(self, poor: int, seat: int, card: int, event: int) -> None:
        """Report more trumps than an Armut may have had, besides those that came back (K-I8).

        Where one more is allowed only with a Fuchs (K-61), it is too many once the seat cannot show one.
        """
        if seat == poor:
            self.poor_cards += 1
            self.poor_trumps += self.tables.class_of[card] == TRUMP
            self.poor_fuchs = self.poor_fuchs or card == DA
        else:
            self.fuchs_elsewhere += card == DA
        may_show = self.poor_cards < self.hand_size and self.fuchs_elsewhere < self.pack["DA"]
        fourth = self.options["armut_fuchs"] == "fourth" and (self.poor_fuchs or may_show)
        most = self.options["armut"] + fourth + (self.returned or 0)
        if self.poor_trumps > most and self.bid is not None:
            self.evidence.accuse("false_meld", "K-I8", poor, event, self.bid.event)

    def side_shown(self, event: int) -> None:
        """Handle that a card has shown a side: calls for the other one are proven false."""

    # The Hochzeit's partner -------------------------------------------------------------------------------

    def trick_falls(self, trick: Trick) -> None:
        """Find the Hochzeiter's partner (K-17, K-54, K-55, KA-4, KA-5)."""
        if not self.looking:
            return
        assert self.declarer is not None
        assert self.bid is not None
        led = trick.plays[0].card
        fits = {
            "fehl": led >= 0 and self.tables.class_of[led] != TRUMP,
            "trumpf": led >= 0 and self.tables.class_of[led] == TRUMP,
        }.get(self.bid.detail, True)
        number = len(self.tricks)
        if trick.winner != self.declarer:
            if fits:
                self._clarify((self.declarer, trick.winner), number)
                return
        else:
            self.own_tricks += 1
        count = self.own_tricks if self.options["hz_limit"] == "own3" else number
        named = fits and self.bid.detail in ("fehl", "trumpf")  # one's own trick is never a foreign one
        missed = named and trick.winner == self.declarer and not self.options["hz_wait"]
        if count >= 3 or missed or number == self.hand_size:
            self._clarify((self.declarer,), number)

    def _clarify(self, re: tuple[int, ...], number: int) -> None:
        self.clarified = number
        self._set(re)

    def shift(self, side: int) -> int:
        """Return by how many cards a late partner postpones a side's deadlines (K-21; Re's alone: K-58)."""
        waited = self.options["hz_calls"] == "re_clarified" and side == RE
        if self.clarified is None or not (self.options["hz_shift"] or waited):
            return 0
        return self.clarified - 1

    # At the end -------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Conclude the sides after the last trick where not both Kreuz Damen were seen (G-12, K-I3)."""
        if all(self.sides) or self.game != "normal":
            return
        holders = list(self.queens)
        stranger = self.evidence.one_stranger() if len(holders) == _KREUZ_DAMEN - 1 else None
        if stranger is not None:  # the only stranger was the missing Kreuz Dame
            holders.append(stranger)
        if holders:
            self._set(tuple(holders))
        if stranger is not None:
            self.side_shown(self.tricks[-1].plays[-1].event)
