"""A result in words: a ledger to follow trick by trick, and findings with their proof.

`Story` describes any trick game plainly. A game with more to say names a subclass (`Game.story`) that
overrides `head`, `notes` and `after`. The words are in the catalogue (`ledger.json`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from table.catalogue import Language, known, text
from table.rules.events import Event
from table.rules.finding_words import finding, remark, saying
from table.rules.words import card, character, colour, signed

LedgerEntry = Mapping[str, Any]


@dataclass(frozen=True)
class Story:
    """Puts a result (`Referee.result`) into words; `events`, by id, describe cards that are in no trick."""

    result: LedgerEntry
    players: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[int, Event] = field(default_factory=dict)
    language: Language = "de"
    explain: bool = False
    """Whether to give the reason below every score change, with the rule's id."""
    room: ClassVar[str] = ""
    """The game whose own words come first: `story.ROOM.KEY` of the catalogue, otherwise `story.KEY`."""

    def lines(self) -> Iterator[str]:
        """Yield the whole story, line by line."""
        for entry in self.result["rounds"]:
            yield from self.round(entry)
            yield ""
        yield f"{self.text('points')}: {self.totals(self.result['points'])}"
        if self.result["winners"]:
            yield f"{self.text('winners')}: " + ", ".join(self.who(seat) for seat in self.result["winners"])
        yield from self.findings()
        for number in self.result.get("open", ()):
            yield f"{self.text('open')}: {self._line(number)}, {self._doubt(number)}"

    def findings(self) -> Iterator[str]:
        """Yield what is proven, each with its offence, its proof and its rule."""
        found = self.result["findings"]
        yield f"{self.text('findings')}:" if found else f"{self.text('findings')}: {self.text('none')}"
        for one in found:
            seat, about = one["seat"], one.get("about")
            whose = self.text("somebody") if seat is None else self.who(seat)
            line = f"  {whose}: {self.finding(one)}"
            if about is None:
                line += f", {self._place(one['event'], seat)}"
            else:
                proof = self.text("proof", card=self._place(one["event"], seat))
                line += f", {self._place(about, seat)}; {proof}"
            yield f"{line} [{one['rule']}]"

    def round(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield one round: its head, its tricks, what came after them, its points."""
        state = "" if entry["complete"] else self.text("broken" if entry.get("broken_off") else "running")
        yield " · ".join([self.text("round", n=entry["round"]), *self.head(entry)]) + (state and f" {state}")
        tricks = entry.get("tricks", ())
        yield from (f"  {told}" for told in self._remarks(entry, range(1)))
        width = max((len(self._won(trick)) for trick in tricks), default=0)
        for trick in tricks:
            told = [*self.notes(entry, trick), *self._remarks(entry, (trick["trick"],))]
            yield f"  {trick['trick']:2}. {self._won(trick):{width}}   {'; '.join(told)}".rstrip()
            yield from self.why(*(change["rule"] for change in trick.get("changes", ())))
        if entry.get("lying"):
            yield f"      {self._falls(entry['lying'])} ({self.text('lying')})"
        yield from self.after(entry)
        later = range(len(tricks) + 1, 1 + max((at for at, *_ in entry.get("remarks", ())), default=0))
        yield from (f"  {told}" for told in self._remarks(entry, later))
        behind = sum(what == "card_after_end" for _, what, _ in entry.get("remarks", ()))
        if tricks and behind >= len(tricks[-1]["cards"]):  # more than one card reported twice
            yield f"  {self.text('unopened', n=behind)}"
        if entry.get("broken_off"):
            yield f"  {self.text('broken-books')}"
        yield f"  {self.text('round-points')}: {self.totals(entry['points'])}"
        if entry.get("audit") is False:
            yield f"  {self.text('audit')}"

    # What a game may say in its own way -------------------------------------------------------------------

    def head(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield what follows the number in a round's first line."""
        if entry.get("dealer"):
            yield self.text("dealer", who=self.who(entry["dealer"]))
        if entry.get("contract"):
            yield self.text("contract", what=entry["contract"])

    def notes(self, entry: LedgerEntry, trick: LedgerEntry) -> Iterator[str]:
        """Yield what a trick brought about."""
        yield from ()

    def after(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield lines between the last trick and the round's points."""
        yield from ()

    def deciding(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield what decided a round that is over: tricks that changed points, then the settlement."""
        for trick in entry.get("tricks", ()):
            if any(change["points"] for change in trick.get("changes", ())):
                yield from self.notes(entry, trick)
        yield from self.after(entry)

    def finding(self, found: LedgerEntry) -> str:
        """Return the name of an irregularity."""
        return finding(found["finding"], self.language, found["rule"])

    # Words ------------------------------------------------------------------------------------------------

    def text(self, key: str, **words: Any) -> str:
        """Return a text in the story's language."""
        own = f"story.{self.room}.{key}"
        return text(own if known(own) else f"story.{key}", self.language, **words)

    def why(self, *rules: str) -> Iterator[str]:
        """Yield, when explaining, the reasons for score changes by these rules, as far as there are any."""
        for rule in rules if self.explain else ():
            if known(f"why.{rule}"):
                yield f"        {text(f'why.{rule}', self.language)} [{rule}]"

    def who(self, seat: str | None) -> str:
        """Return the name of the player at a seat."""
        return "?" if seat is None else self.players.get(seat, seat)

    def totals(self, points: Mapping[str, int]) -> str:
        """Return everybody's points in one line."""
        return ", ".join(f"{self.who(seat)} {signed(total)}" for seat, total in points.items())

    def _remarks(self, entry: LedgerEntry, numbers: Iterable[int]) -> Iterator[str]:
        """Yield what was remarked in the tricks of these numbers; 0 is before the first."""
        for at, what, whom in entry.get("remarks", ()):
            if at in numbers:
                yield remark(what, whom, self.who(whom), self.language)

    def _won(self, trick: LedgerEntry) -> str:
        return f"{self._falls(trick['cards'])} → {self.who(trick['winner'])}"

    def _falls(self, plays: Sequence[LedgerEntry]) -> str:
        return " · ".join(f"{self.who(p['seat'])} {card(p['card'], self.language)}" for p in plays)

    def _line(self, number: int) -> str:
        return self.text("line", n=number)

    def _doubt(self, number: int) -> str:
        """Describe what is open in an event that the table is not sure of."""
        event = self.events.get(number)
        known = [card(name, self.language) for name, _ in (event.get("candidates") or ())] if event else []
        cards = f" {self.text('or')} ".join(known) or "?"
        whose = self.text("somebody") if event is None or event.seat is None else self.who(event.seat)
        return self.text("doubt", who=whose, cards=cards)

    def _place(self, number: int, accused: str | None = None) -> str:
        """Describe an event and where it is, and whose it was unless it was the accused player's."""
        event = self.events.get(number)
        for entry in self.result["rounds"]:
            for trick in entry.get("tricks", ()):
                for play in trick["cards"]:
                    if play["event"] == number:
                        name = self._of(card(play["card"], self.language), play["seat"], accused)
                        where = self.text("offence", card=name, round=entry["round"], trick=trick["trick"])
                        return f"{where} ({self._line(number)})"
            for touch in entry.get("touches", ()):
                if touch["event"] == number:
                    where = self.text("trick", trick=touch["trick"], round=entry["round"])
                    return f"{where} ({self._line(number)})"
        told = None if event is None else self._event(event, accused)
        return self._line(number) if told is None else f"{told} ({self._line(number)})"

    def _event(self, event: Event, accused: str | None) -> str | None:
        """Describe an event outside the tricks; None if only its line number can."""
        if event.kind == "card":
            return self._of(card(event.card, self.language), event.seat, accused)
        if event.kind == "die":
            die = f"{colour(event.get('colour'), self.language)} {event.get('value')}"
            return self.text("on", die=die, where=character(event.get("spot")))
        if event.kind == "say":
            what = saying(str(event.get("what")), self.language)
            if event.seat in (None, accused):
                return self.text("quoted", what=what)
            return self.text("quoted-by", what=what, who=self.who(event.seat))
        return None

    def _of(self, name: str, seat: str | None, accused: str | None) -> str:
        return name if seat in (None, accused) else self.text("of", card=name, who=self.who(seat))
