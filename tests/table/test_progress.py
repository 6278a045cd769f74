"""The progress of a long command appears on a terminal only, in a line that is erased at the end."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli import main, progress


@pytest.fixture
def film(tmp_path: Path) -> Path:
    place = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(place), cv2.VideoWriter.fourcc(*"MJPG"), 15, (320, 240))
    for _ in range(30):
        writer.write(np.full((240, 320, 3), 90, np.uint8))
    writer.release()
    return place


def read_to_the_end(terminal: int) -> str:
    """Everything that was written to a terminal whose other end is closed, in whatever pieces it comes."""
    told = b""
    with contextlib.suppress(OSError):  # EIO: everything was read
        while piece := os.read(terminal, 65536):
            told += piece
    os.close(terminal)
    return told.decode()


def test_watch_says_on_a_terminal_how_far_it_is(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        monkeypatch.setattr("sys.stderr", terminal)
        assert main(["watch", str(film)]) == 0
    told = read_to_the_end(ours)
    assert "watch  0:01" in told
    assert "left" in told
    lines = told.split("\r\x1b[K")
    assert len(lines) > 20
    assert "watch  0:" not in lines[-1], "the line is gone before what is said at the end"


def test_nothing_of_it_stands_where_nobody_looks(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    assert main(["watch", str(film), "--json"]) == 0
    assert "\r" not in out.getvalue() + err.getvalue()
