"""Games as text: written, pasted, and read back as the same game."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.cli import main
from table.rules import Event, EventError
from table.rules.chance import Chance
from table.rules.dice_evening import evening as throws
from table.rules.evening import evening
from table.rules.notation import read_text_lines, write_text
from tests.rules.faults import Log, legal_round
from tests.rules.folded import fold
from tests.rules.ill_told import WAYS, numbered_round
from tests.rules.test_properties import with_doubts

TEXT = """\
dubbe S1=Anna S2=Bernd S3=Carla preset=dubbe black_die=true rounds=2
round S3
die:red=1@aagewwer
S2:red-5 S3?red-8/red-9 S1:red-3 #5=S3:red-8 S3^
S3:yellow-9 S1~ #9= end
"""


def read_text(text: str) -> list[Event]:
    return [event for _, event in read_text_lines(text)]


def numbered(log: Log) -> list[Event]:
    return [Event.from_dict(event).numbered(n) for n, event in enumerate(log, 1)]


def test_a_text_reads_as_the_events_it_names() -> None:
    events = read_text(TEXT)
    assert [event.kind for event in events[:6]] == ["game", "round", "die", "card", "unsure", "card"]
    assert events[0].get("players") == ["Anna", "Bernd", "Carla"]
    assert events[0].get("options") == {"black_die": True, "rounds": 2}
    assert fold(events).view().last_winner == "S3"


def test_a_text_is_written_as_it_was_read() -> None:
    assert write_text(read_text(TEXT)) == TEXT


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**40), st.integers(0, 3))
def test_any_round_comes_back_the_same(seed: int, doubts: int) -> None:
    log, fixes = with_doubts(legal_round(seed, black=True), seed, doubts)
    events = numbered([*log, *fixes])
    again = fold(read_text(write_text(events)))
    assert again.result()["points"] == fold(events).result()["points"]
    assert again.result()["findings"] == fold(events).result()["findings"]


def test_silent_events_are_left_out_and_corrections_still_reach_their_card() -> None:
    log: Log = [
        {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"]},
        {"kind": "round", "dealer": "S3"},
        {"kind": "hand", "seat": "S2", "t": 1.0},
        {"kind": "card", "seat": "S2", "card": "red-5", "t": 2.5, "corners": []},
        {"kind": "correction", "of": 4, "event": {"kind": "card", "seat": "S2", "card": "red-6"}},
    ]
    text = write_text(numbered(log))
    assert text == "dubbe S1 S2 S3\nround S3\n@2.5 S2:red-5 #3=S2:red-6\n"
    assert fold(read_text(text)).view().trick[0].card == "red-6"


@pytest.mark.parametrize("way", ["at_once", "blind_bidding", "taking_invented", "evening_game_again"])
@pytest.mark.parametrize("game", ["dubbe", "ddv"])
def test_a_log_that_a_camera_told_is_judged_the_same_by_its_text(game: str, way: str) -> None:
    """The text keeps source and time; without them, cards played at once would accuse somebody (G-10)."""
    told = WAYS[way].tell(numbered_round(game, 0), Chance(0))
    assert told is not None
    seen = {"card", "die", "collected", "touch"}
    events = [
        Event.from_dict({"source": "camera", **event} if event["kind"] in seen else event) for event in told
    ]
    again = fold(read_text(write_text(events))).result()
    true = fold(events).result()
    assert again["points"] == true["points"]
    assert Counter((one["finding"], one["seat"]) for one in again["findings"]) == Counter(
        (one["finding"], one["seat"]) for one in true["findings"]
    )


def test_a_tap_stays_a_tap_and_what_it_refers_to_is_renumbered() -> None:
    card = {"kind": "card", "seat": "S2", "card": "red-5", "source": "camera", "id": 7}
    agreed = [["revoke", "S2", 7]]
    log: Log = [
        {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"], "id": 1},
        {"kind": "round", "dealer": "S3", "id": 2},
        {"kind": "hand", "seat": "S2", "id": 3},
        card,
        {"kind": "correction", "of": 7, "event": {**card, "card": "red-6"}, "source": "touch", "id": 9},
        {"kind": "correction", "of": 7, "event": None, "source": "touch", "agreed": agreed, "id": 12},
        {"kind": "unsure", "seat": "S3", "candidates": [], "source": "rules", "before": 9, "id": 13},
        {"kind": "collected", "seat": "S2", "after_gap": True, "id": 14},
    ]
    read = read_text(write_text(map(Event.from_dict, log)))
    assert [event.get("source") for event in read[2:]] == ["camera", "touch", "touch", "rules", None]
    assert [read[at].get("of") for at in (3, 4)] == [3, 3]
    assert read[4].get("agreed") == [["revoke", "S2", 3]]
    assert read[5].get("before") == 4
    assert read[6].get("after_gap") is True


def test_what_has_no_short_form_stands_as_json() -> None:
    odd = [
        Event("game", {"game": "dubbe", "seats": ["Tisch 1", "Tisch 2"]}, 1),
        Event("shown", {"cards": ["HA"]}, 2),
    ]
    text = write_text(odd)
    assert text.count("{") == 2
    assert [event.fields for event in read_text(text)] == [event.fields for event in odd]


@pytest.mark.parametrize("line", ["S1 S2", "{broken", "S1:red-5 ???"])
def test_nonsense_is_told_with_its_line(line: str) -> None:
    with pytest.raises(EventError, match="line 3"):
        read_text(f"dubbe S1 S2\nround S1\n{line}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dubbe S1 S2\nround S1 S2", 'line 2: "S2" follows a round'),
        ("dubbe S1 S2\nround S1 S1:red-5", 'line 2: "S1:red-5" follows a round'),
        ("dubbe S1 S2\nround first=S1 S2", 'line 2: "S2" follows a round'),
        ("doppelkopf S1 preset=ddv preset=club", 'line 1: "preset=club" says'),
        ("dubbe S1 black_die=true black_die=false", 'line 1: "black_die=false" says'),
        ("dubbe S1 preset=", 'line 1: "preset=" says nothing'),
        ("doppelx red blue\nround\nred>blue:3@1x(nan;1;2)", "line 3"),
    ],
)
def test_no_word_of_a_line_is_passed_over_in_silence(text: str, said: str) -> None:
    with pytest.raises(EventError, match=said):
        read_text(text)


def test_replay_writes_it_and_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text(TEXT)
    assert main(["replay", str(file), "--json"]) == 0
    result = capsys.readouterr().out
    assert main(["replay", str(file), "--text"]) == 0
    assert capsys.readouterr().out == TEXT
    assert '"points": {"S1": 0, "S2": 0, "S3": 0}' in result


@pytest.mark.parametrize(
    ("game", "preset", "players"),
    [("dubbe", "dubbe", 2), ("dulle", "dulle", 4), ("doppelkopf", "bundeswehr", 5), ("doppelkopf", "club", 4),
     ("klapper-jas", "klapper-jas", 3), ("klapper-jas", "klapper-jas", 4)],
)  # fmt: skip
def test_an_evening_of_any_card_game_comes_back_the_same(game: str, preset: str, players: int) -> None:
    seats = [f"S{n}" for n in range(1, players + 1)]
    events = numbered(
        [
            event.to_dict()
            for event in evening(
                {"kind": "game", "game": game, "preset": preset, "seats": seats}, 4, rounds=2
            )
        ]
    )
    assert fold(read_text(write_text(events))).result() == fold(events).result()


def test_a_throw_is_one_word_with_all_that_rules_may_ask_of_it() -> None:
    """X-I1: a die's place and angle may prove that it was not thrown."""
    dice = [
        {"colour": "blue", "face": "3", "where": "field", "touches": ["1x", "2x"], "counts_as": "2x",
         "center": [12.0, -40.5], "yaw": 33.0},
        {"colour": "red", "face": "X", "where": "bet:A"},
        {"colour": None, "face": None, "where": "hole"},
    ]  # fmt: skip
    throw = Event("throw", {"player": "blue", "dice": dice}, 1)
    text = write_text([Event("game", {"game": "doppelx", "players": ["blue", "red", "green"]}, 1), throw])
    assert text.splitlines()[1] == "blue>blue:3@1x/2x(12;-40.5;33),red:X@bet:A,?:?@hole"
    assert read_text(text)[1].fields == throw.fields
    doubtful = Event("throw", {"dice": [dice[0] | {"doubt": ["line"]}]}, 1)
    assert read_text(write_text([throw, doubtful]))[1].fields == doubtful.fields
    with pytest.raises(EventError, match="means nothing"):
        read_text("dubbe S1 S2\nblue>blue:3")


def test_a_game_of_doppelx_comes_back_the_same() -> None:
    opening = {"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"], "bets": ["A", "G"]}
    events = numbered([event.to_dict() for event in throws(opening | {"field": "III"}, 2)])
    assert fold(read_text(write_text(events))).result() == fold(events).result()


def test_replay_reads_a_text_whose_game_line_has_no_short_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opening = {"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"], "bets": ["A", "G"]}
    events = numbered([event.to_dict() for event in throws(opening, 3)])
    file = tmp_path / "pasted.txt"
    file.write_text(write_text(events))
    assert main(["replay", str(file), "--json"]) == 0
    assert f'"points": {json.dumps(fold(events).points())}' in capsys.readouterr().out
