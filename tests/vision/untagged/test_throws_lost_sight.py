"""Plain dice before a camera that is blind for a while: no throw is invented, and none outside is lost."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.shared import SHARED, needs
from tests.vision.disturbed import BLINDING, KINDS, Cut, Framed, disturbed
from tests.vision.film_verdict import cuts_over, judge
from tests.vision.untagged.test_throws import FPS, Die, Film, faces
from vision.sightings import ThrowSeen
from vision.untagged.throws import Throws

ONE: list[Die] = [(2, 120, 100), (4, 220, 150)]
TWO: list[Die] = [(1, 300, 60), (4, 90, 180)]


def reel() -> list[Framed]:
    """Two throws, 5.7 s apart, and a hand that picks the first one up."""
    film, frames = Film(), list[Framed]()

    def show(dice: list[Die], count: int, hand: int = 0) -> None:
        for _ in range(count):
            frames.append((film.draw(dice, hand, 0), len(frames) / FPS))

    def roll() -> None:
        for k in range(5):
            show([(1, 60 + 40 * k, 90 + 20 * k), (4, 300 - 30 * k, 100 + 10 * k)], 1)

    show([], 20)
    roll()
    show(ONE, 60)
    show(ONE, 6, hand=150)
    show([], 15)
    roll()
    show(TWO, 45)
    return frames


def watch(frames: list[Framed], *cuts: Cut) -> list[ThrowSeen]:
    throws = Throws()
    told = [said for picture, t in disturbed(frames, *cuts) for said in throws.see(picture, t)]
    return [said for said in told if isinstance(said, ThrowSeen)]


def told(throws: list[ThrowSeen]) -> list[tuple[float, tuple[str, ...]]]:
    return [(throw.t, tuple(faces(throw))) for throw in throws]


@pytest.mark.parametrize("kind", BLINDING)
@pytest.mark.parametrize("start_s", [2.5, 4.5])
def test_a_gap_invents_no_throw_and_costs_none(kind: str, start_s: float) -> None:
    """The gap comes while the dice lie still, or while the hand picks them up."""
    frames = reel()
    cut = Cut(kind, start_s, 1.5, seed=2)
    seen = watch(frames, cut)
    verdict = judge(told(seen), told(watch(frames)), [cut])
    assert not verdict.faults, verdict
    assert not any(die.unseen for throw in seen for die in throw.dice)


@pytest.mark.parametrize("kind", ["skin", "dark", "grey", "slide"])
def test_a_throw_in_a_gap_is_told_as_unseen(kind: str) -> None:
    (first, second) = watch(reel(), Cut(kind, 5.5, 2.5, seed=3))
    assert (faces(first), faces(second)) == (["2", "4"], ["1", "4"])
    assert all(die.unseen for die in second.dice)
    assert second.gap_s > 2.0


@pytest.mark.soak
@needs("footage/real-throws")
@pytest.mark.parametrize("clip", ["tirada_1", "tirada_2"])
def test_real_throws_with_gaps_at_any_moment(clip: str) -> None:
    film, frames = cv2.VideoCapture(str(SHARED / f"footage/real-throws/{clip}.mp4")), list[Framed]()
    while (read := film.read())[0]:
        frames.append((np.asarray(read[1], np.uint8), len(frames) / 30))
    truth = told(watch(frames))
    assert truth
    # Rolling dice in a picture that freezes, wholly or in part, still seem to be at rest (known fault).
    kinds = [kind for kind in KINDS if kind not in ("freeze", "torn")]
    for cut in cuts_over(0.5, len(frames) / 30 - 0.5, 30, seed=1, kinds=kinds, longest_s=3.0):
        verdict = judge(told(watch(frames, cut)), truth, [cut], lead_s=0.3)
        assert not verdict.invented + verdict.twice, (cut, verdict)
