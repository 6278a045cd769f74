"""What the eye saw is drawn where it lies."""

from __future__ import annotations

import numpy as np

from tests.vision.evening import Evening
from vision.overlay import draw_marks, marks_of
from vision.synthetic.scene import Arm, Scene


def test_cards_and_hands_are_outlined_in_their_places() -> None:
    evening = Evening()
    evening.play("S1", "red-8", (0.0, -90.0), 0.0)
    arms = [Arm((-540.0, -5.0), (-150.0, 0.0))]
    evening.show(arms)
    evening.show(arms)
    picture = evening.painter.render(Scene(tuple(evening.cards), (), tuple(arms)), seed=1)
    drawn = draw_marks(picture, marks_of(evening.eye))
    registration = evening.eye.registration
    assert registration is not None
    (x, y), *_ = np.round(registration.to_px([(29.5, -90.0)])).astype(int)
    assert (drawn[y - 2 : y + 3, x - 3 : x + 4] != picture[y - 2 : y + 3, x - 3 : x + 4]).any()
    changed = (drawn != picture).any(axis=2)
    (hx, hy), *_ = np.round(registration.to_px([(-150.0, 0.0)])).astype(int)
    assert changed[hy - 60 : hy + 60, hx - 120 : hx + 60].any()
    assert not changed[:40, :40].any()
