"""Frames come in their order, and a source that is not there is named in one sentence."""

from __future__ import annotations

import itertools
import os
import queue
import struct
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras import Camera, is_live, open_camera
from vision.cameras.edit_list import left_out_s
from vision.cameras.excerpt import Excerpt
from vision.cameras.newest import LiveCamera
from vision.cameras.pi import PiCamera
from vision.cameras.replay import Film, Folder
from vision.cameras.usb import UsbCamera
from vision.errors import SourceError
from vision.frame import Frame, damaged_by


def film(path: Path, frames: int = 12) -> Path:
    out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    for number in range(frames):
        out.write(np.full((48, 64, 3), 10 * (number % 25), np.uint8))
    out.release()
    return path


def drain(camera: Camera) -> None:
    while camera.read() is not None:
        pass


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


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nowhere.mp4", "no such film or folder"),
        ("usb:x", "a camera is named usb:0"),
        ("usb:97", "there is no such camera"),
    ],
)
def test_a_source_that_is_not_there_is_refused(source: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=says):
        open_camera(source if ":" in source else str(tmp_path / source))


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
    """A film's decoder: promises frames, gives some, each at its number of the film's time."""

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
    """ISO/IEC 14496-12: an empty edit, then one that begins 3.2 s into the pictures."""
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
    """A power cut leaves such."""
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


def stand_in(folder: Path, pictures: int) -> str:
    """A program that speaks like rpicam-vid: JPEG after JPEG on its standard output."""
    jpeg = folder / "one.jpg"
    cv2.imwrite(str(jpeg), np.full((48, 64, 3), 120, np.uint8))
    program = folder / "rpicam-vid"
    program.write_text(
        f"#!{sys.executable}\nimport sys, time\njpeg = open({str(jpeg)!r}, 'rb').read()\n"
        f"for _ in range({pictures}):\n    sys.stdout.buffer.write(jpeg)\n    sys.stdout.flush()\n"
        "    time.sleep(0.02)\n"
    )
    program.chmod(0o755)
    return str(program)


def test_the_pi_camera_gives_frames_and_says_when_it_is_gone(tmp_path: Path) -> None:
    camera = PiCamera(0, stand_in(tmp_path, 5))
    picture, t = camera.read()
    assert (picture.shape, t) == ((48, 64, 3), 0.0)
    with pytest.raises(SourceError, match="the camera is gone"):
        drain(camera)
    camera.close()


class HandedFrames(LiveCamera):
    """A live camera that gives a frame whenever the test says so."""

    def __init__(self) -> None:
        self._handed: queue.Queue[Frame | None] = queue.Queue()
        self._asked = threading.Semaphore(0)
        super().__init__("handed")
        self._asked.acquire()

    def gives(self, frame: Frame | None) -> None:
        """It comes, and is taken in."""
        self._handed.put(frame)
        if frame is not None:
            self._asked.acquire()

    def _grab(self) -> Frame | None:
        self._asked.release()
        return self._handed.get()

    def _let_go(self) -> None:
        pass


def test_whoever_looks_slowly_gets_the_newest_frame_and_the_camera_knows_how_many_he_left_out() -> None:
    camera = HandedFrames()
    assert camera.share_seen is None
    seen = []
    for grey in range(1, 10):
        camera.gives(Frame(np.full((4, 4, 3), grey, np.uint8)))
        if grey % 3 == 0:
            seen.append(int(camera.read()[0][0, 0, 0]))
    assert seen == [3, 6, 9]
    assert camera.share_seen == pytest.approx(1 / 3)
    camera.gives(None)
    camera.close()


def test_whoever_waits_for_a_frame_that_does_not_come_is_woken() -> None:
    camera = HandedFrames()
    threading.Timer(0.05, camera.wake).start()
    with pytest.raises(SourceError, match="the camera is gone"):
        camera.read()
    camera.gives(None)
    camera.close()


def test_a_frame_of_a_jpeg_is_decoded_only_as_far_as_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = cv2.GaussianBlur(np.random.default_rng(3).integers(0, 255, (96, 160, 3), np.uint8), (0, 0), 6)
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    asked: list[int] = []
    decode = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda b, how: asked.append(how & 127) or decode(b, how))
    frame = Frame(jpeg=jpeg)
    thin = frame.thin
    assert (thin.shape, frame.thin is thin) == ((6, 10), True)
    assert asked == [cv2.IMREAD_REDUCED_GRAYSCALE_8]
    assert frame.small.shape == (24, 40, 3)
    assert asked == [cv2.IMREAD_REDUCED_GRAYSCALE_8, cv2.IMREAD_REDUCED_COLOR_4]
    coloured = Frame(jpeg=jpeg)
    assert (coloured.small.shape, coloured.thin.shape, len(asked)) == ((24, 40, 3), (6, 10), 3)
    assert np.abs(frame.picture.astype(int) - picture).mean() < 4
    # However a frame comes, the same is seen in it.
    whole = Frame(picture)
    assert np.abs(whole.thin.astype(int) - thin).max() < 16
    assert np.abs(whole.small.astype(int) - frame.small).mean() < 4


def test_a_damaged_frame_says_so_when_it_is_looked_at() -> None:
    frame = Frame(jpeg=b"\xff\xd8 no more", damaged=damaged_by("usb:3"))
    with pytest.raises(SourceError, match="usb:3: a damaged picture came"):
        frame.thin  # noqa: B018


class StandInDevice:
    """A USB camera's driver: gives these one after the other, the last again and again."""

    def __init__(self, *gives: np.ndarray) -> None:
        self.gives, self.settings = list(gives), {}

    def isOpened(self) -> bool:
        return True

    def getBackendName(self) -> str:
        return "STAND-IN"

    def get(self, setting: int) -> float:
        return self.settings.get(setting, 0.0)

    def set(self, setting: int, value: float) -> None:
        self.settings[setting] = value

    def read(self) -> tuple[bool, np.ndarray]:
        time.sleep(0.01)
        if self.settings.get(cv2.CAP_PROP_CONVERT_RGB):
            return True, np.full((48, 64, 3), 90, np.uint8)
        return True, self.gives.pop(0) if len(self.gives) > 1 else self.gives[0]

    def release(self) -> None:
        pass


@pytest.mark.parametrize(
    "given",
    [
        cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1].reshape(1, -1),
        np.full((48, 64, 3), 90, np.uint8),
        np.full((48, 64, 2), 90, np.uint8),
    ],
    ids=["the camera's JPEG", "a picture", "YUYV"],
)
def test_a_usb_camera_gives_frames_whatever_its_driver_gives(
    given: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", lambda number: StandInDevice(given))
    camera = UsbCamera(0)
    frame, t = camera.read_frame()
    assert (frame.picture.shape, round(float(frame.picture.mean())), t) == ((48, 64, 3), 90, 0.0)
    assert camera.read()[0].shape == (48, 64, 3)
    camera.close()


def test_a_usb_camera_is_let_go_of_only_when_its_driver_no_longer_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device = StandInDevice(np.full((48, 64, 3), 90, np.uint8))
    read, reading, driver, done = device.read, threading.Event(), threading.Event(), []

    def hangs() -> tuple[bool, np.ndarray]:
        reading.set()
        driver.wait(60)
        done.append("read")
        return read()

    monkeypatch.setattr(device, "read", hangs)
    monkeypatch.setattr(device, "release", lambda: done.append("release"))
    monkeypatch.setattr(cv2, "VideoCapture", lambda number: device)
    monkeypatch.setattr("vision.cameras.newest.END_S", 0.05)
    camera = UsbCamera(0)
    assert reading.wait(60)
    camera.close()
    assert done == [], "a driver from which a thread reads is left alone"
    driver.set()
    camera._thread.join(60)
    assert done == ["read", "release"]


def test_a_driver_that_throws_is_told_by_what_it_said_and_not_as_a_cable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device, released = StandInDevice(np.full((48, 64, 3), 90, np.uint8)), threading.Event()

    def fails() -> tuple[bool, np.ndarray]:
        raise cv2.error("driver bug")

    monkeypatch.setattr(device, "read", fails)
    monkeypatch.setattr(device, "release", released.set)
    monkeypatch.setattr(cv2, "VideoCapture", lambda number: device)
    camera = UsbCamera(0)
    with pytest.raises(SourceError, match=r"usb:0: the camera failed \(driver bug\)") as told:
        camera.read()
    assert isinstance(told.value.__cause__, cv2.error)
    camera.close()
    assert released.is_set()


def test_what_rpicam_vid_complains_of_is_told(tmp_path: Path) -> None:
    program = Path(stand_in(tmp_path, 1))
    camera_in_use = "ERROR: *** failed to acquire camera /base/imx708 ***"
    program.write_text(
        program.read_text(encoding="utf-8") + f"print({camera_in_use!r}, file=sys.stderr)\nsys.exit(255)\n",
        encoding="utf-8",
    )
    camera = PiCamera(0, str(program))
    with pytest.raises(
        SourceError, match=r"pi:0: the camera failed \(failed to acquire camera /base/imx708\)"
    ):
        drain(camera)
    camera.close()


def test_what_comes_from_rpicam_vid_and_begins_no_picture_is_not_kept(tmp_path: Path) -> None:
    program = Path(stand_in(tmp_path, 5))
    program.write_text(
        program.read_text(encoding="utf-8").replace(
            "jpeg = open", "sys.stdout.buffer.write(bytes(99_999) + b'\\xff')\njpeg = open"
        ),
        encoding="utf-8",
    )
    camera = PiCamera(0, str(program))
    camera.read()
    with pytest.raises(SourceError, match="the camera is gone"):
        drain(camera)
    assert len(camera._rest) <= 1
    camera.close()


def test_a_usb_camera_holds_its_focus_once_the_table_lies_still(monkeypatch: pytest.MonkeyPatch) -> None:
    chess = np.kron(np.indices((12, 16)).sum(0) % 2, np.ones((30, 40))).astype(np.uint8)
    device = StandInDevice(cv2.merge([60 + 120 * chess] * 3))
    device.settings[cv2.CAP_PROP_AUTOFOCUS] = 1.0
    ticks = itertools.count()
    monkeypatch.setattr(device, "getBackendName", lambda: "V4L2")
    monkeypatch.setattr(cv2, "VideoCapture", lambda number: device)
    monkeypatch.setattr("vision.cameras.usb.time.monotonic", lambda: 0.5 * next(ticks))
    camera = UsbCamera(0)
    while next(ticks) < 60:
        camera.read_frame()
    assert device.settings[cv2.CAP_PROP_AUTOFOCUS] == 0.0
    camera.close()
    assert device.settings[cv2.CAP_PROP_AUTOFOCUS] == 1.0, "as it was found"


def test_the_pi_camera_focuses_once_and_does_not_hunt(tmp_path: Path) -> None:
    """`rpicam-vid` knows the option whether or not the lens can move."""
    program = Path(stand_in(tmp_path, 5))
    told = tmp_path / "told"
    program.write_text(
        program.read_text(encoding="utf-8").replace(
            "import sys, time", f"import sys, time\nopen({str(told)!r}, 'w').write(' '.join(sys.argv))"
        ),
        encoding="utf-8",
    )
    camera = PiCamera(0, str(program))
    camera.read()
    camera.close()
    assert "--autofocus-mode auto" in told.read_text()


def test_without_rpicam_vid_the_pi_camera_says_what_to_install() -> None:
    with pytest.raises(SourceError, match="rpicam-apps"):
        PiCamera(0, f"no-such-program-{os.getpid()}")


def test_an_excerpt_ends_after_its_seconds(tmp_path: Path) -> None:
    for number in range(20):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((16, 16, 3), number, np.uint8))
    frames, pictures = (Excerpt(Folder(tmp_path), 1.0) for _ in range(2))
    times = [taken[1] for taken in iter(frames.read_frame, None)]
    assert times[-1] == 1.0
    assert len(times) == 16, "fifteen a second, and the first"
    assert len(list(iter(pictures.read, None))) == 16


def test_only_a_kind_of_device_with_its_number_is_a_live_camera() -> None:
    """A folder may be called like a device, or have a colon in its name."""
    names = ("usb:0", "pi:1", "usb", "usb:x", "usb:", "C:0", "usb:0/film.mp4")
    assert [name for name in names if is_live(name)] == ["usb:0", "pi:1"]
