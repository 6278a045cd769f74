"""Table events as lines: numbered, checked, kept whole."""

from __future__ import annotations

import json

import pytest

from table.rules import Event, EventError, Referee, parse, write
from tests.rules.folded import state_hash

GAME = '{"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"]}'


def test_an_event_is_numbered_by_its_line_blank_ones_not_counted() -> None:
    events = list(parse([GAME, "", "  ", '{"kind": "round"}']))
    assert [event.id for event in events] == [1, 2]


def test_an_explicit_id_is_kept() -> None:
    assert [e.id for e in parse(['{"kind": "end", "id": 40}', '{"kind": "end"}'])] == [40, 2]


def test_unknown_fields_are_kept_and_written_back() -> None:
    line = '{"kind": "card", "seat": "S1", "card": "red-1", "corners": [[1, 2]], "note": "ä"}'
    event = next(parse([line]))
    assert event.get("corners") == [[1, 2]]
    assert json.loads(write(event)) == {**json.loads(line), "id": 1}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            '{"kind": "crad", "card": "red-1"}',
            r'line 2: there is no event kind "crad"; did you mean "card"\?',
        ),
        ("not json", "line 2: this is not JSON"),
        ("[1]", "line 2: an event is an object"),
        ('{"seat": "S1"}', "line 2: an event needs a kind"),
        ('{"kind": "card", "seat": "S1"}', 'line 2: "card" needs "card"'),
        ('{"kind": "card", "card": 7}', 'line 2: "card" of "card" is 7; give a text'),
        ('{"kind": "die", "value": 0, "colour": "red"}', "whole number from 1"),
        ('{"kind": "card", "card": "red-1", "t": "now"}', "give a number"),
        ('{"kind": "end", "id": "x"}', "whole number"),
        ('{"kind": "correction", "of": 1}', 'needs "event"'),
        ('{"kind": "correction", "of": 1, "event": {"kind": "crad"}}', "no event kind"),
        ('{"kind": "unsure", "seat": "S1", "candidates": ["red-1"]}', "pairs"),
        ('{"kind": "too-dark", "spot": [null]}', "give a text or null"),
        ('{"kind": "blind", "seat": [1]}', "give a text or null"),
        ('{"kind": "moved", "card": "red-1"}', "read it with --lenient"),
    ],
)
def test_a_line_that_makes_no_sense_is_told_with_its_number_and_a_remedy(line: str, told: str) -> None:
    with pytest.raises(EventError, match=told):
        list(parse([GAME, line]))


@pytest.mark.parametrize("kind", ["moved", "bet", "taken", "box_turned", "deal", "peek", "exposed"])
def test_lenient_reading_passes_over_what_only_truth_has_and_still_counts_the_line(kind: str) -> None:
    events = list(parse([GAME, json.dumps({"kind": kind}), '{"kind": "end"}'], lenient=True))
    assert [(event.kind, event.id) for event in events] == [("game", 1), ("end", 3)]


def test_the_result_and_statistics_of_watch_are_passed_over() -> None:
    lines = [GAME, '{"game": "dubbe", "points": {"S1": 0}}', '{"frames": 10, "seconds_busy": 0.5}']
    assert [event.kind for event in parse(lines)] == ["game"]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"kind": "card", "seat": "S9", "card": "red-1"}, 'nobody sits at "S9"; seats are S1, S2, S3'),
        ({"kind": "round", "dealer": "Anna"}, "nobody sits"),
        ({"kind": "say", "seat": "S1", "what": "trump:purple"}, "did you mean"),
        ({"kind": "say", "seat": "S1", "what": "re"}, "nobody says"),
        ({"kind": "game", "game": "skat", "seats": ["S1", "S2"]}, 'no game "skat"'),
        ({"kind": "game", "game": "dubbe", "preset": "dubb", "seats": ["S1", "S2"]}, 'no preset "dubb"'),
        ({"kind": "game", "game": "dubbe", "seats": ["S1", "S1"]}, "appears twice"),
        (
            {"kind": "game", "game": "dubbe", "seats": ["S1", "S2"], "players": ["A"]},
            "one player for each seat",
        ),
        ({"kind": "end", "id": 1}, "two events with the id 1"),
    ],
)
def test_what_the_game_cannot_understand_is_refused_and_nothing_changes(
    event: dict[str, object], told: str
) -> None:
    referee = Referee()
    referee.add(json.loads(GAME))
    referee.add({"kind": "round", "dealer": "S3"})
    before = state_hash(referee)
    with pytest.raises(EventError, match=told):
        referee.add(event)
    assert state_hash(referee) == before


def test_a_card_before_any_game_is_refused() -> None:
    with pytest.raises(EventError, match="before the game has begun"):
        Referee().add({"kind": "card", "seat": "S1", "card": "red-1"})


def test_hands_and_darkness_before_and_during_a_game_change_nothing() -> None:
    referee = Referee()
    referee.add({"kind": "hand", "seat": "S1", "t": 1.0})
    referee.add(json.loads(GAME))
    before = referee.view()
    referee.add({"kind": "too-dark", "t": 2.0})
    referee.add({"kind": "blind", "t": 2.0, "until": 4.5, "why": "covered"})
    assert referee.view() == before


def test_a_blind_time_says_until_when_in_numbers() -> None:
    with pytest.raises(EventError, match='"until" of "blind"'):
        Referee().add({"kind": "blind", "t": 2.0, "until": "soon"})


def test_an_event_value_and_its_dict_are_the_same() -> None:
    event = Event.from_dict({"kind": "card", "id": 4, "seat": "S1", "card": "red-1"})
    assert Event.from_dict(event.to_dict()) == event
    assert (event.seat, event.card, event.id) == ("S1", "red-1", 4)
