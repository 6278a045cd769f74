"""House rules as files: checked key by key, with file, key and the nearest name."""

from __future__ import annotations

import pytest

from table.rules.games import GAMES
from table.rules.presets import PresetError, preset, preset_names, read_preset


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
            'ours.toml: options.blak_die: .*did you mean "black_die"',
        ),
        (
            'game = "dubbe"\n[option]\nx = 1',
            'ours.toml: option: there is no such key; did you mean "options"',
        ),
        ('game = "dubbe"\n[options]\ndie_max = "six"', "ours.toml: options.die_max: .*give 6 or unbounded"),
        ('game = "dube"', 'ours.toml: game: there is no game "dube"; did you mean "dubbe"'),
        ("game = 7", "ours.toml: game: it is 7; give a text"),
        ('extends = "dubb"', 'ours.toml: extends: there is no preset "dubb"; did you mean "dubbe"'),
        ("game = ", "ours.toml: this is not TOML"),
    ],
)
def test_a_bad_preset_is_told_with_file_key_and_remedy(text: str, told: str) -> None:
    with pytest.raises(PresetError, match=told):
        read_preset(text, "ours.toml", "ours")
