"""The trick core: one set of definitions for the engine, the referee and the audit of every trick game.

How a game is added
-------------------
1. A `Contract` (contracts.py): follow classes, strengths and duties as tables over a card `Family`. One with
   more duties than to follow (trump, go higher, partner card) overrides `duties`: a ladder of `Duty`s, of
   which the first that the hand can meet binds. The engine, the claims and the audit all read that ladder.
2. A subclass of `TrickRound` that knows its `number`, `contract()` (and `possible_contracts()`, where nobody
   declared it) and what a finished trick means. It overrides what it needs of `trick_game.TrickGame` (what
   happens, what the engine may do) and of `points`, `ledger`, `trick_told`, `shown`, `handed_on` (what others
   ask). All mutable state is flat lists, dicts and sets of immutable values, so that `copy()` is cheap: the
   referee keeps one copy for each possible reading of a doubtful card, the engine one for each position.
3. A game object, an `EngineGame` of game.py, in `games.TRICK_GAMES`: options, pack, how a round opens, when
   it is over, and what house, page and demo ask: its sayings, which events people report, story, player.
4. `presets/<name>.toml`, the lines in `RULES.md`, tests that name the ids, words in the catalogue.

All steps: docs/how-to/add-a-game.md.

Referee, corrections, doubts, findings, audit, the engine's `legal` and `apply`, `replay` and the page then
work without further code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.rules.contracts import Contract, Play, Trick
from table.rules.events import Event
from table.rules.evidence import broken
from table.rules.trick_game import DealtHands
from table.rules.turns import Turns
from table.rules.view import Doubt, Finding, Played

__all__ = ["Contract", "DealtHands", "Play", "Trick", "TrickRound"]


class TrickRound(Turns):
    """One round of a trick game, folded event by event; reports what is proven but never refuses a card."""

    history_binds = False
    """Whether what a seat owes depends on earlier tricks."""

    # The fold ---------------------------------------------------------------------------------------------

    def add(self, number: int, event: Event) -> None:
        """Fold one event of this round."""
        match event.kind:
            case "card":
                fields = event.fields
                self.card(number, fields.get("seat"), str(fields["card"]))
            case "say":
                if not self._said_again(event):
                    self.say(event)
            case "die":
                self.die(event)
            case "collected" | "touch":
                self._hand(number, event)
            case "end":
                self.closed = self.over
                self.broken_off = self.broken_off or not self.over
                self.over = True
            case _:  # hand, too-dark and other games' kinds mean nothing here
                pass

    def _said_again(self, event: Event) -> bool:
        """Return whether a word only repeats the one before it: same player, no card of his in between."""
        if event.seat not in self.seats:
            return False
        said = (event.seat, event.get("what"), self.spent[self.seats.index(event.seat)])
        again, self.last_said = said == self.last_said, said
        return again

    def card(self, event: int, seat_name: str | None, name: str) -> None:
        """Play a card. Without a seat it belongs to the one whose turn it is."""
        if self.over and not self._resume(seat_name, name):
            self.remarks.append((len(self.tricks), "card_after_end", name))  # D-I10
            return
        due = self.due()
        seat = due[0] if seat_name is None else self.seats.index(seat_name)
        if not self.begun:
            self.begun = True
            self.first_card(event)
        number = self.family.number.get(name, -1)
        if seat in due:
            self._orderly = self._orderly and len(due) == 1
        elif any(play.seat == seat for play in self.trick):
            self._disorder("two_cards", "G-I2", seat, event)
            if self._shows(event, seat, name, number):
                self.aside[seat, name] = self.aside.get((seat, name), 0) + 1
            return
        else:
            self._orderly = False
            late = bool(self.trick) or not self.tricks
            self._disorder(*(("out_of_turn", "G-I1") if late else ("wrong_lead", "G-I7")), seat, event)
        self._shows(event, seat, name, number)
        if self.trick and (passed := broken(self.duties(seat), number)):
            if self.unsure:
                passed = self.surely(passed, event)
            self.evidence.claim(seat, passed, event)
        self.trick.append(play := Play(event, seat, name, number))
        if len(self.trick) == 1:
            self._orderly = seat == self.leader
            if self.tricks and self.collected_by is None:
                self.untaken.add(len(self.tricks))
            self.collected_by = None
            self.lead_falls(play)
        if len(self.trick) == len(self.seats) or self.aside or self.back:
            self._close_when_complete()

    def _shows(self, event: int, seat: int, name: str, card: int) -> bool:
        """Check a card against what its seat claimed; tell whether the seat can really have had it."""
        # A second card of an earlier trick was taken back and is played now.
        if self.aside and (left := self.aside.pop((seat, name), 0)):
            if left > 1:
                self.aside[seat, name] = left - 1
            self.back.add((seat, name))
            if event not in self.unsure:
                self.evidence.show(seat, card, event)
            return True
        if not self._new(event, seat, name):
            return False
        if event not in self.unsure:
            self.evidence.show(seat, card, event)
        elif self.sceptic:
            return True
        self.card_shows(seat, card, event)
        return True

    def _new(self, event: int, seat: int, name: str) -> bool:
        """Count a card; tell whether the seat can really have had it (G-I3, G-I4, J-I10)."""
        self.spent[seat] += 1
        count = self.seen[name] = self.seen.get(name, 0) + 1
        hazy = event in self.unsure
        if hazy:
            self.dim.add(name)
        if name not in self.pack:
            if not hazy:
                self.evidence.accuse_card("foreign_card", "G-I4", seat, event)
            return False
        if count > self.pack[name]:
            if name not in self.dim:
                self.evidence.accuse_card("duplicate_card", "G-I3", seat, event)
            return False
        if self.in_pile(seat, name):
            del self.seen[name]  # a seat that takes it up later plays it for the first time
            if not hazy:
                self.evidence.accuse_card("pile_card", "J-I10", seat, event)
            return False
        return True

    def _close_when_complete(self) -> None:
        if len(self.trick) < len(self.seats):
            if not (self.aside or self.back) or len(self.tricks) < self.hand_size - 1:
                return
            played = {play.seat for play in self.trick}
            if not all(self._may_be_out(seat) for seat in self.spent if seat not in played):
                return
            # A seat absent from the last trick has shown all its cards: the trick may end without it.
            self._short = self.copy()
        trick = Trick(tuple(self.trick), self.trick[self.contract().winner(self.trick)].seat)
        self.trick = []
        self.tricks.append(trick)
        self.leader = trick.winner
        self.trick_falls(trick)
        if len(self.tricks) == self.hand_size:
            self.over = True
            self.settle()

    def _resume(self, seat_name: str | None, name: str) -> bool:
        """Reopen the round: a seat that seemed to have no card left plays the one it had laid aside."""
        if self._short is None or seat_name is None:
            return False
        seat = self.seats.index(seat_name)
        short = {play.seat for play in self.tricks[-1].plays}
        if (seat, name) not in self.aside and (seat in short or all(who != seat for who, _ in self.back)):
            return False
        self.restore(self._short)
        return True

    def conclude(self) -> None:
        """Note that nothing more comes: what was left open for a seat now counts against it (G-I6)."""
        if self._short is not None and self.over:
            self._short = None
            self._count_cards(self.tricks[-1].plays[-1].event)

    def _count_cards(self, event: int) -> None:
        """Check that in a complete round every seat has shown its whole hand (G-09, G-I6)."""
        shown = dict.fromkeys(self.spent, 0)
        for trick in self.tricks:
            for play in trick.plays:
                shown[play.seat] += 1
        strange = {found.seat for found in self.evidence.strangers()}
        for seat, count in shown.items():
            if count < self.hand_size and self.seats[seat] not in strange:
                self.evidence.report("missing_card", "G-I6", seat, event)

    def _hand(self, number: int, event: Event) -> None:
        """Fold a hand at the played cards: it counts only while a complete trick lies there (G-I8, DA-7)."""
        took, whose = event.kind == "collected", event.seat
        if took and len(self.trick) == 1 and len(self.tricks) in self.untaken:
            self.untaken.remove(len(self.tricks))  # the previous trick, reported only after the lead
        elif took and self.trick and not self.broken_off:  # else the cards are being gathered up
            self.remarks.append((len(self.tricks) + 1, "taken_early", whose or "?"))
        # Two may say that they took the same trick; a touch needs cards that still lie there.
        lies = took or self.collected_by is None
        if not lies or not self.tricks or self.trick or self.broken_off or whose is None:
            return
        seat = self.seats.index(whose)
        self.touch(seat, number, took)
        if took and self.collected_by is None:
            self.collected_by = seat

    # What others ask --------------------------------------------------------------------------------------

    def doubts(self) -> tuple[Doubt, ...]:
        """Return what keeps the round open besides `unsure` cards: nothing."""
        return ()

    def handed_on(self) -> Any:
        """Return what the next round must know about this one: who dealt. A game may add to it."""
        return self.dealer

    @property
    def findings(self) -> list[Finding]:
        """What is proven so far, in the order of the proofs."""
        return self.evidence.findings

    @property
    def odd(self) -> int:
        """How irregular the round is; 0 while all is in order."""
        return len(self.evidence.findings) + self.strained

    def phase(self) -> str:
        """Return the View's phase."""
        return "settled" if self.over else "play"

    def shown(self) -> dict[str, Any]:
        """Return the trick, whose turn it is and the cards seen, as fields of the View."""
        last = self.tricks[-1] if self.tricks else None
        return {
            "phase": self.phase(),
            "dealer": self.dealer,
            "trick_number": len(self.tricks) + (not self.over),
            "trick": self._played(self.trick),
            "last_trick": self._played(last.plays) if last else (),
            "last_winner": self.seats[last.winner] if last else None,
            "leader": self.due_to_lead(),
            "turn": self.turn(),
            "seen": dict(self.seen),
            "remarks": tuple(self.remarks),
        }

    def _played(self, plays: Sequence[Play]) -> tuple[Played, ...]:
        return tuple(Played(self.seats[play.seat], play.name, play.event) for play in plays)

    def points(self) -> dict[str, int]:
        """Return each seat's points from this round so far."""
        raise NotImplementedError

    def ledger(self) -> dict[str, Any]:
        """Return the round as plain values for the result; a game may add to it."""
        return {
            "round": self.number,
            "dealer": self.dealer,
            "complete": self.over and not self.broken_off,
            "broken_off": self.broken_off,
            "points": self.points(),
            "tricks": [self.trick_told(number, trick) for number, trick in enumerate(self.tricks, 1)],
            "lying": self.plays_told(self.trick),
            "remarks": [list(remark) for remark in self.remarks],
        }

    def trick_told(self, number: int, trick: Trick) -> dict[str, Any]:
        """Return a finished trick, the `number`th of the round, as plain values; a game may add to it."""
        return {
            "trick": number,
            "cards": self.plays_told(trick.plays),
            "winner": self.seats[trick.winner],
        }

    def plays_told(self, plays: Sequence[Play]) -> list[dict[str, Any]]:
        """Return played cards as plain values: whose, which, and the event that reports it."""
        return [{"seat": self.seats[play.seat], "card": play.name, "event": play.event} for play in plays]
