"""The newest frame of a live camera, and how far a frame is decoded."""

from __future__ import annotations

import queue
import threading

import cv2
import numpy as np
import pytest

from vision.cameras.newest import LiveCamera
from vision.errors import SourceError
from vision.frame import Frame, damaged_by


class HandedFrames(LiveCamera):
    """A live camera that delivers a frame whenever the test hands it one."""

    def __init__(self) -> None:
        self._handed: queue.Queue[Frame | None] = queue.Queue()
        self._asked = threading.Semaphore(0)
        super().__init__("handed")
        self._asked.acquire()

    def gives(self, frame: Frame | None) -> None:
        """Hand over a frame and wait until it is taken in."""
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
    # A frame shows the same however it was delivered.
    whole = Frame(picture)
    assert np.abs(whole.thin.astype(int) - thin).max() < 16
    assert np.abs(whole.small.astype(int) - frame.small).mean() < 4


def test_a_damaged_frame_says_so_when_it_is_looked_at() -> None:
    frame = Frame(jpeg=b"\xff\xd8 no more", damaged=damaged_by("usb:3"))
    with pytest.raises(SourceError, match="usb:3: a picture arrived damaged"):
        frame.thin  # noqa: B018
