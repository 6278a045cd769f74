"""What a release and a commit promise: one version everywhere, hooks that run what `make` runs."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from table.cli import main

HOUSE = Path(__file__).parents[1]


def test_the_program_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"stammtisch {version('stammtisch')}\n"


def test_the_newest_dated_section_of_the_changelog_is_this_version() -> None:
    dated = re.findall(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", (HOUSE / "CHANGELOG.md").read_text(), re.M)
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    assert dated[0][0] == project["version"]
    assert [day for _, day in dated] == sorted((day for _, day in dated), reverse=True)


def test_a_commit_runs_the_linters_that_make_runs_and_fetches_nothing() -> None:
    hooks = (HOUSE / ".pre-commit-config.yaml").read_text()
    make = (HOUSE / "Makefile").read_text()
    entries = re.findall(r"entry: make --no-print-directory (\w+)$", hooks, re.M)
    assert {"lint", "types"} <= set(entries)
    assert all(re.search(rf"^{entry}:", make, re.M) for entry in entries)
    assert re.findall(r"- repo: (.*)$", hooks, re.M) == ["local"]
