"""The odd disturbances of films: each hides something, and is the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.disturbed import ODD_KINDS, Cut, Picture, disturbed


def film() -> list[tuple[Picture, float]]:
    chance = np.random.default_rng(2)
    picture = np.kron(chance.integers(0, 255, (9, 16, 3)), np.ones((20, 20, 1))).astype(np.uint8)
    return [(picture, number / 15) for number in range(20)]


@pytest.mark.parametrize("kind", ODD_KINDS)
def test_an_odd_picture_is_another_one_as_large_and_nothing_outside_its_cut_is_touched(kind: str) -> None:
    cut = Cut(kind, start_s=0.4, seconds=0.6, seed=3, ramp=2)
    (plain, _), *_ = film()
    shown = list(disturbed(film(), cut))
    assert all((picture == plain).all() for picture, t in shown if not cut.start_s <= t < cut.until_s)
    spoilt = [picture for picture, t in shown if cut.start_s <= t < cut.until_s]
    assert {(picture.shape, picture.dtype) for picture in spoilt} == {(plain.shape, plain.dtype)}
    assert any((picture != plain).any() for picture in spoilt)
    again = [picture for picture, _ in disturbed(film(), cut)]
    assert all((one == other).all() for (one, _), other in zip(shown, again, strict=True))
