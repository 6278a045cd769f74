"""`stammtisch release`: install a release beside the others, change to it in a pause, roll back."""

from __future__ import annotations

import argparse
import os
import pwd
import subprocess
from pathlib import Path

from table.cli.actions import add_action
from table.errors import UsageError
from table.releases.build import build, name_of
from table.releases.changeover import Changeover
from table.releases.furnish import settle_in
from table.releases.machine import USER, Machine, room_for
from table.releases.shelf import Shelf

NEEDS_MB = 900
"""Disk space needed: a release takes about 500 MB, and pip unpacks beside it while installing."""

KIOSK = "stammtisch-kiosk.service"


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    install = add_action(
        actions, "install", "build a checkout beside the installed releases, then change to it"
    )
    install.add_argument("source", type=Path, metavar="FOLDER", help="a checkout, or a release unpacked")
    install.add_argument(
        "--wheels", type=Path, metavar="DIR", help="take packages from this folder, none from the network"
    )
    screen = install.add_mutually_exclusive_group()
    screen.add_argument(
        "--screen",
        action="store_true",
        default=None,
        help="show the scoreboard on this computer's own screen (an update leaves that as it is)",
    )
    screen.add_argument(
        "--no-screen",
        dest="screen",
        action="store_false",
        help="show no scoreboard there; the desktop stays, or comes back",
    )
    use = add_action(actions, "use", "change to an installed release, for example the one before")
    use.add_argument("name", metavar="NAME")
    for each in (install, use):
        each.add_argument("--now", action="store_true", help="change even while a game is being played")
    listed = add_action(actions, "list", "list what is installed, and what became of it")
    settle = add_action(
        actions, "settle", "judge the release on trial, or change to one that waits for a pause"
    )
    page = add_action(actions, "page", "write down where this computer's screen finds the page")
    page.add_argument("file", type=Path, metavar="FILE", help="read by stammtisch-kiosk.service")
    for each in (install, use, listed, settle, page):
        each.add_argument(
            "--root",
            type=Path,
            default=Path("/"),
            metavar="DIR",
            help="root of the file system, for an image (default: /)",
        )


def run(options: argparse.Namespace) -> int:
    """Run the subcommand; return 1 if a release had to be rolled back."""
    shelf = Shelf(options.root)
    if options.action == "list":
        return _list(shelf)
    if options.action == "page":
        options.file.write_text(f"PAGE={Machine(shelf).page}?kiosk\n", encoding="utf-8")
        return 0
    if options.root == Path("/") and os.geteuid() != 0:
        raise UsageError("this changes the computer; run it with sudo")
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]  # the release we start must find its own modules, not ours
    before = os.umask(0o022)  # the table's user must be able to run the release, whatever root's umask is
    try:
        return _do(Machine(shelf), options)
    finally:
        os.umask(before)


def _do(machine: Machine, options: argparse.Namespace) -> int:
    shelf = machine.shelf
    with shelf.alone():
        match options.action:
            case "install":
                return _install(machine, options)
            case "use":
                shelf.pardon(options.name)
                return _change(machine, options.name, options.now)
        done = Changeover(machine, _say).settle()
        shelf.sweep()
        return 0 if done else 1


def _say(words: str) -> None:
    print(words, flush=True)


def _install(machine: Machine, options: argparse.Namespace) -> int:
    shelf = machine.shelf
    source = options.source.absolute()
    name = name_of(source)
    if name not in shelf.names():
        room_for(shelf.base, NEEDS_MB)
    _say(f"{name}: installing; this takes some minutes")
    build(
        shelf, source, () if options.wheels is None else ("--no-index", "--find-links", str(options.wheels))
    )
    shelf.pardon(name)
    _users(shelf, name)
    for words in settle_in(shelf, name):
        _say(words)
    _own(machine.state)
    if shelf.named("current") is None:
        machine.furnish(name)
        _screen(machine, options.screen is not False)
    elif options.screen is not None:
        _screen(machine, options.screen)
    if shelf.named("current") == name == shelf.named("proven"):
        _say(f"{name}: is already running")
        machine.start()
        return 0
    return _change(machine, name, options.now)


def _change(machine: Machine, name: str, now: bool) -> int:
    change = Changeover(machine, _say)
    if not now and (why := change.why_not_now()) is not None:
        machine.shelf.point("next", name)
        _say(f"{name} waits: {why}; the table changes over by itself in a pause (--now: at once)")
        return 0
    done = change.change_to(name)
    machine.shelf.sweep()
    return 0 if done else 1


def _list(shelf: Shelf) -> int:
    links = {link: shelf.named(link) for link in ("current", "proven", "next")}
    words = {"current": "runs", "proven": "proven", "next": "waits for a pause"}
    for name in shelf.names():
        told = [words[link] for link, linked in links.items() if linked == name]
        if (why := shelf.failure(name)) is not None:
            told.append(f"rolled back: {why}")
        print(f"{name}  {', '.join(told)}".rstrip())
    return 0


def _users(shelf: Shelf, name: str) -> None:
    root = () if shelf.root == Path("/") else (f"--root={shelf.root}",)
    wanted = shelf.path(name) / "deploy" / "stammtisch-users.conf"
    if wanted.exists():
        subprocess.run(["systemd-sysusers", *root, str(wanted.absolute())], check=True)


def _own(state: Path) -> None:
    """Give everything in the table's folder to the table's user, so that its page can change settings."""
    try:
        table = pwd.getpwnam(USER)
    except KeyError:
        return
    for place in (state, *state.rglob("*")):
        os.chown(place, table.pw_uid, table.pw_gid, follow_symlinks=False)


def _screen(machine: Machine, wanted: bool) -> None:
    """Have the scoreboard use this computer's screen from the next start on, or leave it alone."""
    desktop = machine.shelf.root / "etc/systemd/system/display-manager.service"
    kept = machine.shelf.base / "display-manager"
    if not wanted:
        machine.turn(KIOSK, on=False)
        if kept.is_symlink():
            if not os.path.lexists(desktop):
                desktop.symlink_to(os.readlink(kept))
                _say("screen: the desktop is back from the next start")
            kept.unlink()
        return
    if desktop.is_symlink():  # not `exists`: in an image its target is missing on this computer
        kept.unlink(missing_ok=True)
        kept.symlink_to(os.readlink(desktop))
        machine.turn("display-manager.service", on=False)
        desktop.unlink(missing_ok=True)
        _say("screen: the desktop is off, the scoreboard has the screen (--no-screen gives it back)")
    machine.turn(KIOSK)
    machine.boot_to_screen()
