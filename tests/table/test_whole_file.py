"""A file is replaced whole or stays as it was, whatever happens to disk and power."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from table.whole_file import replace_whole, replacing


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text("old")
    return path


def test_a_file_is_on_the_disk_before_it_takes_the_others_place(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def forced(number: int) -> None:
        done.append(f"force {Path(os.readlink(f'/proc/self/fd/{number}')).name}")
        sync(number)

    def moved(new: Path, path: Any) -> Path:
        done.append(f"move {new.name}")
        return replace(new, path)

    monkeypatch.setattr(os, "fsync", forced)
    monkeypatch.setattr(Path, "replace", moved)
    replace_whole(file, b"new")
    assert done == ["force .house.toml.new", "move .house.toml.new", f"force {file.parent.name}"]
    assert file.read_text(encoding="utf-8") == "new"


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_beside_it(file: Path) -> None:
    def write() -> None:
        with replacing(file) as new:
            new.write_text("half of it")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    assert file.read_text(encoding="utf-8") == "old"
    assert [*file.parent.iterdir()] == [file]


def test_a_file_keeps_the_rights_of_the_one_before_and_a_secret_one_its_own(file: Path) -> None:
    def rights(path: Path) -> int:
        return path.stat().st_mode & 0o777

    file.chmod(0o640)
    (file.parent / ".house.toml.new").write_text("of a power cut")
    replace_whole(file, b"new")
    assert (rights(file), file.read_text(encoding="utf-8")) == (0o640, "new")
    replace_whole(file, b"secret", 0o600)
    assert rights(file) == 0o600


def test_a_link_stays_a_link_and_a_device_a_device(file: Path) -> None:
    link, pipe = file.with_name("link.toml"), file.with_name("pipe")
    link.symlink_to(file)
    replace_whole(link, b"new")
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "new"
    os.mkfifo(pipe)
    with replacing(pipe) as new:
        assert new == pipe
    assert pipe.is_fifo()


def test_links_in_a_circle_are_refused_as_the_disk_refuses_them(tmp_path: Path) -> None:
    """`Path.resolve` raises RuntimeError there, which no caller expects."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        replace_whole(tmp_path / "a", b"new")
