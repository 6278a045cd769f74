"""Who plays with whom in Dulle, and what was said: calls, soli, Stöße, Ansagen (U-19 to U-26, UA-4 to UA-7).

The pairs are secret until the Rufkarte falls (U-21): before that, a seat's party is known only where the call
itself shows it. What was said is judged by the parties as soon as they are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from table.rules.dulle.terms import ANSAGEN

CALLER, OTHERS = 0, 1
"""The Rufspielpaar or the soloist, and the opponents."""
_BOTH = frozenset((CALLER, OTHERS))


class Said(NamedTuple):
    """Something said in time: the event, the seat's number, what, and for which card."""

    event: int
    seat: int
    what: str
    card: str | None = None


class Pairs(NamedTuple):
    """What is public about who plays with whom."""

    caller: int | None = None
    solo: bool = False
    partner: int | None = None
    """The seat that showed the Rufkarte; the caller himself, if he called his own card (U-20)."""

    @property
    def known(self) -> bool:
        """Whether everybody's party is known."""
        return self.caller is not None and (self.solo or self.partner is not None)

    def party(self, seat: int) -> int | None:
        """Return a seat's party, None while it is secret."""
        if self.caller is None:
            return None
        if seat in (self.caller, self.partner):
            return CALLER
        return OTHERS if self.known else None

    def members(self, party: int, seats: Iterable[int]) -> tuple[int, ...]:
        """Return the seats of a party, once all are known."""
        return tuple(seat for seat in seats if self.party(seat) == party)


class Verdict(NamedTuple):
    """A Stoß compared with the pairs: does it count; did the Ruf side surely give it against itself?"""

    said: Said
    counts: bool
    wrong: bool


def agreed_on(calls: Sequence[Said], soli: Sequence[Said], leader: int, seats: int) -> Said | None:
    """Return the call or solo that is played: a solo first (U-29), of two the one nearer the lead (UA-7)."""
    if soli:
        first = min(soli, key=lambda said: ((said.seat - leader) % seats, said.event))
        return [said for said in soli if said.seat == first.seat][-1]
    return [said for said in calls if said.seat == calls[0].seat][-1] if calls else None


def judged(said: Sequence[Said], pairs: Pairs) -> Iterator[Verdict]:
    """Compare every Stoß with the pairs (U-22): it answers the call, a Stoß or an Ansage of the other side.

    As long as a party is secret its word is believed. An answer to a wrong Stoß is not accused, but does not
    count. To find whom to accuse while the pairs are secret, call this once for every possible pairing.
    """
    due, lenient = frozenset((OTHERS,)), False
    for one in said:
        party = pairs.party(one.seat)
        if one.what in ANSAGEN:
            due = due | (_BOTH if party is None else {1 - party})
            continue
        right = party is None or party in due
        yield Verdict(one, right, party == CALLER and not right and not lenient)
        if not right:
            lenient = True
        elif party is not None:
            due = frozenset((1 - party,))
        else:
            due = frozenset(1 - side for side in due)


def announced(said: Iterable[Said], pairs: Pairs) -> dict[int, tuple[str, ...]]:
    """Return each party's Ansagen, each once (U-24)."""
    return {
        party: tuple(
            what
            for what in ANSAGEN
            if any(one.what == what and pairs.party(one.seat) == party for one in said)
        )
        for party in (CALLER, OTHERS)
    }
