"""The places in the log of a round: their events, how sure they are, and in which order they happened.

A `round` line that comes again before anything is played belongs to the same round: somebody tapped twice, or
named the dealer late. What was said before it holds unless it is said again: then the cards were dealt again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.rules.events import Event
from table.rules.readings import MISSED, SURE, UNPLACED, UNREAD, Row

PLAYED = frozenset({"card", "unsure", "throw"})
"""Kinds that show that a round is under way."""


@dataclass(slots=True)
class Slot:
    """A place in the log: the event that is there after all corrections (None: it never happened)."""

    id: int
    first: Event
    event: Event | None
    concluded: bool = False
    """Whether the rules put in the event that is there."""


def trust_in(slot: Slot) -> str:
    """Return how surely the card and the seat of a slot's event were seen or reported (see `readings`)."""
    event = slot.event
    assert event is not None
    if event.kind not in ("card", "unsure"):
        return SURE
    fields = event.fields
    if fields.get("after_gap"):
        return UNPLACED
    if slot.first.get("reason") == "missed" and (slot.concluded or event.kind == "unsure"):
        return MISSED
    if event.kind == "unsure" or slot.concluded:
        return UNREAD
    return UNPLACED if fields.get("inferred") else SURE


def round_line(slots: Sequence[Slot]) -> Event:
    """Return the line that opens a round, merged with its repetitions."""
    first, *more = (slot.event for slot in slots if slot.event is not None and slot.event.kind == "round")
    if not more:
        return first
    fields = dict(first.fields)
    for again in more:
        if not again.get("inferred") or fields.get("dealer") is None:
            sure = "dealer" in again.fields and not again.get("inferred")
            fields = {name: value for name, value in fields.items() if not (sure and name == "inferred")}
            fields |= again.fields
    return Event("round", fields, first.id)


def in_order(slots: Sequence[Slot]) -> list[Row]:
    """Return a round's events in order: a card reported later may name the line before which it fell."""
    rows: list[Row] = []
    placed: dict[int, list[Row]] = {}
    ids = {slot.id for slot in slots}
    again = 0
    for slot in slots[1:]:
        if slot.event is None:
            continue
        if slot.event.kind == "round":
            again = len(rows)
            continue
        row = (slot.id, slot.event, trust_in(slot))
        before = slot.first.get("before")
        if isinstance(before, int) and before in ids and before < slot.id:
            placed.setdefault(before, []).append(row)
        else:
            rows.append(row)
    if again:
        rows = _as_said_last(rows, again)
    if not placed:
        return rows
    return [each for row in rows for each in (*placed.pop(row[0], ()), row)] + [
        row for left in placed.values() for row in left
    ]


def _as_said_last(rows: list[Row], again: int) -> list[Row]:
    """Drop what was reported before the round's line came again if the cards were dealt again."""
    begin = next((at for at, (_, event, _) in enumerate(rows) if event.kind in PLAYED), len(rows))
    before, since = ({_matter(row[1]) for row in part} for part in (rows[:again], rows[again:begin]))
    if turned := {matter for matter in before if matter[0] == "turned"}:
        before = turned  # a seat that passed may pass once more in the same deal
    return rows if before.isdisjoint(since) else rows[again:]


def _matter(event: Event) -> tuple[object, ...]:
    return event.kind, event.seat, event.get("spot"), str(event.get("what")).partition(":")[0]
