"""Which parts of a picture are read for a throw, and when."""

from __future__ import annotations

import pytest

from tests.vision.untagged.thrown_film import Die, Film, faces
from vision.dice.face import Face
from vision.dice.pieces import Pieces
from vision.dice.search import searched
from vision.sightings import Picture


class Looks:
    """Counts the pixels of the picture that each search for dice examines."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.areas: list[float] = []
        monkeypatch.setattr("vision.dice.incremental_reader.searched", self)

    def __call__(
        self, picture: Picture, edges: tuple[float, float], where: Picture | None = None
    ) -> Pieces[list[Face]]:
        share = 1.0 if where is None else float((where > 0).mean())
        self.areas.append(share * picture.shape[0] * picture.shape[1])
        return searched(picture, edges, where)


def test_of_a_second_throw_only_what_has_changed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both rests last a fifth of a second; one die of three is picked up and thrown again."""
    looks = Looks(monkeypatch)
    film = Film()
    film.roll()
    (first,) = film.show([(2, 300, 100), (4, 220, 150), (1, 60, 60)], 4)
    assert faces(first) == ["1", "2", "4"]
    looks.areas.clear()
    film.roll()
    (second,) = film.show([(2, 300, 100), (4, 220, 150), (4, 50, 130)], 4)
    assert faces(second) == ["2", "4", "4"], "what was taken up is gone, what stayed is there still"
    assert 0 < max(looks.areas) < 0.25 * 270 * 480
    stayed = {d.center_mm for d in first.dice} & {d.center_mm for d in second.dice}
    assert len(stayed) == 2, "dice that stayed are not read again"


def test_a_rest_is_read_before_it_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 30 frames a second a rest is proven by the fifth; the search begins at the second."""
    looks = Looks(monkeypatch)
    film = Film()
    film.fps = 30
    film.roll()
    looks.areas.clear()
    rest: list[Die] = [(2, 120, 100), (4, 220, 150)]
    assert film.show(rest, 4) == []
    assert len(looks.areas) == 1
    (throw,) = film.show(rest, 1)
    assert faces(throw) == ["2", "4"]
    assert len(looks.areas) == 1, "nothing is looked for twice"


def test_what_was_begun_is_forgotten_when_dice_roll_on() -> None:
    film = Film()
    film.fps = 30
    film.roll()
    assert film.show([(2, 120, 100), (4, 220, 150)], 4) == []
    assert film.show([(2, 120, 100), (4, 250, 150)]) == []
    (throw,) = film.show([(2, 120, 100), (1, 280, 150)], 12)
    assert faces(throw) == ["1", "2"]


def test_what_has_changed_since_the_search_began_is_read_again() -> None:
    """The change from picture to picture is too small to be motion: exposure settles, and pips appear."""
    film = Film()
    film.fps = 30
    film.roll()
    said = []
    for faint in (1.0, 0.8, 0.6, 0.4, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0):
        film.faint = faint
        said += film.show([(4, 120, 100), (4, 220, 150)])
    assert [faces(throw) for throw in said] == [["4", "4"]]


def test_of_the_first_throw_only_what_differs_from_the_empty_table_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No rest comes before it, but the dice that lay there from the first picture are reported with it."""
    looks = Looks(monkeypatch)
    film = Film()
    lying: list[Die] = [(4, 380, 220)]
    film.show(lying)
    for k in range(5):
        film.show([*lying, (1, 60 + 40 * k, 90 + 20 * k)])
    looks.areas.clear()
    (throw,) = film.show([*lying, (2, 120, 100), (1, 60, 60)], 6)
    assert faces(throw) == ["1", "2", "4"]
    assert 0 < max(looks.areas) < 0.4 * 270 * 480


def test_what_lay_there_from_the_start_and_is_far_larger_than_dice_is_none() -> None:
    """The squares of a mat's tag look like the pips of a large die until real dice are seen."""
    film = Film()
    film.tag = True
    film.show([])
    film.roll()
    (throw,) = film.show([(2, 120, 100), (4, 220, 150)], 6)
    assert faces(throw) == ["2", "4"]


def test_dice_that_lie_there_from_the_start_are_said_at_the_first_rest() -> None:
    film = Film()
    (throw,) = film.show([(2, 120, 100), (4, 220, 150)], 6)
    assert faces(throw) == ["2", "4"]


def test_a_swaying_camera_has_nothing_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand holds it, so that all edges lie a pixel beside their former place."""
    looks = Looks(monkeypatch)
    film = Film()
    film.show([])
    for k in range(5):
        film.show([(1, 60 + 40 * k, 90 + 20 * k)], shift=1)
    looks.areas.clear()
    (throw,) = film.show([(4, 220, 150)], 6, shift=1)
    assert faces(throw) == ["4"]
    assert 0 < max(looks.areas) < 0.2 * 270 * 480
