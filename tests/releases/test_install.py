"""`stammtisch release install` into an image's file system: real environment, hashes and links."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from table.cli import main
from table.releases.build import name_of
from table.releases.furnish import PLACES
from table.releases.shelf import Shelf

HOUSE = Path(__file__).parents[2]

BACKEND = """
import zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    info = "stammtisch-9.9.dist-info/"
    with zipfile.ZipFile(f"{folder}/stammtisch-9.9-py3-none-any.whl", "w") as wheel:
        for name in ("table", "table/cli", "table/web", "vision", "vision/mat", "vision/box"):
            wheel.writestr(f"{name}/__init__.py", "")
        for name in ("table/cli/run", "table/web/page", "table/runtime", "vision/mat/pipeline",
                     "vision/box/pipeline"):
            wheel.writestr(f"{name}.py", "import tiny")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: stammtisch\\nVersion: 9.9\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return "stammtisch-9.9-py3-none-any.whl"
"""
"""Builds the smallest possible program: the tests are about what surrounds it."""


def wheel(folder: Path) -> str:
    """Make a package named tiny; return its hash as in a lock."""
    folder.mkdir()
    file = folder / "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("tiny.py", "")
        packed.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        packed.writestr(
            "tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr("tiny-1.0.dist-info/RECORD", "")
    return f"sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}"


def checkout(folder: Path, lock: str) -> Path:
    """The sources of a release: this project's own deployment files, and a tiny program."""
    (folder / "hardware").mkdir(parents=True)
    shutil.copytree(HOUSE / "hardware" / "deploy", folder / "hardware" / "deploy")
    shutil.copytree(HOUSE / "hardware" / "tables", folder / "hardware" / "tables")
    (folder / "hardware" / "deploy" / "table.lock").write_text(lock)
    (folder / "hardware" / "deploy" / "stammtisch-users.conf").unlink()  # make no users on this computer
    (folder / "backend.py").write_text(BACKEND)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "stammtisch"\nversion = "9.9"\n'
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    return folder


class Image:
    """The file system of a table that does not run yet, and what is installed in it."""

    def __init__(self, folder: Path, spoilt: bool = False) -> None:
        digest = wheel(folder / "wheels")
        self.root = folder / "root"
        self.state = self.root / "var" / "lib" / "stammtisch"
        self.base = self.root / "opt" / "stammtisch"
        lock = f"tiny==1.0 --hash={digest if not spoilt else 'sha256:' + 64 * '0'}\n"
        self.source = checkout(folder / "source", lock)
        self._wheels = folder / "wheels"

    def install(self, *more: str) -> int:
        words = ["--root", str(self.root), "--wheels", str(self._wheels), *more]
        return main(["release", "install", str(self.source), *words])


def test_a_release_is_installed_whole_and_never_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = Image(tmp_path)
    assert image.install() == 0
    name = name_of(image.source)
    current = image.base / "current"
    assert current.resolve() == (image.base / "proven").resolve() == image.base / "releases" / name
    subprocess.run([str(current / "bin" / "python"), "-P", "-c", "import tiny, table.runtime"], check=True)
    assert (image.state / "tables" / "mat-4-A2.toml").exists()
    for file, folder in PLACES.items():
        assert (image.root / folder / file).exists() == (file != "stammtisch-users.conf")
    (image.state / "stammtisch.toml").write_text("port = 9090\n")
    assert image.install() == 0, "once more: nothing is built, no setting is touched"
    assert (image.state / "stammtisch.toml").read_text() == "port = 9090\n"
    capsys.readouterr()
    assert main(["release", "list", "--root", str(image.root)]) == 0
    assert capsys.readouterr().out == f"{name}  runs, proven\n"


@pytest.mark.skipif(shutil.which("systemctl") is None, reason="needs systemctl")
def test_an_update_leaves_the_screen_to_whom_it_was_given(tmp_path: Path) -> None:
    image = Image(tmp_path)
    units = image.root / "etc" / "systemd" / "system"
    desktop, kiosk = units / "display-manager.service", "graphical.target.wants/stammtisch-kiosk.service"
    units.mkdir(parents=True)
    desktop.symlink_to("/usr/lib/systemd/system/lightdm.service")
    for words, has_kiosk in (
        ((), True),
        ((), True),
        (("--no-screen",), False),
        ((), False),
        (("--screen",), True),
        (("--no-screen",), False),
    ):
        assert image.install(*words) == 0
        assert os.path.lexists(units / kiosk) == has_kiosk
        assert desktop.is_symlink() != has_kiosk
    assert os.readlink(desktop) == "/usr/lib/systemd/system/lightdm.service"


def test_a_careful_root_installs_what_others_can_run(tmp_path: Path) -> None:
    image = Image(tmp_path)
    before = os.umask(0o077)
    try:
        assert image.install() == 0
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(before)
    release = (image.base / "current").resolve()
    for place in (release, *release.rglob("*"), *release.relative_to(image.root).parents):
        wanted = 0o5 if (image.root / place).is_dir() else 0o4
        assert (image.root / place).stat().st_mode & wanted == wanted or place == Path(), place
    assert image.state.stat().st_mode & 0o077 == 0, "but its journal is its own"


@pytest.mark.soak
def test_a_package_with_another_hash_is_refused_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = Image(tmp_path, spoilt=True)
    assert image.install() == 1
    assert "packages could not be installed" in capsys.readouterr().err
    assert list((image.base / "releases").iterdir()) == []


def test_the_same_contents_have_the_same_name_wherever_they_lie(tmp_path: Path) -> None:
    one, other = checkout(tmp_path / "one", "a"), checkout(tmp_path / "other", "a")
    assert name_of(one) == name_of(other)
    (other / "hardware" / "deploy" / "table.lock").write_text("b")
    assert name_of(one) != name_of(other)


def test_what_is_no_checkout_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", "install", str(tmp_path), "--root", str(tmp_path)]) == 1
    assert "not a checkout of stammtisch" in capsys.readouterr().err


def test_settings_of_an_older_installation_come_along(tmp_path: Path) -> None:
    from table.releases.furnish import settle_in

    old = tmp_path / "etc" / "stammtisch"
    (old / "my.deck").mkdir(parents=True)
    (old / "stammtisch.toml").write_text('deck = "my.deck"\n')
    shelf = Shelf(tmp_path)
    shutil.copytree(HOUSE / "hardware" / "tables", shelf.path("a") / "tables")
    (words,) = settle_in(shelf, "a")
    assert "taken over" in words
    assert (tmp_path / "var/lib/stammtisch/my.deck").is_dir()
    assert settle_in(shelf, "a") == ()


def test_the_installer_needs_nothing_but_the_system_s_python() -> None:
    """It runs before anything is installed; `-S` leaves out all site packages."""
    said = "import sys, table.cli.release; print({'numpy', 'cv2', 'msgspec'} & sys.modules.keys())"
    done = subprocess.run(
        [sys.executable, "-S", "-c", said], capture_output=True, text=True, check=True, cwd=HOUSE
    )
    assert done.stdout == "set()\n"
