"""Random rounds of Dubbe, legal or with one fault, and the finding expected from the hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import Event
from table.rules.chance import Chance
from table.rules.dubbe.terms import colour_of
from table.rules.engine import Position, apply, deal, legal, turn
from tests.rules.evening import Proof

Log = list[dict[str, Any]]
FAULTS = ("revoke", "out_of_turn", "two_cards", "duplicate_card", "foreign_card", "missing_declaration",
          "colour_changed", "wrong_die", "unauthorised_touch")  # fmt: skip


def legal_round(seed: int, black: bool = False) -> Log:
    """A whole round of 2 to 5 players who play any legal card."""
    return Writer(seed, black).play("")


def faulty_round(seed: int, fault: str) -> tuple[Log, Proof] | None:
    """A round with one fault and its proof, or None if the round gave no occasion for it."""
    writer = Writer(seed, black=fault == "unauthorised_touch")
    log = writer.play(fault)
    return None if writer.proof is None else (log, writer.proof)


class Writer:
    """Plays a round and writes it down, with one fault at a random moment."""

    def __init__(self, seed: int, black: bool) -> None:
        self.chance = Chance(seed)
        seats = [f"S{n}" for n in range(1, 3 + self.chance.below(4))]
        opening = {
            "kind": "game",
            "game": "dubbe",
            "seats": seats,
            "options": {"black_die": black, "rounds": 1},
        }
        self.position: Position = deal(opening, self.chance.number())
        self.log: Log = [opening, {"kind": "round", "dealer": self.position.round.dealer}]
        self.proof: Proof | None = None
        self._awaited: tuple[str, str, int] | None = None
        """After a revoke: (seat, colour, offence); the seat's next card of that colour is the proof."""

    def write(self, event: dict[str, Any]) -> int:
        self.log.append(event)
        return len(self.log)

    def play(self, fault: str) -> Log:
        at = self.chance.below(14 * len(self.position.hands)) + 1
        while (seat := turn(self.position)) is not None:
            moves = legal(self.position)
            move = moves[self.chance.below(len(moves))]
            if move.kind == "die":
                self.position = apply(self.position, move)
                if fault == "missing_declaration":  # the die is never laid; the game goes on without trump
                    self._forget_trump()
                else:
                    self.write(move.to_dict())
                continue
            ready = fault and self.position.moves >= at and self.proof is None and self._awaited is None
            if ready and getattr(self, f"_{fault}")(seat):
                continue
            self._fall(move)
            for chore in self.position.round.chores():
                self.write(chore.to_dict())
        return self.log

    def _fall(self, move: Event, instead: str | None = None) -> int:
        """Play a card, legal or not; `instead` is what the table reads."""
        seat, card = str(move.seat), move.card
        shown = instead or card
        number = self.write({"kind": "card", "seat": seat, "card": shown})
        opened = self.position.round.copy()
        opened.add(number, Event("card", {"seat": seat, "card": shown}, number))
        at = opened.seats.index(seat)
        hand = tuple(c for c in self.position.hands[at] if c != card)
        hands = (*self.position.hands[:at], hand, *self.position.hands[at + 1 :])
        self.position = replace(self.position, round=opened, hands=hands, moves=self.position.moves + 1)
        if (
            self._awaited
            and self.proof is None
            and self._awaited[0] == seat
            and colour_of(shown) == self._awaited[1]
        ):
            self.proof = ("revoke", seat, number, self._awaited[2])
        return number

    def _forget_trump(self) -> None:
        opened: Any = self.position.round
        opened.trump, opened.tiles[0], opened.begun = None, type(opened.tiles[0])(), True
        self.proof = ("missing_declaration", opened.seats[opened.chooser], 3, None)

    def _chooser(self) -> int:
        return int(self.position.round.chooser)  # type: ignore[attr-defined]

    def _pick(self, cards: list[str]) -> str:
        return cards[self.chance.below(len(cards))]

    # One method for each fault: it commits the fault if there is an occasion.

    def _revoke(self, seat: str) -> bool:
        may = {move.card for move in legal(self.position)}
        wrong = [card for card in self.position.hand(seat) if card not in may]
        if not wrong:
            return False
        led = colour_of(self.position.round.trick[0].name)
        number = self._fall(Event("card", {"seat": seat, "card": self._pick(wrong)}))
        self._awaited = (seat, str(led), number)
        return True

    def _out_of_turn(self, seat: str) -> bool:
        opened = self.position.round
        played = {play.seat for play in opened.trick}
        due = opened.due()
        others = [
            n for n in range(len(opened.seats)) if n not in played and n not in due and self.position.hands[n]
        ]
        if not others:
            return False
        other = others[self.chance.below(len(others))]
        duties = opened.duties(other)
        hand = self.position.hands[other]
        follow = [card for card in hand if duties and duties[0].cards >> opened.family.number[card] & 1]
        name = "wrong_lead" if not opened.trick and opened.tricks else "out_of_turn"
        number = self._fall(
            Event("card", {"seat": opened.seats[other], "card": self._pick(follow or list(hand))})
        )
        self.proof = (name, opened.seats[other], number, None)
        return True

    def _two_cards(self, seat: str) -> bool:
        opened = self.position.round
        if not opened.trick:
            return False
        again = opened.trick[self.chance.below(len(opened.trick))].seat
        if not self.position.hands[again]:
            return False
        card = self._pick(list(self.position.hands[again]))  # shown, taken back, played later
        number = self.write({"kind": "card", "seat": opened.seats[again], "card": card})
        opened = opened.copy()
        opened.add(number, Event("card", {"seat": opened.seats[again], "card": card}, number))
        self.position = replace(self.position, round=opened)
        self.proof = ("two_cards", opened.seats[again], number, None)
        return True

    def _duplicate_card(self, seat: str) -> bool:
        seen = list(self.position.round.seen)
        if not seen:
            return False
        true = self._pick([move.card for move in legal(self.position)])
        number = self._fall(Event("card", {"seat": seat, "card": true}), instead=self._pick(seen))
        self.proof = ("duplicate_card", seat, number, None)
        return True

    def _foreign_card(self, seat: str) -> bool:
        true = self._pick([move.card for move in legal(self.position)])
        strange = "red-14" if len(self.position.hands) < 5 else "red-16"
        number = self._fall(Event("card", {"seat": seat, "card": true}), instead=strange)
        self.proof = ("foreign_card", seat, number, None)
        return True

    def _missing_declaration(self, seat: str) -> bool:
        return False

    def _colour_changed(self, seat: str) -> bool:
        if not self.position.round.begun:
            return False  # before the first card it would be a change of mind
        trump = self.position.round.trump  # type: ignore[attr-defined]
        other = self._pick([c for c in ("blue", "brown", "yellow", "green", "red") if c != trump])
        number = self.write({"kind": "die", "colour": other, "value": 1, "spot": "aagewwer"})
        self.proof = ("marker_mismatch", self.position.round.seats[self._chooser()], number, None)
        return True

    def _wrong_die(self, seat: str) -> bool:
        opened = self.position.round
        for place, tile in enumerate(opened.tiles[1:], 1):  # type: ignore[attr-defined]
            if tile.owner is not None and not opened.trick:
                spot = ("aagewwer", "weschwieschmaennchen", "jammerlabbe", "jo-lossen", "gliggsridder")[place]
                wrong = {"kind": "die", "colour": tile.colour, "value": tile.value % 6 + 1, "spot": spot}
                number = self.write(wrong)
                self.proof = ("marker_mismatch", opened.seats[tile.owner], number, None)
                return True
        return False

    def _unauthorised_touch(self, seat: str) -> bool:
        opened = self.position.round
        may = opened.may_collect  # type: ignore[attr-defined]
        if opened.trick or may is None or self.log[-1]["kind"] != "collected":
            return False
        others = [n for n in range(len(opened.seats)) if n not in may]
        if not others:
            return False
        self.log.pop()  # in place of the player who has to collect it
        other = opened.seats[others[self.chance.below(len(others))]]
        number = self.write({"kind": ("touch", "collected")[self.chance.below(2)], "seat": other})
        self.proof = ("unauthorised_touch", other, number, None)
        return True
