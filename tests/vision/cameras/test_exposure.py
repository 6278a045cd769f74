"""A USB camera's exposure and white balance settle and are then held; the test moves the time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras.exposure import SteadyLight
from vision.frame import Frame

AUTOMATIC, MANUAL = 3.0, 1.0


class Camera:
    """A camera whose exposure halves its error with each picture; an `honest` one reports the value found."""

    def __init__(self, honest: bool = True, mode: float = AUTOMATIC) -> None:
        self.room, self.honest = 1.0, honest
        self.found, self.tint = 400.0, 1.3
        self.set_to = {
            cv2.CAP_PROP_AUTO_EXPOSURE: mode,
            cv2.CAP_PROP_EXPOSURE: 150.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
        }
        self.t = 0.0

    def get(self, setting: int) -> float:
        if setting == cv2.CAP_PROP_EXPOSURE and self.honest and self.automatic:
            return self.found
        return self.set_to.get(setting, 0.0)

    def set(self, setting: int, value: float) -> bool:
        self.set_to[setting] = value
        return True

    @property
    def automatic(self) -> bool:
        return self.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTOMATIC

    def picture(self) -> Frame:
        if self.automatic:
            self.found += 0.5 * (200.0 / self.room - self.found)
        if self.set_to[cv2.CAP_PROP_AUTO_WB]:
            self.tint += 0.5 * (1.0 - self.tint)
        exposure = self.found if self.automatic else self.set_to[cv2.CAP_PROP_EXPOSURE]
        level = 0.5 * exposure * self.room
        return Frame(np.clip(np.full((48, 64, 3), level) * (self.tint, 1.0, 1.0), 0, 255).astype(np.uint8))

    def level(self) -> float:
        return float(self.picture().picture[:, :, 1].mean())

    def watch(self, light: SteadyLight, seconds: float) -> None:
        for _ in range(round(seconds * 15)):
            self.t += 1 / 15
            light.look(self.picture(), self.t)


def test_what_has_settled_is_held_so_a_white_card_darkens_nothing() -> None:
    camera = Camera()
    light = SteadyLight(camera, "V4L2")
    assert not light.held
    camera.watch(light, 4.0)
    assert light.held
    before = camera.level()
    camera.room = 1.3  # a white card: the automatic would take it back
    camera.watch(light, 2.0)
    assert camera.level() == pytest.approx(1.3 * before, rel=0.02)


def test_a_lamp_that_is_switched_on_lets_it_settle_anew() -> None:
    camera = Camera()
    light = SteadyLight(camera, "V4L2")
    camera.watch(light, 4.0)
    before = camera.level()
    camera.room = 2.2
    camera.watch(light, 30.0)
    assert light.held
    assert camera.level() == pytest.approx(before, rel=0.05)


def test_a_driver_that_tells_a_default_gets_its_automatic_back() -> None:
    camera = Camera(honest=False)
    light = SteadyLight(camera, "V4L2")
    camera.watch(light, 12.0)
    assert not light.held
    assert camera.automatic
    assert camera.level() == pytest.approx(100.0, rel=0.05)


@pytest.mark.parametrize(("backend", "mode"), [("AVFOUNDATION", AUTOMATIC), ("V4L2", MANUAL), ("V4L2", 0.0)])
def test_unknown_drivers_and_what_somebody_set_by_hand_are_left_alone(backend: str, mode: float) -> None:
    camera = Camera(mode=mode)
    before = dict(camera.set_to)
    light = SteadyLight(camera, backend)
    camera.watch(light, 6.0)
    assert camera.set_to == before


def test_in_the_end_the_camera_is_as_it_was_found() -> None:
    camera = Camera()
    light = SteadyLight(camera, "V4L2")
    camera.watch(light, 4.0)
    light.end()
    assert camera.automatic
    assert camera.set_to[cv2.CAP_PROP_AUTO_WB] == 1.0


def test_a_damaged_picture_is_passed_over() -> None:
    light = SteadyLight(Camera(), "V4L2")
    light.look(Frame(jpeg=b"\xff\xd8 no more"), 0.0)
    assert not light.held
