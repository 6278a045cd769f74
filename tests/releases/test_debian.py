"""The real installer, an update, a game going on, power cuts, broken updates, in a Debian of its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.releases.debian import SUITE, Debian, wheels, why_not

HOUSE = Path(__file__).parents[2]
INSTALL = ("sh", "/src/hardware/deploy/install.sh", "--no-screen", "--wheels", "/wheels")
GAME = {"game": "dubbe", "rounds": 1, "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"], "dealer": "S3"}

pytestmark = [pytest.mark.soak, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    if sys.version_info[:2] != (3, 11):
        pytest.skip(f"wheels for {SUITE} are fetched by Python 3.11")
    debian = Debian(tmp_path_factory.mktemp("debian") / "root")
    (debian.root / "wheels").mkdir()
    wheels(HOUSE, debian.root / "wheels", [sys.executable])
    try:
        debian.boot()
        debian.call("apt-get", "update", "-qq")
        yield debian
    finally:
        debian.pull_the_plug()


def checkout(debian: Debian, version: str, **spoilt: tuple[str, str]) -> None:
    """This project as it stands here lies in /src, of another version, with a fault where one is wanted."""
    source = debian.root / "src"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=HOUSE, capture_output=True, check=True
    )
    for name in listed.stdout.decode().splitlines():
        if (HOUSE / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(HOUSE / name, source / name)
    project = source / "pyproject.toml"
    project.write_text(re.sub(r"^version = .*$", f'version = "{version}"', project.read_text(), flags=re.M))
    for module, (good, bad) in spoilt.items():
        file = source / f"{module.replace('__', '/')}.py"
        assert good in file.read_text()
        file.write_text(file.read_text().replace(good, bad, 1))


def test_from_a_bare_debian_to_a_table_that_updates_itself(debian: Debian) -> None:
    checkout(debian, "1.0")
    assert "is installed and runs" in debian.call(*INSTALL)
    first = debian.runs_release()
    assert first.startswith("1.0-")
    assert (
        debian.call("systemctl", "is-enabled", "stammtisch.service", "stammtisch-update.timer")
        == "enabled\nenabled"
    )
    assert debian.call("stat", "-c", "%U %a", "/var/lib/stammtisch") == "stammtisch 700"
    assert debian.call("systemctl", "show", "-P", "User", "stammtisch") == "stammtisch"

    # After the plug was pulled it comes up by itself.
    debian.pull_the_plug()
    debian.boot()
    debian.call(
        "sh",
        "-c",
        "for i in $(seq 60); do systemctl is-active -q stammtisch && exit 0; sleep 1; done; exit 1",
    )
    assert debian.runs_release() == first

    # While people play an update waits; it is there when they ask for it.
    debian.asks("/api/begin", GAME)
    checkout(debian, "1.1")
    assert "a game is being played" in debian.call(*INSTALL)
    debian.call("systemctl", "start", "stammtisch-update.service")
    assert debian.runs_release() == first
    assert "came after" in debian.call(*INSTALL, "--now")
    second = debian.runs_release()
    assert second.startswith("1.1-")
    assert debian.asks("/api/health")["newest"] == [1, 2], "the game is there"


def test_a_release_that_ends_at_its_start_and_wrote_a_newer_journal_is_gone_back_from(debian: Debian) -> None:
    before = debian.runs_release()
    form = re.search(r"^FORM = (\d+)$", (HOUSE / "table/journal/file.py").read_text(), re.M)
    assert form is not None
    checkout(
        debian,
        "1.2",
        table__journal__file=(form[0], f"FORM = {int(form[1]) + 1}"),
        table__cli__run=("        session = Session(journal)\n", "        raise SystemExit(3)\n"),
    )
    said = debian.call(*INSTALL, "--now", patient=False)
    assert "going back to" in said
    assert "its journal of before is put back" in said
    assert debian.runs_release() == before
    health = debian.asks("/api/health")
    assert health["newest"] == [1, 2]
    assert health["parts"]["camera"] != "safe", "the failed starts were not its own"
    assert "gone back from" in debian.call("stammtisch", "release", "list")


def test_a_release_whose_page_hangs_is_gone_back_from_though_the_plug_is_pulled_meanwhile(
    debian: Debian,
) -> None:
    before = debian.runs_release()
    checkout(
        debian,
        "1.3",
        table__web__health=("        answer = health(", "        time.sleep(1e6)\n        answer = health("),
    )
    said = debian.call(*INSTALL)
    assert "a game is being played" in said
    name = re.findall(r"^(1\.3-\w+) waits", said, re.M)[0]
    debian.call("timeout", "-s", "KILL", "20", "stammtisch", "release", "use", name, "--now", patient=False)
    assert (debian.root / "opt/stammtisch/current").readlink().name == name
    assert (debian.root / "opt/stammtisch/proven").readlink().name == before
    debian.pull_the_plug()
    debian.boot()
    debian.call("systemctl", "start", "stammtisch-update.service", patient=False)
    assert debian.runs_release() == before
