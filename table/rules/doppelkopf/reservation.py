"""The Vorbehaltsabfrage: who has a Vorbehalt, what it is, which game is played (K-13 to K-16, K-51 to K-54).

Armut and Schmeißen belong here too (K-61 to K-65). A word that comes too late, or withdraws what cannot be
withdrawn, is void and reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.rules.cards import FRENCH_CARDS
from table.rules.doppelkopf.contracts import contract, pack, top_card
from table.rules.doppelkopf.terms import RESERVATIONS, Bid, DoppelkopfHanded
from table.rules.setup import Setup
from table.rules.tricks import Contract, TrickRound

SEATS = 4
_SOLO = ("solo", "pflichtsolo")


class Reservation(TrickRound):
    """The part of a round before its first card. With five at the table the dealer sits out (K-02)."""

    def __init__(self, setup: Setup, number: int, dealer: str, before: DoppelkopfHanded | None) -> None:
        self.begun_with = (setup, number, dealer, before)
        table = setup.seats
        seats = table if len(table) == SEATS else tuple(seat for seat in table if seat != dealer)
        cards = pack(setup.options["cards"], setup.options["spitze"])
        super().__init__(FRENCH_CARDS, cards, seats, setup.options["cards"] // SEATS, dealer)
        self.options: Mapping[str, Any] = setup.options
        self.number = number
        self.first = seats.index(table[(table.index(dealer) + 1) % len(table)])
        self.leader = self.first  # K-14
        self.spoken: dict[int, str] = {}
        """gesund or vorbehalt, by seat."""
        self.took_back: set[int] = set()
        """The seats that said gesund after a Vorbehalt."""
        self.bids: dict[int, Bid] = {}
        """The Vorbehalte that were named."""
        self.game = "normal"
        """normal, solo, hochzeit, armut, or thrown (thrown in)."""
        self.kind = "normal"
        """Which cards are trumps: normal or the solo."""
        self.declarer: int | None = None
        self.bid: Bid | None = None
        """The Vorbehalt that is played."""
        self.taker: int | None = None
        """Who took the Armut."""
        self.returned: int | None = None
        """Number of trumps that the taker said he gave back (K-62)."""
        self.swine: int | None = None
        """The seat whose Karo Asse are Schweinchen."""
        self.tables = self._tables()

    # What is said -----------------------------------------------------------------------------------------

    def order(self) -> list[int]:
        """Return the seats in the order in which they are asked (K-13)."""
        return [(self.first + step) % SEATS for step in range(SEATS)]

    def asked(self) -> int | None:
        """Return who must say gesund or Vorbehalt now, None when everybody has."""
        return next((seat for seat in self.order() if seat not in self.spoken), None)

    def unheard(self) -> tuple[tuple[str, ...], ...]:
        """Return any solo: it decides what is trump and who leads (K-16)."""
        return tuple(("vorbehalt", f"solo:{kind}") for kind in self.options["soli"])

    def unnamed(self) -> list[int]:
        """Return the seats whose Vorbehalt has no name yet and could outrank the best one that has."""
        waiting = [s for s in self.order() if self.spoken.get(s) == "vorbehalt" and s not in self.bids]
        best = self._best()
        if best is None or self.bids[best].word not in _SOLO:
            return waiting
        first = "solo" if self.options["pflichtsolo"] == "none" else "pflichtsolo"
        kind = next(iter(self.options["solo_order"]), "")
        rank = self._rank(best, self.bids[best].word, self.bids[best].detail)
        return [seat for seat in waiting if self._rank(seat, first, kind) < rank]

    def reserve(self, seat: int, word: str, detail: str, event: int) -> None:
        """Fold what a seat says in the Vorbehaltsabfrage."""
        if self.over:
            return
        if self.begun:
            late = (self.spoken.get(seat), word) != ("gesund", "gesund")
        elif word == "armut-nehmen":
            late = False
            self._take(seat)
        elif word == "armut-zurueck":
            late = False
            if seat == self.taker:
                self.returned = int(detail)
        else:
            late = not self._speak(seat, word, detail, event)
        if late:
            self.evidence.report("late_declaration", "G-I10" if self.begun else "K-51", seat, event)

    def _speak(self, seat: int, word: str, detail: str, event: int) -> bool:
        """Fold a word before the first card; tell whether it could still be said."""
        before = self.spoken.get(seat)
        if word == "gesund":
            if before == "vorbehalt":
                self.took_back.add(seat)
            if before is None or (self.options["withdraw"] and seat not in self.bids):
                self.spoken[seat] = word  # K-51, KA-16; otherwise the Vorbehalt stands
            return True
        if before == "gesund":
            return False  # K-51: that stands
        if word == "schmeissen" and self.game == "armut" and seat == self.declarer:
            if self.taker is None:
                self._throw_in()  # nobody took it
            return True
        if word in RESERVATIONS and before is None and self.took_back - self.bids.keys():
            self.words_missing = True  # the two words may have been reported for each other's seats
        self.spoken[seat] = "vorbehalt"
        if seat in self.bids:
            return word == "vorbehalt"
        if word in RESERVATIONS and self._exists(word):
            self.bids[seat] = Bid(word, detail, event)
            if not self._is_in_rules(word, detail):
                self.remarks.append((0, "not_in_these_rules", self.seats[seat]))
            self._resolve()
        return True

    def _exists(self, word: str) -> bool:
        """Return whether this rule set has such a Vorbehalt; one that it lacks stays without a name."""
        return bool({"armut": self.options["armut"], "schmeissen": self.options["throw"]}.get(word, True))

    def _is_in_rules(self, word: str, detail: str) -> bool:
        """Return whether this rule set has such a solo or Hochzeit; others count as said (K-52, K-54)."""
        if word == "hochzeit":
            return (detail or "fremd") in self.options["hochzeit"]
        if word not in _SOLO:
            return True
        soli = {_karo(kind) for kind in self.options["soli"]}
        return _karo(detail) in soli and (word == "solo" or self.options["pflichtsolo"] != "none")

    def _take(self, seat: int) -> None:
        """Take the Armut; beside a Hochzeit perhaps only those two may play together (K-62, K-64)."""
        if all(bid.word != "armut" for bid in self.bids.values()):
            self.words_missing = True
        if self.game != "armut" or seat == self.declarer or self.taker is not None:
            return
        if self.armut_partner() not in (None, seat):
            self.remarks.append((0, "armut_not_together", self.seats[seat]))
            return
        self.taker = seat
        self.parties_known()

    def armut_partner(self) -> int | None:
        """Return the only seat that may take the Armut, as it has a Hochzeit (K-64); None: anybody."""
        hochzeit = (seat for seat, bid in self.bids.items() if bid.word == "hochzeit")
        return next(hochzeit, None) if self.options["armut_hochzeit"] == "together" else None

    # Which game it is -------------------------------------------------------------------------------------

    def _rank(self, seat: int, word: str, detail: str) -> tuple[int, ...]:
        """Return the sort key of a Vorbehalt: kind, the solo's kind, the seat; the smallest goes first."""
        solo = word in _SOLO
        places, order = self.options["reservations"], self.options["solo_order"]
        kind = "solo" if solo else word
        name = _ranked(detail)
        return (
            places.index(kind) if kind in places else len(places),
            int(word == "solo"),  # a Pflichtsolo goes before a Lustsolo
            order.index(name) if solo and name in order else len(order),
            (seat - self.first) % SEATS,
        )

    def _best(self) -> int | None:
        return min(
            self.bids, key=lambda s: self._rank(s, self.bids[s].word, self.bids[s].detail), default=None
        )

    def _resolve(self) -> None:
        """Determine which of the named Vorbehalte is played (K-15, K-53, K-63)."""
        best = self._best()
        assert best is not None
        bid = self.bids[best]
        self.declarer, self.bid, self.leader = best, bid, self.first
        self.kind = "normal"
        self.game = "solo" if bid.word in _SOLO else bid.word
        if self.game == "solo":
            self.kind = bid.detail
            leads = self.options["solo_leads"]
            if leads == "always" or (leads == "pflichtsolo" and bid.word == "pflichtsolo"):
                self.leader = best  # K-16, K-67
        poor = sum(other.word == "armut" for other in self.bids.values())
        twice = poor > 1 and self.options["armut_twice"] == "thrown_in"
        if (self.game == "armut" and twice) or (self.game == "schmeissen" and not self.unnamed()):
            self._throw_in()
        else:
            self.tables = self._tables()
            self.parties_known()

    def conclude(self) -> None:
        """Note that nothing more comes: a hand to be thrown in, or an Armut not taken, was thrown in."""
        super().conclude()
        decided = self.asked() is None and not self.unnamed()
        nobody = self.game == "armut" and self.taker is None and decided
        if not self.begun and not self.over and (self.game == "schmeissen" or nobody):
            self._throw_in()

    def _throw_in(self) -> None:
        self.game, self.over = "thrown", True

    def parties_known(self) -> None:
        """Handle that the sides may have become known by what was said."""

    def first_card(self, event: int) -> None:
        """Report a seat that did not speak, or a Vorbehalt without a name, at the first card (G-I9, K-13)."""
        silent = self.asked()
        if silent is None and not self.bids:
            silent = next((seat for seat in self.order() if self.spoken[seat] == "vorbehalt"), None)
        if silent is not None:
            self.evidence.report("missing_declaration", "G-I9", silent, event)
        if self.bids and self.unnamed():
            self.words_missing = True  # a name that nobody reported might outrank those reported
        if self.game == "schmeissen" or (self.game == "armut" and self.taker is None):
            self._go_on_without()

    def _go_on_without(self) -> None:
        """Play the next Vorbehalt, or normally, if a card falls though the hand was to be thrown in."""
        left = {s: bid for s, bid in self.bids.items() if bid.word not in ("armut", "schmeissen")}
        self.bids, self.game, self.kind, self.bid, self.declarer = left, "normal", "normal", None, None
        if left:
            self._resolve()

    # The cards --------------------------------------------------------------------------------------------

    def contract(self) -> Contract:
        """Return the tables of the game that is played."""
        return self.tables

    def top(self) -> int | None:
        """Return the card above the Herz 10, if there is one (K-66)."""
        options = self.options
        return top_card(self.kind, self.swine is not None, options["spitze"], options["spitze_in_solo"])

    def _tables(self) -> Contract:
        options = self.options
        return contract(self.kind, self.top(), options["second_beats_first"], options["spitze"])


def _karo(kind: str) -> str:
    """Return the one name of a solo that has two: Karo is the Trumpfsolo."""
    return "trumpf" if kind == "D" else kind


def _ranked(detail: str) -> str:
    """Return a solo's name in the order of soli; the Karo solo is the Trumpfsolo."""
    return {"C": "farbe", "S": "farbe", "H": "farbe", "D": "trumpf"}.get(detail, detail)
