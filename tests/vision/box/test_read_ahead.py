"""A box is read while its rest is being proven, and nothing comes of the haste."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.box.drawn_box import THROW, Film
from vision.box.reader import BoxReader
from vision.sightings import Picture


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
    """By less than stirs: half a millimetre."""
    film.fly()
    reads.clear()
    crept = [replace(die, x=die.x + 0.5) for die in THROW]
    assert film.show(THROW, 3) == []
    assert len(reads) == 1
    assert len(film.show(crept, 1)) == 1
    assert len(reads) == 2


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
