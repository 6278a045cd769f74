"""Starts a real broker and a real database on this machine, for `stammtisch hub demo` and tests.

Each keeps its files in one folder. The broker listens on loopback only, the database on a Unix socket. Since
PostgreSQL refuses to run as root, `runuser` then starts it as another user.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from table.errors import StammtischError

_PATIENCE_S = 30.0
_ASK_AGAIN_S = 2.0
"""Time after which a program that has not ended gets the signal again: one just started may miss it."""


class EngineError(StammtischError):
    """An engine is not installed, or does not start."""


def free_port() -> int:
    """A loopback port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def found(program: str) -> str:
    """The path of a program; Debian keeps servers outside a user's PATH.

    Raises:
        EngineError: the program is not installed; the text names the package.
    """
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name))
    path = os.pathsep.join([*(str(place) for place in reversed(versions)), os.environ["PATH"], "/usr/sbin"])
    where = shutil.which(program, path=path)
    if where is None:
        package = "mosquitto" if program == "mosquitto" else "postgresql"
        raise EngineError(f"{program} is not installed; install it with: sudo apt install {package}")
    return where


class Mosquitto:
    """A broker in a folder. `listener` is the part of its configuration below the listener's line."""

    def __init__(self, folder: Path, listener: str = "allow_anonymous true", port: int | None = None) -> None:
        self.program = found("mosquitto")
        self.port = port or free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        self._file.write_text(
            ("user root\n" if os.getuid() == 0 else "")
            + f"persistence true\npersistence_location {folder}/\nautosave_interval 60\n"
            "max_queued_messages 100000\nmax_inflight_messages 500\nset_tcp_nodelay true\n"
            f"listener {self.port} 127.0.0.1\n{listener}\n",
            encoding="utf-8",
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Mosquitto:
        """Start the broker and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self.program, "-c", str(self._file)],
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C must not reach it: its clients have to end first
            )
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    said = self._log.read_text("utf-8", "replace").strip().splitlines()[-1:]
                    raise EngineError(f"mosquitto does not start: {''.join(said)}; see {self._log}") from None
                time.sleep(0.02)

    @property
    def pid(self) -> int:
        """Its process id; 0 while it is not running."""
        return self._process.pid if self._process is not None else 0

    def stop(self, kill: bool = False) -> None:
        """End the broker; `kill`: as a power cut would, so that it loses what it had not yet written."""
        if self._process is None:
            return
        deadline = time.monotonic() + _PATIENCE_S
        while self._process is not None:
            late = time.monotonic() > deadline  # a broker that hangs must not be left running
            self._process.send_signal(signal.SIGKILL if kill or late else signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_ASK_AGAIN_S)
                self._process = None


class Postgres:
    """A database cluster in a folder, on a Unix socket only.

    `lasting`: it survives a power cut; otherwise it starts faster, for data that is thrown away afterwards.
    """

    def __init__(self, folder: Path, lasting: bool = True) -> None:
        self._lasting = lasting
        self._programs = {name: found(name) for name in ("initdb", "pg_ctl", "postgres")}
        self._folder = folder
        self._data = folder / "data"
        folder.mkdir(parents=True, exist_ok=True)
        self._as: list[str] = []
        if os.getuid() == 0:
            self._as = ["runuser", "-u", "postgres", "--"]
            shutil.chown(folder, "postgres")
        self.dsn = f"host={folder} user=stammtisch dbname=postgres"

    def start(self) -> Postgres:
        """Make the cluster if there is none, start it and wait until it answers."""
        if not self._data.exists():
            self._do(
                "initdb",
                "-D",
                str(self._data),
                "-U",
                "stammtisch",
                "-A",
                "trust",
                "-E",
                "UTF8",
                *([] if self._lasting else ["-N"]),
            )
        options = f"-k {self._folder} -c listen_addresses='' -c max_connections=40"
        options += "" if self._lasting else " -c fsync=off"
        self._do(
            "pg_ctl", "-D", str(self._data), "-l", str(self._folder / "log"), "-w", "-o", options, "start"
        )
        return self

    @property
    def pid(self) -> int:
        """The id of its first process; 0 while it is not running."""
        try:
            return int((self._data / "postmaster.pid").read_text("utf-8").split()[0])
        except FileNotFoundError:
            return 0

    def stop(self, kill: bool = False) -> None:
        """End the database; `kill`: at once, so that the next start has to recover."""
        if (self._data / "postmaster.pid").exists():
            self._do("pg_ctl", "-D", str(self._data), "-m", "immediate" if kill else "fast", "-w", "stop")

    def _do(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [*self._as, self._programs[program], *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            start_new_session=True,  # Ctrl-C in the middle would leave half a database
            timeout=_PATIENCE_S * 2,
            check=False,
        )
        if done.returncode:
            raise EngineError(
                f"{program}: {done.stderr.decode().strip() or 'failed'}; see {self._folder}/log"
            )
