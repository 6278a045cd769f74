"""The commands and files that the README names for a newcomer exist."""

import re
from pathlib import Path

import pytest

from table.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_first_screen_shows_both_commands() -> None:
    first = README.splitlines()[:12]
    assert any(line.startswith("make demo") for line in first)
    assert any(line.startswith("make test") for line in first)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert "usage: stammtisch" in capsys.readouterr().out


def test_every_command_of_the_readme_exists() -> None:
    named = set(re.findall(r"\.venv/bin/stammtisch (\w+)", README))
    assert named
    assert named <= set(COMMANDS)


def test_every_path_of_the_readme_exists() -> None:
    named = re.findall(r"(?:hardware|tests|table)/[\w./-]+", README)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path


def test_wrong_words_are_refused_with_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["rpelay"])
    assert ended.value.code == 2
    assert "replay" in capsys.readouterr().err


def test_the_replay_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (log,) = re.findall(r"stammtisch replay (\S+)", README)
    assert main(["replay", str(ROOT / log)]) == 0
    assert "Punkte" in capsys.readouterr().out
