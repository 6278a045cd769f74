"""Klapper-Jas from the booklet: a random evening, careless players included, and what it is worth."""

from __future__ import annotations

import random

from tests.rules.second_opinion.klapperjas_cards import SUITS, Fallen, sequences, winner
from tests.rules.second_opinion.klapperjas_deal import KlapperDeal, Untrue, dealt, untrue_word
from tests.rules.second_opinion.opinion import Opinion

ENOUGH = 12
KLEINES, ORGI = 1, 2


def evening(seed: int, rounds: int = 14) -> Opinion:
    """An evening of two to four players, to its end or for so many deals."""
    return KlapperEvening(seed).play(rounds)


class KlapperEvening:
    """Plays at random and keeps score as the booklet says."""

    def __init__(self, seed: int) -> None:
        self.chance = pick = random.Random(seed)
        self.seats = [f"S{n}" for n in range(1, 3 + seed % 3)]
        self.options = {
            "undertrump": pick.choice(("forced", "free")),
            "partner_exception": pick.random() < 0.5,
            "tie3": pick.choice(("declarer_loses", "declarer_wins")),
            "meld_needs_trick": pick.choice(("party", "player")),
            "seven_swap": pick.choice(("always", "orgi_only")),
            "first_announcer": pick.choice(("seat_order", "time")),
            "no_trick_meld": pick.choice(("nobody", "next_best")),
        }
        self.careless = pick.choice((0.0, 0.1))
        self.untruthful = pick.random() < 0.5
        self.names_dealer = pick.random() < 0.5
        opening = {"kind": "game", "game": "klapper-jas", "seats": self.seats, "options": self.options}
        self.opinion = Opinion([opening], dict.fromkeys(self.seats, 0))
        self.home: str | None = None
        """With three players: the one who has already won and only deals (J-46)."""

    def play(self, rounds: int) -> Opinion:
        dealer = self.chance.choice(self.seats)
        for at in range(rounds):
            named = {"dealer": dealer} if self.names_dealer or at == 0 else {}
            self.opinion.write("round", **named)
            dealer = self.round(dealer)
            if self.opinion.finished:
                break
        return self.opinion

    def round(self, dealer: str) -> str:
        """Play one deal and return the next dealer."""
        at = self.seats.index(dealer) + 1
        order = [seat for seat in self.seats[at:] + self.seats[:at] if seat != self.home]
        deal = dealt(order, self.chance, self.options)
        self.opinion.write("turned", card=deal.turned)
        if not self.bid(deal):
            self.opinion.close([], dealer=dealer, passed_out=True)
            return dealer
        untrue = untrue_word(order, self.chance) if self.untruthful else None
        leader, tricks = order[0], []
        while deal.hands[leader]:
            leader, untrue = self.trick(leader, deal, untrue)
            tricks.append(leader)
        won = deal.won()
        self.book(deal, won)
        self.opinion.close(
            tricks,
            dealer=dealer,
            declarer=deal.declarer,
            trump=deal.trump,
            settlement={"won": won, "augen": deal.augen()},
        )
        return self.next_dealer(dealer, deal, won)

    # --- words ----------------------------------------------------------------------------------------

    def bid(self, deal: KlapperDeal) -> bool:
        """First the Orgi, then a Kleines, which a later seat may outbid with besser (J-20, J-21, JA-10)."""
        for seat in deal.order:
            if self.chance.random() < 0.2:
                self.opinion.say(seat, "orgi")
                deal.declare(seat, ORGI, deal.turned[0])
                return True
            self.opinion.say(seat, "passe")
        for at, seat in enumerate(deal.order):
            if self.chance.random() < 0.6:
                self.opinion.say(seat, "kleines")
                self.name_the_suit(seat, deal.order[at + 1 :], deal)
                return True
            self.opinion.say(seat, "passe")
        return False

    def name_the_suit(self, seat: str, later: list[str], deal: KlapperDeal) -> None:
        for other in later:
            if deal.turned[0] != "C" and self.chance.random() < 0.2:
                self.opinion.say(other, "besser")
                return deal.declare(other, KLEINES, "C")
            self.opinion.say(other, "passe")
        suit = self.chance.choice([suit for suit in SUITS if suit != deal.turned[0]])
        self.opinion.say(seat, f"farbe:{suit}")
        return deal.declare(seat, KLEINES, suit)

    def before_the_first_card(self, seat: str, deal: KlapperDeal) -> None:
        """Swap the 7, announce melds, in any order, and say Kontra (J-07, J-27, J-33)."""
        hand, swaps = deal.hands[seat], deal.may_swap(seat) and self.chance.random() < 0.7
        swaps_first = self.chance.random() < 0.5
        if swaps:
            deal.swapped = True
            hand.remove(deal.turned[0] + "7")
            hand.append(deal.turned)
            if swaps_first:
                self.opinion.say(seat, "tausch")
        for meld in sequences(seat, hand):
            if self.chance.random() < 0.8:
                deal.melds.append((self.opinion.say(seat, meld.words), meld))
        if swaps and not swaps_first:
            self.opinion.say(seat, "tausch")
        if not deal.for_declarer(seat) and not deal.kontra and self.chance.random() < 0.2:
            self.opinion.say(seat, "kontra")
            deal.kontra = True

    def speak(self, seat: str, deal: KlapperDeal, untrue: Untrue | None) -> Untrue | None:
        """Whatever a seat has to say before its card, and the untrue word while it is still to come."""
        if deal.played[seat] == 0:
            self.before_the_first_card(seat, deal)
        if untrue is not None and untrue.seat == seat and (word := untrue.occasion(deal)) is not None:
            what, finding = word
            self.opinion.faults[finding, seat, self.opinion.say(seat, what)] = None
            untrue = None
        answers = deal.kontra and not deal.re and deal.for_declarer(seat) and deal.played[seat] <= 1
        if answers and self.chance.random() < 0.4:
            self.opinion.say(seat, "re")
            deal.re = True
        return untrue

    # --- cards ----------------------------------------------------------------------------------------

    def trick(self, leader: str, deal: KlapperDeal, untrue: Untrue | None) -> tuple[str, Untrue | None]:
        """Everybody speaks and plays a card; return the winner."""
        seats = sorted(deal.order, key=self.seats.index)
        at, fallen = seats.index(leader), Fallen()
        for seat in seats[at:] + seats[:at]:
            untrue = self.speak(seat, deal, untrue)
            fallen.append((seat, self.play_card(seat, deal, fallen)))
        leader = winner(fallen, deal.trump)
        deal.tricks.append((leader, fallen))
        return leader, untrue

    def play_card(self, seat: str, deal: KlapperDeal, fallen: Fallen) -> str:
        hand, duty = deal.hands[seat], deal.duty(seat, fallen)
        allowed = duty.allowed(hand)
        others = [card for card in hand if card not in allowed]
        breaks = bool(others) and self.chance.random() < self.careless
        card = self.chance.choice(others if breaks else allowed)
        pair = {deal.trump + "K", deal.trump + "Q"}
        if card in pair and pair <= set(hand) and self.chance.random() < 0.8:
            self.opinion.say(seat, "belle")
            deal.belle.append(seat)
        hand.remove(card)
        deal.played[seat] += 1
        self.opinion.deny(seat, self.opinion.card(seat, card), **duty.refuted_by(card))
        return card

    # --- points ---------------------------------------------------------------------------------------

    def book(self, deal: KlapperDeal, won: bool) -> None:
        """Score the value if the declarer won; else the others get it twice, with three once (J-42, J-44)."""
        lost = deal.value() * (1 if len(deal.order) == 3 else 2)
        for seat in deal.order:
            if deal.for_declarer(seat) == won:
                self.opinion.points[seat] += deal.value() if won else lost

    def next_dealer(self, dealer: str, deal: KlapperDeal, won: bool) -> str:
        """Return the next dealer; end the evening once it is decided (J-34, J-35, J-45, J-46, JA-11)."""
        points = self.opinion.points
        there = [seat for seat in deal.order if points[seat] >= ENOUGH]
        after = self.seats[(self.seats.index(dealer) + 1) % len(self.seats)]
        if len(self.seats) == 3 and self.home is None:
            if len(there) > 1 and list(points.values()).count(max(points.values())) == 1:
                self.opinion.end()
            if len(there) != 1:
                return after
            self.home = there[0]
            return self.home
        if there:
            self.opinion.end()
            if self.home is not None:
                self.opinion.winners = [self.home]
        if len(self.seats) == 4:
            return after
        return next(seat for seat in deal.order if deal.for_declarer(seat) == won)
