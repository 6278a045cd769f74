"""The files that turn a computer into a table (units, udev rule, settings, installer) fit the program."""

from __future__ import annotations

import argparse
import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.transports.finding import USB_IDS
from table.cli import program, release, run
from table.cli.config import Config, read_config
from table.releases.changeover import STEADY_S
from table.releases.furnish import PLACES, SETTINGS

DEPLOY = Path(__file__).parents[2] / "hardware" / "deploy"


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / name)
    return parser


def test_the_settings_that_are_installed_can_be_read() -> None:
    config = read_config(DEPLOY / "stammtisch.toml")
    assert (config.game, config.players) == (None, None)  # they are chosen at the table
    assert config.board == "/dev/stammtisch-board"


def test_every_setting_is_an_option_of_run() -> None:
    parser = argparse.ArgumentParser()
    run.register(parser)
    sections = {"mqtt"}  # it does not fit on a command line
    assert set(Config.__struct_fields__) - sections <= {action.dest for action in parser._actions}
    assert all(hasattr(parser.parse_args([]), section) for section in sections)


def test_the_service_starts_a_command_that_run_understands() -> None:
    service = unit("stammtisch.service")["Service"]
    words = service["ExecStart"].split()
    assert words[1] == "run"
    parser = argparse.ArgumentParser()
    run.register(parser)
    assert parser.parse_args(words[2:]).config == Path("/var/lib/stammtisch") / SETTINGS
    assert service["Type"] == "notify"
    assert service["Restart"] == "always"


def test_updates_are_judged_by_the_proven_release() -> None:
    words = unit("stammtisch-update.service")["Service"]["ExecStart"].split()
    assert words[0] == "/opt/stammtisch/proven/bin/stammtisch"
    assert program("release").parse_args(words[1:]).action == "settle"
    assert service_seconds("stammtisch.service", "WatchdogSec") * 2 <= STEADY_S


def service_seconds(name: str, key: str) -> float:
    return float(unit(name)["Service"][key])


def test_the_screen_finds_the_page_where_the_settings_put_it(tmp_path: Path) -> None:
    kiosk = unit("stammtisch-kiosk.service")["Service"]
    words = kiosk["ExecStartPre"].removeprefix("-+").split()
    asked = program("release").parse_args([*words[1:], "--root", str(tmp_path)])
    assert (asked.action, f"-{asked.file}") == ("page", kiosk["EnvironmentFile"])
    settings = tmp_path / "var" / "lib" / "stammtisch" / SETTINGS
    settings.parent.mkdir(parents=True)
    settings.write_text("port = 9090\n")
    asked.file = tmp_path / "page"
    assert release.run(asked) == 0
    assert asked.file.read_text() == "PAGE=http://localhost:9090/?kiosk\n"
    assert kiosk["ExecStart"].endswith(" ${PAGE}")


def test_every_usb_chip_that_the_wire_knows_gets_its_name() -> None:
    rules = (DEPLOY / "60-stammtisch.rules").read_text()
    named = re.findall(
        r'idVendor}=="(\w{4})", ATTRS{idProduct}=="(\w{4})", SYMLINK\+="stammtisch-board"', rules
    )
    assert {(int(vendor, 16), int(product, 16)) for vendor, product in named} == USB_IDS.keys()


def test_the_installer_is_shell_and_every_file_has_its_place() -> None:
    subprocess.run(["sh", "-n", str(DEPLOY / "install.sh")], check=True)
    by_other_ways = {"install.sh", "README.md", "table.lock", SETTINGS}
    assert {file.name for file in DEPLOY.iterdir()} == PLACES.keys() | by_other_ways


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    units = [name for name, folder in PLACES.items() if folder == "etc/systemd/system"]
    for name in units:
        text = re.sub(
            r"/opt/stammtisch/\w+/bin/stammtisch|/usr/bin/cage", "/bin/true", (DEPLOY / name).read_text()
        )
        (tmp_path / name).write_text(text)
    said = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / name) for name in units)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in said.stderr.splitlines() if "stammtisch" in line] == []
