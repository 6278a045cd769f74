"""One deal of Klapper-Jas: who plays together, what counts in the end, who has won."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.rules.second_opinion.klapperjas_cards import (
    IN_SEQUENCE,
    PACK,
    SUITS,
    Fallen,
    Owed,
    Sequence,
    eyes,
    winner,
)


@dataclass
class KlapperDeal:
    """Hands, words and tricks of the players; left of the dealer comes first."""

    order: list[str]
    hands: dict[str, list[str]]
    turned: str
    options: dict[str, Any]
    declarer: str = ""
    base: int = 0
    trump: str = ""
    kontra: bool = False
    re: bool = False
    swapped: bool = False
    melds: list[tuple[int, Sequence]] = field(default_factory=list)
    """Melds, each with the number of the line that announced it."""
    belle: list[str] = field(default_factory=list)
    played: Counter[str] = field(default_factory=Counter)
    """How many cards each seat has played."""
    tricks: list[tuple[str, Fallen]] = field(default_factory=list)
    """Tricks, each with its winner."""

    def declare(self, seat: str, base: int, trump: str) -> None:
        self.declarer, self.base, self.trump = seat, base, trump

    def together(self, one: str, other: str) -> bool:
        """Whether two seats are partners: opposite seats of four; else everybody plays alone (J-36, J-37)."""
        apart = abs(self.order.index(one) - self.order.index(other))
        return apart == 0 or (len(self.order) == 4 and apart == 2)

    def for_declarer(self, seat: str) -> bool:
        return self.together(seat, self.declarer)

    def shown(self, seat: str) -> set[str]:
        """Cards that a seat has played in finished tricks."""
        return {card for _, fallen in self.tricks for player, card in fallen if player == seat}

    def may_swap(self, seat: str) -> bool:
        """Whether a seat holds the 7 of the turned suit and may swap it (J-30, J-33, JA-6)."""
        forbidden = self.swapped or len(self.order) == 4 or self.turned[1] == "7"
        if self.options["seven_swap"] == "orgi_only" and self.base == 1:
            forbidden = True
        return not forbidden and self.turned[0] + "7" in self.hands[seat]

    def duty(self, seat: str, fallen: Fallen) -> Owed:
        leads = bool(fallen) and self.options["partner_exception"] and len(self.order) == 4
        partner_leads = leads and self.together(winner(fallen, self.trump), seat)
        return Owed(self.trump, fallen, self.options["undertrump"] == "free", partner_leads)

    # --- counting -------------------------------------------------------------------------------------

    def augen(self) -> dict[str, int]:
        """Cards, the last trick, melds and Belle of each seat (J-02, J-18, J-19, J-38)."""
        sums = dict.fromkeys(self.order, 0)
        for seat, fallen in self.tricks:
            sums[seat] += sum(eyes(card, self.trump) for _, card in fallen)
        sums[self.tricks[-1][0]] += 10
        for meld in self.counting_melds():
            sums[meld.seat] += meld.worth
        for seat in self.belle:
            sums[seat] += 20
        return sums

    def counting_melds(self) -> list[Sequence]:
        """The melds of the winning seat and its partner; a seat without a trick has none (J-08 to J-17)."""
        left = list(self.melds)
        while left:
            _, best = max(left, key=lambda one: self.rank(*one))
            if self.has_trick(best.seat):
                ours = [meld for _, meld in left if self.together(meld.seat, best.seat)]
                return [meld for meld in ours if self.has_trick(meld.seat)]
            if self.options["no_trick_meld"] == "nobody":
                break
            left = [one for one in left if one[1].seat != best.seat]
        return []

    def rank(self, line: int, meld: Sequence) -> tuple[int, int, bool, int]:
        """A Halber before a Terz, then the higher top, trump, the first announced (J-09 to J-12, JA-14)."""
        came = line if self.options["first_announcer"] == "time" else self.order.index(meld.seat)
        return meld.length, IN_SEQUENCE.index(meld.top[1]), meld.top[0] == self.trump, -came

    def has_trick(self, seat: str) -> bool:
        if self.options["meld_needs_trick"] == "player":
            return any(taker == seat for taker, _ in self.tricks)
        return any(self.together(taker, seat) for taker, _ in self.tricks)

    def won(self) -> bool:
        """Whether the declarer beats the best of the others, partners added (J-36, J-37, J-40, JA-2)."""
        augen = self.augen()
        sums = {
            seat: sum(augen[other] for other in self.order if self.together(seat, other))
            for seat in self.order
        }
        best = max(sums[seat] for seat in self.order if not self.for_declarer(seat))
        lenient = len(self.order) == 3 and self.options["tie3"] == "declarer_wins"
        return sums[self.declarer] > best or (lenient and sums[self.declarer] == best)

    def value(self) -> int:
        """Kleines 1, Orgi 2, doubled by Kontra and by Re (J-41, J-43)."""
        return self.base * 2 ** (self.kontra + self.re)


def dealt(order: list[str], chance: random.Random, options: dict[str, Any]) -> KlapperDeal:
    """Nine cards in threes, the next one turned; with four players eight, the 31st turned (J-28 to J-30)."""
    pack = list(PACK)
    chance.shuffle(pack)
    hands: dict[str, list[str]] = {seat: [] for seat in order}
    for packet in (3, 2, 3) if len(order) == 4 else (3, 3, 3):
        for seat in order:
            hands[seat] += pack[:packet]
            del pack[:packet]
    turned = hands[order[-1]][-2] if len(order) == 4 else pack[0]
    return KlapperDeal(order, hands, turned, options)


# --- untrue words -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Untrue:
    """One word that a seat will say in a deal against the rules, when the occasion comes."""

    how: str
    seat: str
    after: int
    """How many cards of the seat must have fallen before a late word."""
    suit: str
    rank: str
    length: int

    def occasion(self, deal: KlapperDeal) -> tuple[str, str] | None:
        """The word and its fault's name, if this is the moment."""
        seat, hand, fallen = self.seat, deal.hands[self.seat], deal.played[self.seat]
        meld = Sequence(seat, self.length, self.suit + self.rank)
        pair = {deal.trump + "K", deal.trump + "Q"}
        late, first = fallen == self.after, fallen == 0
        ours, swappable = deal.for_declarer(seat), {deal.turned, deal.turned[0] + "7"}
        match self.how:
            case "late_meld" if late:
                return meld.words, "late_declaration"
            case "false_meld" if first and not meld.cards <= set(hand):
                return meld.words, "false_meld"
            case "false_belle" if seat not in deal.belle and not pair <= set(hand):
                return "belle", "late_declaration" if pair & deal.shown(seat) else "false_belle"
            case "late_swap" if late and len(deal.order) < 4:
                return "tausch", "late_declaration"
            case "false_swap" if first and not deal.swapped and not swappable & set(hand):
                deal.swapped = True  # from now on nobody else can take the turned card
                return "tausch", "false_swap"
            case "late_kontra" if late and not ours:
                return "kontra", "late_declaration"
            case "late_re" if fallen == self.after + 1 and ours:
                return "re", "late_declaration"
            case "wrong_kontra" if first and ours:
                return "kontra", "wrong_side"
            case "wrong_re" if fallen <= 1 and not ours:
                return "re", "wrong_side"
        return None


UNTRUE = (
    "late_meld",
    "false_meld",
    "false_belle",
    "late_swap",
    "false_swap",
    "late_kontra",
    "late_re",
    "wrong_kontra",
    "wrong_re",
)


def untrue_word(order: list[str], chance: random.Random) -> Untrue:
    return Untrue(
        chance.choice(UNTRUE),
        chance.choice(order),
        chance.randrange(1, 5),
        chance.choice(SUITS),
        chance.choice("TJQKA"),
        chance.choice((3, 4)),
    )
