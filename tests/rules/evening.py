"""An evening at the table, in its own verbs. Seats are S1 to Sn; Sn deals, S1 chooses trump, S2 leads."""

from __future__ import annotations

from typing import Any

from table.rules import Referee
from table.rules.dubbe.terms import pack
from tests.rules.folded import Folded, Plays

Proof = tuple[str, str | None, int, int | None]


class Evening(Folded, Plays):
    """A referee and the hands that play in front of him."""

    def __init__(
        self, players: int = 3, dealer: str | None = None, begin: bool = True, **options: Any
    ) -> None:
        self.referee = Referee()
        self.seats = [f"S{n}" for n in range(1, players + 1)]
        self.event("game", game="dubbe", preset="dubbe", options=options, seats=self.seats)
        if begin:
            self.round(dealer or self.seats[-1])

    def round(self, dealer: str) -> int:
        return self.event("round", dealer=dealer)

    def trump(self, colour: str, value: int = 1) -> int:
        return self.die(colour, value, "aagewwer")

    def die(self, colour: str, value: int, spot: str) -> int:
        return self.event("die", colour=colour, value=value, spot=spot)

    def unsure(self, seat: str, *candidates: str) -> int:
        return self.event(
            "unsure", seat=seat, candidates=[[c, 0.5 - 0.05 * n] for n, c in enumerate(candidates)]
        )

    def correct(self, number: int, seat: str | None = None, card: str | None = None) -> int:
        """Correct an event: another card was played or, without a card, nothing happened."""
        event = None if card is None else {"kind": "card", "seat": seat, "card": card}
        return self.event("correction", of=number, event=event)

    def touch(self, seat: str) -> int:
        return self.event("touch", seat=seat)

    def collect(self, seat: str) -> int:
        return self.event("collected", seat=seat)

    def play_out(self, hands: dict[str, list[str]]) -> None:
        """Every seat plays the first legal card of its list."""
        left = {seat: list(cards) for seat, cards in hands.items()}
        while self.view.phase in ("play", "declare"):
            view = self.view
            seat = view.turn or ""
            led = view.trick[0].card.split("-")[0] if view.trick and view.trick[0].card else None
            follow = [card for card in left[seat] if card.split("-")[0] == led]
            card = (follow or left[seat])[0]
            left[seat].remove(card)
            self.event("card", seat=seat, card=card)

    def character(self, name: str) -> tuple[str | None, int | None, str | None]:
        """The character's (colour, die, owner)."""
        tile = next(tile for tile in self.view.characters if tile.name == name)
        return tile.colour, tile.value, tile.owner


def one_sided() -> dict[str, list[str]]:
    """Three hands: S2 has the high yellow and red cards, leads seven yellow, eight red ones, and wins all."""
    strong = [f"yellow-{n}" for n in range(9, 2, -1)] + [f"red-{n}" for n in range(9, 1, -1)]
    rest = [
        card for colour in ("yellow", "blue", "brown", "green", "red") for card in pack(3) if colour in card
    ]
    others = [card for card in rest if card not in strong]
    return {"S2": strong, "S3": others[0::2], "S1": others[1::2]}
