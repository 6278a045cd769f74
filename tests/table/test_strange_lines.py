"""Lines of the journal that no rule understands: kept unchanged, shown to nobody, in nobody's way."""

from __future__ import annotations

import pytest

from table.cli.event_words import in_words
from table.journal.entry import Entry
from table.public import public
from table.rules.events import Event, PlainEvent
from table.standing import last_word, standing

CARD = {"kind": "card", "seat": "S1", "card": "red-1"}
BROKEN = {"kind": "correction", "event": None}


def entry(number: int, plain: PlainEvent) -> Entry:
    return Entry.read(number, plain, 0.0)


def test_a_line_of_a_newer_program_is_kept_as_it_is_and_tells_nobody_what_lies_in_it() -> None:
    """G-14"""
    line = {"kind": "from-the-future", "event": {"kind": "game", "players": ["Anna"]}}
    strange = entry(1, line)
    assert strange.wrong is not None
    assert strange.event.to_dict() == line
    assert public(strange.event) == {"kind": "from-the-future"}
    assert strange.event.instead is None


def test_a_correction_that_makes_no_sense_is_in_no_undos_way() -> None:
    """G-10"""
    entries = [entry(1, CARD), entry(2, BROKEN), entry(3, {"kind": "correction", "of": 1, "event": None})]
    assert entries[1].wrong is not None
    assert standing(entries) == {1: None}
    assert last_word(entries, 1) == 3


@pytest.mark.parametrize("until", [4.0, None])
def test_a_gap_that_was_put_right_is_told_in_words(until: float | None) -> None:
    gap = Event("blind", {"t": 1.0, "until": until, "why": "dark"})
    assert "nothing could be seen" in in_words(Event("correction", {"of": 3, "event": gap}))


def test_what_a_correction_says_is_public_as_far_as_any_event_is() -> None:
    """G-14"""
    right = Event("card", {"seat": "S1", "card": "red-2", "confidence": 0.4})
    told = public(Event("correction", {"of": 1, "event": right}))
    assert told["event"] == {"kind": "card", "seat": "S1", "card": "red-2"}
    assert public(Event("correction", {"of": 1, "event": None}))["event"] is None
