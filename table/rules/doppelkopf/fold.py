"""A whole round of Doppelkopf: what is said, Schweinchen, the settlement, what is shown (RULES.md, K)."""

from __future__ import annotations

from typing import Self

from table.rules.doppelkopf.calls import Calls
from table.rules.doppelkopf.options import tariff
from table.rules.doppelkopf.score import CountRules, DoppelkopfSettlement, count, share
from table.rules.doppelkopf.terms import (
    ABSAGEN,
    ANSAGEN,
    CARD_POINTS,
    DA,
    KONTRA,
    SIDES,
    DoppelkopfHanded,
)
from table.rules.events import Event
from table.rules.setup import Setup
from table.rules.tricks import Trick
from table.rules.view import Finding


class DoppelkopfFold(Calls):
    """One round, folded event by event; four seats play, of five the dealer sits out (K-02)."""

    def __init__(self, setup: Setup, number: int, dealer: str, before: DoppelkopfHanded | None) -> None:
        super().__init__(setup, number, dealer, before)
        self.table = setup.seats
        self.tariff = tariff(setup)
        self.log: list[tuple[int, Event]] = []
        """All events, kept where a call of Schweinchen may still change what came before it."""
        self.swine_event = 0
        """The event that called the Schweinchen."""
        self.settlement: DoppelkopfSettlement | None = None
        self.bonus: list[tuple[str, int, int]] = []
        """The Sonderpunkte that count: (which, whose side, trick)."""
        self.card_points: list[int] = [0] * len(self.seats)
        self.bock = 0 if before is None else before.bock
        """Number of Bock games that are left, this one included (K-70)."""
        self.owed = before.owed if before is not None and before.owed else self._first_owed()

    def _first_owed(self) -> tuple[int, ...]:
        return (int(self.options["pflichtsolo"] == "one_each"),) * len(self.table)

    # The fold ---------------------------------------------------------------------------------------------

    def add(self, number: int, event: Event) -> None:
        """Fold one event; the dealer of five has nothing to play (K-02)."""
        seat = event.seat
        if seat is not None and seat not in self.seats:
            if event.kind == "card" and not self.over:
                self.evidence.findings.append(Finding("out_of_turn", "K-02", seat, number))
            return
        if self.options["schweinchen"]:
            self.log.append((number, event))
        super().add(number, event)

    def say(self, event: Event) -> None:
        """Fold what was said; a word without a seat is attributed to the seat it fits."""
        what = str(event.get("what"))
        word, _, detail = what.partition(":")
        number = event.id or 0
        if word == "schweinchen":
            self._schweinchen(self._speaker(event.seat), number)
        elif word in ANSAGEN or word in ABSAGEN:
            self.announce(self._speaker(event.seat), what, number)
        else:
            asked = self.asked() if event.seat is None and word in ("gesund", "vorbehalt") else None
            self.reserve(self._speaker(event.seat) if asked is None else asked, word, detail, number)

    def _speaker(self, name: str | None) -> int:
        if name is not None:
            return self.seats.index(name)
        return self.due()[0] if not self.over else self.leader

    # Schweinchen (K-66, KA-9) -----------------------------------------------------------------------------

    def _foxes(self) -> list[int]:
        """Return the seats that have played a Karo As, in order."""
        plays = [play for trick in self.tricks for play in trick.plays] + self.trick
        return [play.seat for play in plays if play.card == DA]

    def _schweinchen(self, seat: int, event: int) -> None:
        shown = self._foxes()
        played = not self.broken_off and self.game != "thrown"
        if not self.options["schweinchen"] or self.swine is not None or not played:
            return
        if self.options["swine_call"] == "at_start" and self.begun:
            self.evidence.report("late_declaration", "K-66", seat, event)
        elif any(other != seat for other in shown):
            self.evidence.accuse("false_meld", "K-66", seat, event)
        else:
            earlier = self._with_swine(seat, event) if shown else None
            self._call_swine(seat, event)
            # What the players assumed shows in what they did: they led as if it had counted, or not.
            if earlier is not None and len(earlier.findings) <= len(self.findings):
                self.restore(earlier)

    def _call_swine(self, seat: int, event: int) -> None:
        self.swine, self.swine_event = seat, event
        self.tables = self._tables()

    def _with_swine(self, seat: int, event: int) -> Self:
        """Return the round folded anew with the first Karo As as a Schweinchen already (KA-9)."""
        fresh = type(self)(*self.begun_with)
        fresh._call_swine(seat, event)
        for number, earlier in self.log[:-1]:
            fresh.add(number, earlier)
        fresh.log.append(self.log[-1])
        return fresh

    def card_shows(self, seat: int, card: int, event: int) -> None:
        """Note that a Karo As from another seat proves that there were no Schweinchen."""
        if card == DA and self.swine is not None and seat != self.swine:
            self.evidence.accuse("false_meld", "K-66", self.swine, event, self.swine_event)
            self.swine = None
            self.tables = self._tables()
        super().card_shows(seat, card, event)

    # What the engine asks ---------------------------------------------------------------------------------

    def still_owes(self, seat: int) -> bool:
        """Return whether a seat has a Pflichtsolo to play (K-69)."""
        return self.owed[self.table.index(self.seats[seat])] > 0

    # Settlement -------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Count the Augen and settle (K-24 to K-43)."""
        super().settle()
        if not all(self.sides):
            return  # no Kreuz Dame fell: nobody can tell who played with whom
        solo = self.alone is not None
        wanted = self.options["specials"] if not solo or self.options["solo_specials"] else ()
        fallen = [(trick.winner, self._by_seat(trick)) for trick in self.tricks]
        rules = CountRules(wanted, self.top(), self.tariff)
        counted = count(fallen, self.sides, self.levels(self.sides), rules)
        self.card_points, self.bonus, self.settlement = (
            list(counted.card_points),
            list(counted.bonus),
            counted.settlement,
        )

    def _by_seat(self, trick: Trick) -> tuple[int, ...]:
        cards = [-1] * len(self.seats)
        for play in trick.plays:
            cards[play.seat] = play.card
        return tuple(cards)

    def _side_card_points(self, side: int) -> int:
        return sum(won for won, its in zip(self.card_points, self.sides, strict=True) if its == side)

    def points(self) -> dict[str, int]:
        """Return each seat's points: the soloist carries three times the value (K-40, K-41)."""
        points = dict.fromkeys(self.table, 0)
        if self.settlement is None:
            return points
        value = self.settlement.value * (2 if self.bock else 1)
        return points | dict(zip(self.seats, share(value, self.sides), strict=True))

    def handed_on(self) -> DoppelkopfHanded:
        """Return the dealer, and what solo, Bock and Pflichtsolo mean for the next round (K-68 to K-70)."""
        solo = self.over and not self.broken_off and self.alone is not None
        won = self.settlement.winner if self.settlement else 0
        bock = max(self.bock - 1, 0) if self.settlement else self.bock
        if self.options["bock"] == "lost_call" and self.settlement and won:
            loser = self.levels(self.sides)[0 if won == KONTRA else 1]
            if loser >= 0:
                bock = len(self.table) + (bock if self.options["bock_overlap"] == "add" else 0)
        again = solo and self.options["deal_after_solo"] == "same"
        return DoppelkopfHanded(
            self.dealer, again, not self._leaves_dealer_open(again), bock, self._still_owed(won)
        )

    def _leaves_dealer_open(self, again: bool) -> bool:
        """Return whether the rules are silent about who deals next (K-68).

        They are after a hand that was thrown in, an announced Hochzeit that only counts as a solo, and a
        Pflichtsolo where the deal moves on after other soli.
        """
        if self.game == "solo":
            return not again and self.bid is not None and self.bid.word == "pflichtsolo"
        return self.game == "thrown" or (again and self.game == "hochzeit")

    def _still_owed(self, won: int) -> tuple[int, ...]:
        owed = list(self.owed)
        if self.settlement is None:
            return self.owed
        if self.bid is not None and self.bid.word == "pflichtsolo" and self.game == "solo":
            seat = self.table.index(self.seats[self.declarer or 0])
            owed[seat] = max(owed[seat] - 1, 0)
        elif self.alone is not None and won == KONTRA and self.options["pflichtsolo"] == "after_lost_solo":
            owed = [count + 1 for count in owed]
        return tuple(owed)

    # What others ask --------------------------------------------------------------------------------------

    def phase(self) -> str:
        """Return the phase: `declare` as long as Vorbehalte are open before the first card."""
        if self.begun or self.over:
            return super().phase()
        settled = self.asked() is None and not (self.unnamed() or self._wait_for_taker())
        return "play" if settled else "declare"

    def _wait_for_taker(self) -> bool:
        return self.game == "armut" and self.taker is None

    def public_sides(self) -> dict[str, str]:
        """Return the sides that everybody knows (G-11, G-14)."""
        known = zip(self.seats, self.sides, strict=True)
        return {seat: SIDES[side] for seat, side in known if side}

    def augen(self) -> list[int]:
        """Return the Augen that each seat has taken."""
        taken = [0] * len(self.seats)
        for trick in self.tricks:
            taken[trick.winner] += card_points_of(trick)
        return taken

    def named(self) -> str:
        """Return the game that is played, in the words of a `say`."""
        return f"solo:{self.kind}" if self.game == "solo" else self.game


def card_points_of(trick: Trick) -> int:
    """Return the Augen of a trick, as far as its cards are known."""
    return sum(CARD_POINTS[play.card] for play in trick.plays if play.card >= 0)
