"""A quiet table costs fewer looks, and anything that comes over it is seen from its first frame on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

import numpy as np

from tests.vision.evening import LAYOUT, Evening, deck
from vision.doze import CALM_S, Doze
from vision.frame import Frame
from vision.mat.pipeline import Eye
from vision.sightings import Picture, Sighting

STEP_S = 1 / 15


def told(doze: Doze, stirs: Iterable[bool], start: int = 0, urgent: bool = False) -> list[list[int]]:
    """For each new frame, the numbers of the frames then examined; a frame shows only whether it stirs."""
    looked = []
    for number, stirred in enumerate(stirs, start):
        frame = Frame(np.full((1, 1, 3), stirred, np.uint8))
        due = doze.due(frame, number * STEP_S, lambda seen: not seen.picture.any(), urgent)
        for _, t in due:
            doze.rests(t, not stirred)
        looked.append([round(t / STEP_S) for _, t in due])
    return looked


def asleep(most: int = 2) -> tuple[Doze, int]:
    """A doze over a table that has long been quiet, and the number of its next frame, which is held back."""
    doze, calm = Doze(most), int(CALM_S / STEP_S) + 2
    told(doze, [False] * calm)
    while told(doze, [False], calm)[0]:
        calm += 1
    return doze, calm + 1


def test_while_nothing_stirs_every_third_frame_is_looked_at() -> None:
    doze, n = asleep()
    assert told(doze, [False] * 6, n) == [[], [n + 1], [], [], [n + 4], []]


def test_what_stirs_is_seen_from_its_first_frame_on() -> None:
    doze, n = asleep()
    assert told(doze, [True, True, True, True], n) == [[], [n - 1, n, n + 1], [n + 2], [n + 3]]


def test_a_table_that_has_just_come_to_rest_is_looked_at_frame_by_frame() -> None:
    assert told(Doze(2), [False] * 10) == [[n] for n in range(10)]


def test_what_is_urgent_is_looked_at_when_it_comes() -> None:
    doze, n = asleep()
    assert told(doze, [False], n, urgent=True) == [[n]]


def test_after_a_stutter_of_the_camera_nothing_is_left_out() -> None:
    doze, n = asleep()
    assert told(doze, [False], n + 20) == [[n - 1, n + 20]]


class Watchful(Doze):
    """An eye that examines every frame."""

    def rests(self, t: float, resting: bool) -> None:
        super().rests(t, resting=False)


class TwoEyes:
    """An eye that dozes and one that does not, before the same table."""

    def __init__(self) -> None:
        self.dozes, self.watches = Eye(LAYOUT, deck()), Eye(LAYOUT, deck())
        self.watches._doze = Watchful(0)
        self.looks = 0
        self.told: list[list[tuple[float, Sighting]]] = [[], []]
        take_in = self.dozes._take_in
        self.dozes._take_in = lambda frame, t: self._count(take_in(frame, t))  # type: ignore[method-assign]

    def _count(self, seen: Sequence[Sighting]) -> Sequence[Sighting]:
        self.looks += 1
        return seen

    def see(self, picture: Picture, t: float) -> list[Sighting]:
        """Show both a frame; each sighting is kept with the time at which it was reported."""
        for eye, told in zip((self.dozes, self.watches), self.told, strict=True):
            told += [(t, seen) for seen in eye.see(picture, t)]
        return []


def test_an_eye_that_dozed_tells_the_same_cards_and_hands_at_the_same_time() -> None:
    evening, eyes = Evening(), TwoEyes()
    evening.eye = eyes  # type: ignore[assignment]
    evening.wait(20)  # the camera's noise is measured first
    began, looks = evening.frame, eyes.looks
    evening.wait(45)
    assert eyes.looks - looks < 0.6 * (evening.frame - began)
    for seat, name, rest in (("S4", "red-8", 31), ("S1", "blue-3", 30), ("S2", "green-9", 32)):
        evening.play(seat, name)
        evening.wait(rest)
    evening.lamps = lambda picture, t: np.zeros_like(picture)
    evening.wait(12)
    dozed, watched = ([(t, alike(seen)) for t, seen in told] for told in eyes.told)
    assert dozed == watched
    assert len([seen for _, seen in watched if seen[0] == "CardDown"]) == 3


def alike(seen: Sighting) -> tuple[object, ...]:
    """The content of a sighting without its pictures."""
    said = [getattr(seen, field.name) for field in fields(seen)]
    return (type(seen).__name__, *(value for value in said if not isinstance(value, np.ndarray)))
