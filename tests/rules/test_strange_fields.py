"""Optional fields of events: their form is checked, and a guessed one proves nothing."""

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
    """One such line from a guest once stopped the rules for a whole evening."""
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
    """D-I2, K-I3: what the table inferred or saw only after a gap is held against nobody."""
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
    """K-I3: it is not attributed to the next player, either."""
    log: Log = [
        {"kind": "game", "game": "doppelkopf", "preset": "ddv", "seats": ["S1", "S2", "S3", "S4"]},
        {"kind": "round", "dealer": "S4"},
        *({"kind": "say", "seat": f"S{n}", "what": "gesund"} for n in range(1, 5)),
        {"kind": "say", "seat": None, "what": "kontra"},
        {"kind": "card", "seat": "S1", "card": "CQ"},
    ]
    assert folded(log).findings() == []


@pytest.mark.parametrize(
    ("event", "remedy"),
    [
        ({"kind": "die", "colour": "red", "value": 1, "spot": "Aagewwer"}, 'did you mean "aagewwer"'),
        ({"kind": "die", "colour": "Red", "value": 1, "spot": "aagewwer"}, 'did you mean "red"'),
        ({"kind": "die", "colour": "rot", "value": 1, "spot": "aagewwer"}, "known:"),
        ({"kind": "card", "seat": "S2", "card": "Blue 1"}, 'did you mean "blue-1"'),
        ({"kind": "card", "seat": "S2", "card": "ca"}, 'did you mean "CA"'),
    ],
)
def test_a_slip_of_the_pen_is_told_and_accuses_nobody(event: dict[str, Any], remedy: str) -> None:
    """D-I1, G-I4: such a die was once ignored and its owner owed trump; such a card was foreign."""
    referee = Referee()
    referee.add({"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"]})
    referee.add({"kind": "round", "dealer": "S1"})
    with pytest.raises(EventError, match=remedy):
        referee.add(event)


@pytest.mark.parametrize("t", [float("nan"), float("inf")])
def test_a_time_that_is_no_number_is_refused(t: float) -> None:
    with pytest.raises(EventError, match='"t"'):
        checked({**CARD, "t": t})


def test_words_of_one_game_are_not_judged_by_another() -> None:
    """U-22: a word was said in Doppelkopf; then the line that names the game is corrected to Dulle."""
    seats = ["S1", "S2", "S3", "S4"]
    referee = Referee()
    referee.add({"kind": "game", "game": "doppelkopf", "seats": seats})
    referee.add({"kind": "round", "dealer": "S4"})
    word = referee.add({"kind": "say", "seat": "S1", "what": "schwarz"})
    dulle = {"kind": "correction", "of": 1, "event": {"kind": "game", "game": "dulle", "seats": seats}}
    with pytest.raises(EventError, match=r"event 3 .* belongs to Doppelkopf"):
        referee.add(dulle)
    club = {"kind": "game", "game": "doppelkopf", "preset": "club", "seats": seats}
    referee.add({**dulle, "event": club})
    assert referee.view().preset == "club", "other rules of the same game stand"
    referee.add({"kind": "correction", "of": word, "event": None})
    referee.add(dulle)
    assert (referee.view().game, referee.findings()) == ("dulle", [])
