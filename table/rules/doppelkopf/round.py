"""One round of Doppelkopf as the engine and people see it: moves, prompts, what is shown (RULES.md, K)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table.rules.doppelkopf import choices, sayable
from table.rules.doppelkopf.contracts import CLASSES
from table.rules.doppelkopf.fold import DoppelkopfFold, card_points_of
from table.rules.doppelkopf.score import decided_by
from table.rules.doppelkopf.terms import (
    KONTRA,
    LEVELS,
    RE,
    SIDES,
    Call,
)
from table.rules.events import Event
from table.rules.sayings import Saying
from table.rules.tricks import DealtHands
from table.rules.view import Prompt


class DoppelkopfRound(DoppelkopfFold):
    """One round; four seats play, of five the dealer sits out (K-02)."""

    def calls(self, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
        """Return who has to say what before the first card."""
        return choices.calls(self, hands)

    def offers(self, hands: DealtHands) -> tuple[Event, ...]:
        """Return what the seat whose card is awaited may announce before it."""
        return tuple(choices.offers(self, hands))

    def passed(self, hands: DealtHands, move: Event) -> DealtHands:
        """Return the hands after a move; only an Armut changes them."""
        return choices.passed(self, hands, move)

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what a seat might say now, and until when."""
        return sayable.may_say(self, seat)

    def prompts(self) -> tuple[Prompt, ...]:
        """Return what the table waits for."""
        if self.over:
            return ()
        found: list[Prompt] = []
        if not self.begun:
            asked = self.asked()
            if asked is not None:
                found.append(Prompt("vorbehalt?", self.seats[asked], ("gesund", "vorbehalt")))
            else:
                found += [
                    Prompt("name-vorbehalt", self.seats[seat], tuple(sayable.names(self, seat)))
                    for seat in self.unnamed()
                ]
            if self._wait_for_taker():
                rich = self.armut_partner()
                take = ("armut-nehmen",)
                found.append(
                    Prompt("take-armut?", None, take)
                    if rich is None
                    else Prompt("armut-together?", self.seats[rich], take)
                )
            elif self.game == "armut" and self.taker is not None and self.returned is None:
                found.append(
                    Prompt("trumps-returned?", self.seats[self.taker], sayable.returns(self.options))
                )
            if self.game == "armut" and self.declarer is not None:
                found.append(Prompt("show-fuchs", self.seats[self.declarer]))
        foxes = self._foxes() if self.options["schweinchen"] and self.swine is None else []
        if len(foxes) == 2 and foxes[0] == foxes[1]:
            found.append(Prompt("schweinchen?", self.seats[foxes[0]], ("schweinchen",)))
        return tuple(found)

    def shown(self) -> dict[str, Any]:
        """Return the round's fields of the View; nothing in it is known from hands (G-14)."""
        return super().shown() | {
            "contract": self.named(),
            "declared": tuple((self.seats[call.seat], self.said(call)) for call in self.made),
            "sides": self.public_sides(),
            "augen": dict(zip(self.seats, self.augen(), strict=True)),
            "prompts": self.prompts(),
            "inference": self._inference() if self.options["show_inference"] else {},
        }

    def _inference(self) -> dict[str, tuple[str, ...]]:
        """Return what every seat has shown itself out of (G-14)."""
        return {
            self.seats[seat]: tuple(
                name
                for name, members in zip(CLASSES, self.tables.members, strict=True)
                if members and void & members == members
            )
            for seat, void in self.evidence.void.items()
            if void
        }

    def said(self, call: Call) -> str:
        """Return the word of a call."""
        return LEVELS[call.level] if call.level else SIDES[call.side]

    def ledger(self) -> dict[str, Any]:
        """Return the round trick by trick, and the settlement with the rule of every point."""
        done = self.settlement
        return {
            "round": self.number,
            "dealer": self.dealer,
            "contract": self.named(),
            "declarer": None if self.declarer is None else self.seats[self.declarer],
            "taker": None if self.taker is None else self.seats[self.taker],
            "schweinchen": None if self.swine is None else self.seats[self.swine],
            "complete": self.over and not self.broken_off,
            "broken_off": self.broken_off,
            "points": self.points(),
            "sides": self.public_sides(),
            "said": [
                {
                    "seat": self.seats[call.seat],
                    "what": self.said(call),
                    "event": call.event,
                }
                for call in self.made
            ],
            "tricks": [
                self.trick_told(number, trick)
                | {
                    "eyes": card_points_of(trick),
                    "specials": [[what, SIDES[side]] for what, side, at in self.bonus if at == number],
                }
                for number, trick in enumerate(self.tricks, 1)
            ],
            "lying": self.plays_told(self.trick),
            "eyes": None
            if done is None
            else {"re": self._side_card_points(RE), "kontra": self._side_card_points(KONTRA)},
            "winner": None if done is None or not done.winner else SIDES[done.winner],
            "decided_by": done and decided_by(done.winner, self.levels(self.sides), self.tariff),
            "solo": self.alone is not None and done is not None,
            "settlement": []
            if done is None
            else [
                {"what": line.what, "side": SIDES[line.side], "points": line.points, "rule": line.rule}
                for line in done.lines
            ],
            "specials_doubled": self.tariff.specials_too,
            "doubled": [] if done is None else [*done.doubled, *(("bock",) if self.bock else ())],
            "value": None if done is None else done.value * (2 if self.bock else 1),
            "remarks": [list(remark) for remark in self.remarks],
        }
