"""Doppelkopf from the four texts: what the lines of an honest evening are worth."""

from __future__ import annotations

from typing import Any

from tests.rules.second_opinion.doppelkopf_cards import (
    ALTE,
    DULLE,
    FUCHS,
    KARLCHEN,
    SPITZE,
    TEXTS,
    Fallen,
    Ranking,
    Wording,
    eyes,
)
from tests.rules.second_opinion.opinion import Log, Opinion

BIDS = ("pflichtsolo", "solo", "schmeissen", "armut", "hochzeit")
"""Bids in the order of priority (K-15, KA-1); among soli the text decides, then the seat."""
LEVELS = ("ansage", "k90", "k60", "k30", "schwarz")
UNSAID, ANSAGE, SCHWARZ = -1, 0, 4
NEEDED = {1: 151, 2: 181, 3: 211}
"""Augen that a side needs after it said keine 90, 60, 30 (K-27)."""
ENOUGH = {1: 90, 2: 60, 3: 30}
"""Augen that are enough against such an Absage (K-28)."""
OTHER = {"re": "kontra", "kontra": "re"}


def evening(log: Log) -> Opinion:
    """The opinion on an evening in which nobody breaks a rule and everything is recorded."""
    opening, seats = log[0], log[0]["seats"]
    opinion = Opinion(log, dict.fromkeys(seats, 0))
    starts = [at for at, line in enumerate(log) if line["kind"] == "round"]
    bock, dealer = 0, log[starts[0]]["dealer"]
    for start, end in zip(starts, [*starts[1:], len(log)], strict=True):
        lines = [{**log[start], "dealer": dealer}, *log[start + 1 : end]]
        deal = DoppelkopfDeal(lines, seats, TEXTS[opening["preset"]], bock > 0)
        entry = deal.entry()
        opinion.ledger.append(entry)
        for seat, points in entry.get("points", {}).items():
            opinion.points[seat] += points
        if deal.tricks:
            bock = max(bock - 1, 0) + deal.further_bock()
        if not (deal.tricks and deal.solo and deal.text.same_dealer):
            dealer = seats[(seats.index(dealer) + 1) % len(seats)]
    opinion.end()
    return opinion


class DoppelkopfDeal:
    """One deal: its game, sides, tricks and value."""

    def __init__(self, lines: Log, seats: list[str], text: Wording, bock: bool) -> None:
        self.seats, self.text, self.bock = seats, text, bock
        self.dealer = lines[0]["dealer"]
        at = seats.index(self.dealer) + 1
        order = seats[at:] + seats[:at]
        self.order = order[:4] if len(seats) == 5 else order
        self.said = [line for line in lines if line["kind"] == "say"]
        self.swine = self.who_said("schweinchen")
        self.tricks: list[tuple[Fallen, str]] = []
        self.bid()
        fallen = [(line["seat"], line["card"]) for line in lines if line["kind"] == "card"]
        if fallen:
            self.play(fallen)
            self.re = self.find_re(fallen)
            self.solo = len(self.re) == 1
            self.levels = self.find_levels()

    def who_said(self, what: str) -> str | None:
        return next((line["seat"] for line in self.said if line["what"] == what), None)

    def side(self, seat: str) -> str:
        return "re" if seat in self.re else "kontra"

    # --- the game -------------------------------------------------------------------------------------

    def bid(self) -> None:
        """The highest Vorbehalt is played; of equal ones, the first after the dealer (K-15, K-53, K-63)."""
        bids: dict[str, list[str]] = {}
        for line in self.said:
            name, _, kind = line["what"].partition(":")
            if name in BIDS:
                bids.setdefault(line["seat"], [name, kind])
        self.declarer = min(bids, key=lambda seat: self.rank(seat, *bids[seat]), default=None)
        self.game, self.kind = bids[self.declarer] if self.declarer is not None else ("normal", "")

    def rank(self, seat: str, name: str, kind: str) -> tuple[int, int, int]:
        solo = "farbe" if kind in ("C", "S", "H") else kind
        among = self.text.soli.index(solo) if solo in self.text.soli else 0
        return BIDS.index(name), among, self.order.index(seat)

    def play(self, fallen: Fallen) -> None:
        """Split the cards into tricks and check that each was played from the right seat."""
        solo = self.game in ("solo", "pflichtsolo")
        kind = self.kind if solo else "normal"
        highest = FUCHS if self.swine and kind in ("normal", "trumpf", "D") else ""
        if self.text.spitze and kind == "normal":
            highest = SPITZE
        self.cards = Ranking(kind, highest, self.text.second_wins)
        leader = str(self.declarer) if self.game in self.text.leading_solo else self.order[0]
        for at in range(0, len(fallen), 4):
            trick, first = fallen[at : at + 4], self.order.index(leader)
            assert [seat for seat, _ in trick] == self.order[first:] + self.order[:first]
            leader = self.cards.winner(trick)
            self.tricks.append((trick, leader))
        assert len(self.tricks) == self.text.hand

    def find_re(self, fallen: Fallen) -> set[str]:
        """Re: the soloist, Armut and its taker, Hochzeit and its partner, else the Kreuz Damen (K-08)."""
        if self.game in ("solo", "pflichtsolo"):
            return {str(self.declarer)}
        if self.game == "armut":
            return {str(self.declarer), str(self.who_said("armut-nehmen"))}
        if self.game == "hochzeit":
            return {str(self.declarer), *self.hochzeit_partner()}
        return {seat for seat, card in fallen if card == ALTE}

    def hochzeit_partner(self) -> list[str]:
        """Whoever takes the first foreign trick of the named kind in time (K-17, K-54, K-55, KA-4)."""
        own = 0
        for number, (trick, taker) in enumerate(self.tricks, 1):
            trump = trick[0][1] in self.cards.trumps
            if taker == self.declarer:
                own += 1
            elif {"fehl": not trump, "trumpf": trump}.get(self.kind, True):
                return [taker]
            if (own if self.text.own_tricks else number) >= 3:
                break
        return []

    def find_levels(self) -> dict[str, int]:
        """How far each side went: Ansage, then Absagen; an Absage without a true Ansage is void (K-73)."""
        levels = {"re": ANSAGE if self.solo and self.text.solo_is_re else UNSAID, "kontra": UNSAID}
        for line in self.said:
            side, what = self.side(line["seat"]) if line["seat"] in self.order else "", line["what"]
            if what == side:
                levels[side] = max(levels[side], ANSAGE)
            elif what in LEVELS and levels[side] > UNSAID:
                levels[side] = max(levels[side], LEVELS.index(what))
        return levels

    # --- what it comes to -----------------------------------------------------------------------------

    def entry(self) -> dict[str, Any]:
        """Some of the fields of the deal's entry in the ledger."""
        if not self.tricks:
            return {"dealer": self.dealer, "contract": "thrown", "tricks": []}
        specials = [self.specials(trick, taker, at) for at, (trick, taker) in enumerate(self.tricks, 1)]
        value = self.value([special for some in specials for special in some])
        points = dict.fromkeys(self.seats, 0)
        for seat in self.order:
            points[seat] = (3 if self.solo else 1) * value if seat in self.re else -value
        return {
            "dealer": self.dealer,
            "sides": {seat: self.side(seat) for seat in self.order},
            "solo": self.solo,
            "eyes": {side: self.eyes(side) for side in OTHER},
            "winner": self.winner(),
            "value": value,
            "points": points,
            "tricks": [
                {"winner": taker, "eyes": eyes(trick), "specials": some}
                for (trick, taker), some in zip(self.tricks, specials, strict=True)
            ],
        }

    def eyes(self, side: str) -> int:
        return sum(eyes(trick) for trick, taker in self.tricks if self.side(taker) == side)

    def taken(self, side: str) -> int:
        return sum(self.side(taker) == side for _, taker in self.tricks)

    def specials(self, trick: Fallen, taker: str, number: int) -> list[list[str]]:
        """What a trick earns its taker's side (K-36 to K-39, K-59, KA-11, KA-12); none in a solo (K-60)."""
        side, last = self.side(taker), number == len(self.tricks)
        with_ = next(card for seat, card in trick if seat == taker)
        ours = [card for seat, card in trick if self.side(seat) == side]
        caught = [card for seat, card in trick if self.side(seat) != side]
        fuchs = FUCHS if not self.swine else ""  # a Schweinchen is no longer a Fuchs
        counts = {  # in the order of the ledger
            "doppelkopf": eyes(trick) >= 40,
            "fuchs_gefangen": caught.count(fuchs),
            "zweiter_fuchs": with_ == fuchs and fuchs in caught,
            "dulle_mit_dulle": with_ == DULLE and DULLE in caught,
            "dulle_mit_spitze": (with_ == SPITZE) * caught.count(DULLE),
            "dulle_mit_schweinchen": (with_ == FUCHS and bool(self.swine)) * caught.count(DULLE),
            "karlchen": last and with_ == KARLCHEN,
            "karlchen_gefangen": last * caught.count(KARLCHEN),
            "doppel_karlchen": last and with_ == KARLCHEN and ours.count(KARLCHEN) == 2,
            "fuchs_letzter_stich": last and with_ == fuchs,
        }
        counting = {} if self.solo else {name: n for name, n in counts.items() if name in self.text.specials}
        return [[name, side] for name, count in counting.items() for _ in range(count)]

    def winner(self) -> str | None:
        return next((side for side in OTHER if self.reaches(side)), None)

    def reaches(self, side: str) -> bool:
        """Whether a side reached what it needs (K-24 to K-29, K-43)."""
        mine, theirs = self.levels[side], self.levels[OTHER[side]]
        if mine == SCHWARZ:
            return self.taken(OTHER[side]) == 0
        if mine > ANSAGE:
            return self.eyes(side) >= NEEDED[mine]
        if theirs == SCHWARZ:
            return self.taken(side) > 0
        if theirs > ANSAGE:
            return self.eyes(side) >= ENOUGH[theirs]
        only_kontra = self.levels == {"re": UNSAID, "kontra": ANSAGE} and self.text.adds
        return self.eyes(side) >= (120 if (side == "kontra") != only_kontra else 121)

    def value(self, specials: list[list[str]]) -> int:
        """The deal's value for Re, doubled or added (K-30 to K-40, K-72, KA-10)."""
        winner = self.winner()
        base = {side: self.steps(side) for side in OTHER if winner in (side, None)}
        if winner is not None:
            base[winner] += 1 + sum(max(level, 0) for level in self.levels.values())
        net = {side: sum(whose == side for _, whose in specials) for side in OTHER}
        if self.text.adds:
            said = sum(level > UNSAID for level in self.levels.values())
            for side in OTHER:
                net[side] += self.against_an_absage(side)
            if winner is not None:
                net[winner] += 2 * said
            net["kontra"] += winner == "kontra" and not self.solo
        factors = {
            "solo": self.solo,
            "lost_solo": self.solo and winner == "kontra",
            "re": self.levels["re"] > UNSAID,
            "kontra": self.levels["kontra"] > UNSAID,
        }
        factor = 2 ** sum(counts for name, counts in factors.items() if name in self.text.doubles)
        value = factor * (base.get("re", 0) - base.get("kontra", 0)) + net["re"] - net["kontra"]
        return value * 2 if self.bock else value

    def steps(self, side: str) -> int:
        """Steps won: the others under 90, 60, 30, without a trick (K-32)."""
        theirs = self.eyes(OTHER[side])
        return sum(theirs < bound for bound in (90, 60, 30)) + (self.taken(OTHER[side]) == 0)

    def against_an_absage(self, side: str) -> int:
        """Bounds of 120, 90, 60, 30 reached against the others' Absagen (K-34)."""
        bounds = (120, 90, 60, 30)[: max(self.levels[OTHER[side]], 0)]
        return sum(self.eyes(side) >= bound for bound in bounds)

    def further_bock(self) -> int:
        """A lost Re or Kontra adds as many Bock deals as there are players (K-70, KA-13)."""
        winner = self.winner()
        lost = winner is not None and self.levels[OTHER[winner]] > UNSAID
        return len(self.seats) if self.text.bock and lost else 0
