"""A Doppelkopf table in its own verbs: hands are dealt; the referee sees only cards played and words said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table.rules import Referee
from table.rules.doppelkopf import DoppelkopfRound
from table.rules.engine import deal
from table.rules.evidence import owed
from tests.rules.folded import Folded

Hands = dict[str, list[str]]
Proof = tuple[str, str | None, int, int | None]


class Doko(Folded):
    """S4 deals, S1 is asked first and leads, unless set otherwise. `want` picks the deal by its hands."""

    def __init__(
        self,
        preset: str = "ddv",
        want: Callable[[Hands], bool] = lambda hands: True,
        dealer: str = "S4",
        players: int = 4,
        **options: Any,
    ) -> None:
        self.seats = [f"S{n}" for n in range(1, players + 1)]
        self.opening = {
            "kind": "game", "game": "doppelkopf", "preset": preset, "options": options, "seats": self.seats,
        }  # fmt: skip
        self.referee = Referee()
        self.referee.add(self.opening)
        self.want = want
        self.deal(dealer)

    def deal(self, dealer: str, seed: int = 0) -> None:
        """Deal the next round: the first deal from `seed` on that satisfies `want`."""
        while True:
            position = deal(self.opening, seed, dealer=dealer)
            named = zip(position.round.seats, position.hands, strict=True)
            self.hands: Hands = {seat: list(hand) for seat, hand in named}
            if self.want(self.hands):
                break
            seed += 1
        self.event("round", dealer=dealer)

    def say(self, words: str) -> int:
        """Say `S1 gesund, S2 vorbehalt`; return the last event's id."""
        number = 0
        for one in words.split(","):
            seat, what = one.split()
            number = self.event("say", seat=seat, what=what)
        return number

    def gesund(self, **others: str) -> None:
        """Everybody says gesund, except for `S2="hochzeit"` and the like."""
        order = [self.round.seats[seat] for seat in self.round.order()]
        for seat in order:
            self.say(f"{seat} {'vorbehalt' if seat in others else 'gesund'}")
        for seat, what in others.items():
            self.say(f"{seat} {what}")

    def card(self, seat: str, card: str) -> int:
        """A card is seen; it leaves the hand if it was in it."""
        if card in self.hands.get(seat, ()):
            self.hands[seat].remove(card)
        return self.event("card", seat=seat, card=card)

    def legal(self) -> tuple[str, list[str]]:
        """The seat whose turn it is, and the cards it may play."""
        opened = self.round
        at = opened.due()[0]
        hand = self.hands[opened.seats[at]]
        may = owed(opened.duties(at), opened.family.mask(hand))
        return opened.seats[at], [card for card in hand if may >> opened.family.number[card] & 1]

    def play(self, count: int = 1, avoid: str = "") -> int:
        """Play legal cards; those in `avoid` only when there is no other choice."""
        number = 0
        for _ in range(count):
            seat, cards = self.legal()
            number = self.card(seat, next((card for card in cards if card not in avoid.split()), cards[0]))
        return number

    def hold(self, seat: str, cards: int, avoid: str = "CQ") -> None:
        """Play until it is this seat's turn with so many cards in its hand."""
        while self.legal()[0] != seat or len(self.hands[seat]) > cards:
            self.play(avoid=avoid)

    def finish(self) -> None:
        while not self.round.over:
            self.play()

    def holders(self, card: str) -> list[str]:
        return [seat for seat, hand in self.hands.items() for _ in range(hand.count(card))]

    @property
    def round(self) -> DoppelkopfRound:
        opened = self.referee._rounds[-1].best.round
        assert isinstance(opened, DoppelkopfRound)
        return opened

    @property
    def ledger(self) -> dict[str, Any]:
        rounds: list[dict[str, Any]] = self.referee.result()["rounds"]
        return rounds[-1]

    @property
    def words(self) -> list[Proof]:
        """Only the proofs about words: some tests play a card more often than a pack has it."""
        return [proof for proof in self.proofs if proof[0].endswith(("declaration", "ansage", "side"))]


def queens(one: str, other: str) -> Callable[[Hands], bool]:
    """Want a deal in which these two seats hold the Kreuz Damen; the same seat twice: both in one hand."""
    return lambda hands: (
        hands[one].count("CQ") == 2 if one == other else all("CQ" in hands[seat] for seat in (one, other))
    )


def normal(preset: str = "ddv", **options: Any) -> Doko:
    """A normal game: S1 and S3 hold the Kreuz Damen, S2 and S4 are Kontra."""
    table = Doko(preset, want=queens("S1", "S3"), **options)
    table.gesund()
    return table


def hochzeit(preset: str, kind: str, tricks: str, **options: Any) -> Doko:
    """S1 has a Hochzeit; each word is a trick the last winner leads: `CA` he wins it, `S2:CA` S2 wins it."""
    table = Doko(preset, **options)
    table.gesund(S1=kind)
    for word in tricks.split():
        winner, _, lead = word.rpartition(":")
        table.event("card", seat=table.view.turn, card=lead)
        for _ in range(3):
            seat = table.view.turn
            best = {"C": "CA", "S": "SA", "H": "HA", "D": "HT"}[lead[0]] if seat == (winner or "S1") else lead
            table.event("card", seat=seat, card=best)
    return table
