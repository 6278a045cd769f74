"""Commands without a home folder, and with nowhere to print to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from table.cli import main
from vision.learnt import LearntFile


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user whose home the system does not know; returns a folder to work in."""

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    for folder in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(folder, raising=False)
    return tmp_path


@pytest.mark.parametrize("command", ["run", "doctor", "backup"])
def test_a_user_without_a_home_may_ask_for_help(
    homeless: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert "~/.local/state" in capsys.readouterr().out


def test_a_user_without_a_home_is_told_to_name_the_journal(
    homeless: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(homeless / "copy.sqlite")]) == 2
    assert "name a file with --journal" in capsys.readouterr().err


def test_what_is_learnt_is_not_kept_for_a_user_without_a_home(homeless: Path) -> None:
    homeless.chmod(0o555)
    try:
        learnt = LearntFile(homeless, None)
        learnt.keep({})
        assert learnt.read() is None
    finally:
        homeless.chmod(0o755)


def test_a_command_whose_output_is_closed_does_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """`stammtisch rules list >&- 2>&-`"""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["rules", "list"]) == 0
    for stream in (sys.stdout, sys.stderr):
        assert stream is not None
        stream.close()
