"""Ansagen and Absagen: in time, for the own side, after an Ansage (K-19 to K-23, K-56 to K-58, K-I1 to K-I3).

Deadlines are counted in the cards that the seat still holds. What comes too late or too early, or lacks its
Ansage, is void and reported at once; what was said for a side that turns out to be the other's, when the
cards prove it and never earlier.
"""

from __future__ import annotations

from table.rules.doppelkopf.options import deadlines
from table.rules.doppelkopf.parties import Parties
from table.rules.doppelkopf.terms import ABSAGEN, ANSAGEN, KONTRA, RE, Call, Handed
from table.rules.setup import Setup
from table.rules.tricks import Play


class Calls(Parties):
    """What the sides announce."""

    def __init__(self, setup: Setup, number: int, dealer: str, before: Handed | None) -> None:
        super().__init__(setup, number, dealer, before)
        self.made: list[Call] = []
        """Everything that was said and stands."""
        self.open: list[Call] = []
        """What stands only if the seat turns out to be on the side that it spoke for."""
        self.leads: dict[int, int] = {}
        """How many tricks every seat has led (KA-3)."""
        self.deadlines = deadlines(setup.options)

    def lead_falls(self, play: Play) -> None:
        """Count the leads."""
        self.leads[play.seat] = self.leads.get(play.seat, 0) + 1

    def held(self, seat: int) -> int:
        """Return how many cards a seat holds, as deadlines count them (KA-3)."""
        if self.options["deadline_unit"] == "own_lead_index":
            return self.hand_size - self.leads.get(seat, 0)
        return self.hand_size - self.played(seat)

    def still_owes(self, seat: int) -> bool:
        """Tell whether a seat has a Pflichtsolo to play (K-69)."""
        raise NotImplementedError

    # What is known of announcements -----------------------------------------------------------------------

    def level(self, side: int) -> int:
        """Return the highest thing that was said for a side: -1 nothing, 0 Ansage, 1 k90 … 4 schwarz."""
        own = [call.level for call in self.made if call.side == side and not call.veiled]
        if side == RE and self.options["solo_is_re"] and self.alone is not None and self.game != "normal":
            own.append(0)  # KA-18
        return max(own, default=-1)

    def may_still(self, seat: int, side: int, level: int) -> bool:
        """Tell whether the cards in hand still allow it; an answer has one card more time (K-23)."""
        if level:
            after = self.after(seat, level)
            return after < level and self._reached(seat, side) >= after
        need = self.deadlines[0]
        heard = [call.level for call in self.made if call.veiled and side == KONTRA]
        other = max(self.level(RE + KONTRA - side), *heard, -1) if side else -1
        if other >= 0 and self.options["reply"]:
            need = min(need, self.deadlines[other] - 1)
        return self.held(seat) >= need - self.shift()

    def after(self, seat: int, level: int) -> int:
        """Return what must have been said before an Absage: none may be left out (K-22).

        It includes the lower ones that could still be said with the cards in hand, or all of them where only
        its own deadline counts; the Absage itself is returned if even that is over.
        """
        held = self.held(seat) + self.shift()
        if self.options["jump_late"]:
            return 0 if held >= self.deadlines[level] else level
        return next((said for said in range(level) if held >= self.deadlines[said + 1]), level)

    def _reached(self, seat: int, side: int) -> int:
        """Return the highest level that the seat's side has said, or may have said for all that is known."""
        return max((call.level for call in self.made if self._may_be_for(call, seat, side)), default=0)

    def _may_be_for(self, call: Call, seat: int, side: int) -> bool:
        if call.seat == seat or call.veiled:
            return call.seat == seat
        guessed = not self.sides[call.seat] and not self._own_ansage(call.seat)
        return guessed or not side or call.side == side

    def _own_ansage(self, seat: int) -> list[int]:
        """Return the side that a seat's own Ansage was for, if it made one."""
        return [call.side for call in self.made if call.seat == seat and call.level == 0]

    def too_early(self) -> bool:
        """Before the Vorbehaltsabfrage is over, or a Hochzeit's partner is found, nothing is announced."""
        if self.begun:
            return self.looking
        nameless = not self.bids and "vorbehalt" in self.spoken.values()
        return self.looking or nameless or self.asked() is not None

    # What is said -----------------------------------------------------------------------------------------

    def announce(self, seat: int, what: str, event: int) -> None:
        """Fold an Ansage or Absage."""
        if self.over:
            return
        if self.too_early():
            self.evidence.report("early_declaration", "K-21" if self.looking else "K-19", seat, event)
        elif what in ANSAGEN:
            self._ansage(seat, ANSAGEN[what], event)
        else:
            self._absage(seat, ABSAGEN[what], event)

    def _ansage(self, seat: int, side: int, event: int) -> None:
        if not self.may_still(seat, side, 0):
            self.evidence.report("late_declaration", "K-I1", seat, event)
        elif self.sides[seat] not in (0, side) and not self._may_bluff(seat, side):
            self.evidence.accuse("wrong_side", "K-I3", seat, event)
        else:
            self._stand(Call(event, seat, 0, side))

    def _absage(self, seat: int, level: int, event: int) -> None:
        side = self.sides[seat] or self._spoken_for(seat)
        if not self.may_still(seat, side, level):
            self.evidence.report("late_declaration", "K-I1", seat, event)
        elif not self._announced(side, seat):
            if self._may_be_silent(seat):  # KA-18
                self._stand(Call(event, seat, level, RE, veiled=True))
            else:
                self.evidence.accuse("absage_without_ansage", "K-I2", seat, event)
        else:
            self._stand(Call(event, seat, level, side, self.after(seat, level)))

    def _stand(self, call: Call) -> None:
        self.made.append(call)
        if call.veiled or not call.side or self.sides[call.seat] != call.side:
            self.open.append(call)

    def _may_bluff(self, seat: int, side: int) -> bool:
        """K-73: who may still hold both Kreuz Damen, or has shown both, may say Kontra."""
        silent = self.game == "normal" and (self.alone == seat or not all(self.sides))
        return side == KONTRA and silent and bool(self.options["silent_kontra"])

    def _may_be_silent(self, seat: int) -> bool:
        """KA-18: who may still hold both Kreuz Damen needs no Re where a solo counts as Re announced."""
        mine = self.alone in (None, seat) and all(shown == seat for shown in self.queens)
        return self.game == "normal" and mine and bool(self.options["solo_is_re"])

    def _spoken_for(self, seat: int) -> int:
        """Return the side a seat claims: its own Ansage's, else that of the only Ansage; 0: both are said."""
        own = self._own_ansage(seat)
        if own:
            return own[0]
        said = [side for side in (RE, KONTRA) if self.level(side) >= 0]
        return said[0] if len(said) == 1 else 0

    def _announced(self, side: int, seat: int) -> bool:
        """Tell whether a side has an Ansage; of an unknown side, whether any has (K-22)."""
        return bool(self._own_ansage(seat)) or (self.level(side) >= 0 if side else self.level(RE) >= 0)

    # What the cards prove ---------------------------------------------------------------------------------

    def side_shown(self, event: int) -> None:
        """Hold what was said against the sides that are known now (K-I2, K-I3)."""
        for call in tuple(self.open):
            side = self.sides[call.seat]
            if call.veiled:
                self._unveil(call)
                continue
            if not side or self._may_bluff(call.seat, call.side):
                continue  # K-73: only the second Kreuz Dame tells
            self.open.remove(call)
            if call.level and side != call.side:
                self._prove_absage(call, side, event)
            elif side != call.side:
                self.made.remove(call)
                self.evidence.accuse("wrong_side", "K-I3", call.seat, event, call.event)
        if all(self.sides):
            self._prove_jumps(event)

    def _prove_absage(self, call: Call, side: int, event: int) -> None:
        """The Absage belongs to the speaker's own side if that had an Ansage by then."""
        at = self.made.index(call)
        if any(other.side == side and other.level == 0 for other in self.made[:at]):
            self.made[at] = call._replace(side=side)
            return
        del self.made[at]
        self.evidence.accuse("absage_without_ansage", "K-I2", call.seat, event, call.event)

    def _prove_jumps(self, event: int) -> None:
        """Now it is known whose Absagen those before were: who jumped over one was too late for it (K-22)."""
        reached = [0, 0, 0]
        for call in tuple(self.made):
            side = self.sides[call.seat]
            if call.level and reached[side] < call.after:
                self.made.remove(call)
                self.evidence.accuse("late_declaration", "K-I1", call.seat, event, call.event)
            else:
                reached[side] = max(reached[side], call.level)

    def _unveil(self, call: Call) -> None:
        """A stille Hochzeit was announced by itself; whoever else said it had no Ansage from the start."""
        if self.alone == call.seat:
            self.made[self.made.index(call)] = call._replace(veiled=False)
        elif self._may_be_silent(call.seat):
            return
        else:
            self.made.remove(call)
            self.evidence.accuse("absage_without_ansage", "K-I2", call.seat, call.event)
        self.open.remove(call)

    def levels(self, sides: list[int]) -> tuple[int, int]:
        """Return what counts in the end for Re and Kontra; a bluff counts for nobody (K-73)."""
        told = [-1, -1, -1]
        for call in self.made:
            side = sides[call.seat]
            if call.level == 0 and call.side != side:
                continue
            told[side] = max(told[side], call.level)
        if self.options["solo_is_re"] and self.alone is not None:
            told[RE] = max(told[RE], 0)
        return told[RE], told[KONTRA]
