"""A Debian of its own in a folder, with its own systemd: namespaces, no virtual machine. Needs root.

debootstrap fills the folder once; `boot` starts its systemd as process 1 of a namespace, `call` runs a
command in it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

SUITE = "bookworm"
PACKAGES = "ca-certificates,python3-venv,udev,systemd,systemd-sysv,dbus"
TOOLS = ("debootstrap", "unshare", "nsenter", "chroot")

BOOT = """
set -e
R=$1
mount --make-rprivate /
mount --bind $R $R
mount -t proc proc $R/proc
for part in run tmp; do mount -t tmpfs tmpfs $R/$part; done
mount -t sysfs -o ro sysfs $R/sys
mount --rbind /sys/fs/cgroup $R/sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs $R/dev
for node in null zero full random urandom tty; do
  mknod -m 666 $R/dev/$node c $(stat -c '%Hr %Lr' /dev/$node)
done
mkdir $R/dev/pts $R/dev/shm
mount -t devpts devpts -o newinstance,ptmxmode=0666 $R/dev/pts
ln -s pts/ptmx $R/dev/ptmx; ln -s /proc/self/fd $R/dev/fd; touch $R/dev/console
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
exec env -i container=unshare PATH=$PATH chroot $R /lib/systemd/systemd --show-status=0
"""


def why_not() -> str | None:
    """What is missing for it; None where nothing is."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {', '.join(missing)}" if missing else None


class Debian:
    """One such computer."""

    def __init__(self, root: Path, mirror: str = "") -> None:
        self.root = root
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(root)]
        subprocess.run([*command, mirror] if mirror else command, check=True, stdout=subprocess.DEVNULL)
        self._shell: subprocess.Popen[bytes] | None = None
        self._first = 0

    def boot(self) -> None:
        """Start its systemd and wait until that runs."""
        self._shell = subprocess.Popen(
            ["unshare", "-m", "-p", "-u", "-i", "-f", "bash", "-c", BOOT, "boot", str(self.root)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        children = Path(f"/proc/{self._shell.pid}/task/{self._shell.pid}/children")
        for _ in range(100):
            time.sleep(0.2)
            self._first = int((children.read_text() or "0").split()[0])
            if self._first and self.call("systemctl", "is-system-running", patient=False) in (
                "running",
                "degraded",
            ):
                return
        raise AssertionError("its systemd does not come up")

    def pull_the_plug(self) -> None:
        """End all of it at once."""
        if self._first:
            os.kill(self._first, signal.SIGKILL)  # all others of the namespace die with the first
        if self._shell is not None:
            self._shell.wait(30)
        self._shell, self._first = None, 0
        for folder in sorted(Path("/sys/fs/cgroup").rglob("*"), reverse=True):  # empty groups it left behind
            if folder.name.endswith((".mount", ".slice", ".service", ".scope", ".timer", ".socket")):
                with suppress(OSError):
                    folder.rmdir()

    def call(self, *command: str, patient: bool = True, timeout_s: float = 600) -> str:
        """What a command says; with `patient` it must end well."""
        inside = ["nsenter", "-t", str(self._first), "-m", "-p", "-u", "-i", "--", "chroot", str(self.root)]
        inside += [
            "env",
            "-i",
            "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME=/root",
            "LANG=C.UTF-8",
        ]
        done = subprocess.run(
            [*inside, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=timeout_s,
        )
        assert done.returncode == 0 or not patient, (command, done.stdout)
        return done.stdout.strip()

    def asks(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """What its page answers."""
        said = (
            "import json,sys,urllib.request as u; b=sys.argv[2].encode() or None;"
            "r=u.Request('http://127.0.0.1:8080'+sys.argv[1],b,{'content-type':'application/json'});"
            "print(u.urlopen(r,timeout=30).read().decode())"
        )
        answer = self.call("python3", "-c", said, path, "" if body is None else json.dumps(body))
        return dict(json.loads(answer))

    def runs_release(self) -> str:
        """The release whose page answers."""
        return str(self.asks("/api/health")["release"])


def wheels(house: Path, folder: Path, python: Sequence[str]) -> None:
    """The packages of the lock, each by its hash, as the registry's client fetches them."""
    lock = str(house / "hardware" / "deploy" / "table.lock")
    subprocess.run(
        [
            *python,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--require-hashes",
            "-r",
            lock,
            "-d",
            str(folder),
        ],
        check=True,
    )
