"""Promises of releases and commits: one version everywhere, and hooks that run what `make` runs."""

from __future__ import annotations

import re
import shutil
import subprocess
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


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_a_shell_completes_commands_and_their_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    line = "COMP_WORDS=(stammtisch print all --ga); COMP_CWORD=3; _shtab_stammtisch; echo ${COMPREPLY[@]}"
    done = subprocess.run(["bash", "-c", f"{script}\n{line}"], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["--game"], done.stderr


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


# --- what a table installs ----------------------------------------------------------------------------

LOCK = HOUSE / "hardware" / "deploy" / "table.lock"


def locked() -> dict[str, list[str]]:
    """Versions by package name; a package may have several, each for other Python versions."""
    versions: dict[str, list[str]] = {}
    for name, number in re.findall(r"^([\w.-]+)==([\w.]+)", LOCK.read_text(), re.M):
        versions.setdefault(name, []).append(number)
    return versions


def wanted() -> list[tuple[str, str]]:
    """Name and version range of each dependency of a table, with the extras that its installer chooses."""
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    lines = [
        *project["dependencies"],
        *(x for e in ("mqtt", "print") for x in project["optional-dependencies"][e]),
    ]
    return [(found[1].lower(), found[2]) for line in lines if (found := re.match(r"([\w.-]+)(.*)$", line))]


def test_what_a_table_installs_is_locked_by_hash_and_names_no_address() -> None:
    text = LOCK.read_text()
    entries = re.split(r"^(?=[a-z])", text, flags=re.M)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|index|find-links|(?<!\w)/\w", text), "no registry, no path of a machine"
    install = (HOUSE / "table" / "releases" / "build.py").read_text()
    assert "--require-hashes" in install
    assert LOCK.name in install


@pytest.mark.parametrize(("name", "span"), wanted(), ids=lambda value: value)
def test_each_dependency_is_locked_within_its_range(name: str, span: str) -> None:
    def number(text: str) -> tuple[int, ...]:
        return tuple(int(part) for part in re.findall(r"\d+", text))[:3]

    for version_ in locked()[name]:
        for sign, bound in re.findall(r"(>=|<)([\d.]+)", span):
            assert number(version_) >= number(bound) if sign == ">=" else number(version_) < number(bound), (
                f"run `make lock`: {name} {version_} against {span}"
            )


def test_each_end_of_what_is_allowed_has_a_target() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    oldest = re.findall(r"opencv-python-headless>=([\d.]+)", " ".join(project["dependencies"]))[0]
    make = (HOUSE / "Makefile").read_text()
    assert f"opencv-oldest: OPENCV := opencv-python-headless=={oldest}.*" in make
    assert f"py3{project['requires-python'].split('.')[-1]}" in make
