"""A USB camera's focus settles on a still table and is then held; the test moves the time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.disturbed import Picture
from vision.cameras.focus import SteadyFocus, sharpness
from vision.frame import Frame


class Camera:
    """A camera that hunts for a second whenever a hand moves, while its autofocus is on."""

    def __init__(self, automatic: float = 1.0, at_rest: float = 0.0) -> None:
        self.set_to = {cv2.CAP_PROP_AUTOFOCUS: automatic}
        self.at_rest = at_rest
        """Blur in pixels to which the lens jumps when the autofocus is switched off."""
        self.hand = False
        self.off = 3.0
        """Present defocus of the lens, as a blur in pixels."""
        self.t = 0.0
        self._table = np.zeros((360, 640, 3), np.uint8)
        chance = np.random.default_rng(3)
        for x, y in chance.integers(20, 340, (60, 2)):
            cv2.rectangle(
                self._table, (int(x) * 2 - 30, int(y)), (int(x) * 2, int(y) + 12), (200, 220, 240), -1
            )

    def get(self, setting: int) -> float:
        return self.set_to.get(setting, 0.0)

    def set(self, setting: int, value: float) -> bool:
        self.set_to[setting] = value
        if not value:
            self.off = max(self.off, self.at_rest)
        return True

    @property
    def automatic(self) -> bool:
        return self.set_to[cv2.CAP_PROP_AUTOFOCUS] > 0

    def picture(self) -> Picture:
        if self.automatic:
            self.off = 3.0 if self.hand else 0.85 * self.off
        picture = self._table.copy()
        if self.hand:
            cv2.circle(picture, (int(200 + 90 * self.t) % 640, 180), 70, (120, 150, 200), -1)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.3 + self.off), np.uint8)

    def watch(self, focus: SteadyFocus, seconds: float) -> None:
        for _ in range(round(seconds * 15)):
            self.t += 1 / 15
            focus.look(Frame(self.picture()), self.t)


def sharp(camera: Camera) -> float:
    return sharpness(np.asarray(cv2.cvtColor(Frame(camera.picture()).small, cv2.COLOR_BGR2GRAY), np.uint8))


def test_what_was_found_on_a_still_table_is_held_so_a_hand_makes_nothing_soft() -> None:
    camera = Camera()
    focus = SteadyFocus(camera, "V4L2")
    camera.hand = True
    camera.watch(focus, 6.0)
    assert not focus.held, "a hand moves: what it focuses on may be the hand"
    camera.hand = False
    camera.watch(focus, 6.0)
    assert focus.held
    before = sharp(camera)
    camera.hand = True
    camera.watch(focus, 4.0)
    assert sharp(camera) > 0.7 * before


def test_a_picture_that_turns_soft_for_good_lets_it_settle_anew() -> None:
    camera = Camera()
    focus = SteadyFocus(camera, "V4L2")
    camera.watch(focus, 8.0)
    before = sharp(camera)
    camera.off = 3.0  # somebody knocked the lens
    camera.watch(focus, 30.0)
    assert focus.held
    assert sharp(camera) == pytest.approx(before, rel=0.1)


def test_a_lens_that_does_not_stay_where_it_was_gets_its_autofocus_back() -> None:
    camera = Camera(at_rest=3.0)
    focus = SteadyFocus(camera, "V4L2")
    camera.watch(focus, 40.0)
    assert not focus.held
    assert camera.automatic


@pytest.mark.parametrize(("backend", "automatic"), [("AVFOUNDATION", 1.0), ("V4L2", 0.0), ("V4L2", -1.0)])
def test_unknown_drivers_and_what_somebody_set_by_hand_are_left_alone(backend: str, automatic: float) -> None:
    camera = Camera(automatic)
    before = dict(camera.set_to)
    camera.watch(SteadyFocus(camera, backend), 8.0)
    assert camera.set_to == before


def test_in_the_end_the_camera_is_as_it_was_found() -> None:
    camera = Camera()
    focus = SteadyFocus(camera, "V4L2")
    camera.watch(focus, 8.0)
    assert not camera.automatic
    focus.end()
    assert camera.automatic


def test_a_damaged_picture_is_passed_over() -> None:
    focus = SteadyFocus(Camera(), "V4L2")
    focus.look(Frame(jpeg=b"\xff\xd8 no more"), 0.0)
    assert not focus.held
