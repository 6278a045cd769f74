"""Picture files: whole or refused, with a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.pictures import read_picture


def photograph() -> NDArray[np.uint8]:
    """(240, 320, 3) BGR: a plain cloth as a sensor sees it."""
    noise = np.random.default_rng(1).normal(0.0, 4.0, (240, 320, 3))
    return np.clip(np.full((240, 320, 3), 90.0) + noise, 0, 255).astype(np.uint8)


def jpeg(*options: int) -> bytes:
    return bytes(cv2.imencode(".jpg", photograph(), options)[1])


def test_a_whole_picture_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg())
    (tmp_path / "b.jpg").write_bytes(jpeg() + b"a phone's few words behind the picture")
    (tmp_path / "c.png").write_bytes(bytes(cv2.imencode(".png", photograph())[1]))
    for file in sorted(tmp_path.iterdir()):
        assert read_picture(file).shape == (240, 320, 3)


@pytest.mark.parametrize("kept", [0.4, 0.7, 0.9])
def test_a_jpeg_that_breaks_off_is_refused(tmp_path: Path, kept: float) -> None:
    file, data = tmp_path / "card.jpg", jpeg()
    file.write_bytes(data[: int(len(data) * kept)])
    with pytest.raises(SourceError, match=r"card\.jpg: the picture breaks off"):
        read_picture(file)


def test_a_picture_without_its_end_mark_but_with_all_its_rows_is_read(tmp_path: Path) -> None:
    """Some web cameras leave the mark out."""
    file = tmp_path / "a.jpg"
    file.write_bytes(jpeg()[:-2])
    assert read_picture(file).shape == (240, 320, 3)


def test_what_is_no_picture_or_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"broken")
    (tmp_path / "empty.jpg").write_bytes(b"")
    for name in ("a.jpg", "empty.jpg"):
        with pytest.raises(SourceError, match="cannot be read as a picture"):
            read_picture(tmp_path / name)
    with pytest.raises(SourceError, match="no such file"):
        read_picture(tmp_path / "nowhere.jpg")
