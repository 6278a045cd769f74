"""One round of Dulle over the trick core (U-05 to U-30, UA-2 to UA-11, U-I1 to U-I8)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from table.rules.cards import FRENCH_CARDS
from table.rules.dulle.parties import CALLER, OTHERS, Pairs, Said, agreed_on, announced, judged
from table.rules.dulle.settlement import DulleSettlement, Terms, settle
from table.rules.dulle.terms import (
    ANSAGEN,
    CALLER_CARD,
    HAND_SIZE,
    PACK,
    PLAIN,
    SOLOS,
    augen,
    contract,
)
from table.rules.events import Event
from table.rules.setup import Setup
from table.rules.tricks import Contract, DealtHands, TrickRound


class DulleHanded(NamedTuple):
    """What a round passes on to the next: who dealt, and the number of Bockrunde deals left (UA-9)."""

    dealer: str
    bock_left: int = 0


class Overheard(NamedTuple):
    """A call or a solo of an unknown seat."""

    event: int
    what: str
    card: str | None


class DulleFold(TrickRound):
    """One deal: a call or a solo, Stöße and Ansagen, four tricks, a settlement."""

    def __init__(self, setup: Setup, number: int, dealer: str, bock_left: int) -> None:
        super().__init__(FRENCH_CARDS, PACK, setup.seats, HAND_SIZE, dealer)
        self.options, self.number, self.bock_left = setup.options, number, bock_left
        self.leader = self.forehand = (self.seats.index(dealer) + 1) % len(self.seats)  # U-28
        self.calls_made: list[Said] = []
        self.soli: list[Said] = []
        self.said: list[Said] = []
        """Stöße and Ansagen that were said in time, in order."""
        self.late: list[int] = []
        """Seats whose Stoß came too late."""
        self.caller_card: int | None = None
        """The seat that showed Kreuz Dame (U-19)."""
        self.called_shown: dict[str, int] = {}
        """The Fehlkarten that were shown, each with the seat that showed it."""
        self.pflicht_shown: int | None = None
        """The seat that showed the Dulle of Pflichtstoß (U-23)."""
        self.overheard: Overheard | None = None
        """The last call or solo before the first card whose speaker nobody knows."""
        self.uncalled: int | None = None
        """The first card's event, if nobody had called by then (U-I5)."""
        self.stoss_demanded = False
        self.settlement: DulleSettlement | None = None

    # What is said (U-19 to U-26) --------------------------------------------------------------------------

    def say(self, event: Event) -> None:
        """Fold `ruf:<card>`, `solo`, `solodu`, `stoss`, `schneider` or `schwarz`."""
        word, _, card = str(event.get("what")).partition(":")
        if event.seat is None or event.id is None or self.over:
            self.remarks.append((len(self.tricks), "nobody_knows_who", word))
            self._overhear(event.id or 0, word, card)
            return
        said = Said(event.id, self.seats.index(event.seat), word, card or None)
        if word == "ruf" or word in SOLOS:
            self._declare(said)
        elif word in ANSAGEN and not self.options["ansagen"]:
            self.remarks.append((len(self.tricks), "not_played", word))
        elif self.agreed is None and self.overheard is None:
            self.evidence.report("early_declaration", "U-22", said.seat, said.event)
        elif self.spent[said.seat] and self.options["stoss_until"] != "any":
            self.evidence.report("late_declaration", "UA-4", said.seat, said.event)
            self.late.append(said.seat)
        else:
            self.said.append(said)
            self._judge_stosses(said.event)

    def _overhear(self, event: int, word: str, card: str) -> None:
        """Note a word of an unknown speaker: a call belongs to the seat that will show Kreuz Dame (U-19)."""
        if self.begun or not (word in SOLOS or (word == "ruf" and card in PLAIN)):
            return
        self.overheard = Overheard(event, word, card or None)

    def _declare(self, said: Said) -> None:
        """Fold a call or solo: it may be changed before the first card; afterwards it is void (G-I10)."""
        before = self.agreed
        if self.begun:
            self.evidence.report("late_declaration", "G-I10", said.seat, said.event)
        elif said.what in SOLOS:
            self.soli.append(said)
        elif said.card in PLAIN:
            self.calls_made.append(said)
        else:
            self.remarks.append((0, "no_fehlkarte", str(said.card)))
        now = self.agreed
        if before is not None and now is not None and before[1:] != now[1:]:
            self.said.clear()  # a Stoß answered what is no longer played (U-22, U-29)

    @property
    def agreed(self) -> Said | None:
        """The call or solo that is played; of several calls that of the seat with Kreuz Dame (U-19)."""
        hers = [said for said in self.calls_made if said.seat == self.caller_card]
        return agreed_on(hers or self.calls_made, self.soli, self.forehand, len(self.seats))

    @property
    def pairs(self) -> Pairs:
        """What is public about who plays with whom (U-20, U-21)."""
        said = self.agreed
        if said is None:
            return Pairs()
        if said.what in SOLOS:
            return Pairs(said.seat, True)
        return Pairs(said.seat, False, self.called_shown.get(str(said.card)))

    # Proofs (U-I1, U-I5 to U-I7) --------------------------------------------------------------------------

    def first_card(self, event: int) -> None:
        """Report that nobody called: the holder of Kreuz Dame should have, and is named when it shows."""
        if self.agreed is None and self.overheard is None:
            self.uncalled = event
            self.evidence.report("missing_declaration", "U-I5", None, event)

    def card_shows(self, seat: int, card: int, event: int) -> None:
        """Judge what was said before by Kreuz Dame, the Rufkarte and the Dulle."""
        name = self.family.names[card]
        pairs = self.pairs if self.said else None  # only Stöße are judged by who plays with whom
        if name == CALLER_CARD and self.caller_card is None:
            self._caller_shows(seat, event)
        if name == self.options["pflichtstoss_card"] and self.pflicht_shown is None:
            self.pflicht_shown = seat
        if name in PLAIN:
            self.called_shown.setdefault(name, seat)
        if pairs is not None and self.pairs != pairs:
            self._judge_stosses(event)
        self._demand_stoss(event)

    def _caller_shows(self, seat: int, event: int) -> None:
        """Note that Kreuz Dame proves who had to call: any other call was false, unless a solo is played."""
        solo = self.pairs.solo
        self.caller_card = seat
        self._name_caller(seat)
        heard = self.overheard
        if self.agreed is None and heard is not None and heard.what == "ruf":
            self.calls_made.append(Said(heard.event, seat, heard.what, heard.card))
        if not solo:
            for said in self.calls_made:
                if said.seat != seat:
                    self.evidence.accuse("false_caller", "U-I1", said.seat, event, said.event)

    def _name_caller(self, seat: int) -> None:
        """Name the seat whose declaration was missing."""
        for at, found in enumerate(self.evidence.findings):
            if found.finding == "missing_declaration" and found.event == self.uncalled:
                self.evidence.findings[at] = replace(found, seat=self.seats[seat])

    def _judge_stosses(self, event: int) -> None:
        """Report a Stoß of the Ruf side when it was not its turn, whoever may hold the Rufkarte (U-I7).

        Where several called, the seat that gave it may have believed another caller.
        """
        if not self.pairs.solo and len({said.seat for said in self.calls_made}) > 1:
            return
        before: int | None = None
        for verdicts in zip(*(judged(self.said, pairs) for pairs in self.possible_pairs()), strict=True):
            said = verdicts[0].said
            # Nobody answers himself: where he also spoke last, the answer in between was not reported.
            unanswered, before = said.what == "stoss" and said.seat == before, said.seat
            if all(verdict.wrong for verdict in verdicts) and not unanswered:
                about = said.event if said.event != event else None
                self.evidence.accuse("wrong_side", "U-I7", said.seat, event, about)

    def possible_pairs(self) -> list[Pairs]:
        """Return all pairs that are possible: a seat without cards left does not hold the Rufkarte."""
        pairs = self.pairs
        if pairs.known or pairs.caller is None:
            return [pairs]
        able = [seat for seat, shown in self.spent.items() if shown < self.hand_size]
        return [pairs._replace(partner=seat) for seat in able] or [pairs]

    def _demand_stoss(self, event: int) -> None:
        """Report a missing Pflichtstoß: an opponent shows the Dulle, and his side gave no Stoß (U-23, U-I6).

        His time ran out with his own first card or, where a Stoß has no deadline (UA-4), with the round.
        """
        seat, any_time = self.pflicht_shown, self.options["stoss_until"] == "any"
        if seat is None or not self.options["pflichtstoss"] or self.stoss_demanded:
            return
        if any_time and len(self.tricks) < self.hand_size:
            return
        pairs = self.pairs
        if pairs.solo or pairs.party(seat) != OTHERS:
            return
        self.stoss_demanded = True
        given = [one.seat for one in self.said if one.what == "stoss" and pairs.party(one.seat) == OTHERS]
        if not given and seat not in self.late:
            plays = (*(play for trick in self.tricks for play in trick.plays), *self.trick)
            first = next((play.event for play in plays if play.seat == seat), event)
            about = None if any_time or first == event else first
            self.evidence.accuse("missed_stoss", "U-I6", seat, event, about)

    # Play and settlement ----------------------------------------------------------------------------------

    def contract(self) -> Contract:
        """Return Dulle's tables: the same in every call and solo."""
        return contract(self.options["karo10"], self.options["partner_duty"])

    def augen(self) -> list[int]:
        """Return the Augen that each seat has taken."""
        taken = [0] * len(self.seats)
        for trick in self.tricks:
            taken[trick.winner] += sum(augen(play.name) for play in trick.plays)
        return taken

    def settle(self) -> None:
        """Settle by the tariff, zero-sum (UA-3). Without a call, or without its Rufkarte, nobody scores."""
        self._conclude_pairs()
        self._demand_stoss(self.tricks[-1].plays[-1].event)
        pairs, said = self.pairs, self.agreed
        if said is None or not pairs.known:
            return
        parties = [CALLER if pairs.party(seat) == CALLER else OTHERS for seat in range(len(self.seats))]
        won = [sum(trick.winner == seat for trick in self.tricks) for seat in range(len(self.seats))]
        self.settlement = settle(parties, self.augen(), won, self._terms(said, pairs), self.options["tariff"])

    def _conclude_pairs(self) -> None:
        """Conclude the pairs: a round's single foreign card counts as the Rufkarte of its seat (G-12)."""
        said, stranger = self.agreed, self.evidence.one_stranger()
        if said is not None and stranger is not None and not (self.pairs.known or self.broken_off):
            last = self.tricks[-1].plays[-1].event
            self.called_shown[str(said.card)] = stranger
            self._judge_stosses(last)
            self._demand_stoss(last)

    def _terms(self, said: Said, pairs: Pairs) -> Terms:
        return Terms(
            said.what if pairs.solo else None,
            sum(verdict.counts for verdict in judged(self.said, pairs)),
            announced(self.said, pairs),
            self.bock_left > 0,
            self.options["schneider"],
        )

    def points(self) -> dict[str, int]:
        """Return each seat's points from this round; 0 before its last trick."""
        if self.settlement is None or self.broken_off:
            return dict.fromkeys(self.seats, 0)
        return dict(zip(self.seats, self.settlement.points, strict=True))

    def handed_on(self) -> DulleHanded:
        """Return who dealt, and how many Bockrunde deals are left: a solo begins it anew (U-27, UA-9)."""
        complete = self.over and not self.broken_off
        if complete and self.pairs.solo and self.options["bock"]:
            return DulleHanded(self.dealer, self.options["bock_deals"])
        return DulleHanded(self.dealer, max(0, self.bock_left - complete))

    # What the engine asks ---------------------------------------------------------------------------------

    def _side(self, seat: int, hands: DealtHands) -> int:
        """Return a seat's party, as its own hand shows it."""
        said = self.agreed
        assert said is not None
        shown = self.pairs.partner == seat
        return CALLER if seat == said.seat or shown or said.card in hands[seat] else OTHERS

    # What others ask --------------------------------------------------------------------------------------

    def phase(self) -> str:
        """Return the phase: a call or a solo is declared first, then cards are played."""
        return "declare" if self.agreed is None and not self.begun and not self.over else super().phase()
