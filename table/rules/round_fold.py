"""One round as the table knows it: folded along every course it may have taken, each with its readings.

Usually there is one course and one reading: the log as it stands. Where somebody seems to have broken the
order of play or failed to follow, `courses` finds how else the round may have gone. The likeliest course is
shown; only what all likely courses prove is held against anybody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from table.rules.audit import AUDITED, audit
from table.rules.doubt_reading import DoubtReading
from table.rules.events import Event
from table.rules.playable import Playable, playable
from table.rules.proven import Proven, missed_in
from table.rules.readings import MISSED, ReadingFold
from table.rules.round_end import absent_at_end, lacking, lies_there, perhaps_over_t
from table.rules.sayings import Saying, accepted
from table.rules.slots import PLAYED, Slot, round_line
from table.rules.tellings import CourseKey
from table.rules.tricks import TrickRound
from table.rules.view import Doubt, Lacking, Played

__all__ = ["RoundFold", "Slot", "Unseen"]

_WORDS = frozenset({"say", "turned"})
"""Kinds that begin a round and leave nothing on the table that may belong to the round before."""


class Unseen(NamedTuple):
    """A card that nobody saw: `seat` played it before line `before` (0: after the last one)."""

    seat: str
    before: int


class RoundFold(Proven):
    """A round's folded slots, and what follows from them."""

    @property
    def readings(self) -> list[DoubtReading]:
        """All readings of all likely courses."""
        return [reading for _, telling in self.tellings for reading in telling.readings]

    @property
    def doubts(self) -> dict[int, Doubt]:
        """The `unsure` lines of the round, by id."""
        return {number: doubt for number, doubt in self.main.doubts.items() if number > 0}

    @property
    def nothing_fell(self) -> bool:
        """Whether no card was played and no die thrown."""
        return all(slot.event is None or slot.event.kind not in PLAYED for slot in self.slots)

    def unbegun(self) -> bool:
        """Return whether nothing is played yet and no word has ended the round: its line may come again."""
        if self.best.round.over or not self.nothing_fell:
            return False
        ended = self.best.round.copy()
        if isinstance(ended, TrickRound):
            ended.conclude()
        return not ended.over

    def begun_later(self) -> RoundFold | None:
        """Return the round without what was reported before it surely began; None where there was nothing.

        It began later if its line came again, or if a trick was taken before any card was played: that trick
        was the previous round's.
        """
        kinds = [slot.event.kind if slot.event is not None else None for slot in self.slots]
        line = max(at for at, kind in enumerate(kinds) if kind == "round")
        first = next((at for at, kind in enumerate(kinds) if kind in PLAYED), len(kinds))
        taken = max((at for at in range(line, first) if kinds[at] == "collected"), default=line)
        if taken == line and set(kinds[:line]) <= {"round"}:
            return None
        twin = RoundFold(self.setup, self.number, self.before, self.slots[line])
        for slot in self.slots[taken + 1 :]:
            twin.add(slot)
        if self._concluded:
            twin.conclude(self._next_began)
        return twin

    def give_up_opening(self) -> list[Slot]:
        """Remove and return the words after a whole round that open the next one before its line."""
        opened = self.best.round
        if not isinstance(opened, TrickRound) or not opened.over or opened.broken_off or not opened.tricks:
            return []
        events = [slot.event for slot in self.slots]
        last = max(at for at, event in enumerate(events) if event is not None and event.kind in PLAYED)
        behind = [(at, event) for at, event in enumerate(events) if at > last and event is not None]
        words = [at for at, event in behind if event.kind in _WORDS and self.game.begins_round(event)]
        if not words or any(event.kind not in _WORDS for at, event in behind if at > words[0]):
            return []
        given = self.slots[words[0] :]
        self.slots = self.slots[: words[0]]
        self.fold()
        return given

    def unseen(self) -> list[Unseen]:
        """Return the cards that surely fell unreported; none where they are too many for a person to name.

        Once nothing more comes, an undecided card of which only the place is open is put where it most likely
        fell.
        """
        missed = sum(1 for _ in missed_in(self.first[0]))
        held = sum(slot.first.get("reason") == "missed" and slot.event is not None for slot in self.slots)
        if not missed or self.best.round.broken_off or missed + held > 2 * len(self.setup.seats):
            return []
        common = [
            {(number, edit.seat, edit.at) for number, edit in missed_in(key)} for key, _ in self.tellings
        ]
        sure = set.intersection(*common)
        if not sure and self._concluded and any(self._untold(*told) for told in self.tellings):
            whose = set.intersection(*({place[:2] for place in places} for places in common))
            sure = {place for place in common[0] if place[:2] in whose}
        return [Unseen(seat, at) for _, seat, at in sorted(sure)]

    def at_its_end(self, event: Event) -> bool:
        """Return whether a round that lacks a card is over: its last trick was taken, `event` is not late."""
        opened = self.best.round
        absent = absent_at_end(opened) if isinstance(opened, TrickRound) else set()
        if not absent or not isinstance(opened, TrickRound):
            return False
        if event.kind not in ("card", "unsure"):
            return True
        return len(absent) == 1 and len(opened.seats) > 2 and not self._may_be_told(event)

    def still_has(self, event: Event) -> bool:
        """Return whether a card reported after the round belongs to it: it lies there or was missing."""
        opened = self.best.round
        if event.kind not in ("card", "unsure") or event.seat is None or not isinstance(opened, TrickRound):
            return False
        return lies_there(opened, event) or self._may_be_told(event)

    def _may_be_told(self, event: Event) -> bool:
        lacking = self.lacking()
        card = event.card if event.kind == "card" else None
        return lacking is not None and lacking.admits(event.seat, card, event.get("t"))

    def lacking(self) -> Lacking | None:
        """Return which cards may still be reported once the round is over, or its last trick was taken."""
        opened = self.best.round
        if not isinstance(opened, TrickRound) or not (opened.over or absent_at_end(opened)):
            return None
        return lacking(opened, self._lines(), self.pack)

    def _perhaps_over_t(self) -> float | None:
        opened = self.best.round
        return perhaps_over_t(opened, self._lines()) if isinstance(opened, TrickRound) else None

    def _lines(self) -> list[Event]:
        return [slot.event for slot in self.slots[1:] if slot.event is not None]

    def open_doubts(self) -> list[Doubt]:
        """Return everything in this round that waits for a correction."""
        return [*self.doubts.values(), *self.best.round.doubts()]

    def unsettled(self) -> list[int]:
        """Return the lines at which something is open that has no line of its own.

        A card that nobody saw (the line before which it fell), a fault that may be the table's or a
        player's (its line), a trump that nobody named (the round's line).
        """
        main, lines = self.main, []
        if len(self.tellings) == 1:
            lines += self._untold(*self.first)
        elif self._concluded and (self._differ() or any(self._untold(*told) for told in self.tellings)):
            at = min(
                (edit.at or self.slots[-1].id for (_, edits), _ in self.tellings for edit in edits[:1]),
                default=0,
            )
            lines += [at] if at else []
        if main.undeclared():
            lines.append(self.slots[0].id)
        return lines

    def _untold(self, key: CourseKey, telling: ReadingFold) -> list[int]:
        """Return the lines before which an unseen card was played that the other cards do not decide."""
        open_ = set(telling.doubts) - set(telling.decided())
        return [edit.at or self.slots[-1].id for number, edit in missed_in(key) if -number - 1 in open_]

    @property
    def dealer_unsure(self) -> bool:
        """Whether nobody reported who deals, so that the lead must show it."""
        return bool(self._dealers)

    def _differ(self) -> bool:
        """Return whether it matters which of the likely courses the round took."""
        ends = {
            (tuple(round_.points().items()), frozenset(round_.findings))
            for round_ in (telling.best.round for _, telling in self.tellings)
        }
        return len(ends) > 1

    def dealer_proven(self) -> str | None:
        """Return who must have dealt, where the round's line names no dealer but a card has shown it."""
        opened = self.best.round
        if round_line(self.slots).get("dealer") is not None or not isinstance(opened, TrickRound):
            return None
        if not self._dealers or not opened.begun:
            return None
        dealers = {telling.best.round.dealer for _, telling in self.tellings}
        return opened.dealer if len(dealers) == 1 else None

    def decided(self) -> dict[int, str]:
        """Return the `unsure` lines that the cards themselves have settled: event id → card."""
        decided = {number: card for number, card in self.main.decided().items() if number > 0}
        if not decided:
            return {}
        for _, telling in self.tellings[1:]:
            other = telling.decided() if decided else {}
            decided = {number: card for number, card in decided.items() if other.get(number) == card}
        return decided

    # What others ask --------------------------------------------------------------------------------------

    def ledger(self) -> dict[str, Any]:
        """Return the likeliest round as plain values; a card in doubt is None there."""
        ledger = self.best.round.ledger()
        if self.main.doubts:
            decided = self.main.decided()
            plays = [play for trick in ledger["tricks"] for play in trick["cards"]] + ledger.get("lying", [])
            for play in plays:
                number = play["event"]
                if number in self.main.doubts and (number > 0 or number not in decided):
                    play["card"] = None
                if number < 0:
                    play["event"], play["inferred"] = None, True
        if (agrees := self.audit()) is not None:
            ledger["audit"] = agrees
        return ledger

    def audit(self) -> bool | None:
        """Return whether the audit of a finished round finds what was found during play (G-07).

        None while the round goes on, while something is in doubt, and in a game without tricks.
        """
        opened, telling = self.best.round, self.main
        if not isinstance(opened, TrickRound) or not opened.over or telling.supposed:
            return None
        if set(telling.doubts) - set(telling.decided()):
            return None
        fresh = telling.opener()
        assert isinstance(fresh, TrickRound)
        cards = self.best.cards
        rows = [
            (number, Event("card", {"seat": event.seat, "card": cards[number]}, number), MISSED)
            if number in cards
            else (number, event.numbered(number), trust)
            for number, event, trust in telling.rows
        ]
        running = {finding for finding in opened.findings if finding.finding in AUDITED}
        return set(audit(fresh, rows)) == running

    @property
    def _is_dealer_named(self) -> bool:
        """Whether the round's line names the dealer, or the previous round does by the order of dealing."""
        return self.before is not None or round_line(self.slots).get("dealer") is not None

    def may_say(self, seat: str) -> tuple[Saying, ...]:
        """Return what a seat may say now; nothing for one that does not play in this round."""
        opened = self.best.round
        unknown = self.dealer_unsure and not self._is_dealer_named
        if seat not in opened.seats or (unknown and opened.shown().get("phase") == "declare"):
            return ()  # while nobody knows who deals, nobody knows who is asked
        return accepted(opened, seat, opened.may_say(opened.seats.index(seat)))

    def may_play(self, seat: str, left: Iterable[str]) -> Playable:
        """Return which of the cards that are left a seat may play now, in every reading of the round."""
        rounds = [reading.round for reading in self.readings]
        return playable([each for each in rounds if isinstance(each, TrickRound)], seat, left)

    def shown(self) -> dict[str, Any]:
        """Return the fields of the view that the round fills; cards in doubt have no name in them."""
        opened = self.best.round
        shown, doubts = opened.shown(), self.main.doubts
        waits = isinstance(opened, TrickRound) and not opened.begun and not opened.over
        if self._dealers and waits and not self._is_dealer_named:  # nothing depends on a dealer nobody named
            prompts = tuple(replace(prompt, seat=None) for prompt in shown.get("prompts", ()))
            shown |= {"dealer": None, "leader": None, "turn": None, "prompts": prompts}
        shown |= {"lacking": self.lacking(), "perhaps_over_t": self._perhaps_over_t()}
        if doubts:
            agreed = self.main.agreed
            shown |= {
                "leader": agreed(TrickRound.due_to_lead),
                "turn": agreed(TrickRound.turn),
                "trick": self._nameless(shown["trick"]),
                "last_trick": self._nameless(shown["last_trick"]),
                "seen": self._sure(shown["seen"]),
            }
        return shown

    def _nameless(self, plays: tuple[Played, ...]) -> tuple[Played, ...]:
        doubts = self.main.doubts
        return tuple(replace(play, card=None) if play.event in doubts else play for play in plays)

    def _sure(self, seen: dict[str, int]) -> dict[str, int]:
        """What was seen, without the cards that the best reading supposes for the doubts."""
        seen = dict(seen)
        for card in self.best.cards.values():
            seen[card] = seen.get(card, 1) - 1
            if not seen[card]:
                del seen[card]
        return seen
