"""Puts what a release needs around it in place: units, rules, settings."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from table.releases.shelf import Shelf
from table.whole_file import replace_whole

PLACES = {
    "stammtisch.service": "etc/systemd/system",
    "stammtisch-kiosk.service": "etc/systemd/system",
    "stammtisch-update.service": "etc/systemd/system",
    "stammtisch-update.timer": "etc/systemd/system",
    "60-stammtisch.rules": "etc/udev/rules.d",
    "stammtisch-users.conf": "etc/sysusers.d",
    "stammtisch-journald.conf": "etc/systemd/journald.conf.d",
    "stammtisch-logind.conf": "etc/systemd/logind.conf.d",
    "stammtisch-sleep.conf": "etc/systemd/sleep.conf.d",
}
"""Files of `hardware/deploy` and the folders they belong in; each release brings its own, and a change of
release installs them again."""

LEFT_BEHIND = ("etc/systemd/user/stammtisch-kiosk.service",)
"""Files of releases before 0.3, at places no longer used."""

SETTINGS = "stammtisch.toml"


def furnish(shelf: Shelf, name: str) -> None:
    """Put the files of a release in place, each completely or not at all; remove those that it lacks."""
    deploy = shelf.path(name) / "deploy"
    for file, folder in PLACES.items():
        place = shelf.root / folder / file
        if (deploy / file).exists():
            put(deploy / file, place)
        else:
            place.unlink(missing_ok=True)
    command = shelf.root / "usr" / "local" / "bin" / "stammtisch"
    if not os.path.lexists(command):
        command.parent.mkdir(parents=True, exist_ok=True)
        command.symlink_to("/opt/stammtisch/current/bin/stammtisch")
    for left in LEFT_BEHIND:
        (shelf.root / left).unlink(missing_ok=True)


def put(file: Path, place: Path) -> None:
    """Copy a file so that readers find the old or the new one, never half of one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    replace_whole(place, file.read_bytes(), 0o644)


def settle_in(shelf: Shelf, name: str) -> tuple[str, ...]:
    """Give a table its own folder with initial settings, without ever overwriting anything.

    Return sentences on what was done.
    """
    state = shelf.root / "var" / "lib" / "stammtisch"
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    done: list[str] = []
    tables = state / "tables"
    if not tables.exists():
        shutil.copytree(shelf.path(name) / "tables", tables)
    old = shelf.root / "etc" / "stammtisch"
    if not (state / SETTINGS).exists():
        if (old / SETTINGS).exists():  # from before 0.3: copy everything that its paths may name
            for each in sorted(old.iterdir()):
                if not (state / each.name).exists():
                    (shutil.copytree if each.is_dir() else shutil.copy2)(each, state / each.name)
            done.append(f"settings: taken over from {old} into {state}; the old ones are no longer read")
        else:
            shutil.copyfile(shelf.path(name) / "deploy" / SETTINGS, state / SETTINGS)
            done.append(f"settings: {state / SETTINGS}, or on the page")
    return tuple(done)
