"""What a change of release needs of the machine: the service, the page's report on its state, the journal."""

from __future__ import annotations

import http.client
import json
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from table.errors import StammtischError
from table.releases.shelf import Shelf

USER = "stammtisch"
SERVICE = "stammtisch.service"
UPDATES = "stammtisch-update.timer"
UNITS = (SERVICE, UPDATES)
"""Units that start with the computer."""

HERE = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::", "localhost")
"""Values of `listen` with which the page also answers at `HERE`."""

ANSWER_S = 5.0
"""How long the page may take to report its state; a later answer does not count."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """What `/api/health` reports: who answers, whether people play, the state of each part."""

    process: int
    release: str | None
    playing: bool
    newest: tuple[int, int]
    parts: Mapping[str, str] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """The answer as a dict that JSON can store."""
        return asdict(self)

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> TableAnswer:
        """Read an answer from a dict; raise KeyError, TypeError or ValueError if it is none."""
        game, line = said["newest"]
        parts = {str(part): str(what) for part, what in said["parts"].items()}
        return cls(
            int(said["process"]), said["release"], bool(said["playing"]), (int(game), int(line)), parts
        )


class Machine:
    """This computer, or the file system of another under `shelf.root`, where no service can be started."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.state = shelf.root / "var" / "lib" / "stammtisch"
        """The table's own folder: settings, journal, decks."""

    # --- the service ---------------------------------------------------------------------------------

    def runs(self) -> bool:
        """Whether this is a running computer with systemd (sd_booted(3)), not an image of one."""
        return self.shelf.root == Path("/") and Path("/run/systemd/system").is_dir()

    def is_active(self) -> bool:
        """Whether the table's service is active."""
        return self.runs() and self._systemctl("is-active", "--quiet", SERVICE, quiet=True)

    def stop(self) -> None:
        """Stop the table."""
        if self.runs():
            self._systemctl("stop", SERVICE)

    def start(self) -> None:
        """Start the table, however often starts failed before; `answer` reports how it is.

        Failed starts were another release's: they must not make this a safe start (`table/cli/safe_mode`).
        """
        journal = self._journal()
        journal.with_name(f"{journal.name}.starts").unlink(missing_ok=True)
        if self.runs():
            self._systemctl("reset-failed", SERVICE, quiet=True)
            self._systemctl("--no-block", "start", SERVICE)

    def furnish(self, name: str) -> None:
        """Install the units and rules of a release, and enable its units."""
        from table.releases.furnish import furnish

        furnish(self.shelf, name)
        if self.runs():
            self._systemctl("daemon-reload")
        for unit in UNITS:
            self.turn(unit)
        if self.runs():
            self._systemctl("try-restart", "systemd-journald.service", quiet=True)
            self._systemctl("--no-block", "start", UPDATES, quiet=True)
            for words in (("control", "--reload"), ("trigger", "--subsystem-match=tty")):
                self._call("udevadm", *words, quiet=True)

    def turn(self, unit: str, on: bool = True) -> None:
        """Enable a unit, so that it starts with the computer, or disable it."""
        self._systemctl(*self._in_root(), "enable" if on else "disable", unit, quiet=True)

    def boot_to_screen(self) -> None:
        """Make the computer boot into a graphical session."""
        self._systemctl(*self._in_root(), "set-default", "graphical.target", quiet=True)

    def _in_root(self) -> tuple[str, ...]:
        return () if self.shelf.root == Path("/") else (f"--root={self.shelf.root}",)

    def _systemctl(self, *words: str, quiet: bool = False) -> bool:
        return self._call("systemctl", *words, quiet=quiet)

    def _call(self, *command: str, quiet: bool = False) -> bool:
        """Run a command; return whether it succeeded. Unless `quiet`, raise StammtischError if it failed."""
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
            status, said = done.returncode, done.stdout.strip()
        except OSError as wrong:
            status, said = 1, str(wrong.strerror)
        if status and not quiet:
            raise StammtischError(f"{' '.join(command)}: {said or f'status {status}'}")
        return status == 0

    # --- how the table is ----------------------------------------------------------------------------

    def answer(self) -> TableAnswer | None:
        """The table's report on itself; None if nobody answers."""
        listen = str(self._setting("listen", HERE))
        # If its address is not available, the table listens at `HERE` (`table/cli/safe_mode.py`).
        hosts = (HERE,) if listen in EVERYWHERE else (listen, HERE)
        return next((found for host in hosts if (found := self._answer_at(host)) is not None), None)

    def _answer_at(self, host: str) -> TableAnswer | None:
        line = http.client.HTTPConnection(host, int(self._setting("port", 8080)), timeout=ANSWER_S)
        try:
            line.request("GET", "/api/health")
            answer = line.getresponse()
            said = json.loads(answer.read())
            return TableAnswer.read(said) if answer.status == 200 else None
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
            return None
        finally:
            line.close()

    @property
    def page(self) -> str:
        """Address at which a browser on this computer finds the page."""
        host = str(self._setting("listen", HERE))
        if host in (HERE, "::1", *EVERYWHERE) or not _own(host):
            host = "localhost"
        return f"http://{f'[{host}]' if ':' in host else host}:{int(self._setting('port', 8080))}/"

    def now(self) -> float:
        """Seconds on a monotonic clock."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    # --- the journal ---------------------------------------------------------------------------------

    def copy_journal(self, name: str) -> Path | None:
        """Have a release copy the journal; return the copy, or None if there is no journal yet.

        Raises:
            StammtischError: the copy could not be made.
        """
        journal = self._journal()
        if not journal.exists():
            return None
        copy = self.state / f"{journal.name}.before-update"
        copy.unlink(missing_ok=True)
        self._as_table(name, "backup", str(copy), "--journal", str(journal))
        return copy

    def restore_journal(self, name: str, copy: Path) -> None:
        """Put the copy in the journal's place; the replaced journal is kept beside it.

        Raises:
            StammtischError: the journal could not be restored.
        """
        self._as_table(name, "restore", str(copy), "--journal", str(self._journal()))

    def outgrown(self, copy: Path) -> bool:
        """Whether the journal has a newer form than its copy, so that the copy's writer cannot read it."""
        now, before = _form(self._journal()), _form(copy)
        return now is not None and before is not None and now > before

    def _journal(self) -> Path:
        return self.state / str(self._setting("journal", "evening.sqlite"))

    def _setting(self, key: str, otherwise: Any) -> Any:
        try:
            return tomllib.loads((self.state / "stammtisch.toml").read_text("utf-8")).get(key, otherwise)
        except (OSError, ValueError):
            return otherwise

    def _as_table(self, name: str, *words: str) -> None:
        """Run a release's program as the user who owns the journal."""
        command: Sequence[str] = [str(self.shelf.path(name) / "bin" / "stammtisch"), *words]
        user = USER if os.geteuid() == 0 and _known(USER) and self.shelf.root == Path("/") else None
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd=self.state,
        )
        if done.returncode:
            raise StammtischError(done.stdout.strip() or f"{words[0]}: status {done.returncode}")


def _known(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _own(host: str) -> bool:
    """Whether this computer now has this address; otherwise the table listens at `HERE`."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
            tried.bind((host, 0))
    except OSError:
        return False
    return True


def _form(journal: Path) -> int | None:
    """The form of a journal (SQLite's `user_version`); None if it cannot be read."""
    try:
        with closing(sqlite3.connect(f"{journal.absolute().as_uri()}?mode=ro", uri=True)) as base:
            return int(base.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return None


def room_for(folder: Path, needed_mb: int) -> None:
    """Raise StammtischError if the disk has less room than needed."""
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free // 2**20
    if free_mb < needed_mb:
        raise StammtischError(
            f"{folder}: only {free_mb} MB are free and a release needs {needed_mb}; make room first"
        )
