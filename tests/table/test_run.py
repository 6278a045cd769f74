"""`stammtisch run`: the game, sitting down, resuming, and one sentence for every mistake."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from table.cli.opening import opening
from table.cli.real_table import camera_now
from table.errors import StammtischError, UsageError
from table.rules.presets import complete, preset, rules_hash
from table.rules.tonight import Agreement
from tests.table.run_options import GAME, SEATS


def test_a_game_from_names() -> None:
    lines = opening("dubbe", Agreement(["Anna", " Bernd", "Carla", "Dirk"], 4, "Dirk"), SEATS)
    assert [line.to_dict() for line in lines] == [
        {
            "kind": "game",
            "game": "dubbe",
            "preset": "dubbe",
            "options": {"rounds": 4},
            "rules_hash": rules_hash("dubbe", complete(preset("dubbe")) | {"rounds": 4}),
            "seats": SEATS,
            "players": ["Anna", "Bernd", "Carla", "Dirk"],
        },
        {"kind": "round", "dealer": "S4"},
    ]


def test_a_game_by_the_rules_of_the_house(tmp_path: Path) -> None:
    """The line has preset, options and hash, so the log is complete without the file."""
    file = tmp_path / "loewen.toml"
    file.write_text('extends = "ddv"\n[options]\nschweinchen = true\n')
    (line,) = opening("doppelkopf", Agreement(), SEATS, str(file))
    assert (line.fields["preset"], line.fields["options"]) == ("ddv", {"schweinchen": True})
    (house,) = opening("ddv", Agreement(), SEATS)
    assert (house.fields["preset"], house.fields["options"]) == ("ddv", {})
    assert line.fields["rules_hash"] != house.fields["rules_hash"]
    with pytest.raises(UsageError, match=r"rules of doppelkopf, not of dulle"):
        opening("dulle", Agreement(), SEATS, str(file))
    with pytest.raises(UsageError, match="Dulle has no agreed number of rounds"):
        opening("dulle", Agreement(rounds=4), SEATS)


def test_an_empty_name_leaves_a_seat_free() -> None:
    (line,) = opening("dubbe", Agreement(["Anna", "", "Carla", "Dirk"]), SEATS)
    assert (line.fields["seats"], line.fields["players"]) == (["S1", "S3", "S4"], ["Anna", "Carla", "Dirk"])


@pytest.mark.parametrize(
    ("game", "agreed", "said"),
    [
        ("dubbe", Agreement(["Anna", "Bernd"]), "2 players for 4 seats; name one for each seat"),
        ("dubbe", Agreement(dealer="Erna"), "--dealer Erna: nobody has that name"),
        ("dubbe", Agreement(["Anna", "Bernd", "Anna", ""]), "--players: Anna appears twice"),
        ("skat", Agreement(), "--game skat: neither a game nor a file; known:"),
    ],
)
def test_names_that_do_not_fit_are_said(game: str, agreed: Agreement, said: str) -> None:
    with pytest.raises(UsageError) as wrong:
        opening(game, agreed, SEATS)
    assert said in str(wrong.value)


def test_a_game_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(map(json.dumps, [GAME, {"kind": "round", "dealer": "S2"}])))
    assert [e.kind for e in opening(str(file), Agreement(), SEATS)] == ["game", "round"]
    with pytest.raises(UsageError, match="--players: this belongs in the game file"):
        opening(str(file), Agreement(["Anna"]), SEATS)
    with pytest.raises(StammtischError, match="names the seat 'S4', the table has S1, S2, S3"):
        opening(str(file), Agreement(), SEATS[:3])
    file.write_text('{"kind":"game","game":"dubbe"}\n{"kind":"crad"}\n')
    with pytest.raises(StammtischError, match='line 2: there is no event kind "crad"; did you mean "card"'):
        opening(str(file), Agreement(), SEATS)
    file.write_text('{"kind":"round","dealer":"S2"}\n')
    with pytest.raises(StammtischError, match='first line must be a "game" line'):
        opening(str(file), Agreement(), SEATS)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere cameras have no file in /dev")
def test_a_camera_that_is_not_there_is_not_named_as_if_it_were(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    assert camera_now("usb:0", tmp_path) == "usb:0"
    assert camera_now("usb:7", tmp_path) == (
        "usb:7 is not there now; plug it in, or name another one with --camera"
    )
    assert camera_now("pi:0", tmp_path) == "pi:0"
    assert camera_now("evening.mp4", tmp_path) == "evening.mp4"
