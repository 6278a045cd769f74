"""A Klapper-Jas table in its own verbs. Sn deals first, S1 bids and leads."""

from __future__ import annotations

from typing import Any

from table.rules import Referee
from table.rules.evidence import owed
from table.rules.klapperjas.round import KlapperRound
from table.rules.klapperjas.terms import HAND_SIZE, PACK
from tests.rules.folded import Folded, Plays

Proof = tuple[str, str | None, int, int | None]


class Klapper(Folded, Plays):
    """A referee and the people in front of him."""

    def __init__(self, players: int = 3, turned: str | None = "HA", **options: Any) -> None:
        self.referee = Referee()
        self.seats = [f"S{n}" for n in range(1, players + 1)]
        self.event("game", game="klapper-jas", seats=self.seats, options=options)
        self.round(self.seats[-1], turned)

    def round(self, dealer: str | None = None, turned: str | None = "HA") -> int:
        number = self.event("round", **({} if dealer is None else {"dealer": dealer}))
        if turned is not None:
            self.event("turned", card=turned)
        return number

    def say(self, *words: str) -> int:
        """Say `S1:passe`; a word without a seat belongs to whose turn it is. Return the last id."""
        number = 0
        for word in words:
            seat, _, what = word.partition(":") if word[0] == "S" and word[1].isdigit() else ("", "", word)
            number = self.event("say", seat=seat or self.view.turn, what=what)
        return number

    def play_out(self, hands: dict[str, str]) -> None:
        """Every seat plays the first card of its list that it may play."""
        left = {seat: cards.split() for seat, cards in hands.items()}
        while self.view.phase == "play":
            game, seat = self.game, str(self.view.turn)
            held = game.family.mask(left[seat])
            may = owed(game.duties(game.seats.index(seat)), held)
            card = next(card for card in left[seat] if may >> game.family.number[card] & 1)
            left[seat].remove(card)
            self.event("card", seat=seat, card=card)

    def correct(self, number: int, event: dict[str, Any] | None = None) -> int:
        return self.event("correction", of=number, event=event)

    @property
    def game(self) -> KlapperRound:
        """The last round, as the referee folded it."""
        opened = self.referee._rounds[-1].best.round
        assert isinstance(opened, KlapperRound)
        return opened

    @property
    def last(self) -> dict[str, Any]:
        """The last round's entry in the ledger."""
        rounds: list[dict[str, Any]] = self.referee.result()["rounds"]
        return rounds[-1]

    @property
    def audit(self) -> bool:
        return bool(self.last["audit"])

    def prompts(self) -> list[tuple[str, str | None]]:
        return [(prompt.what, prompt.seat) for prompt in self.view.prompts]

    def deal_rest(self, hands: dict[str, str], without: str = "") -> dict[str, str]:
        """Fill up the hands from the rest of the pack, lowest cards first."""
        taken = {card for cards in hands.values() for card in cards.split()} | set(without.split())
        rest = [card for card in PACK if card not in taken]
        filled = {}
        for seat in self.seats:
            cards = hands.get(seat, "").split()
            while len(cards) < HAND_SIZE[len(self.seats)]:
                cards.append(rest.pop(0))
            filled[seat] = " ".join(cards)
        return filled
