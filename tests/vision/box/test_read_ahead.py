"""A box is read while its rest is being proven, and the haste does no harm."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.box.drawn_box import FPS, LAYOUT, NOISE, THROW, Drawn, Film, draw
from vision.box.pose_fit import register_box
from vision.box.reader import BoxReader
from vision.errors import BlurredError
from vision.sightings import Picture
from vision.tags import find_tags


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Picture]:
    """Every picture that is read."""
    pictures: list[Picture] = []
    read = BoxReader.read

    def counted(reader: BoxReader, picture: Picture, changed: Picture | None = None) -> object:
        pictures.append(picture)
        return read(reader, picture, changed)

    monkeypatch.setattr(BoxReader, "read", counted)
    return pictures


def test_the_frame_that_tells_a_throw_reads_nothing(film: Film, reads: list[Picture]) -> None:
    film.fly()
    reads.clear()
    assert film.show(THROW, 3) == []
    assert len(reads) == 1
    (seen,) = film.show(THROW, 1)
    assert len(seen.dice) == 2
    assert len(reads) == 1


def test_a_die_that_creeps_on_after_it_was_read_is_read_again(film: Film, reads: list[Picture]) -> None:
    """It moves half a millimetre, less than counts as motion."""
    film.fly()
    reads.clear()
    crept = [replace(die, x=die.x + 0.5) for die in THROW]
    assert film.show(THROW, 3) == []
    assert len(reads) == 1
    assert len(film.show(crept, 1)) == 1
    assert len(reads) == 2


def test_what_comes_too_slowly_to_stir_after_a_box_was_read_is_read(film: Film, reads: list[Picture]) -> None:
    """While a die fades in, no picture differs much from the one before."""
    film.fly()
    film.show(THROW, 3)
    third = [*THROW, Drawn("white", "2", -60.0, 60.0)]
    one, two = (draw(dice).astype(np.float32) for dice in (THROW, third))
    reads.clear()
    for k, share in enumerate((0.06, 0.12, 0.18, 0.24), 1):
        assert reads == []
        picture = (one + share * (two - one)).round().astype(np.uint8)
        film.eye.see(cv2.add(picture, NOISE[k % 3]), film.t + (k / 4 - 1) / FPS)
    assert len(reads) == 1


def test_a_die_that_seems_to_lie_as_it_lay_is_not_followed_far(
    film: Film, reads: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a noisy or blurred picture a shift by part of a pixel may go unnoticed."""
    monkeypatch.setattr(BoxReader, "_lies_as_before", lambda *_: True)
    film.fly()
    film.show(THROW, 3)
    reads.clear()
    film.show([replace(die, x=die.x + 0.3) for die in THROW], 1)
    assert len(reads) == 1


def test_a_die_that_creeps_by_a_part_of_a_pixel_is_followed(film: Film, reads: list[Picture]) -> None:
    film.fly()
    assert film.show(THROW, 3) == []
    (stood,) = Film(film.dice).show(THROW, 4)
    reads.clear()
    (seen,) = film.show([replace(die, x=die.x + 0.05) for die in THROW], 1)
    assert reads == []
    before, now = (next(d for d in s.dice if d.colour == "red").center_mm[0] for s in (stood, seen))
    assert 0.02 < now - before < 0.1


def test_what_was_read_ahead_is_forgotten_when_dice_roll_on(film: Film) -> None:
    film.fly()
    assert film.show(THROW, 3) == []
    moved = [replace(die, y=die.y - 30) for die in THROW]
    assert film.show(moved, 1) == []
    (seen,) = film.show(moved, 4)
    assert next(d for d in seen.dice if d.colour == "red").center_mm == pytest.approx((-40, -10), abs=0.5)


def test_early_looks_do_not_make_a_softer_lens_believed(film: Film) -> None:
    """A picture blurred while a rest is being proven does not count as one of a rest."""
    film.show(THROW, 16)
    blurred = cv2.GaussianBlur(draw(THROW), (0, 0), 1.1)
    for _ in range(60):
        with pytest.raises(BlurredError):
            film.eye._reader.apart().read(blurred)


def test_a_box_is_searched_for_its_tags_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Picture] = []

    def counted(picture: Picture, wanted: Collection[int] | None = None) -> object:
        searches.append(picture)
        return find_tags(picture, wanted)

    monkeypatch.setattr("vision.geometry.find_tags", counted)
    monkeypatch.setattr("vision.box.pose_fit.find_tags", counted)
    assert len(register_box(draw([]), LAYOUT).tags) == len(LAYOUT.tags)
    assert len(searches) == 1
