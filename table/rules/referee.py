"""The referee: folds table events into a game and reports what is proven, but never refuses a card.

    referee = Referee()
    for event in parse(lines):
        referee.add(event)
    referee.view(), referee.result()

`add` raises EventError, and changes nothing, only for what cannot be understood (no such seat, no such game).
A correction replaces the event with an earlier id; the round that it affects is folded anew.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from table.rules import agreed
from table.rules.audience import ALL, Audience, Told, concluded
from table.rules.bounds import within
from table.rules.events import Event
from table.rules.game_record import GameRecord
from table.rules.opening import as_event
from table.rules.playable import Playable
from table.rules.round_fold import RoundFold, Unseen
from table.rules.round_lines import Misplaced, misplaced
from table.rules.sayings import Saying
from table.rules.tricks import TrickRound
from table.rules.undisputed import Undisputed, accusation, agreed_to
from table.rules.view import Doubt, Finding, View


class Referee(GameRecord):
    """The state of one game at one table as a fold over its events."""

    def settle_by_rules(self) -> list[Event]:
        """Return corrections (`"source": "rules"`) for the doubts that the cards leave only one answer to.

        They are not added: the caller writes them to the journal and adds them like any event.
        """
        corrections: list[Event] = []
        for fold in self._rounds:
            for number, card in fold.decided().items():
                play = Event("card", {"seat": fold.doubts[number].seat, "card": card, "inferred": True})
                corrections.append(_by_rules(number, play))
            if (dealer := fold.dealer_proven()) is not None:
                start = fold.slots[0]
                begun = Event("round", {**start.first.fields, "dealer": dealer, "inferred": True})
                corrections.append(_by_rules(start.id, begun))
        return corrections

    def unseen(self) -> list[Unseen]:
        """Return the cards that were surely played although no line reports them."""
        ends = [*(fold.slots[0].id for fold in self._rounds[1:]), 0]
        unseen = zip(self._rounds, ends, strict=False)
        return [card._replace(before=card.before or end) for fold, end in unseen for card in fold.unseen()]

    def unwritten(self) -> list[Event]:
        """Return an `unsure` event for every card that nobody saw, with the line `"before"` which it fell.

        They are not added: the caller writes them to the journal, so that somebody can answer them.
        """
        return [
            Event(
                "unsure",
                {"seat": card.seat, "candidates": [], "source": "rules", "reason": "missed"}
                | ({"before": card.before} if card.before else {}),
            )
            for card in self.unseen()
        ]

    def next_round(self, event: Event | Mapping[str, Any]) -> Event | None:
        """Return the `round` event to write before `event` if that can only belong to the next round."""
        event = as_event(event)
        if self.setup is None:
            return None
        last = self._rounds[-1] if self._rounds else None
        if last is not None and not last.best.round.over and not last.at_its_end(event):
            return None
        if last is not None and last.still_has(event):
            return None
        if not self._game.begins_round(event) or agreed.over(self.setup, self._played()):
            return None  # after the agreed rounds somebody must ask for another
        if last is None:
            return Event("round")  # who deals first shows when somebody leads
        ended = last.best.round  # broken off: no rule says whether the same seat deals again
        return self._opening(ended.handed_on(), last.dealer_unsure or ended.broken_off)

    def _opening(self, handed_on: Any, unsure: bool) -> Event:
        """Return the `round` event that follows a round which handed this on."""
        assert self.setup is not None
        dealer = self._game.next_dealer(self.setup, handed_on)
        if dealer is None:
            return Event("round")
        unsure = unsure or not self._game.is_dealer_sure(self.setup, handed_on)
        return Event("round", {"dealer": dealer} | ({"inferred": True} if unsure else {}))

    def misplaced(self) -> Misplaced | None:
        """Return the first `round` line that is missing or not where the cards show it to belong, if any."""
        found = None if self.setup is None else misplaced(self._game, self._rounds)
        if found is None or self.setup is None or found.line is not None:
            return found
        if agreed.over(self.setup, self._played()[: found.number - 1]):
            return None  # nobody asked for another round
        return found._replace(opening=self._opening(found.handed_on, unsure=True).having(source="rules"))

    # Out --------------------------------------------------------------------------------------------------

    @property
    def in_round(self) -> bool:
        """Return whether a round has begun, even while a log is being read."""
        return any(slot.event is not None and slot.event.kind == "round" for slot in self._slots.values())

    def points(self) -> dict[str, int]:
        """Return the cumulative points of every seat, provisional while doubts are open."""
        total = dict.fromkeys(self.setup.seats, 0) if self.setup else {}
        for fold in self._rounds:
            for seat, points in fold.best.round.points().items():
                total[seat] += points
        return total

    def findings(self) -> list[Finding]:
        """Return everything that is proven, round by round in the order of the proofs."""
        return self._judged()[0]

    def contested(self) -> list[Finding]:
        """Return what only a tap proves, against what the camera saw: a question (`undisputed`)."""
        return self._judged()[1]

    def _judged(self) -> tuple[list[Finding], list[Finding]]:
        rounds = zip([None, *self._rounds], self._rounds, strict=False)
        found = [one for last, fold in rounds for one in within(last, fold, fold.findings())]
        if not found or not self._tapped:
            return found, []
        assert self.setup is not None
        said = agreed_to(self._holding())
        seen = Undisputed([*self._slots.values()], self._corrections, self._game.pack(self.setup))
        proven = [accusation(one) in said or seen.proves(one, self.setup, self._rounds) for one in found]
        return (
            [one for one, stands in zip(found, proven, strict=True) if stands],
            [one for one, stands in zip(found, proven, strict=True) if not stands],
        )

    def _holding(self) -> Iterator[Event]:
        """Yield every line that nobody took back."""
        yield from (slot.first for slot in self._slots.values() if slot.event is not None)
        yield from self._corrections.holding()

    def as_it_stands(self) -> list[Finding]:
        """Return what the log proves if the table missed nothing; accusations are only in `findings`."""
        return [finding for fold in self._rounds for finding in fold.as_it_stands()]

    def doubts(self) -> list[Doubt]:
        """Return the doubts that wait for a correction."""
        return [doubt for fold in self._rounds for doubt in fold.open_doubts()]

    def finished(self) -> bool:
        """Return whether the game is over: nothing is in doubt and the agreed rounds are played."""
        return self._finished(self._rounds)

    def _finished(self, folds: Sequence[RoundFold]) -> bool:
        if self.setup is None or not folds or self.doubts() or any(fold.unsettled() for fold in folds):
            return False
        return agreed.ended(self.setup, [fold.best.round for fold in folds])

    def _unsettled(self) -> list[int]:
        return [line for fold in self._counted() for line in fold.unsettled()]

    def _counted(self) -> Sequence[RoundFold]:
        """Return the rounds, except an empty last one that was begun after the game was won (X-29)."""
        if self.setup is None or len(self._rounds) < 2:
            return self._rounds
        *before, last = self._rounds
        agreed_on = self.setup.options.get("rounds") is not None or before[-1].best.round.closed
        over = last.nothing_fell and not agreed_on and agreed.over(self.setup, self._played()[:-1])
        return before if over else self._rounds

    def rounds_complete(self) -> int:
        """Return the number of rounds that were played to their end."""
        return sum(map(agreed.complete, self._played()))

    def winners(self) -> tuple[str, ...]:
        """Return who has won, in seat order; nobody before the game is finished or without a whole round."""
        return self._winners(self._rounds)

    def _winners(self, folds: Sequence[RoundFold]) -> tuple[str, ...]:
        played = any(agreed.complete(fold.best.round) for fold in folds)
        if self.setup is None or not played or not self._finished(folds):
            return ()
        outcome = folds[-1].best.round.outcome()
        return self._game.winners(self.setup, self.points()) if outcome is None else outcome[1]

    def result(self) -> dict[str, Any]:
        """Return the result as `replay --json` prints it (events.md#results)."""
        ledgers, counted = [fold.ledger() for fold in self._rounds], self._counted()
        if self.setup is not None:
            ledgers = agreed.noted(self.setup, self._played(), ledgers)

        open_doubts = list(dict.fromkeys([*(doubt.event for doubt in self.doubts()), *self._unsettled()]))
        return {
            "game": self.setup.game if self.setup else None,
            "finished": self._finished(counted),
            "points": self.points(),
            "rounds": ledgers,
            "findings": [
                {key: value for key, value in asdict(finding).items() if value is not None or key == "seat"}
                for finding in self.findings()
            ],
            "winners": list(self._winners(counted)),
            **({"open": open_doubts} if open_doubts else {}),
        }

    def view(self) -> View:
        """Return what everybody at the table may know (G-14)."""
        setup = self.setup
        if setup is None:
            return View()
        points, doubts, played = self.points(), tuple(self.doubts()), self._played()
        finished = self.finished()
        found, contested = self._judged()
        view = View(
            game=setup.game,
            preset=setup.preset,
            options=dict(setup.options),
            seats=setup.seats,
            players=setup.players,
            round=len(self._rounds),
            rounds_agreed=setup.options.get("rounds"),
            points=points,
            pack=self._game.pack(setup),
            findings=tuple(found),
            contested=tuple(contested),
            doubts=doubts,
            winners=self.winners() if finished else (),
            finished=finished,
            over=agreed.over(setup, played) and (finished or played[-1].closed),
            **self._game.score_marks(setup, points),
        )
        if not self._rounds:
            return view
        shown = self._rounds[-1].shown()
        shown["remarks"] = (*agreed.beyond(setup, played[:-1]), *shown["remarks"])
        if finished:
            shown["prompts"] = (*shown.get("prompts", ()), *agreed.asked(setup, played))
        if finished:
            shown["phase"] = "finished"
        return replace(view, **shown)

    def may_say(self, seat: str) -> tuple[Saying, ...]:
        """Return what a seat may say now without a finding, and until when, as far as everybody knows."""
        return self._rounds[-1].may_say(seat) if self._rounds else ()

    def may_play(self, seat: str, instead_of: int | None = None) -> Playable | None:
        """Return which cards a seat may play now, or could have played `instead_of` an earlier event.

        None where there is no such trick: no round, a seat that is not in it, a game without cards.
        """
        fold = self._rounds[-1] if self._rounds else None
        if instead_of is not None:
            fold = self._round_of.get(instead_of)
        if fold is None or not isinstance(fold.best.round, TrickRound) or seat not in fold.best.round.seats:
            return None
        seen = dict(fold.best.round.seen)
        if instead_of is not None:
            event = self._slots[instead_of].event
            if event is not None and event.kind == "card":
                seen[str(event.card)] = seen.get(str(event.card), 0) - 1
            fold = self._until(fold, instead_of)
        elif fold.best.round.over:
            return None
        return fold.may_play(seat, [name for name, many in fold.pack.items() if seen.get(name, 0) < many])

    def _until(self, fold: RoundFold, event: int) -> RoundFold:
        """Return a round as it was before one of its events."""
        assert self.setup is not None
        slots = [copy.copy(slot) for slot in fold.slots]
        before = RoundFold(self.setup, fold.number, fold.before, slots[0])
        for slot in slots[1:]:
            if slot.id == event:
                break
            before.add(slot)
        return before

    def told(self, reader: Audience = ALL) -> list[Told]:
        """Return what this reader may know: findings, doubts, prompts, facts about hidden hands (G-14)."""
        outputs = [Told(ALL, "finding", f.seat, words=f.finding, event=f.event) for f in self.findings()]
        outputs += [Told(ALL, "doubt", doubt.seat, event=doubt.event) for doubt in self.doubts()]
        outputs += [Told(ALL, "prompt", prompt.seat, words=prompt.what) for prompt in self.view().prompts]
        if self.setup is not None and self._rounds:
            rounds = [reading.round for reading in self._rounds[-1].readings]
            hands = [opened for opened in rounds if isinstance(opened, TrickRound) and not opened.over]
            if hands and len(hands) == len(rounds):
                outputs += concluded(hands, bool(self.setup.options.get("show_inference")))
        return [output for output in outputs if reader.may_hear(output.audience)]


def _by_rules(of: int, instead: Event) -> Event:
    return Event("correction", {"of": of, "event": instead, "source": "rules"})
