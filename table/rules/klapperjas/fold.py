"""A whole round of Klapper-Jas: cards, tricks, Augen, the settlement, and what the next round must know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.rules.events import Event
from table.rules.evidence import Duty
from table.rules.klapperjas.bidding import KLEINES, ORGI, VALUE
from table.rules.klapperjas.melds import Meld, MeldContest, counted
from table.rules.klapperjas.score import KlapperSettlement, home, settle
from table.rules.klapperjas.talk import Talk
from table.rules.klapperjas.terms import BELLE, FIRST_LOOK, LAST_TRICK, PACKETS, augen
from table.rules.setup import Setup
from table.rules.tricks import DealtHands, Trick
from table.rules.view import Finding


@dataclass(frozen=True, slots=True)
class KlapperHanded:
    """What a round passes on: who dealt, who deals again, everybody's points, who has reached twelve."""

    dealer: str
    points: tuple[int, ...]
    home: tuple[str, ...] = ()
    again: bool = False
    """Whether nobody played: the same dealer deals again (J-20)."""
    winner: str | None = None
    """Who won the deal, where two play (J-34)."""


def players(setup: Setup, before: KlapperHanded | None) -> tuple[str, ...]:
    """Return who plays: with three the first to reach twelve leaves (J-46)."""
    out = before.home if before is not None and len(setup.seats) == 3 else ()
    return tuple(seat for seat in setup.seats if seat not in out[:1])


class KlapperFold(Talk):
    """One round, folded event by event."""

    def __init__(self, setup: Setup, number: int, dealer: str, before: KlapperHanded | None) -> None:
        seats = players(setup, before)
        at = setup.seats.index(dealer)
        around = [*setup.seats[at + 1 :], *setup.seats[: at + 1]]
        first = next(seat for seat in around if seat in seats)  # J-22
        super().__init__(setup.options, number, seats, dealer, seats.index(first))
        self.table = setup.seats
        self.before = before or KlapperHanded(dealer, (0,) * len(setup.seats))
        self.settlement: KlapperSettlement | None = None
        self.counting: tuple[Meld, ...] = ()
        """The melds that count, known at the end (J-16)."""
        self.laid_open: frozenset[int] = frozenset()
        """The seats that have laid their melds open."""
        self.score_seen: dict[str, tuple[str, int]] = {}
        self.to_turn: str | None = None
        """The card to be turned; only where the engine dealt."""
        self.first_look: DealtHands = ()
        """What each seat may look at first; only where the engine dealt."""

    # The fold ---------------------------------------------------------------------------------------------

    def add(self, number: int, event: Event) -> None:
        """Fold one event; a player who has left the game has nothing to play (J-46)."""
        if (seat := event.seat) is not None and seat not in self.seats:
            if event.kind == "card" and not self.over and number not in self.unsure:
                self.evidence.findings.append(Finding("out_of_turn", "J-46", seat, number))
            return
        if event.kind == "turned":
            self._turn(event.card)
        elif event.kind == "shown":
            self._lay_open(event)
        else:
            super().add(number, event)
        if self.holdings and event.kind == "card":
            self.check_holdings(number, event.card)

    def _turn(self, card: str) -> None:
        if self.bidding.passed_out and not self.begun:
            self.deal_again()
        if card not in self.turned and not self.begun:
            self.turned = (*self.turned, card)

    def _lay_open(self, event: Event) -> None:
        """Lay melds open: they count as shown once all that the seat announced lie there (J-16)."""
        if event.seat is None:
            return
        seat, cards = self.seats.index(event.seat), set(event.get("cards") or ())
        if all(cards >= set(meld.cards) for meld in self.melds if meld.seat == seat):
            self.laid_open |= {seat}
        else:
            self.remarks.append((len(self.tricks) + 1, "meld_not_all_shown", event.seat))

    def first_card(self, event: int) -> None:
        """Report an undeclared game (G-I9), and a swap that a Kleines has made false (JA-6)."""
        unseen = self.bidding.kind == ORGI and not self.turned  # its suit lay open but was not reported
        if self.trump is None and not unseen:
            self.evidence.report("missing_declaration", "G-I9", self.bidding.should_declare(), event)
        said = self.swap_event()
        only_orgi = self.options["seven_swap"] == "orgi_only" and self.bidding.kind == KLEINES
        if self.swapper is not None and said is not None and only_orgi:
            self.evidence.accuse("false_swap", "J-I6", self.swapper, event, said)

    def _new(self, event: int, seat: int, name: str) -> bool:
        self.latest = seat
        new = super()._new(event, seat, name)
        if not new:
            self.strange[seat] = self.strange.get(seat, 0) + 1
        return new

    def card_shows(self, seat: int, card: int, event: int) -> None:
        """Note whose card it was: melds, Belle and swap are judged by that."""
        name = self.family.names[card]
        self.owner.setdefault(name, seat)
        if self.swapper is not None:
            self.seven_falls(name, event)

    def _shows(self, event: int, seat: int, name: str, card: int) -> bool:
        held = super()._shows(event, seat, name, card)
        # A second card of a trick is not played: Belle may wait until it is (J-18).
        belle = held and name[1] in "KQ" and name[0] == self.trump and seat not in self.belle_from
        if belle and all(play.seat != seat for play in self.trick):
            self.belle_from[seat] = (len(self.tricks) + 1, self.fallen() + 1)
        return held

    def duties(self, seat: int) -> tuple[Duty, ...]:
        """Return the duties; with the exception on, a seat whose partner is winning need not trump (JA-8)."""
        duties = super().duties(seat)
        if self.options["partner_exception"] and len(self.seats) == 4 and self.trick and duties:
            contract = self.contract()
            winning = self.trick[contract.winner(self.trick)].seat
            plain = not contract.trumps >> max(self.trick[0].card, 0) & 1
            if plain and winning in self.party(seat):
                return duties[:1]
        return duties

    # Augen and settlement ---------------------------------------------------------------------------------

    def has_trick(self, seat: int) -> bool:
        """Return whether a seat has the trick without which its melds count nothing (J-16, JA-4)."""
        who = {seat} if self.options["meld_needs_trick"] == "player" else self.party(seat)
        return any(trick.winner in who for trick in self.tricks)

    def to_show(self) -> tuple[Meld, ...]:
        """Return the melds that have won the comparison, and must be laid open now (J-17)."""
        return self._counted(lambda seat: True)

    def count_melds(self) -> tuple[Meld, ...]:
        """Return the melds that count so far."""
        return self._counted(self.has_trick)

    def _counted(self, may_count: Callable[[int], bool]) -> tuple[Meld, ...]:
        by_time = self.options["first_announcer"] == "time"
        order = self.bidding.order
        contest = MeldContest(
            self.trump,
            (lambda meld: meld.event) if by_time else (lambda meld: order.index(meld.seat)),
            self.party,
            self.options["no_trick_meld"] == "next_best",
        )
        return counted(self.true_melds(), contest, may_count)

    def trick_augen(self, trick: Trick) -> int:
        """Return the Augen of a trick; the last one counts ten more (J-19, J-38)."""
        last = len(self.tricks) == self.hand_size and trick == self.tricks[-1]
        return sum(augen(play.name, self.trump) for play in trick.plays) + LAST_TRICK * last

    def augen(self) -> list[int]:
        """Return the Augen that each seat has won in tricks so far."""
        total = [0] * len(self.seats)
        for trick in self.tricks:
            total[trick.winner] += self.trick_augen(trick)
        return total

    def settle(self) -> None:
        """Count Augen, melds and Belle and settle; without a game there is nothing to settle."""
        declarer, kind = self.bidding.declarer, self.bidding.kind
        event = self.tricks[-1].plays[-1].event
        self.check_holdings(event)
        if declarer is None or kind is None or self.trump is None:
            return
        self.counting = self.count_melds()
        total = self.augen()
        for meld in self.counting:
            total[meld.seat] += meld.value
        for belle in self.true_belles():
            total[belle.seat] += BELLE
        self.settlement = settle(
            total, declarer, VALUE[kind], self.doublings(), self.options["tie3"] == "declarer_wins"
        )

    def points(self) -> dict[str, int]:
        """Return each seat's points; 0 where nobody played the deal, or it was broken off."""
        points = dict.fromkeys(self.table, 0)
        if self.settlement is not None:
            points |= dict(zip(self.seats, self.settlement.points, strict=True))
        return points

    # What comes after -------------------------------------------------------------------------------------

    def totals(self) -> dict[str, int]:
        """Return everybody's points including this round's."""
        brought = self.points()
        return {seat: p + brought[seat] for seat, p in zip(self.table, self.before.points, strict=True)}

    def home(self) -> tuple[str, ...]:
        """Return who has reached twelve, in order; with four, a party's first seat."""
        totals = self.totals()
        parties = dict(list(totals.items())[:2]) if len(self.table) == 4 else totals
        return home(parties, self.before.home, 2 if len(self.table) == 3 else 1)

    def handed_on(self) -> KlapperHanded:
        """Return who dealt, the points, who is home, and who won where two play (J-20, J-34, J-46)."""
        won = None
        if self.settlement is not None and len(self.seats) == 2:
            won = next(s for s, p in zip(self.seats, self.settlement.points, strict=True) if p)
        nobody = self.over and self.settlement is None
        return KlapperHanded(self.dealer, tuple(self.totals().values()), self.home(), nobody, won)

    def outcome(self) -> tuple[bool, tuple[str, ...]]:
        """Return (game over, the winner or the winning party): the first to reach twelve (J-45, J-46)."""
        there = self.home()
        if len(self.table) == 4:
            at = None if not there else self.table.index(there[0])
            return bool(there), () if at is None else (self.table[at], self.table[at + 2])
        return len(there) == len(self.table) - 1, there[:1]

    # Engine -----------------------------------------------------------------------------------------------

    def deal(self, cards: Sequence[str]) -> tuple[DealtHands, tuple[str, ...]]:
        """Deal in packets from the left of the dealer on, and choose the card to turn (J-28 to J-30)."""
        hands: list[list[str]] = [[] for _ in self.seats]
        left = list(cards)
        for size in PACKETS[len(self.seats)]:
            for seat in self.bidding.order:
                hands[seat] += left[:size]
                del left[:size]
        self.to_turn = left[0] if self.has_pile else hands[self.bidding.order[-1]][-2]
        self.first_look = tuple(tuple(hand[:FIRST_LOOK] if self.has_pile else hand) for hand in hands)
        return tuple(map(tuple, hands)), tuple(left)

    # What others ask --------------------------------------------------------------------------------------

    def die(self, event: Event) -> None:
        """Note a score die that was seen: spot `mat:S1` or `off:S1` (J-47)."""
        where, _, seat = str(event.get("spot")).partition(":")
        value = event.get("value")
        if where in ("mat", "off") and seat in self.table and value is not None:
            self.score_seen[seat] = (where, int(value))

    def phase(self) -> str:
        """Return the phase: `declare` before the first card, as long as bidding or trump is open."""
        if self.begun or self.over or (self.trump is not None and self.bidding.asked() is None):
            return super().phase()
        return "declare"
