"""Random rounds of Klapper-Jas, legal or with one fault, and the finding expected from the hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import Event
from table.rules.chance import Chance
from table.rules.engine import Position, apply, deal, legal, turn
from table.rules.evidence import broken
from table.rules.klapperjas.melds import Meld
from table.rules.klapperjas.round import KlapperRound
from tests.rules.klapperjas_table import Proof

Log = list[dict[str, Any]]
FAULTS = ("duty", "out_of_turn", "two_cards", "duplicate_card", "foreign_card", "pile_card", "late_meld",
          "late_kontra", "late_swap", "false_meld", "false_belle", "false_swap", "wrong_side",
          "missing_declaration")  # fmt: skip


class Writer:
    """Plays a round with any legal moves and writes it down, with one fault at a random moment."""

    def __init__(self, seed: int, options: dict[str, Any] | None = None) -> None:
        self.chance = Chance(seed)
        self.seats = [f"S{n}" for n in range(1, 3 + self.chance.below(3))]
        opening = {"kind": "game", "game": "klapper-jas", "seats": self.seats, "options": options or {}}
        self.position: Position = deal(opening, self.chance.number())
        self.log: Log = [opening, {"kind": "round", "dealer": self.position.round.dealer}]
        self.proof: Proof | None = None
        self._owed: tuple[str, int, int] | None = None
        """After a broken duty: the seat, the cards that it thereby denied holding, the offending event."""
        self._lie: tuple[str, frozenset[str], int] | None = None
        """After a lie: the seat, the cards that it claimed to hold, the event."""
        self._seven: str | None = None
        """After a false swap: the card that should be in the pile."""
        self._left = frozenset(card for cards in self.position.hands for card in cards)

    @property
    def game(self) -> KlapperRound:
        assert isinstance(self.position.round, KlapperRound)
        return self.position.round

    def play(self, fault: str) -> Log:
        at = self.chance.below(10 * len(self.seats)) + 3 * len(self.seats)
        while (seat := turn(self.position)) is not None:
            moves = legal(self.position)
            move = moves[self.chance.below(len(moves))]
            quiet = self.proof is None and self._owed is None and self._lie is None
            if fault == "missing_declaration" and move.get("what") in ("orgi", "kleines", "besser"):
                return self._undeclared(seat)
            early = fault.startswith(("false", "wrong")) and self.game.trump is not None
            ripe = self.game.trump is not None and (early or self.position.moves >= at)
            if fault and quiet and ripe and getattr(self, f"_{fault}")(seat):
                continue
            if move.kind == "card":
                self._fall(move)
            else:
                self.log.append(move.to_dict())
                self.position = apply(self.position, move)
                self._renumber()
        return self.log

    def _renumber(self) -> None:
        """Give the engine the same next id as the log."""
        self.position = replace(self.position, moves=len(self.log))

    def _fall(self, move: Event, instead: str | None = None) -> int:
        """Play a card; `instead` is what the table reads."""
        seat, shown = str(move.seat), instead or move.card
        self.log.append({"kind": "card", "seat": seat, "card": shown})
        number = len(self.log)
        at = self.seats.index(seat)
        opened = self.position.round.copy()
        opened.add(number, Event("card", {"seat": seat, "card": shown}, number))
        hand = tuple(card for card in self.position.hands[at] if card != move.card)
        hands = (*self.position.hands[:at], hand, *self.position.hands[at + 1 :])
        self.position = replace(self.position, round=opened, hands=hands, moves=number)
        self._judge(seat, shown, hand, number)
        return number

    def _judge(self, seat: str, shown: str, hand: tuple[str, ...], number: int) -> None:
        if self.proof is None and self._owed and self._owed[0] == seat:
            owed = self._owed[1] >> self.game.family.number[shown] & 1
            self.proof = ("duty", seat, number, self._owed[2]) if owed else None
        if self.proof is None and self._lie:
            liar, cards, said = self._lie
            if self.game.swapper == self.seats.index(liar) and self._seven is None:
                cards = cards - {str(self.game.seven)}  # swapped away by a true swap
            falls_elsewhere = shown in cards and seat != liar
            shown_by_him = {e["card"] for e in self.log if e["kind"] == "card" and e["seat"] == liar}
            too_few = len(cards - shown_by_him) > len(self.position.hands[self.seats.index(liar)])
            if falls_elsewhere or too_few or shown == self._seven:
                self.proof = ("lie", liar, number, said)

    def _pick(self, cards: Any) -> Any:
        found = list(cards)
        return found[self.chance.below(len(found))]

    def _write_say(self, seat: str, what: str) -> int:
        self.log.append({"kind": "say", "seat": seat, "what": what})
        number = len(self.log)
        opened = self.position.round.copy()
        opened.add(number, Event("say", {"seat": seat, "what": what}, number))
        self.position = replace(self.position, round=opened, moves=number)
        return number

    # One method for each fault.

    def _duty(self, seat: str) -> bool:
        may = {move.card for move in legal(self.position) if move.kind == "card"}
        wrong = [card for card in self.position.hand(seat) if card not in may]
        if not wrong:
            return False
        card, at = self._pick(wrong), self.seats.index(seat)
        passed = broken(self.game.duties(at), self.game.family.number[card])
        claimed = 0
        for duty in passed:
            claimed |= duty.cards
        self._owed = (seat, claimed, self._fall(Event("card", {"seat": seat, "card": card})))
        return True

    def _out_of_turn(self, seat: str) -> bool:
        played = {play.seat for play in self.game.trick} | set(self.game.due())
        others = [n for n in range(len(self.seats)) if n not in played and self.position.hands[n]]
        if not others:
            return False
        other = self._pick(others)
        hand, numbers = self.position.hands[other], self.game.family.number
        duties = self.game.duties(other)
        fits = [c for c in hand if duties and duties[0].cards >> numbers[c] & 1]
        honest = fits or ([] if duties else list(hand))
        if not honest:
            return False
        name = self.seats[other]
        number = self._fall(Event("card", {"seat": name, "card": self._pick(honest)}))
        self.proof = ("out_of_turn", name, number, None)
        return True

    def _two_cards(self, seat: str) -> bool:
        if not self.game.trick:
            return False
        again = self.seats[self._pick(self.game.trick).seat]
        if not self.position.hand(again):
            return False
        card = self._pick(self.position.hand(again))
        self.log.append({"kind": "card", "seat": again, "card": card})
        number = len(self.log)
        opened = self.position.round.copy()
        opened.add(number, Event("card", {"seat": again, "card": card}, number))
        self.position = replace(self.position, round=opened, moves=number)
        self.proof = ("two_cards", again, number, None)
        return True

    def _true_card(self, seat: str) -> Event | None:
        cards = [move for move in legal(self.position) if move.kind == "card"]
        return self._pick(cards) if cards else None

    def _duplicate_card(self, seat: str) -> bool:
        if not self.game.seen or (true := self._true_card(seat)) is None:
            return False
        number = self._fall(true, instead=self._pick(self.game.seen))
        self.proof = ("duplicate_card", seat, number, None)
        return True

    def _foreign_card(self, seat: str) -> bool:
        if (true := self._true_card(seat)) is None:
            return False
        number = self._fall(true, instead=self._pick(["C6", "H2", "D5"]))
        self.proof = ("foreign_card", seat, number, None)
        return True

    def _pile_card(self, seat: str) -> bool:
        if len(self.seats) == 4 or self.game.swapper is not None or (true := self._true_card(seat)) is None:
            return False
        number = self._fall(true, instead=self.game.turned[0])
        self.proof = ("pile_card", seat, number, None)
        return True

    def _late(self, seat: str, what: str) -> bool:
        if not self.game.spent[self.seats.index(seat)]:
            return False
        self.proof = ("late", seat, self._write_say(seat, what), None)
        return True

    def _late_meld(self, seat: str) -> bool:
        return self._late(seat, self._pick(["terz:HK", "halber:CA"]))

    def _late_kontra(self, seat: str) -> bool:
        opponents = self.game.bidding.declarer not in self.game.party(self.seats.index(seat))
        return opponents and self._late(seat, "kontra")

    def _late_swap(self, seat: str) -> bool:
        return len(self.seats) < 4 and self._late(seat, "tausch")

    def _wrong_side(self, seat: str) -> bool:
        at = self.seats.index(seat)
        if self.game.spent[at]:
            return False
        mine = self.game.bidding.declarer in self.game.party(at)
        self.proof = ("wrong_side", seat, self._write_say(seat, "kontra" if mine else "re"), None)
        return True

    def _false_meld(self, seat: str) -> bool:
        if self.game.spent[self.seats.index(seat)]:
            return False
        meld = Meld(0, 3, self._pick("CSHD") + self._pick("9TJQKA"), 0)
        cards = frozenset(meld.cards)
        others = cards - set(self.position.hand(seat))
        known = set(self.game.turned) | ({str(self.game.seven)} if self.game.swapper is not None else set())
        if not others or others & known or not others <= self._left or cards & set(self.game.turned):
            return False
        if others & set(self.game.seen):
            return False
        self._lie = (seat, cards, self._write_say(seat, meld.said))
        return True

    def _false_belle(self, seat: str) -> bool:
        both = frozenset((f"{self.game.trump}K", f"{self.game.trump}Q"))
        others = both - set(self.position.hand(seat))
        if not others or not others <= self._left or both & (set(self.game.turned) | set(self.game.seen)):
            return False
        self._lie = (seat, both, self._write_say(seat, "belle"))
        return True

    def _false_swap(self, seat: str) -> bool:
        """Swap without the 7: its holder shows it, or the swapper never shows the turned card."""
        game = self.game
        if game.seven is None or game.swapper is not None or game.spent[self.seats.index(seat)]:
            return False
        if game.seven in self.position.hand(seat) or game.seven in game.seen or game.seven not in self._left:
            return False
        self._seven = game.seven
        self._lie = (seat, frozenset(game.turned[:1]), self._write_say(seat, "tausch"))
        return True

    def _undeclared(self, seat: str) -> Log:
        """Nobody announces a game, and the cards are played all the same."""
        number = len(self.log) + 1
        left = [list(hand) for hand in self.position.hands]
        opened = self.position.round.copy()
        while not opened.over:
            at = opened.due()[0]
            led = opened.trick[0].name[0] if opened.trick else ""
            card = next((c for c in left[at] if c[0] == led), left[at][0])
            left[at].remove(card)
            self.log.append({"kind": "card", "seat": self.seats[at], "card": card})
            opened.add(len(self.log), Event("card", {"seat": self.seats[at], "card": card}, len(self.log)))
        self.proof = ("missing_declaration", seat, number, None)
        return self.log


def faulty_round(seed: int, fault: str) -> tuple[Log, Proof] | None:
    """A round with one fault and its proof, or None if the round gave no occasion for it."""
    writer = Writer(seed)
    log = writer.play(fault)
    return None if writer.proof is None else (log, writer.proof)
