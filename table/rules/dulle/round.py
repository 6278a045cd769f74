"""One round of Dulle as the engine and people see it: calls, Stöße, what is shown (U-19 to U-29)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table.rules.dulle import sayable
from table.rules.dulle.fold import DulleFold
from table.rules.dulle.parties import CALLER, OTHERS, Pairs, Said, announced, judged
from table.rules.dulle.shown import ledger, view_fields
from table.rules.dulle.terms import (
    ANSAGEN,
    CALLER_CARD,
    PLAIN,
    SOLOS,
)
from table.rules.events import Event
from table.rules.sayings import Saying
from table.rules.tricks import DealtHands


class DulleRound(DulleFold):
    """One deal: a call or a solo, Stöße and Ansagen, four tricks, a settlement."""

    def calls(self, hands: DealtHands) -> tuple[tuple[str, Event], ...]:
        """Return the calls of Kreuz Dame's holder and all soli (U-29); later the Stoß that is due (U-23)."""
        count = len(self.seats)
        order = [(self.forehand + place) % count for place in range(count)]
        if self.agreed is None and not self.begun:
            caller = next((seat for seat in order if CALLER_CARD in hands[seat]), None)
            moves = [] if caller is None else [(caller, f"ruf:{card}") for card in PLAIN]
            moves += [(seat, solo) for seat in order for solo in SOLOS]
            return tuple((self.seats[s], Event("say", {"seat": self.seats[s], "what": w})) for s, w in moves)
        seat = self.due()[0]
        if self.options["pflichtstoss"] and self._owes_stoss(seat, hands):
            return ((self.seats[seat], Event("say", {"seat": self.seats[seat], "what": "stoss"})),)
        return ()

    def _owes_stoss(self, seat: int, hands: DealtHands) -> bool:
        """Whether a seat before its first card holds the Dulle against a call that nobody has answered."""
        said = self.agreed
        if said is None or said.what in SOLOS or self.spent[seat] or self._side(seat, hands) == CALLER:
            return False
        return self.options["pflichtstoss_card"] in hands[seat] and not any(
            one.what == "stoss" and self._side(one.seat, hands) == OTHERS for one in self.said
        )

    def offers(self, hands: DealtHands) -> tuple[Event, ...]:
        """Return the Stoß or Ansage that the seat in turn may still make (U-22, U-24)."""
        seat = self.due()[0]
        if self.agreed is None or (self.spent[seat] and self.options["stoss_until"] != "any"):
            return ()
        words = []
        side = self._side(seat, hands)
        # Only the seat itself knows whether it might have spoken out of turn: judge with its own hand.
        full = Pairs(self.agreed.seat, self.pairs.solo, self._partner(hands))
        tried = [*self.said, Said(0, seat, "stoss")]
        if [verdict.counts for verdict in judged(tried, full)][-1]:
            words.append("stoss")
        if self.options["ansagen"]:
            made = announced(self.said, full)[side]
            words += [what for what in ANSAGEN if what not in made]
        return tuple(Event("say", {"seat": self.seats[seat], "what": word}) for word in words)

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what a seat might say now, and until when."""
        return sayable.may_say(self, seat)

    def _partner(self, hands: DealtHands) -> int | None:
        said = self.agreed
        if said is None or said.card is None:
            return None
        holder = next((seat for seat in range(len(self.seats)) if said.card in hands[seat]), None)
        return self.called_shown.get(said.card, holder)

    def shown(self) -> dict[str, Any]:
        """Return the call, what is public about the pairs, and each seat's Augen, as fields of the View."""
        return super().shown() | view_fields(self)

    def ledger(self) -> dict[str, Any]:
        """Return the round trick by trick, and its settlement line by line."""
        return ledger(self)
