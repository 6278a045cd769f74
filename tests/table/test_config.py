"""`run --config`: a file with what a house would otherwise type every evening."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from table.catalogue import tell
from table.cli import run
from table.cli.config import fill, read_config
from table.errors import StammtischError


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    run.register(parser)
    return parser.parse_args(words)


def test_a_config_file_fills_what_the_command_line_leaves_open(tmp_path: Path) -> None:
    file = tmp_path / "evening.toml"
    file.write_text('table = "mat.toml"\ngame = "dubbe"\nport = 9000\nplayers = ["Anna", "Bernd"]\n')
    given = options("--config", str(file), "--port", "9001")
    fill(given)
    assert given.table == str(tmp_path / "mat.toml"), "paths are relative to the file"
    assert given.game == "dubbe", "a game's name is no path"
    assert given.port == 9001, "the command line wins"
    assert given.players == ["Anna", "Bernd"]


def test_a_games_name_is_no_path_even_beside_a_folder_of_that_name(tmp_path: Path) -> None:
    """A house with its deck in a folder `dubbe` beside the settings still plays Dubbe."""
    for folder in ("dubbe", "ddv", "mine.jsonl"):
        (tmp_path / folder).mkdir()
    file = tmp_path / "evening.toml"
    file.write_text('deck = "dubbe"\ngame = "dubbe"\nrules = "ddv"\n')
    config = read_config(file)
    assert (config.deck, config.game, config.rules) == (str(tmp_path / "dubbe"), "dubbe", "ddv")
    file.write_text('game = "mine.jsonl"\n')
    assert read_config(file).game == str(tmp_path / "mine.jsonl")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('game = "dubbe"\ncamara = "usb:0"', "line 2: key 'camara': unknown; did you mean 'camera'?"),
        ("port = 99999", "line 1: key 'port': a whole number at most 65535 is needed; fix it"),
        ('port = "x"', "line 1: key 'port': a whole number is needed, here is a text in quotes; fix it"),
        ("players = [1]", "line 1: key 'players'"),
        ('language = "fr"', "line 1: key 'language': 'fr' is unknown; known here: de, en"),
        ('deck = ["a"]', "line 1: key 'deck': a text in quotes is needed, here is a list in brackets"),
        ("port = ", "not valid TOML"),
        ('[mqtt]\nhost = "h"', "line 1: [mqtt]: 'table' is missing; add a line table = …"),
        (
            '[mqtt]\nhost = "h"\ntable = "My Table"',
            "line 3: [mqtt] key 'table': a name of up to 48 small letters, digits and hyphens",
        ),
        ('port = 1\n[mqtt]\nhost = "h"\nport = 0', "line 4: [mqtt] key 'port': a whole number at least 1"),
        (
            '[mqtt]\nhost = "h"\ntable = "t"\nca = "ca.crt"',
            "line 4: [mqtt] key 'ca': without tls everything is sent in clear; add the line tls = true",
        ),
        ('[mqtt]\nhost = 5\ntable = "t"', "line 2: [mqtt] key 'host': a text in quotes is needed"),
        ('[mqtt]\nhost = "h"\nhosst = "t"', "line 3: [mqtt] key 'hosst': unknown; did you mean 'host'?"),
        ('mqtt = {host = "h", table = "T"}', "line 1: [mqtt] key 'table': a name of"),
        ('names = ["a", "b c"]', "line 1: key 'names': a host name of letters, digits"),
        ("attract = 2000000", "line 1: key 'attract': a whole number at most 1000000 is needed"),
        ('mqtt = "broker"', "line 1: [mqtt]: a section is needed"),
        (f"{'x' * 5000} = 1", "xxx…': unknown; known here: table"),
    ],
)
def test_a_mistake_in_the_config_file_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "evening.toml"
    file.write_text(text)
    with pytest.raises(StammtischError) as wrong:
        read_config(file)
    assert said in str(wrong.value)
    assert tell(wrong.value.fact, "de") != str(wrong.value), "the page tells it in its own language"
    assert "regex" not in str(wrong.value)
    assert str(file) in str(wrong.value)


def test_who_must_let_the_table_read_its_settings_is_said_to_guests_who_have_no_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(StammtischError, match="sudo"):
        read_config(tmp_path / "evening.toml")
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/systemd/notify")
    with pytest.raises(StammtischError, match="whoever looks after this computer must allow it") as wrong:
        read_config(tmp_path / "evening.toml")
    assert "sudo" not in tell(wrong.value.fact, "de")


def test_a_config_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(StammtischError, match="no such config file"):
        read_config(tmp_path / "none.toml")
