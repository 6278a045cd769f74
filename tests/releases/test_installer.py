"""The real `install.sh` with stand-ins for what it calls: what it passes on, what it asks of Debian."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

INSTALLER = Path(__file__).parents[2] / "hardware" / "deploy" / "install.sh"

STAND_INS = {
    "id": "echo 0",
    "dpkg": "exit 0",
    "apt-get": "exit 0",
    "apt-cache": "exit 1",
    "systemctl": "exit 1",
    "python3": 'pwd; for word; do echo "$word"; done',
}
"""A computer with root and all packages; its Python only prints how it was called."""


@pytest.fixture
def path(tmp_path: Path) -> str:
    for name, does in STAND_INS.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    return f"{tmp_path}:{os.environ['PATH']}"


def handed_on(path: str, folder: Path, *words: str) -> list[str]:
    done = subprocess.run(
        ["sh", str(INSTALLER), *words],
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    where, *called = done.stdout.splitlines()
    assert where == "/", "nothing of the folder from which it was called is in the way"
    source = str(INSTALLER.parents[2])
    at = called.index("install")
    assert called[at - 2 : at + 2] == [source, "release", "install", source]
    return called[at + 2 :]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ((), []),
        (("--wheels", "my wheels"), ["--wheels", "{here}/my wheels"]),
        (("--now", "--wheels=wheels"), ["--now", "--wheels={here}/wheels"]),
        (("--wheels", "/wheels", "--no-screen"), ["--wheels", "/wheels", "--no-screen"]),
    ],
)
def test_a_folder_of_packages_is_meant_from_where_the_installer_was_called(
    path: str, tmp_path: Path, said: tuple[str, ...], meant: list[str]
) -> None:
    assert handed_on(path, tmp_path, *said) == [word.format(here=tmp_path) for word in meant]
