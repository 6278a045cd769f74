"""The whole floor at a glance: things on it are told from its print."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.box.drawn_box import LAYOUT, THROW, draw
from vision.box.background import Ground
from vision.box.dice import BoxLook, BoxMemory
from vision.box.dice_set import DiceSet
from vision.box.pose_fit import register_box


def test_at_a_glance_a_die_is_of_another_colour_than_its_floor_and_bare_floor_is_not(
    enrolled: DiceSet,
) -> None:
    picture = draw(THROW)
    glance = BoxLook(picture, register_box(picture, LAYOUT), LAYOUT, enrolled).glance
    assert glance is not None
    assert glance.other_colour((THROW[0].x, THROW[0].y)) > 30.0
    assert glance.other_colour((-60.0, -60.0)) < 3.0
    assert glance.news.mean() == pytest.approx(2 * 16.0**2 / 200.0**2, rel=0.5)


def test_the_empty_floor_is_drawn_again_only_when_the_box_lies_elsewhere(
    enrolled: DiceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    behind = Ground.behind
    monkeypatch.setattr(Ground, "behind", lambda self, *what: drawn.append(what) or behind(self, *what))
    picture, known = draw(THROW), BoxMemory.of(LAYOUT, enrolled)
    fit = register_box(picture, LAYOUT)
    for seen in (fit, fit, replace(fit), fit):
        look = BoxLook(picture, seen, LAYOUT, enrolled, known)
        assert look.glance is not None
    assert len(drawn) == 3
