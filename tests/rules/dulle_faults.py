"""Random rounds of Dulle, legal or with one fault, and the finding expected from the hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import Event
from table.rules.chance import Chance
from table.rules.dulle.terms import PACK, PLAIN
from table.rules.engine import Position, apply, deal, legal, turn
from table.rules.evidence import Duty, broken
from tests.rules.sixteen import SEATS, Proof

Log = list[dict[str, Any]]
CARD_FAULTS = ("duty", "out_of_turn", "two_cards", "duplicate_card", "foreign_card")
SAY_FAULTS = ("missing_declaration", "false_caller", "late_stoss", "wrong_side", "missed_stoss")


def some_options(chance: Chance) -> dict[str, Any]:
    """Random house rules."""
    return {
        "karo10": ("kleine_dulle", "lowest_trump")[chance.below(2)],
        "ansagen": bool(chance.below(2)),
        "pflichtstoss": bool(chance.below(2)),
        "partner_duty": ("any_position", "led_only")[chance.below(2)],
        "stoss_until": ("before_own_first_card", "any")[chance.below(2)],
        "bock": bool(chance.below(2)),
    }


def legal_round(seed: int) -> Log:
    """A round of players who say and play anything legal, under random house rules."""
    chance = Chance(seed)
    return Writer(chance, some_options(chance)).play("")


def faulty_round(seed: int, fault: str) -> tuple[Log, Proof] | None:
    """A round with one fault and its proof, or None if the round gave no occasion for it."""
    chance = Chance(seed)
    if fault in SAY_FAULTS:
        writer = Writer(
            chance, {"pflichtstoss": fault == "missed_stoss"}, solo=False, stoss=fault == "missed_stoss"
        )
        return spoken_fault(writer.play(""), writer.dealt, fault)
    writer = Writer(chance, {}, stoss=False)
    log = writer.play(fault)
    return None if writer.proof is None else (log, writer.proof)


def two_faults(seed: int) -> tuple[Log, list[Proof]] | None:
    """A card played against a duty and a missed Pflichtstoß in one round, with the proof of each."""
    writer = Writer(Chance(seed), {"pflichtstoss": True}, solo=False)
    log = writer.play("duty")
    said = next((n for n, event in enumerate(log, 1) if event.get("what") == "stoss"), 0)
    missed = spoken_fault(log, writer.dealt, "missed_stoss")
    if writer.proof is None or missed is None:
        return None
    name, seat, event, about = writer.proof
    assert about is not None
    broken_duty = (name, seat, event - (event > said), about - (about > said))
    return missed[0], [broken_duty, missed[1]]


class Writer:
    """Plays a round and writes it down, with one card fault at a random moment."""

    needed: tuple[str, ...] = ("CQ", *PLAIN)
    """Cards without which a round cannot be settled: none of them is misread as another card."""
    strangers: tuple[str, ...] = ("C9", "DK", "H7")
    last = 12
    """The most moves before the fault."""

    def __init__(
        self, chance: Chance, options: dict[str, Any], *, solo: bool = True, stoss: bool = True
    ) -> None:
        self.chance, self.solo, self.stoss = chance, solo, stoss
        opening = {"kind": "game", "game": "dulle", "seats": SEATS, "options": options}
        self.position: Position = deal(opening, chance.number(), dealer=SEATS[chance.below(4)])
        self.dealt = self.position.hands
        self.log: Log = [opening, {"kind": "round", "dealer": self.position.round.dealer}]
        self.proof: Proof | None = None
        self._awaited: tuple[str, tuple[Duty, ...], int] | None = None

    def play(self, fault: str) -> Log:
        at = self.chance.below(self.last) + 1
        while (seat := turn(self.position)) is not None:
            moves = [m for m in legal(self.position) if self._liked(m, seat)]
            move = moves[self.chance.below(len(moves))]
            if move.kind == "say":
                self.position = apply(self.position, move)
                self.log.append(move.to_dict())
                continue
            ready = fault and self.position.moves > at and self.proof is None and self._awaited is None
            if not (ready and getattr(self, f"_{fault}")(seat)):
                self._fall(str(move.seat), move.card)
        return self.log

    def _liked(self, move: Event, seat: str) -> bool:
        if move.kind == "card":
            return True
        what = str(move.get("what"))
        must = self.position.round.calls(self.position.hands)
        return (self.solo or not what.startswith("solo")) and (
            self.stoss or what.startswith("ruf") or bool(must)
        )

    def _fall(self, seat: str, card: str, shown: str | None = None) -> int:
        """Play a card, legal or not; `shown` is what the table reads."""
        name = shown or card
        self.log.append({"kind": "card", "seat": seat, "card": name})
        number, opened = len(self.log), self.position.round.copy()
        opened.add(number, Event("card", {"seat": seat, "card": name}, number))
        at = SEATS.index(seat)
        hand = list(self.position.hands[at])
        hand.remove(card)
        hands = (*self.position.hands[:at], tuple(hand), *self.position.hands[at + 1 :])
        self.position = replace(self.position, round=opened, hands=hands, moves=self.position.moves + 1)
        if self._awaited and self.proof is None and self._awaited[0] == seat and not shown:
            refuted = [d for d in self._awaited[1] if d.cards >> opened.family.number[card] & 1]
            if refuted and number != self._awaited[2]:
                self.proof = (refuted[-1].finding, seat, number, self._awaited[2])
        return number

    # One method for each fault: it commits the fault if there is an occasion.

    def _duty(self, seat: str) -> bool:
        """U-I2, U-I3, U-I4."""
        may = {move.card for move in legal(self.position) if move.kind == "card"}
        wrong = [card for card in self.position.hand(seat) if card not in may]
        if not wrong:
            return False
        opened, card = self.position.round, wrong[self.chance.below(len(wrong))]
        duties = opened.duties(SEATS.index(seat))
        self._awaited = (seat, broken(duties, opened.family.number[card]), len(self.log) + 1)
        self._fall(seat, card)
        return True

    def _out_of_turn(self, seat: str) -> bool:
        opened = self.position.round
        played = {play.seat for play in opened.trick}
        others = [n for n in range(4) if n not in played and n not in opened.due() and self.position.hands[n]]
        if not others:
            return False
        other = others[self.chance.below(len(others))]
        hand = self.position.hands[other]
        held = opened.family.mask(hand)
        may = next((d.cards & held for d in opened.duties(other) if d.cards & held), held)
        cards = [card for card in hand if may >> opened.family.number[card] & 1]
        name = "wrong_lead" if not opened.trick and opened.tricks else "out_of_turn"
        self.proof = (
            name,
            SEATS[other],
            self._fall(SEATS[other], cards[self.chance.below(len(cards))]),
            None,
        )
        return True

    def _two_cards(self, seat: str) -> bool:
        opened = self.position.round
        again = [play.seat for play in opened.trick if self.position.hands[play.seat]]
        if not again:
            return False
        other = again[self.chance.below(len(again))]
        hand = self.position.hands[other]
        card = hand[self.chance.below(len(hand))]  # shown, taken back, played later
        self.log.append({"kind": "card", "seat": SEATS[other], "card": card})
        opened = opened.copy()
        opened.add(len(self.log), Event("card", {"seat": SEATS[other], "card": card}, len(self.log)))
        self.position = replace(self.position, round=opened)
        self.proof = ("two_cards", SEATS[other], len(self.log), None)
        return True

    def _strange(self, seat: str, name: str, shown: str) -> bool:
        may = [move.card for move in legal(self.position) if move.kind == "card"]
        true = [card for card in may if card not in self.needed]
        if not true:
            return False
        self.proof = (name, seat, self._fall(seat, true[self.chance.below(len(true))], shown), None)
        return True

    def _duplicate_card(self, seat: str) -> bool:
        """U-I8."""
        opened = self.position.round
        seen = [card for card, count in opened.seen.items() if count == opened.pack[card]]
        return bool(seen) and self._strange(seat, "duplicate_card", seen[self.chance.below(len(seen))])

    def _foreign_card(self, seat: str) -> bool:
        stranger = self.strangers[self.chance.below(len(self.strangers))]
        return self._strange(seat, "foreign_card", stranger)


def spoken_fault(log: Log, dealt: tuple[tuple[str, ...], ...], fault: str) -> tuple[Log, Proof] | None:
    """Put a fault of speech into a legal round whose third line is the call; the cards stay the same."""
    call = log[2]
    caller, card = call["seat"], call["what"][4:]
    partner = next(seat for seat, hand in zip(SEATS, dealt, strict=True) if card in hand)

    def line(name: str) -> int:
        return next(n for n, event in enumerate(log, 1) if event.get("card") == name)

    first = next(n for n, event in enumerate(log, 1) if event["kind"] == "card")
    if fault == "missing_declaration":
        del log[2]
        return log, (fault, caller, first - 1, None)
    if fault == "false_caller":
        wrong = next(seat for seat in SEATS if seat != caller)
        log[2] = call | {"seat": wrong}
        return log, (fault, wrong, line("CQ"), 3)
    if fault == "late_stoss":
        late = next(seat for seat in SEATS if seat not in (caller, partner))
        own = next(n for n, event in enumerate(log, 1) if event["kind"] == "card" and event["seat"] == late)
        log.insert(own, {"kind": "say", "seat": late, "what": "stoss"})
        return log, ("late_declaration", late, own + 1, None)
    if fault == "wrong_side":
        log.insert(3, {"kind": "say", "seat": partner, "what": "stoss"})
        return log, (fault, partner, 4 if partner == caller else line(card), None if partner == caller else 4)
    stosses = [n for n, event in enumerate(log) if event.get("what") == "stoss"]
    dulle = next(seat for seat, hand in zip(SEATS, dealt, strict=True) if "HT" in hand)
    if len(stosses) != 1 or log[stosses[0]]["seat"] != dulle:
        return None
    del log[stosses[0]]
    proven = max(line("HT"), line(card))
    own = next(n for n, event in enumerate(log, 1) if event["kind"] == "card" and event["seat"] == dulle)
    return log, (fault, dulle, proven, own if own != proven else None)


assert len(PACK) == 16
