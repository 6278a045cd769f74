"""USB cameras, with a stand-in for the device."""

from __future__ import annotations

import itertools
import threading
import time

import cv2
import numpy as np
import pytest

from vision.cameras.usb import UsbCamera
from vision.errors import SourceError


class StandInDevice:
    """A USB camera's driver: delivers the given frames in turn, then repeats the last one."""

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
