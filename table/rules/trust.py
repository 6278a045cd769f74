"""Which plays of a round may be links in a proof: those whose card and seat were seen or reported."""

from __future__ import annotations

from table.rules.contracts import Play, Trick
from table.rules.evidence import Duty, Evidence


class Trust:
    """The parts of a round that nobody surely saw; `tricks.TrickRound` asks before it accuses."""

    evidence: Evidence
    trick: list[Play]
    tricks: list[Trick]

    def trust_all(self) -> None:
        """Begin with a round in which everything was seen."""
        self.unsure: set[int] = set()
        """Events whose card or seat nobody surely saw or said: not a link in a proof (events.md#doubts)."""
        self.unplaced: set[int] = set()
        """Those of the `unsure` events whose seat or order nobody saw."""
        self.sceptic = False
        """Whether an unsure card does not even show whose it was: it proves no sides, melds or calls."""
        self.strained = 0
        """Number of departures from the order of play of which nobody is accused."""
        self.dim: set[str] = set()
        """Cards that some unsure event has reported."""

    def doubt(self, event: int, *, placed: bool = True) -> None:
        """Mark an event's card (unless `placed`, its seat too) as no link in a proof."""
        self.unsure.add(event)
        if not placed:
            self.unplaced.add(event)

    def unsure_cards(self, seat: int) -> int:
        """Return the number of cards a seat has played that nobody surely saw: each may be any card."""
        plays = [play for trick in self.tricks for play in trick.plays] + self.trick
        return sum(play.seat == seat and play.event in self.unsure for play in plays)

    def _disorder(self, finding: str, rule: str, seat: int, event: int) -> None:
        """Report a card out of its order as a fault, unless that depends on what nobody surely saw."""
        if self._hazy(event):
            self.strained += 1
        else:
            self.evidence.accuse_card(finding, rule, seat, event)

    def _hazy(self, event: int) -> bool:
        """Return whether a card's turn depends on what nobody surely saw."""
        if not self.unsure:
            return False
        if event in self.unsure or any(play.event in self.unplaced for play in self.trick):
            return True
        last = () if self.trick else self.tricks[-1:]
        return any(play.event in self.unsure for trick in last for play in trick.plays)

    def surely(self, passed: tuple[Duty, ...], event: int) -> tuple[Duty, ...]:
        """Return those of the broken duties that the play surely had."""
        if event in self.unsure or self.trick[0].event in self.unsure:
            return ()
        if any(play.event in self.unplaced for play in self.trick):
            return ()
        if any(play.event in self.unsure for play in self.trick):
            return tuple(duty for duty in passed if duty.finding == "revoke")
        return passed
