"""Fields that an event need not have: they have their form, and what was guessed proves nothing."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import EventError, Referee
from table.rules.events import checked
from tests.rules.spoilt import Log, folded

CARD = {"kind": "card", "seat": "S3", "card": "blue-1"}
DIE = {"kind": "die", "colour": None, "value": 1, "spot": "aagewwer", "doubt": ["colour"]}


@pytest.mark.parametrize(
    "event",
    [
        *({**CARD, "before": wrong} for wrong in ([1], {}, "3", True, None)),
        *({**DIE, "candidates": wrong} for wrong in (7, [[7, 7], None], {"a": 1}, [["x", 1, 2]])),
    ],
)
def test_a_field_of_another_form_is_refused_before_anything_is_folded(event: dict[str, Any]) -> None:
    """One such line of a guest stopped the rules of a whole evening."""
    with pytest.raises(EventError, match=r"before|candidates"):
        checked(event)
    referee = Referee()
    referee.add({"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"]})
    referee.add({"kind": "round", "dealer": "S1"})
    with pytest.raises(EventError):
        referee.add(event)
    assert referee.add({**CARD, "seat": "S2"}) == 3, "the game goes on"


@pytest.mark.parametrize("mark", ["inferred", "after_gap"])
def test_no_word_and_no_die_that_was_guessed_proves_anything(mark: str) -> None:
    """D-I2, K-I3: what the table concluded, or saw after a gap, is held against nobody."""
    dubbe: Log = [
        {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"]},
        {"kind": "round", "dealer": "S1"},
        {"kind": "say", "seat": "S2", "what": "trump:red"},
    ]
    die = {"kind": "die", "colour": "red", "value": 3, "spot": "aagewwer"}
    assert [one.finding for one in folded([*dubbe, die]).findings()] == ["marker_mismatch"]
    assert folded([*dubbe, {**die, mark: True}]).findings() == []
    doko: Log = [
        {"kind": "game", "game": "doppelkopf", "preset": "ddv", "seats": ["S1", "S2", "S3", "S4"]},
        {"kind": "round", "dealer": "S4"},
        *({"kind": "say", "seat": f"S{n}", "what": "gesund"} for n in range(1, 5)),
    ]
    word, queen = (
        {"kind": "say", "seat": "S1", "what": "kontra"},
        {"kind": "card", "seat": "S1", "card": "CQ"},
    )
    assert [one.finding for one in folded([*doko, word, queen]).findings()] == ["wrong_side"]
    assert folded([*doko, {**word, mark: True}, queen]).findings() == []


def test_a_word_of_nobody_knows_whom_proves_nothing() -> None:
    """K-I3: it is not the next player's, either."""
    log: Log = [
        {"kind": "game", "game": "doppelkopf", "preset": "ddv", "seats": ["S1", "S2", "S3", "S4"]},
        {"kind": "round", "dealer": "S4"},
        *({"kind": "say", "seat": f"S{n}", "what": "gesund"} for n in range(1, 5)),
        {"kind": "say", "seat": None, "what": "kontra"},
        {"kind": "card", "seat": "S1", "card": "CQ"},
    ]
    assert folded(log).findings() == []
