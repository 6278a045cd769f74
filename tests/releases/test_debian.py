"""The real installer, an update, a running game, power cuts and broken updates, in a Debian of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.releases.debian import SUITES, Debian, checkout, wheels, why_not

HOUSE = Path(__file__).parents[2]
INSTALL = ("sh", "/src/hardware/deploy/install.sh", "--no-screen", "--wheels", "/wheels")
GAME = {"game": "dubbe", "rounds": 1, "players": ["A", "B", "C"], "seats": ["S1", "S2", "S3"], "dealer": "S3"}

CUT_OFF_ONCE_IN_USE = """stammtisch release use {name} --now & used=$!
for i in $(seq 240); do
  [ "$(basename "$(readlink /opt/stammtisch/current)")" = {name} ] && break
  sleep 0.5
done
kill -KILL $used"""
"""Kill the command once the release is in use and its health not yet known, however slow the machine is."""

pytestmark = [pytest.mark.soak, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]


@pytest.fixture(scope="module", params=SUITES)
def debian(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Debian]:
    """A bare Debian in which the installer has set up a table; a game is running."""
    suite = str(request.param)
    debian = Debian(tmp_path_factory.mktemp(suite) / "root", suite)
    wheels(HOUSE, debian.root / "wheels", SUITES[suite], os.uname().machine)
    try:
        debian.boot()
        debian.call("apt-get", "update", "-qq")
        source(debian, "1.0")
        assert "is installed and runs" in debian.call(*INSTALL)
        assert debian.runs_release().startswith("1.0-")
        debian.asks("/api/begin", GAME)
        yield debian
    finally:
        debian.pull_the_plug()


def source(debian: Debian, version: str, **spoilt: tuple[str, str]) -> None:
    """Put this project into its /src."""
    checkout(HOUSE, debian.root / "src", version, **spoilt)


def test_what_was_installed_on_a_bare_debian_starts_and_updates_itself(debian: Debian) -> None:
    first = debian.runs_release()
    assert (
        debian.call("systemctl", "is-enabled", "stammtisch.service", "stammtisch-update.timer")
        == "enabled\nenabled"
    )
    assert debian.call("stat", "-c", "%U %a", "/var/lib/stammtisch") == "stammtisch 700"
    assert debian.call("systemctl", "show", "-P", "User", "stammtisch") == "stammtisch"

    # It comes up by itself after the plug was pulled.
    debian.pull_the_plug()
    debian.boot()
    debian.call(
        "sh",
        "-c",
        "for i in $(seq 60); do systemctl is-active -q stammtisch && exit 0; sleep 1; done; exit 1",
    )
    assert debian.runs_release() == first

    # While people play, an update waits; it is there when they ask for it.
    source(debian, "1.1")
    assert "a game is being played" in debian.call(*INSTALL)
    debian.call("systemctl", "start", "stammtisch-update.service")
    assert debian.runs_release() == first
    assert "it replaced" in debian.call(*INSTALL, "--now")
    second = debian.runs_release()
    assert second.startswith("1.1-")
    assert debian.asks("/api/health")["newest"] == [1, 2], "the game is there"


def test_a_release_that_ends_at_its_start_and_wrote_a_newer_journal_is_gone_back_from(debian: Debian) -> None:
    before = debian.runs_release()
    form = re.search(r"^FORM = (\d+)$", (HOUSE / "table/journal/file.py").read_text(), re.M)
    assert form is not None
    source(
        debian,
        "1.2",
        table__journal__file=(form[0], f"FORM = {int(form[1]) + 1}"),
        table__cli__run=("        session = Session(journal)\n", "        raise SystemExit(3)\n"),
    )
    said = debian.call(*INSTALL, "--now", patient=False)
    assert "going back to" in said
    assert "its earlier journal is restored" in said
    assert debian.runs_release() == before
    health = debian.asks("/api/health")
    assert health["newest"] == [1, 2]
    assert health["parts"]["camera"] != "safe", "the failed starts were not its own"
    assert "rolled back:" in debian.call("stammtisch", "release", "list")


def test_a_release_whose_page_hangs_is_gone_back_from_though_the_plug_is_pulled_meanwhile(
    debian: Debian,
) -> None:
    before = debian.runs_release()
    source(
        debian,
        "1.3",
        table__web__health=("        answer = health(", "        time.sleep(1e6)\n        answer = health("),
    )
    said = debian.call(*INSTALL)
    assert "a game is being played" in said
    name = re.findall(r"^(1\.3-\w+) waits", said, re.M)[0]
    debian.call("sh", "-c", CUT_OFF_ONCE_IN_USE.format(name=name), patient=False)
    assert (debian.root / "opt/stammtisch/current").readlink().name == name
    assert (debian.root / "opt/stammtisch/proven").readlink().name == before
    debian.pull_the_plug()
    debian.boot()
    debian.call("systemctl", "start", "stammtisch-update.service", patient=False)
    assert debian.runs_release() == before
