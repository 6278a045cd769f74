"""The disturbed films' own tests: every kind spoils the picture, and the judge reports each fault alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.disturbed import BLINDING, KINDS, Cut, Picture, disturbed
from tests.vision.film_verdict import cuts_over, judge


def still(frames: int = 60) -> list[tuple[Picture, float]]:
    """A chequered table at rest, 15 frames a second, with a little noise."""
    table = np.kron((np.indices((9, 16)).sum(axis=0) % 2) * 120 + 60, np.ones((20, 20)))
    picture = cv2.cvtColor(table.astype(np.uint8), cv2.COLOR_GRAY2BGR)
    chance = np.random.default_rng(1)
    return [(cv2.add(picture, chance.integers(0, 5, picture.shape, np.uint8)), k / 15) for k in range(frames)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_spoils_its_own_frames_only_and_always_alike(kind: str) -> None:
    film, cut = still(), Cut(kind, 1.0, 1.0, seed=2)
    shown = list(disturbed(film, cut))
    for (picture, t), (spoilt, at) in zip(film, shown, strict=True):
        assert t == at
        inside = cut.start_s <= t < cut.until_s
        assert (spoilt is picture) != inside
    middle = shown[22][0]
    assert middle.shape == film[0][0].shape
    assert middle.dtype == np.uint8
    again = list(disturbed(film, cut))[22][0]
    assert (middle == again).all()
    if kind in BLINDING and kind not in ("freeze", "torn", "older"):
        assert np.median(np.abs(middle.astype(int) - film[22][0])) > 20


def test_a_frozen_camera_repeats_its_last_frame_byte_for_byte() -> None:
    film = still()
    shown = list(disturbed(film, Cut("freeze", 1.0, 1.0)))
    assert all((picture == film[14][0]).all() for picture, t in shown if 1.0 <= t < 2.0)
    assert (shown[30][0] != film[14][0]).any()


def test_a_cover_slides_in_and_out() -> None:
    film = still()
    shown = list(disturbed(film, Cut("slide", 1.0, 2.0, seed=4, ramp=8)))
    apart = [float(np.abs(a.astype(int) - b).mean()) for (a, _), (b, _) in zip(shown, film, strict=True)]
    assert 0 < apart[16] < apart[19] < apart[22]
    assert apart[43] < apart[40] <= apart[30]


def test_the_judge_tells_each_fault_by_itself() -> None:
    truth, cut = [(1.0, "a"), (5.0, "b"), (9.0, "c")], Cut("black", 4.5, 2.0)
    assert not judge([(1.1, "a"), (9.0, "c")], truth, [cut]).faults
    assert judge([(1.1, "a"), (9.0, "c")], truth, [cut]).unseen == [(5.0, "b")]
    assert not judge([(1.1, "a"), (7.0, "b"), (9.0, "c")], truth, [cut]).faults
    assert judge([(1.1, "a"), (7.0, "a"), (9.0, "c")], truth, [cut]).invented == [(7.0, "a")]
    assert judge([(1.1, "a"), (1.5, "a"), (9.0, "c")], truth, [cut]).twice == [(1.5, "a")]
    assert judge([(9.0, "c")], truth, [cut]).lost == [(1.0, "a")]
    lit = Cut("light", 4.5, 2.0)
    assert judge([(1.1, "a"), (9.0, "c")], truth, [lit]).lost == [(5.0, "b")]


def test_cuts_are_of_every_kind_and_of_every_length() -> None:
    cuts = cuts_over(2.0, 20.0, 60, seed=1)
    assert {cut.kind for cut in cuts} == set(KINDS)
    assert min(cut.seconds for cut in cuts) < 0.5
    assert max(cut.seconds for cut in cuts) > 20.0
    assert all(2.0 <= cut.start_s <= 20.0 for cut in cuts)
    with pytest.raises(ValueError, match="no kind"):
        Cut("rain", 0.0, 1.0)
