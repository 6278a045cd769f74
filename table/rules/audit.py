"""The audit at the end of a round: all cards are known, every play is judged with full information (G-07).

It asks the engine's question, "what may a seat with this hand play?", of every play again, with the hand that
the seat turned out to have held. Running findings and audit must be the same; a round that was broken off is
audited as far as its cards go (G-08).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from table.rules.events import Event
from table.rules.evidence import Duty, broken, owed
from table.rules.tricks import TrickRound
from table.rules.view import Finding

AUDITED: frozenset[str] = frozenset(
    {"revoke", "trump_duty", "overtrump_duty", "partner_duty", "duplicate_card", "foreign_card"}
)
"""The offences that the cards of a whole round prove."""


class _Fall(NamedTuple):
    """A card on the table, with what was owed to the trick when it fell."""

    event: int
    seat: int
    name: str
    card: int
    duties: tuple[Duty, ...]
    in_turn: bool
    second: bool
    in_pile: bool
    sure: bool
    """Whether card and seat were seen or reported."""


def audit(fresh: TrickRound, events: Sequence[tuple[int, Event, str]]) -> list[Finding]:
    """Judge the events of a round with all hands known.

    Args:
        fresh: the round before its first event.
        events: (id, event, how sure it is: see `readings`).

    A card that cannot have been in a hand (seen before, not in the pack, open in the pile) proves nothing
    against its seat, and a card that is already an offence is not held against it twice.
    """
    falls = _falls(fresh, events)
    dim = {fall.name for fall in falls if not fall.sure}
    seats = fresh.seats
    found: list[Finding] = []
    strange: set[int] = set()
    count: Counter[str] = Counter()
    aside: Counter[tuple[int, str]] = Counter()
    for fall in falls:
        most = fresh.pack.get(fall.name, 0)
        if aside[fall.seat, fall.name]:
            aside[fall.seat, fall.name] -= 1  # laid aside as a second card, played now
        else:
            count[fall.name] += 1
            if count[fall.name] > most:
                strange.add(fall.event)
                if fall.in_turn and not fall.second and fall.sure and fall.name not in dim:
                    name, rule = ("duplicate_card", "G-I3") if most else ("foreign_card", "G-I4")
                    found.append(Finding(name, rule, seats[fall.seat], fall.event))
            elif fall.in_pile:
                count[fall.name] -= 1
                strange.add(fall.event)
        if fall.second and fall.event not in strange:
            aside[fall.seat, fall.name] += 1
    held = [0] * len(seats)
    later: list[list[_Fall]] = [[] for _ in seats]
    for fall in reversed(falls):
        if fall.event not in strange and fall.sure:
            held[fall.seat] |= 1 << fall.card
            later[fall.seat].append(fall)
        if fall.in_turn and not fall.second and fall.event not in strange and fall.sure:
            may = owed(fall.duties, held[fall.seat])
            if not may >> fall.card & 1:
                found.append(_prove(fall, later[fall.seat], seats[fall.seat]))
    return found


def _falls(fresh: TrickRound, events: Sequence[tuple[int, Event, str]]) -> list[_Fall]:
    """Play the round again and note every card that counts."""
    falls = []
    for number, event, trust in events:
        fall = None
        if trust != "sure":
            fresh.doubt(number, placed=trust == "unread")
        if event.kind == "card" and event.seat in (*fresh.seats, None):
            due = fresh.due()
            seat = fresh.seats.index(event.seat) if event.seat is not None else (due or (0,))[0]
            second = any(play.seat == seat for play in fresh.trick)
            card = fresh.family.number.get(event.card, -1)
            piled = fresh.in_pile(seat, event.card)
            duties, sure = fresh.duties(seat), trust == "sure"
            if fresh.unsure and duties:
                duties = fresh.surely(duties, number)
            fall = _Fall(number, seat, event.card, card, duties, seat in due, second, piled, sure)
        fallen, was_over = fresh.fallen(), fresh.over
        fresh.add(number, event)
        if fall is not None and (fresh.fallen() > fallen or (fall.second and not was_over)):
            falls.append(fall)
    return falls


def _prove(offence: _Fall, later: list[_Fall], seat: str) -> Finding:
    passed = broken(offence.duties, offence.card)
    for proof in reversed(later):
        for duty in reversed(passed):
            if proof.event != offence.event and duty.cards >> proof.card & 1:
                return Finding(duty.finding, duty.rule, seat, proof.event, offence.event)
    raise AssertionError("a card that was owed must have been shown")
