"""`record` keeps an evening as the camera delivered it; watched again, it gives the same result."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.cli import main, record
from table.printables import draw_card, draw_mat, dubbe_deck, plan_mat, render, table_file
from vision.cameras import open_camera
from vision.cameras.recording import Recorder, Recording
from vision.errors import SourceError
from vision.frame import Frame
from vision.sightings import Picture

SCALE = 3.0
PLAN = plan_mat(4, "A3")
CARDS = ("red-7", "blue-12", "green-3")


def frames(count: int = 64) -> Iterator[np.ndarray]:
    """Our mat from above: empty, then a card every 1.5 s at S1, S2, S3, with camera noise."""
    mat = cv2.copyMakeBorder(
        render(draw_mat(PLAN), SCALE), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(90, 90, 90)
    )
    chance = np.random.default_rng(1)
    for i in range(count):
        picture = mat.copy()
        for j, name in enumerate(CARDS):
            if i >= 15 * (j + 1):
                put(picture, render(draw_card(*named(name)), SCALE), PLAN.seats[j].center_mm, j % 2 == 1)
        yield np.clip(picture + chance.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)


def named(name: str) -> tuple[str, int]:
    colour, value = name.split("-")
    return colour, int(value)


def put(picture: np.ndarray, card: np.ndarray, at_mm: tuple[float, float], lying: bool) -> None:
    card = np.rot90(card) if lying else card
    (h, w), (ph, pw) = card.shape[:2], picture.shape[:2]
    x, y = round(pw / 2 + at_mm[0] * SCALE - w / 2), round(ph / 2 - at_mm[1] * SCALE - h / 2)
    picture[y : y + h, x : x + w] = card


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film (lossless), the table file and a deck of three cards."""
    folder = tmp_path_factory.mktemp("evening")
    (folder / "mat.toml").write_text(table_file(PLAN), "utf-8")
    (folder / "cards").mkdir()
    deck = dubbe_deck()
    for name in CARDS:
        cv2.imwrite(str(folder / "cards" / f"{name}.png"), render(deck[name], 8))
    (folder / "film").mkdir()
    for i, picture in enumerate(frames()):
        cv2.imwrite(str(folder / "film" / f"{i:03}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return folder


def given(table: Path) -> list[str]:
    return ["--table", str(table / "mat.toml"), "--deck", str(table / "cards")]


class Decoded:
    """A camera whose frames come decoded, as a film's do."""

    decode_s = 0.0

    def __init__(self, pictures: list[np.ndarray], hz: float = 10.0) -> None:
        self._frames = iter([(picture, i / hz) for i, picture in enumerate(pictures)])

    def read(self) -> tuple[Picture, float] | None:
        return next(self._frames, None)

    def read_frame(self) -> tuple[Frame, float] | None:
        frame = self.read()
        return None if frame is None else (Frame(frame[0]), frame[1])

    def close(self) -> None:
        pass


def test_what_was_recorded_and_is_watched_again_gives_the_same_log(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "kept"
    assert main(["record", str(table / "film"), *given(table), "--out", str(out), "--json"]) == 0
    said = capsys.readouterr().out
    cards = [event["card"] for event in map(json.loads, said.splitlines()) if event["kind"] == "card"]
    assert cards == list(CARDS)
    assert (out / "events.jsonl").read_text("utf-8") == said
    command = json.loads((out / "recording.json").read_text("utf-8"))["watch"].split()
    assert command[:3] == ["stammtisch", "watch", "."]
    kept = [
        str(out) if word == "." else str(out / word) if (out / word).exists() else word for word in command
    ]
    assert main(kept[1:]) == 0
    assert capsys.readouterr().out == said
    crops = sorted(path.name for path in (out / "crops").iterdir())
    assert [name.split("-", 3)[3] for name in crops] == [f"{name}.jpg" for name in CARDS]


def test_a_cameras_own_jpegs_are_kept_byte_for_byte(table: Path, tmp_path: Path) -> None:
    recorder = Recorder(open_camera(str(table / "film")), tmp_path / "kept", 60)
    while recorder.read_frame() is not None:
        pass
    recorder.close()
    came = sorted((table / "film").iterdir())
    kept = sorted((tmp_path / "kept" / "frames").iterdir())
    assert [path.read_bytes() for path in kept] == [path.read_bytes() for path in came]


def test_of_a_film_the_eye_sees_what_is_kept_with_its_times(tmp_path: Path) -> None:
    chance = np.random.default_rng(4)
    pictures = [chance.integers(0, 255, (60, 80, 3)).astype(np.uint8) for _ in range(5)]
    recorder = Recorder(Decoded(pictures, hz=7.0), tmp_path / "kept", 60)
    shown = [recorder.read() for _ in pictures]
    recorder.close()
    again = open_camera(str(tmp_path / "kept"))
    assert isinstance(again, Recording)
    for frame in shown:
        kept = again.read()
        assert kept is not None
        assert frame is not None
        assert kept[1] == frame[1]
        assert np.array_equal(kept[0], frame[0])
    assert again.read() is None


def test_a_film_is_kept_as_it_is_as_far_as_it_was_seen(tmp_path: Path) -> None:
    film = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    chance = np.random.default_rng(4)
    for _ in range(30):
        writer.write(chance.integers(0, 255, (120, 160, 3)).astype(np.uint8))
    writer.release()
    recorder = Recorder(open_camera(str(film)), tmp_path / "kept", 1.5, film)
    shown = list(iter(recorder.read, None))
    recorder.close()
    assert (tmp_path / "kept" / "film.avi").read_bytes() == film.read_bytes()
    again = open_camera(str(tmp_path / "kept"))
    kept = list(iter(again.read, None))
    again.close()
    assert [t for _, t in kept] == [t for _, t in shown]
    assert len(kept) == 16
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(kept, shown, strict=True))


def test_the_time_ends_a_recording(tmp_path: Path) -> None:
    recorder = Recorder(Decoded([np.zeros((20, 30, 3), np.uint8)] * 50), tmp_path / "kept", 2.0)
    while recorder.read_frame() is not None:
        pass
    assert recorder.full
    assert recorder.frames == 21
    recorder.close()


def test_a_recording_that_the_system_ends_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A recording of hours is ended from elsewhere: with `kill`, or by closing its terminal."""

    class EndedFromElsewhere(Decoded):
        def read(self) -> tuple[Picture, float] | None:
            frame = super().read()
            if frame is not None and frame[1] == 0.2:
                os.kill(os.getpid(), signal.SIGTERM)
            return frame

    pictures = [np.zeros((60, 80, 3), np.uint8)] * 5
    monkeypatch.setattr(record, "open_camera", lambda _: EndedFromElsewhere(pictures))
    out = tmp_path / "kept"
    assert main(["record", "usb:0", "--out", str(out)]) == 0
    assert json.loads((out / "recording.json").read_text("utf-8"))["frames"] == 2
    assert "2 frames" in capsys.readouterr().out


def test_a_full_disk_is_told_and_what_was_kept_can_be_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(Decoded([np.zeros((20, 30, 3), np.uint8)] * 50), tmp_path / "kept", 60)
    for _ in range(3):
        recorder.read_frame()

    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(SourceError, match="the disk is full after 3 frames"):
            recorder.read_frame()
    recorder.close()
    again = Recording(tmp_path / "kept")
    assert sum(1 for _ in iter(again.read, None)) == 3


def test_the_last_of_the_disk_is_left_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9 - 10**6, 10**6))
    recorder = Recorder(Decoded([np.zeros((20, 30, 3), np.uint8)]), tmp_path / "kept", 60)
    with pytest.raises(SourceError, match="disk is full after 0 frames"):
        recorder.read_frame()
    recorder.close()


def test_a_folder_with_something_in_it_is_not_recorded_into(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", str(table / "film"), *given(table), "--out", str(table)]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_a_torn_recording_names_the_line_and_a_cut_off_last_line_is_left_out(tmp_path: Path) -> None:
    recorder = Recorder(Decoded([np.zeros((20, 30, 3), np.uint8)] * 4), tmp_path / "kept", 60)
    while recorder.read_frame() is not None:
        pass
    recorder.close()
    index = tmp_path / "kept" / "frames.jsonl"
    lines = index.read_text("utf-8").splitlines()
    index.write_text("\n".join([*lines[:3], lines[3][:20]]), "utf-8")
    assert sum(1 for _ in iter(Recording(tmp_path / "kept").read, None)) == 3
    index.write_text("\n".join([lines[0], "{}", lines[2]]), "utf-8")
    with pytest.raises(SourceError, match="line 2"):
        Recording(tmp_path / "kept")
    index.write_text("\n".join([lines[1], lines[0]]), "utf-8")
    with pytest.raises(SourceError, match="in time order"):
        Recording(tmp_path / "kept")


def test_pictures_that_a_power_cut_left_empty_end_a_recording(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    lines = []
    for number in range(5):
        name = f"frames/{number:06}.jpg"
        (tmp_path / name).write_bytes(
            b"" if number > 2 else bytes(cv2.imencode(".jpg", np.full((16, 16, 3), 90, np.uint8))[1])
        )
        lines.append(json.dumps({"file": name, "t": number / 15}))
    (tmp_path / "frames/000003.jpg").unlink()
    (tmp_path / "frames.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert len(list(iter(Recording(tmp_path).read, None))) == 3
