"""Whether who led shows who deals: after a guess two rounds must agree, since a lead may be wrong as well.

Who deals is a guess after a deal that was broken off or thrown in, and in an evening in which nobody named
a dealer. A first lead then accuses nobody: it tells who dealt. Where the next deal, too, was led by the one
seat that the order of dealing lets lead, the guess has become knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from table.rules.events import Event
from table.rules.readings import SURE
from table.rules.round_fold import RoundFold
from table.rules.slots import Slot, trust_in
from table.rules.tricks import TrickRound

AGREEING = 2
"""Number of rounds, dealt in turn, whose leads show the same order of dealing."""


def is_order_shown(rounds: Sequence[RoundFold]) -> bool:
    """Tell whether the leads show who dealt the last of these rounds, although nobody named a dealer."""
    shown = 0
    for at in range(len(rounds) - 1, -1, -1):
        shown += _shows_dealer(rounds[at])
        if shown >= AGREEING:
            return True
        if not at or not _in_turn(rounds[at - 1], rounds[at]):
            return False
    return False


def _in_turn(earlier: RoundFold, later: RoundFold) -> bool:
    """Tell whether a round was dealt by the one whom every group would have deal after the earlier one."""
    if earlier.best.round.broken_off or not later.game.is_dealer_sure(later.setup, later.before):
        return False
    return later.game.next_dealer(later.setup, later.before) == later.best.round.dealer


def _shows_dealer(fold: RoundFold) -> bool:
    """Tell whether the first trick was seen as it fell, in order, and only one dealer lets that seat lead."""
    opened = fold.best.round
    if not isinstance(opened, TrickRound) or not opened.tricks:
        return False
    plays, count = opened.tricks[0].plays, len(opened.seats)
    if [play.seat for play in plays] != [(plays[0].seat + step) % count for step in range(count)]:
        return False
    first, last = plays[0].event, plays[-1].event
    if not _was_seen(fold.slots, {play.event for play in plays}, last):
        return False
    if any(0 < edit.at <= last for (_, edits), _ in fold.tellings for edit in edits):
        return False
    if {telling.best.round.dealer for _, telling in fold.tellings} != {opened.dealer}:
        return False
    said = [slot.event for slot in takewhile(lambda slot: slot.id != first, fold.slots[1:])]
    lead = opened.seats[plays[0].seat]
    return {seat for seat in fold.setup.seats if _leads(fold, seat, said) == lead} == {opened.dealer}


def _was_seen(slots: Sequence[Slot], cards: set[int], last: int) -> bool:
    """Tell whether nothing up to the first trick's last card is in doubt, and no tap among what was seen."""
    watched = any(slot.first.get("source") == "camera" for slot in slots)
    begun = [slot for slot in slots[1:] if slot.id <= last and slot.event is not None]
    if any(slot.event is not None and slot.event.kind in ("blind", "unsure") for slot in begun):
        return False
    own = [slot for slot in begun if slot.id in cards]
    if watched and any(slot.event is not slot.first or slot.first.get("source") != "camera" for slot in own):
        return False
    return len(own) == len(cards) and all(trust_in(slot) == SURE for slot in own)


def _leads(fold: RoundFold, dealer: str, said: Sequence[Event | None]) -> str | None:
    """Return who leads if this seat dealt, after what was said and laid before the first card."""
    opened = fold.open(dealer)
    assert isinstance(opened, TrickRound)
    for event in said:
        if event is not None and event.kind != "round":
            opened.add(event.id or 0, event)
    return opened.due_to_lead()
