"""What a round proves by what was seen and said alone, whatever anybody tapped on a page.

A phone may be anybody's, and a tap may be a slip. In a game that a camera watches, a tap corrects the score
at once, but what it reports about cards, dice and hands is not a link in a proof: a finding that depends on
it is a question (`Referee.contested`) until somebody who was shown the accusation confirms it (`agreed`).
What no camera can see, words above all, counts as reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from table.rules.corrections import Corrections
from table.rules.events import Event
from table.rules.round_fold import RoundFold
from table.rules.setup import Setup
from table.rules.slots import Slot
from table.rules.view import Finding

_SEEN = frozenset({"card", "unsure", "collected", "touch", "die", "throw"})
"""Kinds of events that a camera reports."""
_BOUNDS = frozenset({"round", "end"})

Accusation = tuple[str, str | None, int]
"""Who is accused of what, whichever line proves it: (finding, seat, offending event)."""


def accusation(finding: Finding) -> Accusation:
    """Return the accusation that a finding makes."""
    return finding.finding, finding.seat, finding.event if finding.about is None else finding.about


def tapped(event: Event) -> bool:
    """Return whether an event, or a correction, came from a page."""
    return bool(event.fields.get("source") == "touch")


def agreed_to(lines: Iterable[Event]) -> set[Accusation]:
    """Return the accusations that somebody confirmed when they were shown to him."""
    said: set[Accusation] = set()
    for line in lines:
        named = line.get("agreed")
        for one in named if isinstance(named, list | tuple) else ():
            if isinstance(one, list | tuple) and len(one) == 3 and isinstance(one[2], int):
                said.add((str(one[0]), one[1] if isinstance(one[1], str) else None, one[2]))
    return said


@dataclass(slots=True)
class Stretch:
    """A round without the taps: from one undisputed beginning to the next."""

    slots: list[Slot]
    disputed: bool = False
    """Whether a tap contradicts it."""
    end: Slot | None = None
    """The tap that broke the round off here."""
    cards: Counter[str] = field(default_factory=Counter)
    found: set[Accusation] | None = None
    """What it proves by itself; None until somebody asks."""

    def take(self, slot: Slot) -> None:
        """Add a line."""
        self.slots.append(slot)
        if slot.event is not None and slot.event.kind == "card":
            self.cards[slot.event.card] += 1


class Undisputed:
    """A game's lines, without what only taps report although a camera watches it.

    Args:
        slots: every line of the game, in order.
        corrections: all of its corrections.
        pack: every card and its number of copies.
    """

    def __init__(self, slots: Sequence[Slot], corrections: Corrections, pack: Mapping[str, int]) -> None:
        self._corrections, self._pack = corrections, pack
        self._corrected = corrections.targets()
        self._kinds = {slot.id: slot.first.kind for slot in slots}
        self._told = {slot.id for slot in slots if tapped(slot.first)}
        self._ignored = False
        """Whether a tap about the line that was last looked at is ignored."""
        self._said = corrections.said(self._disputes)
        self._disputed = self._ignored
        """Whether some correction is a tap that is ignored."""
        watched = [slot.first.kind for slot in slots if slot.first.get("source") == "camera"]
        played = any(slot.first.kind in ("card", "unsure", "throw") for slot in slots)
        self.watched = not _SEEN.isdisjoint(watched) or not played
        """Whether a camera reports what happens; assumed before the first card or throw."""
        self._dice = "die" in watched
        self.stretches = self._joined(self._cut(slots)) if self.watched else []
        self._of = {slot.id: stretch for stretch in self.stretches for slot in stretch.slots}

    def proves(self, finding: Finding, setup: Setup, rounds: Sequence[RoundFold]) -> bool:
        """Return whether a finding stands without the taps.

        Args:
            finding: what the log as it stands proves.
            setup: the game's setup.
            rounds: the rounds of the log as it stands.
        """
        if not self.watched:
            return True
        stretch = self._of.get(finding.event)
        if stretch is None or accusation(finding)[2] in self._told:
            return False  # a tap is itself the offence, or the proof
        if stretch.found is None:
            stretch.found = self._proven(stretch, setup, rounds)
        return stretch.found is None or accusation(finding) in stretch.found

    def _proven(self, stretch: Stretch, setup: Setup, rounds: Sequence[RoundFold]) -> set[Accusation] | None:
        """Return what a stretch proves by itself; None where nobody tapped anything that may matter.

        Where a seat spoke more than once, one word may have been tapped for the wrong seat: if the round is
        cleaner without it, that word proves nothing.
        """
        twice = _words_of_one(stretch.slots)
        if not stretch.disputed and not twice:
            return None
        found = self._accusations(stretch, stretch.slots, setup, rounds)
        gone: set[Accusation] = set()
        for word in twice if found else ():
            rest = [slot for slot in stretch.slots if slot.id != word]
            without = self._accusations(stretch, rest, setup, rounds)
            gone |= found - without if without < found else set()
        return found - gone

    def _accusations(
        self, stretch: Stretch, slots: Sequence[Slot], setup: Setup, rounds: Sequence[RoundFold]
    ) -> set[Accusation]:
        start = stretch.slots[0]
        same = next((fold for fold in rounds if fold.slots[0].id == start.id), None)
        number, before = (1, None) if same is None else (same.number, same.before)
        fold = RoundFold(setup, number, before, start)
        for slot in slots[1:]:
            fold.add(slot)
        if stretch is not self.stretches[-1]:
            fold.conclude(next_began=True)
        return {accusation(one) for one in fold.findings()}

    # --- lines ----------------------------------------------------------------------------------------

    def _seen(self, slot: Slot) -> Slot | None:
        """Return a line as it was seen or said; None where only a tap reports it."""
        first = slot.first
        event: Event | None = first.numbered(slot.id)
        if slot.id in self._corrected:
            event = self._said.get(slot.id, first)
            event = event if event is None else event.numbered(slot.id)
            self._ignored = self._ignored or self._disputed
        if first.kind == "unsure" and first.get("source") == "rules":
            return None  # a placeholder for a card: without the taps perhaps nothing is missing
        if tapped(first) and first.kind in _SEEN and (first.kind != "die" or self._dice):
            self._ignored = True
            return None
        if event is None or (event.kind in _SEEN | _BOUNDS and first.kind not in _SEEN | _BOUNDS):
            return None
        by_rules = slot.concluded and event is slot.event
        return Slot(slot.id, first, event, by_rules)

    def _disputes(self, correction: Event) -> bool:
        """Return whether a correction by tap contradicts what was seen or said, or where rounds begin."""
        of = self._kinds.get(self._corrections.target(correction.fields["of"]))
        against = tapped(correction) and of != "game"
        self._ignored = self._ignored or against
        return against

    def _cut(self, slots: Sequence[Slot]) -> Iterator[tuple[Stretch, bool]]:
        """Yield (round, whether only a tap, or the rules after a tap, began it)."""
        stretch: Stretch | None = None
        doubtful = disputed = False
        for slot in slots:
            self._ignored = False
            seen = self._seen(slot)
            event = seen.event if seen is not None else None
            if event is None or event.kind != "round":
                disputed = disputed or self._ignored
            if seen is None or event is None:
                continue
            if event.kind == "round":
                if stretch is not None:
                    stretch.disputed = stretch.disputed or disputed
                    yield stretch, doubtful
                by_rules = slot.first.get("source") == "rules"
                cut = stretch is not None and (stretch.disputed or stretch.end is not None)
                doubtful = tapped(slot.first) or (by_rules and cut)
                stretch, disputed = Stretch([seen], doubtful or self._ignored), False
            elif stretch is not None and event.kind == "end" and tapped(slot.first):
                stretch.end = stretch.end or seen
            elif stretch is not None:
                stretch.take(seen)
        if stretch is not None:
            stretch.disputed = stretch.disputed or disputed
            yield stretch, doubtful

    def _joined(self, cut: Iterator[tuple[Stretch, bool]]) -> list[Stretch]:
        """Join what a tap has cut, unless a card comes too often for the pack: that is another deal."""
        whole: list[Stretch] = []
        rotated = False
        for stretch, doubtful in cut:
            last = whole[-1] if whole else None
            both = last.cards + stretch.cards if last is not None else stretch.cards
            fits = all(many <= self._pack.get(card, 0) for card, many in both.items())
            if last is not None and doubtful and fits:
                last.slots += stretch.slots[1:]
                last.cards, last.end, last.disputed = both, stretch.end, True
                rotated = True
                continue
            if last is not None and last.end is not None:
                last.slots.append(last.end)
            start = stretch.slots[0]
            if rotated and start.first.get("source") == "rules" and start.event is not None:
                # The dealer was derived from a round that perhaps was not one.
                stretch.slots[0] = Slot(start.id, start.first, start.event.having(inferred=True))
                stretch.disputed = True
            else:
                rotated = False
            whole.append(stretch)
        return whole


def _words_of_one(slots: Iterable[Slot]) -> list[int]:
    """Return the tapped words before the first card, of the seats for which several were tapped."""
    words: dict[str | None, list[int]] = {}
    for slot in slots:
        if slot.first.kind == "card":
            break
        if slot.first.kind == "say" and tapped(slot.first):
            words.setdefault(slot.first.seat, []).append(slot.id)
    return [word for of_one in words.values() if len(of_one) > 1 for word in of_one]
