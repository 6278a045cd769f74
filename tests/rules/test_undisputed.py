"""A finding rests on what was seen or said: a tap that contradicts the camera is only a question (G-10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from table.rules.events import Event
from table.rules.referee import Referee
from tests.rules.folded import state_hash

Line = dict[str, Any]

GAME: Line = {
    "kind": "game",
    "game": "dubbe",
    "preset": "dubbe",
    "options": {"rounds": 4},
    "seats": ["S1", "S2", "S3", "S4"],
}
SEEN: list[Line] = [
    GAME,
    {"kind": "round", "dealer": "S4"},
    {"kind": "die", "colour": "blue", "value": 1, "spot": "aagewwer", "source": "camera"},
    *(
        {"kind": "card", "seat": seat, "card": card, "source": "camera"}
        for seat, card in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-4"))
    ),
]
LED: Line = {"kind": "card", "seat": "S3", "card": "green-9", "source": "camera"}
TAP: Line = {"source": "touch"}


def judged(*lines: Line) -> tuple[list[str], list[str]]:
    """Who is accused of what, and who is asked about what."""
    referee = Referee()
    for line in lines:
        referee.add(line)
    return _names(referee.findings()), _names(referee.contested())


def _names(found: Iterable[Any]) -> list[str]:
    return [f"{one.finding} {one.seat}" for one in found]


def right(of: int, card: str | None, seat: str = "S1", **fields: Any) -> Line:
    event = None if card is None else {"kind": "card", "seat": seat, "card": card}
    return {"kind": "correction", "of": of, "event": event, **fields}


REVOKE: list[Line] = [
    *SEEN,
    LED,
    *({**LED, "seat": seat, "card": card} for seat, card in (("S4", "green-2"),)),
]
"""S1 has followed red; green is led next."""


def test_a_card_that_somebody_tapped_over_the_one_that_was_seen_accuses_nobody() -> None:
    """S1 followed with red-4; a tap makes it a green card, which S1's next red one then refutes."""
    after = [
        *REVOKE,
        {**LED, "seat": "S1", "card": "red-2"},
    ]
    assert judged(*after) == ([], [])
    assert judged(*after, right(7, "green-7", **TAP)) == ([], ["revoke S1"])
    assert judged(*after, right(7, "green-7")) == (["revoke S1"], []), "a file has no page"
    assert judged(*after, right(7, "green-7", source="camera")) == (["revoke S1"], [])
    taken_back = {"kind": "correction", "of": 11, "event": None, **TAP}
    assert judged(*after, right(7, "green-7", **TAP), taken_back) == ([], [])


def test_who_was_shown_that_it_accuses_and_says_that_it_was_so_is_believed() -> None:
    after = [*REVOKE, {**LED, "seat": "S1", "card": "red-2"}]
    said = right(7, "green-7", **TAP, agreed=[["revoke", "S1", 7]])
    assert judged(*after, said) == (["revoke S1"], [])
    assert judged(*after, right(7, "green-7", **TAP, agreed=[["revoke", "S2", 7]])) == ([], ["revoke S1"])
    taken_back = [said, {"kind": "correction", "of": 11, "event": None, **TAP}]
    assert judged(*after, *taken_back, right(7, "green-7", **TAP)) == ([], ["revoke S1"])


@pytest.mark.parametrize(
    "rubbish", [5, "revoke", [5], [["revoke", "S1"]], [["revoke", [], 7]], [[1, 2, "x"]]]
)
def test_an_agreement_that_makes_no_sense_agrees_to_nothing(rubbish: object) -> None:
    after = [*REVOKE, {**LED, "seat": "S1", "card": "red-2"}]
    assert judged(*after, right(7, "green-7", **TAP, agreed=rubbish)) == ([], ["revoke S1"])


def test_a_misplay_that_was_seen_is_found_whatever_anybody_taps() -> None:
    """S1 discards green on a red lead and plays red afterwards; taps on other cards hide nothing (G-03)."""
    seen = [*SEEN[:6], {**SEEN[6], "card": "green-7"}, LED, {**LED, "seat": "S4", "card": "green-2"}]
    seen += [{**LED, "seat": "S1", "card": "red-2"}]
    assert judged(*seen) == (["revoke S1"], [])
    assert judged(*seen, right(9, "green-3", "S4", **TAP)) == (["revoke S1"], [])
    assert judged(*seen, right(7, None, **TAP))[0] == [], "never happened is never happened"


def test_a_strange_card_that_only_somebody_tapped_is_no_offence() -> None:
    """G-I4: this pack has no red 16, and the eye saw none."""
    tapped = {"kind": "card", "seat": "S3", "card": "red-16", **TAP}
    assert judged(*SEEN, tapped) == ([], ["foreign_card S3"])
    assert judged(*SEEN, {**tapped, "source": "camera"}) == (["foreign_card S3"], [])


def test_where_no_camera_looks_what_is_tapped_is_the_evidence() -> None:
    by_hand = [{**line, **TAP} if line["kind"] in ("card", "die") else line for line in REVOKE]
    by_hand[6] = {**by_hand[6], "card": "green-7"}
    assert judged(*by_hand, {**LED, "seat": "S1", "card": "red-2", **TAP}) == (["revoke S1"], [])


def test_a_round_that_a_tap_broke_off_goes_on_until_a_card_proves_another_deal() -> None:
    """An accidental `end` in mid-round does not make the rest a round that still owes its trump (D-I1)."""
    cut = [*SEEN, {"kind": "end", **TAP}, {"kind": "round", "dealer": "S4", "source": "rules"}]
    rest = [*cut, *({**LED, "seat": f"S{n}", "card": f"green-{n}"} for n in (2, 3, 4))]
    assert judged(*rest) == ([], ["missing_declaration S1"])
    dealt = [*cut, *({**LED, "seat": f"S{n}", "card": f"red-{n + 5}"} for n in (2, 3, 4))]
    assert judged(*dealt) == (["missing_declaration S1"], []), "red 7 fell again: it is another deal"


def test_a_round_that_somebody_taps_away_keeps_the_words_that_were_said_in_it() -> None:
    """The first card then opens another round, in which nobody has said what was due (G-I9)."""
    doko: Line = {"kind": "game", "game": "doppelkopf", "preset": "ddv", "seats": ["S1", "S2", "S3", "S4"]}
    played: Line = {**LED, "seat": "S2", "card": "CA"}
    healthy: list[Line] = [{"kind": "say", "seat": f"S{n}", "what": "gesund", **TAP} for n in (2, 3, 4, 1)]
    start = [doko, {"kind": "round", "dealer": "S1"}, *healthy]
    away: list[Line] = [
        {"kind": "correction", "of": 2, "event": None, **TAP},
        {"kind": "round", "dealer": "S1", "source": "rules"},
    ]
    assert judged(*start, *away, played) == ([], ["missing_declaration S2"])
    assert judged(*start[:-1], played)[0] == ["missing_declaration S1"], "he said nothing"


def test_a_solo_tapped_for_somebody_who_says_that_he_is_healthy_makes_nobody_lead_wrongly() -> None:
    """S3 has two contradictory words; without the solo all is in order, so it proves nothing (K-16, G-I1)."""
    doko: Line = {"kind": "game", "game": "doppelkopf", "seats": ["S1", "S2", "S3", "S4"]}
    solo: Line = {"kind": "say", "seat": "S3", "what": "pflichtsolo:as", **TAP}
    healthy: list[Line] = [{"kind": "say", "seat": f"S{n}", "what": "gesund", **TAP} for n in (2, 3, 4, 1)]
    lead: list[Line] = [{**LED, "seat": "S2", "card": "HA"}, {**LED, "card": "HK"}]
    start: list[Line] = [doko, {"kind": "round", "dealer": "S1"}]
    assert judged(*start, solo, *healthy, *lead) == ([], ["out_of_turn S2"])
    first = [healthy[0], {**solo, "what": "vorbehalt"}, *healthy[2:], solo]
    assert judged(*start, *first, *lead)[0] == ["out_of_turn S2"], "that solo was announced in order"


def test_a_word_that_the_cards_refute_is_asked_about_where_it_was_tapped() -> None:
    """Anybody may have tapped it, but the player laid the card (K-I6)."""
    doko: Line = {"kind": "game", "game": "doppelkopf", "preset": "ddv", "seats": ["S1", "S2", "S3", "S4"]}
    healthy: list[Line] = [{"kind": "say", "seat": f"S{n}", "what": "gesund", **TAP} for n in (2, 3, 4, 1)]
    said = {"kind": "say", "seat": "S3", "what": "kontra"}
    start: list[Line] = [doko, {"kind": "round", "dealer": "S1"}, *healthy]
    cards: list[Line] = [{**LED, "seat": "S2", "card": "CA"}, {**LED, "seat": "S3", "card": "CQ"}]
    assert judged(*start, said, *cards)[0] == ["wrong_side S3"]
    assert judged(*start, {**said, **TAP}, *cards) == ([], ["wrong_side S3"])


def test_the_same_is_found_line_by_line_all_at_once_and_in_a_trial() -> None:
    lines = [*REVOKE, {**LED, "seat": "S1", "card": "red-2"}, right(7, "green-7", **TAP)]
    slow, fast = Referee(), Referee()
    for line in lines:
        slow.add(line)
    fast.read(Event.from_dict(line) for line in lines)
    assert state_hash(slow) == state_hash(fast) == state_hash(slow.fork())
