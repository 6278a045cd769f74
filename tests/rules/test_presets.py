"""House rules as files: checked key by key; errors name the file, the key and the nearest name."""

from __future__ import annotations

import pytest

from table.rules.games import GAMES
from table.rules.opening import as_event, open_game
from table.rules.presets import (
    PresetError,
    complete,
    game_line,
    preset,
    preset_names,
    read_preset,
    rules_hash,
)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_of_the_house_is_good(name: str) -> None:
    assert preset(name).game in GAMES
    assert name in GAMES[preset(name).game].presets


def test_every_game_has_its_presets() -> None:
    assert {name for game in GAMES.values() for name in game.presets} <= set(preset_names())


def test_a_house_may_build_on_a_preset() -> None:
    ours = read_preset(
        'extends = "dubbe"\ntitle = "Löwen"\n[options]\nblack_die = "on"\nrounds = 8', "löwen.toml", "löwen"
    )
    assert ours.game == "dubbe"
    assert ours.options["black_die"] is True
    assert ours.options["rounds"] == 8
    assert ours.options["die_max"] == 6


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'game = "dubbe"\n[options]\nblak_die = true',
            'ours.toml, line 3: options.blak_die: .*did you mean "black_die"',
        ),
        (
            'game = "dubbe"\n[option]\nx = 1',
            'ours.toml, line 2: option: there is no such key; did you mean "options"',
        ),
        (
            'game = "dubbe"\n[options]\ndie_max = "six"',
            "ours.toml, line 3: options.die_max: .*give 6 or unbounded",
        ),
        ('game = "dube"', 'ours.toml, line 1: game: there is no game "dube"; did you mean "dubbe"'),
        ("game = 7", "ours.toml, line 1: game: it is 7; give a text"),
        ('extends = "dubb"', 'ours.toml, line 1: extends: there is no preset "dubb"; did you mean "dubbe"'),
        ("game = ", "ours.toml: this is not TOML"),
    ],
)
def test_a_bad_preset_is_told_with_file_key_and_remedy(text: str, told: str) -> None:
    with pytest.raises(PresetError, match=told):
        read_preset(text, "ours.toml", "ours")


def test_options_that_contradict_each_other_are_told_with_their_line() -> None:
    text = 'extends = "ddv"\n[options]\nspecials = ["doppelkopf"]\nfactors = ["re"]'
    with pytest.raises(
        PresetError, match=r"ours.toml, line 4: options.factors: .* while Ansagen bring points; choose"
    ):
        read_preset(text, "ours.toml", "ours")


def test_a_file_that_names_no_game_is_told_how_to_begin() -> None:
    with pytest.raises(PresetError, match='it does not name its game; begin with extends = "ddv"'):
        read_preset("[options]\nschweinchen = true", "ours.toml", "ours")


def test_a_game_line_records_the_rules_whole() -> None:
    """Issue 4: preset, differences from it, and a hash of all options; the file is no longer needed."""
    ours = read_preset('extends = "ddv"\n[options]\nschweinchen = "on"\nbock = "none"', "ours.toml", "ours")
    line = game_line(ours)
    assert (line.fields["preset"], line.fields["options"]) == ("ddv", {"schweinchen": True})
    opened = open_game(as_event(line.having(seats=["S1", "S2", "S3", "S4"])))
    assert opened.options == complete(ours)
    assert rules_hash(opened.game, opened.options) == line.fields["rules_hash"]
    assert line.fields["rules_hash"] != game_line(preset("ddv")).fields["rules_hash"]


def test_equal_rules_have_equal_hashes_whatever_they_are_called() -> None:
    same = read_preset('game = "dubbe"\ntitle = "Wir"', "wir.toml", "wir")
    assert game_line(same).fields["rules_hash"] == game_line(preset("dubbe")).fields["rules_hash"]
    assert game_line(same).fields["preset"] == "dubbe"
