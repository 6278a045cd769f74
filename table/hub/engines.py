"""Starts a real broker and a real database on this machine, for `stammtisch hub demo` and tests.

Both keep their files in one folder and listen on loopback only. PostgreSQL refuses to run as root;
`runuser` starts it as another user where we are root.
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
"""Time after which a program that has not ended is asked again: one just started may miss the signal."""


class EngineError(StammtischError):
    """An engine is not installed, or does not start."""


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def found(program: str) -> str:
    """Where a program is; Debian keeps servers outside a user's path.

    Raises:
        EngineError: it is not installed; the text names the package.
    """
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name))
    path = os.pathsep.join([*(str(place) for place in reversed(versions)), os.environ["PATH"], "/usr/sbin"])
    where = shutil.which(program, path=path)
    if where is None:
        package = "mosquitto" if program == "mosquitto" else "postgresql"
        raise EngineError(f"{program} is not installed; install it with: sudo apt install {package}")
    return where


class Mosquitto:
    """A broker in a folder. `settings` are further lines of its configuration, before the listener's."""

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
        """Start, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self.program, "-c", str(self._file)],
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C ends it last, when those that talk to it have ended
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
        """Its process; 0 while it is not running."""
        return self._process.pid if self._process is not None else 0

    def stop(self, kill: bool = False) -> None:
        """End it; `kill`: as a power cut would, so that it forgets what it had not written."""
        if self._process is None:
            return
        deadline = time.monotonic() + _PATIENCE_S
        while self._process is not None:
            late = time.monotonic() > deadline  # it hangs, and must not be left running
            self._process.send_signal(signal.SIGKILL if kill or late else signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_ASK_AGAIN_S)
                self._process = None


class Postgres:
    """A database cluster in a folder, on a Unix socket only.

    `lasting`: it survives a power cut; without it starts are quick, for what is thrown away afterwards.
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
        """Make the cluster where there is none, start it and wait until it answers."""
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
        """Its first process; 0 while it is not running."""
        try:
            return int((self._data / "postmaster.pid").read_text("utf-8").split()[0])
        except FileNotFoundError:
            return 0

    def stop(self, kill: bool = False) -> None:
        """End it; `kill`: at once, so that the next start has to mend."""
        if (self._data / "postmaster.pid").exists():
            self._do("pg_ctl", "-D", str(self._data), "-m", "immediate" if kill else "fast", "-w", "stop")

    def _do(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [*self._as, self._programs[program], *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            start_new_session=True,  # Ctrl-C in the midst of it would leave half a database
            timeout=_PATIENCE_S * 2,
            check=False,
        )
        if done.returncode:
            raise EngineError(
                f"{program}: {done.stderr.decode().strip() or 'failed'}; see {self._folder}/log"
            )
