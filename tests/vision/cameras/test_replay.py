"""Films and folders of pictures: every frame in order, or a sentence that says what is wrong."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.cameras.drained import drain
from vision.cameras import open_camera
from vision.cameras.edit_list import left_out_s
from vision.cameras.excerpt import Excerpt
from vision.cameras.replay import Film, Folder
from vision.errors import SourceError


def film(path: Path, frames: int = 12) -> Path:
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    for number in range(frames):
        out.write(np.full((48, 64, 3), 10 * (number % 25), np.uint8))
    out.release()
    return path


def test_a_film_gives_every_frame_with_its_time(tmp_path: Path) -> None:
    camera = open_camera(str(film(tmp_path / "play.avi")))
    frames = []
    while (frame := camera.read()) is not None:
        frames.append(frame)
    camera.close()
    assert len(frames) == 12
    assert [t for _, t in frames] == pytest.approx([i / 15 for i in range(12)], abs=1e-3)
    assert abs(int(frames[7][0][24, 32, 0]) - 70) < 6
    assert camera.decode_s >= 0


def test_a_folder_gives_its_pictures_by_name(tmp_path: Path) -> None:
    for number in (2, 0, 1):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), np.full((16, 16, 3), 40 * number, np.uint8))
    camera = Folder(tmp_path)
    assert [int(camera.read()[0][0, 0, 0]) for _ in range(3)] == [0, 40, 80]  # type: ignore[index]
    assert camera.read() is None


def test_a_file_that_is_no_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_bytes(b"\x00" * 400)
    with pytest.raises(SourceError, match="cannot be opened as a film"):
        Film(tmp_path / "clip.mp4")


def test_a_film_that_breaks_off_says_where(tmp_path: Path) -> None:
    whole = film(tmp_path / "play.avi", 60).read_bytes()
    (tmp_path / "cut.avi").write_bytes(whole[: len(whole) // 2])
    camera = Film(tmp_path / "cut.avi")
    with pytest.raises(SourceError, match=r"breaks off after \d+ of 60 frames"):
        drain(camera)


class StandInFilm:
    """A film's decoder: states a number of frames, delivers some, each with its time stamp in frames."""

    def __init__(self, gives: list[np.ndarray], numbers: list[int], settings: dict[int, float]) -> None:
        self.gives, self.numbers, self.at = gives, numbers, -1
        self.settings = {cv2.CAP_PROP_FPS: 15.0} | settings

    def isOpened(self) -> bool:
        return True

    def get(self, setting: int) -> float:
        number = self.numbers[max(self.at, 0)] if self.numbers else 0
        if setting == cv2.CAP_PROP_PTS:
            return number
        if setting == cv2.CAP_PROP_POS_MSEC:
            return 1000 * number / 15
        return self.settings.get(setting, 0.0)

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.at + 1 == len(self.gives):
            return False, None
        self.at += 1
        return True, self.gives[self.at]

    def release(self) -> None:
        pass


def shown(
    monkeypatch: pytest.MonkeyPatch, gives: list[np.ndarray], numbers: list[int], **settings: float
) -> Film:
    named = {getattr(cv2, f"CAP_PROP_{name}"): value for name, value in settings.items()}
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: StandInFilm(gives, numbers, named))
    return Film(Path("strange.mkv"))


GREY = np.full((48, 64, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("numbers", "promised"),
    [
        (list(range(0, 100, 4)), 100),  # frames counted by the fastest of them
        (list(range(75, 175)), 175),  # the picture begins five seconds late
    ],
)
def test_a_film_whose_frames_are_counted_otherwise_does_not_break_off(
    numbers: list[int], promised: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drain(shown(monkeypatch, [GREY] * len(numbers), numbers, FRAME_COUNT=promised))
    with pytest.raises(SourceError, match=f"breaks off after 10 of {promised}"):
        drain(shown(monkeypatch, [GREY] * 10, numbers[:10], FRAME_COUNT=promised))


def test_a_film_with_wide_pixels_is_shown_as_it_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = shown(monkeypatch, [GREY], [0], FRAME_COUNT=1, SAR_NUM=4, SAR_DEN=3)
    taken = camera.read()
    assert taken is not None
    assert taken[0].shape == (48, 85, 3)


def test_a_film_that_cannot_be_decoded_says_what_it_is_and_what_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    av1 = float(int.from_bytes(b"av01", "little"))
    with pytest.raises(SourceError, match=r"no picture can be read from this film \(av01\).*ffmpeg"):
        shown(monkeypatch, [], [], FRAME_COUNT=60, FOURCC=av1).read()
    black = [np.zeros((48, 64, 3), np.uint8)] * 20
    with pytest.raises(SourceError, match=r"all pictures are black.*yadif"):
        drain(shown(monkeypatch, black, list(range(20)), FRAME_COUNT=20))
    drain(shown(monkeypatch, [*black, GREY], list(range(21)), FRAME_COUNT=21))


def box(kind: bytes, *held: bytes) -> bytes:
    content = b"".join(held)
    return struct.pack(">I4s", 8 + len(content), kind) + content


@pytest.mark.parametrize(("handler", "left_out"), [(b"vide", 3.2), (b"soun", 0.0)])
def test_what_a_film_was_cut_to_without_encoding_is_known(
    handler: bytes, left_out: float, tmp_path: Path
) -> None:
    """ISO/IEC 14496-12: an empty edit, then one that begins 3.2 s into the media."""
    clock = struct.pack(">IIIIII", 0, 0, 0, 15360, 15360 * 16, 0)
    edits = struct.pack(">II", 0, 2) + struct.pack(">Iii", 40, -1, 1 << 16)
    edits += struct.pack(">Iii", 12800, int(3.2 * 15360), 1 << 16)
    media = box(b"mdia", box(b"mdhd", clock), box(b"hdlr", bytes(8) + handler + bytes(12)))
    track = box(b"trak", box(b"edts", box(b"elst", edits)), media)
    film = tmp_path / "cut.mp4"
    film.write_bytes(box(b"ftyp", b"isom") + box(b"mdat", bytes(50)) + box(b"moov", box(b"mvhd"), track))
    assert left_out_s(film) == pytest.approx(left_out)
    film.write_bytes(film.read_bytes()[:-30])
    assert left_out_s(film) >= 0.0, "a film that breaks off here is told elsewhere"
    assert left_out_s(tmp_path / "none.mp4") == 0.0


def test_a_films_name_may_hold_a_colon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film(tmp_path / "rec-19:30.avi")
    monkeypatch.chdir(tmp_path)
    assert Film(Path("rec-19:30.avi")).read() is not None


def test_an_empty_file_among_pictures_is_named(tmp_path: Path) -> None:
    """A power cut may leave empty files."""
    (tmp_path / "0.jpg").touch()
    with pytest.raises(SourceError, match=r"0\.jpg: cannot be read as a picture"):
        open_camera(str(tmp_path)).read()


def test_an_empty_folder_and_a_damaged_picture_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pictures"):
        open_camera(str(tmp_path))
    (tmp_path / "0.jpg").write_bytes(b"no picture")
    with pytest.raises(SourceError, match=r"0\.jpg: cannot be read as a picture"):
        open_camera(str(tmp_path)).read()


def test_the_pictures_of_a_folder_are_seen_in_the_order_in_which_people_count(tmp_path: Path) -> None:
    for number in (10, 9, 2, 1):
        cv2.imwrite(str(tmp_path / f"frame-{number}.png"), np.full((16, 16, 3), 20 * number, np.uint8))
    (tmp_path / "._frame-1.png").write_bytes(b"hidden")
    camera = open_camera(str(tmp_path))
    seen = [taken[0][0, 0, 0] // 20 for taken in iter(camera.read, None)]
    assert seen == [1, 2, 9, 10]


def test_an_excerpt_ends_after_its_seconds(tmp_path: Path) -> None:
    for number in range(20):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((16, 16, 3), number, np.uint8))
    frames, pictures = (Excerpt(Folder(tmp_path), 1.0) for _ in range(2))
    times = [taken[1] for taken in iter(frames.read_frame, None)]
    assert times[-1] == 1.0
    assert len(times) == 16, "fifteen a second, and the first"
    assert len(list(iter(pictures.read, None))) == 16
