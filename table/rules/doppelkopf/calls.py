"""Ansagen and Absagen: in time, for one's side, after an Ansage (K-19 to K-23, K-56 to K-58, K-I1 to K-I3).

Deadlines are counted in the cards that the seat still holds. A call that comes too late or too early, or
lacks its Ansage, is void and reported at once. A call for what turns out to be the other side is reported
when the cards prove it, never earlier.
"""

from __future__ import annotations

from table.rules.doppelkopf.options import deadlines
from table.rules.doppelkopf.parties import Parties
from table.rules.doppelkopf.terms import ABSAGEN, ANSAGEN, KONTRA, RE, Call, DoppelkopfHanded
from table.rules.setup import Setup
from table.rules.tricks import Play

_MISLED = "misled"
"""Not a finding: the Absage followed a Kontra by which a stille Hochzeit may confuse the others (K-73)."""


def _wrong_after(reached: int, call: Call) -> str | None:
    """Return what is wrong with an Absage whose side had reached this level before it (K-22)."""
    if reached < 0:
        return "absage_without_ansage"
    return "late_declaration" if reached < call.after else None


class Calls(Parties):
    """What the sides announce."""

    def __init__(self, setup: Setup, number: int, dealer: str, before: DoppelkopfHanded | None) -> None:
        super().__init__(setup, number, dealer, before)
        self.made: list[Call] = []
        """All valid calls."""
        self.open: list[Call] = []
        """Calls that are valid only if the seat turns out to be on the side that it spoke for."""
        self.leads: dict[int, int] = {}
        """Number of tricks that every seat has led (KA-3)."""
        self.deadlines = deadlines(setup.options)

    def lead_falls(self, play: Play) -> None:
        """Count the leads."""
        self.leads[play.seat] = self.leads.get(play.seat, 0) + 1

    def held(self, seat: int) -> int:
        """Return the number of cards a seat holds, as deadlines count them (KA-3)."""
        if self.options["deadline_unit"] == "own_lead_index":
            return self.hand_size - self.leads.get(seat, 0)
        return self.hand_size - self.played(seat)

    def still_owes(self, seat: int) -> bool:
        """Return whether a seat has a Pflichtsolo to play (K-69)."""
        raise NotImplementedError

    # What is known of announcements -----------------------------------------------------------------------

    def level(self, side: int) -> int:
        """Return the highest level announced for a side: -1 nothing, 0 Ansage, 1 k90 … 4 schwarz."""
        own = [call.level for call in self.made if call.side == side and not call.veiled]
        if side == RE and self.options["solo_is_re"] and self.alone is not None and self.game != "normal":
            own.append(0)  # KA-18
        return max(own, default=-1)

    def may_still(self, seat: int, side: int, level: int) -> bool:
        """Return whether the cards in hand still allow a call; a reply may come one card later (K-23)."""
        if level:
            return self.after(seat, side, level) < level
        return self.held(seat) >= self.needed(side, 0)

    def needed(self, side: int, level: int) -> int:
        """Return the number of cards, as deadlines count them, that a seat must hold to announce this."""
        need = self.deadlines[level]
        heard = [call.level for call in self.made if call.veiled and side == KONTRA]
        other = max(self.level(RE + KONTRA - side), *heard, -1) if side else -1
        if level == 0 and other >= 0 and self.options["reply"]:
            need = min(need, self.deadlines[other] - 1)
        return need - self.shift(side)

    def after(self, seat: int, side: int, level: int) -> int:
        """Return the level that must have been announced before an Absage: none may be left out (K-22).

        An Absage includes the lower ones that could still be said with the cards in hand, or all of them
        where only its own deadline counts. If that is over too, the Absage's own level is returned.
        """
        held = self.held(seat) + self.shift(side)
        if self.options["jump_late"]:
            return 0 if held >= self.deadlines[level] else level
        return next((said for said in range(level) if held >= self.deadlines[said + 1]), level)

    def _own_ansage(self, seat: int) -> list[int]:
        """Return the side of a seat's own Ansage in a list; empty if it made none."""
        return [call.side for call in self.made if call.seat == seat and call.level == 0]

    def too_early(self, seat: int, side: int) -> bool:
        """Return whether it is too early for a call (K-21, K-58).

        Nothing is announced before the Vorbehaltsabfrage is over; before a Hochzeit's partner is found,
        nothing either, or no Re.
        """
        if self._waits_for_partner(seat, side):
            return True
        nameless = not self.bids and "vorbehalt" in self.spoken.values()
        return not self.begun and (nameless or self.asked() is not None)

    def _waits_for_partner(self, seat: int, side: int) -> bool:
        """Return whether the call must wait until a Hochzeit's partner is found."""
        said_by_re = side == RE or seat == self.declarer
        said = {"clarified": True, "re_clarified": said_by_re, "free": False}[self.options["hz_calls"]]
        return self.looking and said

    # What is said -----------------------------------------------------------------------------------------

    def announce(self, seat: int, what: str, event: int) -> None:
        """Fold an Ansage or Absage."""
        if self.over:
            return
        side = ANSAGEN.get(what, self.sides[seat])
        if self.too_early(seat, side):
            rule = {"clarified": "K-21", "re_clarified": "K-58"}.get(self.options["hz_calls"], "K-19")
            rule = rule if self._waits_for_partner(seat, side) else "K-19"
            self.evidence.report("early_declaration", rule, seat, event)
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
        side = self.sides[seat] or self.spoken_for(seat)
        if not self.may_still(seat, side, level):
            self.evidence.report("late_declaration", "K-I1", seat, event)
        elif not self._announced(side, seat):
            if self._may_be_silent(seat):  # KA-18
                self._stand(Call(event, seat, level, RE, veiled=True))
            else:
                self.evidence.accuse("absage_without_ansage", "K-I2", seat, event)
        else:
            self._stand(Call(event, seat, level, side, self.after(seat, side, level)))

    def _stand(self, call: Call) -> None:
        self.made.append(call)
        if call.veiled or not call.side or self.sides[call.seat] != call.side:
            self.open.append(call)
        self._prove_absagen(call.event)

    def _may_bluff(self, seat: int, side: int) -> bool:
        """K-73: a seat that may still hold both Kreuz Damen, or has shown both, may say Kontra."""
        silent = self.game == "normal" and (self.alone == seat or not all(self.sides))
        return side == KONTRA and silent and bool(self.options["silent_kontra"])

    def _may_be_silent(self, seat: int) -> bool:
        """KA-18: a seat that may hold both Kreuz Damen needs no Re where a solo counts as announced Re."""
        mine = self.alone in (None, seat) and all(shown == seat for shown in self.queens)
        return self.game == "normal" and mine and bool(self.options["solo_is_re"])

    def spoken_for(self, seat: int) -> int:
        """Return the side a seat claims: its own Ansage's, else the only one with an Ansage; 0: unclear."""
        own = self._own_ansage(seat)
        if own:
            return own[0]
        said = [side for side in (RE, KONTRA) if self.level(side) >= 0]
        return said[0] if len(said) == 1 else 0

    def _announced(self, side: int, seat: int) -> bool:
        """Return whether a side has an Ansage; of an unknown side, whether any has (K-22)."""
        return bool(self._own_ansage(seat)) or (self.level(side) >= 0 if side else self.level(RE) >= 0)

    # What the cards prove ---------------------------------------------------------------------------------

    def side_shown(self, event: int) -> None:
        """Check what was said against the sides that are known now (K-I2, K-I3)."""
        for call in tuple(self.open):
            side = self.sides[call.seat]
            if call.veiled:
                self._unveil(call, event)
                continue
            if not side or self._may_bluff(call.seat, call.side):
                continue  # K-73: only the second Kreuz Dame decides
            self.open.remove(call)
            if call.level:
                self.made[self.made.index(call)] = call._replace(side=side)
            elif side != call.side:
                self.made.remove(call)
                self.evidence.accuse("wrong_side", "K-I3", call.seat, event, call.event)
        self._prove_absagen(event)

    def _prove_absagen(self, event: int) -> None:
        """Accuse those whose Absage is void in every division into sides that the cards allow (K-22)."""
        if all(call.veiled or not call.level for call in self.made):
            return
        verdicts = [self._void(sides) for sides in self.divisions()]
        for call in tuple(self.made):
            why = {verdict.get(call.event) for verdict in verdicts}
            if not call.level or call.veiled or None in why or (_MISLED in why and len(why) > 1):
                continue
            self.made.remove(call)
            self.open = [other for other in self.open if other.event != call.event]
            if _MISLED in why:
                self.remarks.append((len(self.tricks) + 1, "misled_by_kontra", self.seats[call.seat]))
                continue
            late = "late_declaration" in why
            finding, rule = ("late_declaration", "K-I1") if late else ("absage_without_ansage", "K-I2")
            about = None if event == call.event else call.event
            self.evidence.accuse(finding, rule, call.seat, event, about)

    def _void(self, sides: tuple[int, ...]) -> dict[int, str]:
        """Return what is wrong with each void Absage, by its event, if these are the sides."""
        wrong: dict[int, str] = {}
        reached = [-1, -1, -1]
        believed = -1
        """What Kontra has said, for a player who takes a Kontra of the stille Hochzeit as true."""
        if self.options["solo_is_re"] and sides.count(RE) == 1:
            reached[RE] = 0  # KA-18
        for call in self.made:
            side = sides[call.seat]
            if not call.level:
                reached[side] = max(reached[side], 0 if call.side == side else -1)
                bluff = call.side == KONTRA and side == RE and sides.count(RE) == 1
                believed = max(believed, 0 if bluff and self.options["silent_kontra"] else -1)
                continue
            why = _wrong_after(reached[side], call)
            if why and side == KONTRA and not _wrong_after(max(believed, reached[KONTRA]), call):
                why, believed = _MISLED, max(believed, call.level)
            if why:
                wrong[call.event] = why
            else:
                reached[side] = max(reached[side], call.level)
        return wrong

    def _clarify(self, re: tuple[int, ...], number: int) -> None:
        """Count calls from before the Hochzeit's partner was found for the side that their speaker is on.

        Nobody could know the sides, so a call for the other one is not accused.
        """
        super()._clarify(re, number)
        void = self._void(tuple(self.sides))
        for call in tuple(self.made):
            side = self.sides[call.seat]
            if call.event not in void if call.level else call.side == side:
                self.made[self.made.index(call)] = call._replace(side=side)
            else:
                self.made.remove(call)
                self.remarks.append((number, "said_for_the_others", self.seats[call.seat]))
        self.open.clear()

    def _unveil(self, call: Call, event: int) -> None:
        """Treat a stille Hochzeit as announced by itself; any other veiled Absage never had an Ansage."""
        if self.alone == call.seat:
            self.made[self.made.index(call)] = call._replace(veiled=False)
        elif self._may_be_silent(call.seat):
            return
        else:
            self.made.remove(call)
            self.evidence.accuse("absage_without_ansage", "K-I2", call.seat, event, call.event)
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
