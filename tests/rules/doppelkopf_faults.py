"""Random Doppelkopf rounds with one fault, and the finding that must follow, worked out from the hands."""

from __future__ import annotations

from table.rules import Event
from table.rules.chance import Chance
from table.rules.engine import apply, deal, legal
from tests.rules.dulle_faults import SEATS, Log, Writer
from tests.rules.sixteen import Proof

CARD_FAULTS = ("duty", "out_of_turn", "two_cards", "duplicate_card", "foreign_card")
SAY_FAULTS = ("late", "early", "no_ansage", "wrong_re", "wrong_kontra", "silent", "false_hochzeit")
_LAST = {"ddv": 11, "bundeswehr": 9, "dieblich": 7, "club": 9}
"""Fewest cards in hand with which Re and Kontra may still be said."""


def faulty_round(preset: str, seed: int, fault: str) -> tuple[Log, Proof] | None:
    """A round with one fault and its proof, or None if the round gave no occasion for it."""
    chance = Chance(seed)
    if fault in SAY_FAULTS:
        writer = Doppelkopf(chance, preset, quiet=True)
        return spoken_fault(writer.play(""), writer.dealt, preset, fault)
    writer = Doppelkopf(chance, preset)
    log = writer.play(fault)
    return None if writer.proof is None else (log, writer.proof)


class Doppelkopf(Writer):
    """Plays any legal move; with `quiet` everybody says gesund and nothing else."""

    needed = ("CQ",)
    last = 40

    def __init__(self, chance: Chance, preset: str, *, quiet: bool = False) -> None:
        self.chance, self.quiet = chance, quiet
        opening = {"kind": "game", "game": "doppelkopf", "preset": preset, "seats": SEATS}
        dealer = SEATS[chance.below(4)]
        self.position = deal(opening, chance.number(), dealer=dealer)
        while quiet and any(hand.count("CQ") == 2 for hand in self.position.hands):
            self.position = deal(opening, chance.number(), dealer=dealer)
        self.dealt = self.position.hands
        self.log = [opening, {"kind": "round", "dealer": dealer}]
        self.proof = self._awaited = None
        self.strangers = ("C7", "S8", "D8") + (("C9", "D9") if preset in ("dieblich", "club") else ())
        while self.position.round.calls(self.position.hands):
            self._speak()

    def _speak(self) -> None:
        moves = legal(self.position)
        move = moves[0 if self.quiet or self.chance.below(3) else self.chance.below(len(moves))]
        self.position = apply(self.position, move)
        self.log.append(move.to_dict())

    def _liked(self, move: Event, seat: str) -> bool:
        quiet = self.quiet or self.chance.below(10) > 0
        # A Schweinchen announced with the second Fuchs changes earlier tricks, so none beside another fault.
        return move.kind == "card" or not (quiet or move.get("what") == "schweinchen")


def absage_alone(log: Log, preset: str, seat: str, at: int) -> Proof:
    """The proof of an Absage without Ansage.

    In a club game its seat may have a stille Hochzeit until somebody else shows a Kreuz Dame (KA-18).
    """
    dames = (n for n, event in enumerate(log, 1) if event.get("card") == "CQ" and event["seat"] != seat)
    proven = max(at, next(dames)) if preset == "club" else at
    return "absage_without_ansage", seat, proven, at if proven != at else None


def spoken_fault(
    log: Log, dealt: tuple[tuple[str, ...], ...], preset: str, fault: str
) -> tuple[Log, Proof] | None:
    """Put one wrong word into a normal round; the cards stay as they were played."""
    holders = [seat for seat, hand in zip(SEATS, dealt, strict=True) if "CQ" in hand]
    other = next(seat for seat in SEATS if seat not in holders)
    size, asked = len(dealt[0]), [event["seat"] for event in log if event.get("what") == "gesund"]

    def own(seat: str, count: int) -> int:
        """The number of the line in which a seat plays its card number `count`."""
        lines = [n for n, e in enumerate(log, 1) if e["kind"] == "card" and e["seat"] == seat]
        return lines[count - 1]

    def say(at: int, seat: str, what: str) -> Log:
        return [*log[: at - 1], {"kind": "say", "seat": seat, "what": what}, *log[at - 1 :]]

    dames = [n for n, event in enumerate(log, 1) if event.get("card") == "CQ"]
    first = own(asked[0], 1)
    if fault == "late":
        at = own(other, size - _LAST[preset] + 2)
        return say(at, other, "kontra"), ("late_declaration", other, at, None)
    if fault == "early":  # the last of four has not been asked yet
        return say(first - 1, other, "kontra"), ("early_declaration", other, first - 1, None)
    if fault == "no_ansage":
        at = own(other, 1)
        return say(at, other, "k90"), absage_alone(say(at, other, "k90"), preset, other, at)
    if fault == "wrong_re":
        at = own(other, 1)
        shown = max(at, dames[1] + (dames[1] >= at))
        return say(at, other, "re"), ("wrong_side", other, shown, None if shown == at else at)
    if fault == "wrong_kontra":
        holder = str(log[dames[0] - 1]["seat"])
        at = own(holder, 1)
        shown = dames[1] if preset == "club" else dames[0]  # K-73: until then it may be a stille Hochzeit
        return say(at, holder, "kontra"), ("wrong_side", holder, shown + 1, at)
    if fault == "silent":
        gone = 3 + len(dames) % 4
        return [*log[: gone - 1], *log[gone:]], (
            "missing_declaration", log[gone - 1]["seat"], first - 1, None,
        )  # fmt: skip
    holder = holders[0]
    turn_to_speak = 3 + asked.index(holder)
    words = [*log[: turn_to_speak - 1], log[turn_to_speak - 1] | {"what": "vorbehalt"}, *log[turn_to_speak:]]
    words.insert(6, {"kind": "say", "seat": holder, "what": "hochzeit"})
    shown = next(n for n in dames if log[n - 1]["seat"] != holder) + 1
    return words, ("false_hochzeit", holder, shown, 7)
