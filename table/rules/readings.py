"""A round folded along one course, with several readings side by side while a card is in doubt.

An `unsure` may be any of its candidates that the pack still has. The round is folded once for each reading,
and a finding is proven only if every reading proves it. Meanwhile the most plausible reading is shown: the
one with the fewest findings (the next leader is assumed to have won), then the one the eye trusts most.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from table.rules.doubt_reading import DoubtReading
from table.rules.events import Event
from table.rules.games import Round
from table.rules.tricks import TrickRound
from table.rules.view import Doubt, Finding

MOST_READINGS = 96
"""Number of readings above which the least likely are dropped; nothing more is proven until a doubt ends."""
FEW_READINGS = 24
"""Number of the likeliest readings that are kept then, so that one can be shown."""
SURE, UNREAD, MISSED, UNPLACED = "sure", "unread", "missed", "unplaced"
"""Card and seat were seen or reported; the card was not surely seen; nobody saw the card, but it must have
been played here; nobody surely saw whose card it was or when it was played."""
Row = tuple[int, Event, str]
"""(id, event, how sure it is)."""


class ReadingFold:
    """A round's events, folded into readings as they come.

    Args:
        opener: opens the round anew.
        pack: every card and its number of copies.
        rows: the events so far; those known to follow a doubt leave fewer readings of it.
        sceptic: cards that were not surely seen prove nothing about who plays with whom, or holds what.
        widened: doubts that may be any card, whatever their candidates say.
    """

    def __init__(
        self,
        opener: Callable[[], Round],
        pack: Mapping[str, int],
        rows: Iterable[Row],
        sceptic: bool = False,
        widened: Iterable[int] = (),
    ) -> None:
        self.opener, self.pack, self.sceptic = opener, pack, sceptic
        self.rows = list(rows)
        self._widened = set(widened)
        self._wide: ReadingFold | None = None  # the same rows, but misread cards may be any card
        self.concluded = False
        self._fold()

    def _fold(self) -> None:
        """Fold all rows; start again whenever one shows that a doubt was read too narrowly."""
        self._begin()
        while not all(self._apply(*row) for row in self.rows):
            self._begin()
        if self.concluded:
            self.conclude()

    def _begin(self) -> None:
        opened = self.opener()
        self.readings = [DoubtReading(opened)]
        self.doubts: dict[int, Doubt] = {}
        self._misread: set[int] = set()
        """Doubts of which every candidate gives the trick to a seat other than the one that led next."""
        self._proven_when_cut: set[Finding] | None = None
        """What was proven when the least likely readings were dropped: nothing else is. None: not dropped."""
        self.supposed = False
        """Whether a due declaration is missing: each possible one then has a reading."""
        self._told: Counter[str] = Counter()
        if isinstance(opened, TrickRound):
            opened.sceptic = self.sceptic

    def copy(self) -> ReadingFold:
        """Return an independent copy."""
        twin = copy.copy(self)
        twin.rows, twin.readings = list(self.rows), [reading.copy() for reading in self.readings]
        twin.doubts, twin._told, twin._widened = dict(self.doubts), Counter(self._told), set(self._widened)
        twin._misread, twin._wide = set(self._misread), None
        return twin

    def add(self, number: int, event: Event, trust: str) -> None:
        """Fold one more event."""
        self.rows.append((number, event, trust))
        if not self._apply(number, event, trust):
            self._fold()

    def conclude(self) -> None:
        """Note that the next round has begun, or the log is at its end: nothing more comes."""
        if self._proven_when_cut is not None and not self.concluded:
            self.concluded = True
            self._fold()  # it is known now which cards were played elsewhere: that may leave few readings
            return
        self.concluded = True
        for reading in self.readings:
            if isinstance(reading.round, TrickRound):
                reading.round.conclude()

    def _apply(self, number: int, event: Event, trust: str) -> bool:
        """Fold a row into all readings; False if it shows that an earlier doubt was read too narrowly."""
        if event.kind == "unsure":
            self._doubt(number, event, placed=trust in (SURE, UNREAD))
            return True
        if event.kind == "card":
            self._suppose()
        if event.id != number:
            event = event.numbered(number)
        for reading in self.readings:
            if trust != SURE and isinstance(reading.round, TrickRound):
                reading.round.doubt(number, placed=trust in (SURE, UNREAD))
            reading.round.add(number, event)
        if self.doubts and event.kind == "card":
            narrow = self._weed(event.card)
            if not narrow <= self._widened:
                self._widened |= narrow
                return False
            self._misread |= self._refuted() - self._widened
        if self.supposed and event.kind in ("say", "die"):
            left = [r for r in self.readings if not (isinstance(r.round, TrickRound) and r.round.refuted)]
            self.readings = left or self.readings
        return True

    def _suppose(self) -> None:
        """When the first card is played, add a reading for each declaration that may have been made."""
        opened = self.readings[0].round
        if self.supposed or not isinstance(opened, TrickRound) or opened.begun or opened.over:
            return
        supposed = opened.suppositions()
        self.supposed = bool(supposed)
        self.readings += [DoubtReading(twin, 0.5) for twin in supposed]

    def undeclared(self) -> bool:
        """Return whether the declaration remains open: several suppositions fit the cards."""
        if not self.supposed or len(self.readings) < 2 or not self.best.round.over:
            return False
        least = min(reading.round.odd for reading in self.readings)
        likely = {
            reading.round.contract().name
            for reading in self.readings
            if isinstance(reading.round, TrickRound) and reading.round.odd == least
        }
        return len(likely) > 1

    # Doubts -----------------------------------------------------------------------------------------------

    def _doubt(self, number: int, event: Event, *, placed: bool) -> None:
        self._suppose()
        if self.best.round.over:
            return  # nothing depends on a card between rounds
        candidates = tuple((str(name), float(share)) for name, share in event.get("candidates") or ())
        self.doubts[number] = Doubt(number, event.seat, candidates)
        self._told = Counter(event.card for _, event, _ in self.rows if event.kind == "card")
        if self._proven_when_cut is None:
            grown = [twin for reading in self.readings for twin in self._split(reading, number)]
            grown.sort(key=lambda twin: -twin[0])
            if len(grown) > MOST_READINGS:
                self._proven_when_cut = set(self.findings())
                grown = grown[:FEW_READINGS]
            self.readings = [
                DoubtReading(reading.round.copy(), weight, reading.cards | {number: name})
                for weight, reading, name in grown
            ]
        else:  # nothing more is proven; each continues with a guess of its own
            for which, reading in enumerate(self.readings):
                guesses = list(self._split(reading, number))
                reading.weight, _, name = guesses[which % len(guesses)]
                reading.cards = reading.cards | {number: name}
        for reading in self.readings:
            if isinstance(reading.round, TrickRound):
                reading.round.doubt(number, placed=placed)
            card = {"seat": event.seat, "card": reading.cards[number]}
            reading.round.add(number, Event("card", card, number))

    def _split(self, reading: DoubtReading, number: int) -> Iterator[tuple[float, DoubtReading, str]]:
        """Yield (weight, reading, card) for every card that the doubt may be in a reading."""
        given = dict(self.doubts[number].candidates)
        seen, told, doubted = reading.round.seen, self._told, Counter(reading.cards.values())
        left = [
            name
            for name, count in self.pack.items()
            if seen.get(name, 0) < count and told[name] + doubted[name] < count
        ]
        left = left or [name for name, count in self.pack.items() if seen.get(name, 0) < count]
        left = list(dict.fromkeys(left + self._laid_aside(reading, number)))
        possible = [name for name in left if name in given]
        # A single candidate only means that the eye is not sure of it: the card may be any.
        if not possible or len(given) < 2 or number in self._widened:
            possible = left or list(given) or list(self.pack)
        for name in possible:
            yield reading.weight * given.get(name, 0.01), reading, name

    def _laid_aside(self, reading: DoubtReading, number: int) -> list[str]:
        """Return the cards that this seat showed as a second card of a trick and may still play."""
        if not isinstance(opened := reading.round, TrickRound):
            return []
        seat = self.doubts[number].seat
        return [card for whose, card in opened.aside if opened.seats[whose] == seat]

    def _weed(self, card: str) -> set[int]:
        """Drop readings that a played card has made impossible: it was elsewhere all the time.

        Returns the doubts with no candidate left: each was some other card.
        """
        most = self.pack.get(card, 0)
        if not most:
            return set()
        left = [r for r in self.readings if card not in r.cards.values() or r.round.seen.get(card, 0) <= most]
        if left:
            self.readings = left
        if left or self._proven_when_cut is not None:
            return set()
        return {number for reading in self.readings for number, name in reading.cards.items() if name == card}

    def _refuted(self) -> set[int]:
        """Return the doubts of the last trick if in no reading the seat that leads now has won it."""
        refuted: set[int] = set()
        for reading in () if self._proven_when_cut is not None else self.readings:
            opened = reading.round
            if not isinstance(opened, TrickRound) or len(opened.trick) != 1 or not opened.tricks:
                return set()
            last = opened.tricks[-1]
            if last.winner == opened.trick[0].seat:
                return set()
            refuted |= {play.event for play in last.plays if play.event in self.doubts}
        return refuted

    # What is known ----------------------------------------------------------------------------------------

    @property
    def best(self) -> DoubtReading:
        """The most plausible reading."""
        if len(self.readings) == 1:
            return self.readings[0]
        return min(self.readings, key=lambda reading: (reading.round.odd, -reading.weight))

    def findings(self) -> list[Finding]:
        """Return what every reading proves."""
        found = self.best.round.findings
        if len(self.readings) > 1:
            common = set(found).intersection(*(reading.round.findings for reading in self.readings))
            found = [finding for finding in found if finding in common]
        if self.doubts:
            taken = self._taken_leads()
            found = [finding for finding in found if finding.event not in taken]
        if found and self._misread:
            otherwise = self._read_widely().findings()
            found = [finding for finding in found if finding in otherwise]
        proven = self._proven_when_cut
        return list(found) if proven is None else [finding for finding in found if finding in proven]

    def _read_widely(self) -> ReadingFold:
        """Return a fold of the same rows in which misread cards may be any; it grows line by line."""
        wide, widened = self._wide, self._widened | self._misread
        if wide is None or not wide._grows_to(self, widened):
            wide = self._wide = ReadingFold(self.opener, self.pack, self.rows, self.sceptic, widened)
            if self.concluded:
                wide.conclude()
        for row in self.rows[len(wide.rows) :]:
            wide.add(*row)
        return wide

    def _grows_to(self, other: ReadingFold, widened: set[int]) -> bool:
        """Return whether adding rows alone makes this fold `other`: not after readings were dropped."""
        whole = len(self.rows) == len(other.rows)
        open_ = not (self.concluded or other.concluded or self._proven_when_cut is not None)
        return widened <= self._widened and (open_ or (whole and self.concluded == other.concluded))

    def _taken_leads(self) -> set[int]:
        """Return the leads after tricks in doubt: the next leader is assumed to have won."""
        opened = self.best.round
        if not isinstance(opened, TrickRound):
            return set()
        tricks = [trick.plays for trick in opened.tricks] + [tuple(opened.trick)]
        return {
            later[0].event
            for earlier, later in pairwise(tricks)
            if later and any(play.event in self.doubts for play in earlier)
        }

    def decided(self) -> dict[int, str]:
        """Return the doubts that the cards themselves have settled: event id → card."""
        if self._proven_when_cut is not None:
            return {}
        if self._misread:  # none of the candidates is possible
            return self._read_widely().decided()
        return {
            number: names.pop()
            for number in self.doubts
            if len(names := {reading.cards[number] for reading in self.readings}) == 1
        }

    def agreed(self, ask: Callable[[TrickRound], Any]) -> Any:
        """Return the answer on which all readings agree, None if it depends on a doubt."""
        said = {ask(reading.round) for reading in self.readings if isinstance(reading.round, TrickRound)}
        return said.pop() if len(said) == 1 else None
