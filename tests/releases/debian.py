"""A Debian in a folder with its own systemd: namespaces, no virtual machine. Needs root.

debootstrap fills the folder once; `boot` starts its systemd as process 1 of a namespace, `call` runs a
command in it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from packaging.markers import Marker

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
"""The Debians that a table runs on, and their Pythons."""
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
    """What is missing to run this here; None if nothing is."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {', '.join(missing)}" if missing else None


class Debian:
    """One computer with such a Debian."""

    def __init__(self, root: Path, suite: str) -> None:
        self.root = root
        debootstrap(root, suite)
        self._shell: subprocess.Popen[bytes] | None = None
        self._first = 0

    def boot(self) -> None:
        """Start systemd and wait until it is running."""
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
            self._first = int((children.read_text(encoding="utf-8") or "0").split()[0])
            if self._first and self.call("systemctl", "is-system-running", patient=False) in (
                "running",
                "degraded",
            ):
                return
        raise AssertionError("its systemd does not come up")

    def pull_the_plug(self) -> None:
        """Kill everything at once."""
        if self._first:
            os.kill(self._first, signal.SIGKILL)  # takes every process of the namespace with it
        if self._shell is not None:
            self._shell.wait(30)
        self._shell, self._first = None, 0
        for folder in sorted(Path("/sys/fs/cgroup").rglob("*"), reverse=True):  # empty groups that it left
            if folder.name.endswith((".mount", ".slice", ".service", ".scope", ".timer", ".socket")):
                with suppress(OSError):
                    folder.rmdir()

    def call(self, *command: str, patient: bool = True, timeout_s: float = 600) -> str:
        """Run a command and return its output; with `patient` it must succeed."""
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
        """The page's answer to a request."""
        said = (
            "import json,sys,urllib.request as u; b=sys.argv[2].encode() or None;"
            "r=u.Request('http://127.0.0.1:8080'+sys.argv[1],b,{'content-type':'application/json'});"
            "print(u.urlopen(r,timeout=30).read().decode())"
        )
        answer = self.call("python3", "-c", said, path, "" if body is None else json.dumps(body))
        return dict(json.loads(answer))

    def runs_release(self) -> str:
        """The release that the page reports."""
        return str(self.asks("/api/health")["release"])


def debootstrap(root: Path, suite: str, *options: str) -> None:
    """Fill a folder with a small Debian."""
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", *options, suite, str(root)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def wheels(house: Path, folder: Path, python: str, machine: str) -> None:
    """Fetch the lock's packages for a Python (3.13) and a machine (aarch64), by hash, from the registry."""
    glibcs = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
    platforms = [word for glibc in glibcs for word in ("--platform", f"{glibc}_{machine}")]
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version", python, *platforms]
    folder.mkdir()
    wanted = folder / "wanted.lock"
    wanted.write_text(_wanted((house / "hardware" / "deploy" / "table.lock").read_text(), python, machine))
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", *options, "-r", str(wanted), "-d", str(folder)],
        check=True,
    )


def _wanted(lock: str, python: str, machine: str) -> str:
    """Lines of the lock that apply to that machine: pip evaluates markers for the Python it runs on."""
    there = {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}
    kept: list[str] = []
    for package in re.split(r"(?m)^(?=[^\s#])", lock):
        _, _, marker = package.partition("\n")[0].rstrip("\\ ").partition(" ; ")
        if not marker or Marker(marker).evaluate(there):
            kept.append(package.replace(f" ; {marker}", "", 1))
    return "".join(kept)


def checkout(house: Path, source: Path, version: str, **spoilt: tuple[str, str]) -> None:
    """Copy the project from `house`, give it another version and, where wanted, a fault."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=house, capture_output=True, check=True
    )
    for name in listed.stdout.decode().splitlines():
        if (house / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(house / name, source / name)
    project = source / "pyproject.toml"
    project.write_text(re.sub(r"^version = .*$", f'version = "{version}"', project.read_text(), flags=re.M))
    for module, (good, bad) in spoilt.items():
        file = source / f"{module.replace('__', '/')}.py"
        assert good in file.read_text()
        file.write_text(file.read_text().replace(good, bad, 1))
