"""Builds a release: its own environment, with every package checked by its hash, and the program itself."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from table.errors import StammtischError
from table.releases.shelf import WHOLE, Shelf, sync

PARTS = (
    "pyproject.toml",
    "LICENSE",
    "README.md",
    "table",
    "vision",
    "firmware_bridge",
    "hardware/deploy",
    "hardware/tables",
)
"""The parts of a checkout that make up a release."""

PROOF = "import table.cli.run, table.web.page, table.runtime, vision.mat.pipeline, vision.box.pipeline"
"""Imports that a release must manage before it may be switched to."""


def name_of(source: Path) -> str:
    """The name of a release: version and fingerprint of the checkout's contents.

    Raises:
        StammtischError: this is not a checkout of the project.
    """
    try:
        version = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    except (OSError, ValueError, KeyError):
        raise StammtischError(
            f"{source}: this is not a checkout of stammtisch; unpack a release first"
        ) from None
    digest = hashlib.sha256()
    for file in _files(source):
        digest.update(f"{file.relative_to(source)}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return f"{version}-{digest.hexdigest()[:8]}"


def build(shelf: Shelf, source: Path, pip: Sequence[str] = ()) -> str:
    """Build the release of a checkout beside the others, completely or not at all; return its name.

    `pip` are further options of `pip install`, such as `--no-index --find-links DIR` without a network.

    Raises:
        StammtischError: the release could not be built; nothing has changed.
    """
    name = name_of(source)
    place = shelf.path(name)
    if (place / WHOLE).exists():
        return name
    shutil.rmtree(place, ignore_errors=True)
    deploy = source / "hardware" / "deploy"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        _do(f"{place}: no virtual environment could be created", [sys.executable, "-m", "venv", str(place)])
        inside = [str(place / "bin" / "python"), "-m", "pip", "install", "-q", "--no-input", *pip]
        said = "packages could not be installed; check network and disk, then try again"
        _do(said, [*inside, "--require-hashes", "-r", str(deploy / "table.lock")])
        _do(said, [*inside, "--no-deps", "--no-build-isolation", str(source)])
        shutil.copytree(deploy, place / "deploy")
        shutil.copytree(source / "hardware" / "tables", place / "tables", ignore=_all_but_tables)
        _do("this release does not even start", [str(place / "bin" / "python"), "-P", "-c", PROOF])
        os.sync()  # everything must be on disk before the release counts as complete
        (place / WHOLE).write_text(f"{name}\n", encoding="utf-8")
        sync(place)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    return name


def _files(source: Path) -> Iterator[Path]:
    for part in PARTS:
        whole = source / part
        files = [whole] if whole.is_file() else sorted(whole.rglob("*"))
        yield from (each for each in files if each.is_file() and "__pycache__" not in each.parts)


def _all_but_tables(_folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith(".toml")]


def _do(wrong: str, command: Sequence[str]) -> None:
    """Run a command; an error quotes the last lines of its output."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        last = " / ".join(done.stdout.strip().splitlines()[-3:])
        raise StammtischError(f"{wrong} ({last or f'status {done.returncode}'})")
