"""Throws said once a rest: a drawn table, frame by frame, and the shared films of real dice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.shared import SHARED, needs
from vision.dice.face import Face
from vision.dice.found import FoundDie
from vision.dice.incremental_reader import PipReader
from vision.dice.pieces import Pieces
from vision.dice.search import searched
from vision.sightings import DieSeen, Picture, ThrowSeen
from vision.untagged.throws import Throws

FPS = 15
PLACES = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 4: [(-1, -1), (-1, 1), (1, -1), (1, 1)]}
Die = tuple[int, float, float]  # value, x, y


class Film:
    """Frames of a drawn table and what `Throws` said of them."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(3)
        self.throws = Throws()
        self.said: list[ThrowSeen] = []
        self.t = 0.0
        self.exposure = 1.0
        self.cloth = 0
        self.fps = FPS
        self.faint = 0.0
        self.tag = False

    def show(self, dice: list[Die], frames: int = 1, hand: int = 0, shift: int = 0) -> list[ThrowSeen]:
        """Show dice lying still, a hand that reaches in `hand` pixels, a camera moved by `shift`."""
        new = []
        for _ in range(frames):
            picture = self.draw(dice, hand, shift)
            new += self.throws.see(picture, self.t)
            self.t += 1 / self.fps
        self.said += new
        return new

    def roll(self) -> None:
        """Five frames of tumbling."""
        for k in range(5):
            assert self.show([(1, 60 + 40 * k, 90 + 20 * k), (4, 300 - 30 * k, 100 + 10 * k)]) == []

    def draw(self, dice: list[Die], hand: int, shift: int) -> Picture:
        picture = np.full((270, 480, 3), (60, 90, 40), np.float32)
        picture[:, : self.cloth] = (225, 230, 235)
        picture[200:206, :] = (150, 160, 170)
        picture[:, 430:436] = (150, 160, 170)
        if self.tag:
            picture[30:110, 340:420] = (20, 20, 20)
            for u, v in PLACES[4]:
                cv2.circle(picture, (380 + 20 * u, 70 + 20 * v), 8, (240, 240, 240), -1, cv2.LINE_AA)
        for value, x, y in dice:
            x0, y0 = int(x), int(y)
            picture[y0 - 15 : y0 + 15, x0 - 15 : x0 + 15] = (40, 35, 190)
            for u, v in PLACES[value]:
                pip = tuple(240 + self.faint * (body - 240) for body in (40, 35, 190))
                cv2.circle(picture, (x0 + 8 * u, y0 + 8 * v), 3, pip, -1, cv2.LINE_AA)
        if hand:
            picture[90:170, :hand] = (120, 150, 200)
        picture = np.roll(cv2.GaussianBlur(picture, (0, 0), 0.8), (shift, shift), (0, 1))
        picture = picture * np.float32(self.exposure)
        return (picture + self.rng.normal(0, 2, picture.shape)).clip(0, 255).astype(np.uint8)


def faces(throw: ThrowSeen) -> list[str]:
    return sorted(d.face or "?" for d in throw.dice)


def test_dice_that_come_to_rest_are_said_once() -> None:
    film = Film()
    film.roll()
    (throw,) = film.show([(2, 120, 100), (4, 220, 150)], 20)
    assert faces(throw) == ["2", "4"]
    assert throw.t == pytest.approx(6 / FPS + 0.133, abs=0.1), "decided on a frame of the rest"


def test_a_rest_of_a_fifth_of_a_second_counts() -> None:
    film = Film()
    film.roll()
    assert len(film.show([(2, 120, 100), (4, 220, 150)], 4)) == 1
    film.roll()
    assert len(film.show([(2, 320, 100), (1, 220, 70)], 4)) == 1


class Looks:
    """Counts, for each look for dice, the pixels of the picture where it looked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.areas: list[float] = []
        monkeypatch.setattr("vision.dice.incremental_reader.searched", self)

    def __call__(
        self, picture: Picture, edges: tuple[float, float], where: Picture | None = None
    ) -> Pieces[list[Face]]:
        share = 1.0 if where is None else float((where > 0).mean())
        self.areas.append(share * picture.shape[0] * picture.shape[1])
        return searched(picture, edges, where)


def test_three_pictures_alike_at_15_a_second_are_a_rest() -> None:
    """The rest began with the first of them."""
    film = Film()
    film.roll()
    assert len(film.show([(2, 120, 100), (4, 220, 150)], 3)) == 1


def test_two_pictures_alike_at_10_a_second_are_a_rest_unless_one_is_the_other_again() -> None:
    film = Film()
    rest: list[Die] = [(2, 120, 100), (4, 220, 150)]
    film.throws.see(film.draw([], 0, 0), 0.0)
    film.throws.see(film.draw([(1, 60, 90)], 0, 0), 0.1)
    still = film.draw(rest, 0, 0)
    assert film.throws.see(still, 0.2) == []
    assert film.throws.see(still, 0.3) == [], "the camera stalls"
    film.throws.see(film.draw([(1, 60, 90)], 0, 0), 0.4)
    assert film.throws.see(film.draw(rest, 0, 0), 0.5) == []
    (throw,) = film.throws.see(film.draw(rest, 0, 0), 0.6)
    assert faces(throw) == ["2", "4"]


def test_a_trembling_hand_may_hold_the_camera() -> None:
    """The edges of the box change with every picture; the dice lie still."""
    film = Film()
    film.roll()
    shifts = (2, 1, 2, 0, 1, 2, 0, 2, 1, 0)
    said = [s for k in shifts for s in film.show([(2, 120, 100), (4, 220, 150)], shift=k)]
    assert [faces(throw) for throw in said] == [["2", "4"]]


def test_dice_roll_on_though_the_camera_trembles() -> None:
    film = Film()
    film.show([(2, 120, 100)])
    for k in range(12):
        assert film.show([(2, 120, 100), (4, 180 + 3 * k, 150)], shift=k % 3) == []


def test_a_step_of_the_exposure_is_no_hand() -> None:
    film = Film()
    film.cloth = 150
    film.show([], 6)
    film.exposure = 0.8
    film.roll()
    (throw,) = film.show([(2, 250, 100), (4, 330, 150)], 6)
    assert faces(throw) == ["2", "4"]


def test_of_a_second_throw_only_what_has_changed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both rests last a fifth of a second; one die of three is taken up and thrown again."""
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
    """At 30 pictures a second a rest is proven by the fifth; the search is begun at the second."""
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
    """From picture to picture too little changes for a motion: an exposure settles, pips come forth."""
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
    """No rest comes before it: what lay there from the first picture is said with it all the same."""
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
    """The squares of a mat's tag look like the pips of a large die until true dice are seen."""
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
    """A hand holds it: all edges lie a pixel beside where they lay."""
    looks = Looks(monkeypatch)
    film = Film()
    film.show([])
    for k in range(5):
        film.show([(1, 60 + 40 * k, 90 + 20 * k)], shift=1)
    looks.areas.clear()
    (throw,) = film.show([(4, 220, 150)], 6, shift=1)
    assert faces(throw) == ["4"]
    assert 0 < max(looks.areas) < 0.2 * 270 * 480


def test_a_die_thrown_against_another_is_read_and_neither_twice() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 4)
    film.roll()
    (second,) = film.show([(2, 120, 100), (4, 220, 150), (1, 252, 150)], 4)
    assert faces(second) == ["1", "2", "4"]


def test_taking_dice_away_is_no_throw() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 6)
    film.show([(2, 120, 100), (4, 220, 150)], 2, hand=60)
    assert film.show([(4, 220, 150)], 10) == []
    assert film.show([], 10) == []


def test_a_hand_that_waits_over_the_table_is_waited_for() -> None:
    film = Film()
    film.roll()
    film.show([(2, 320, 100), (4, 220, 50)], 6)
    film.show([(2, 320, 100), (4, 220, 50)], 1, hand=50)
    assert film.show([(1, 350, 150), (4, 220, 50)], 10, hand=150) == []
    assert len(film.show([(1, 350, 150), (4, 220, 50)], 6)) == 1


def test_a_moving_camera_is_no_throw() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 6)
    for k in range(1, 6):
        assert film.show([(2, 120, 100), (4, 220, 150)], 1, shift=4 * k) == []
    assert film.show([(2, 120, 100), (4, 220, 150)], 10, shift=20) == []


def test_a_camera_that_creeps_is_no_throw() -> None:
    film = Film()
    film.roll()
    film.show([(2, 120, 100), (4, 220, 150)], 6)
    for k in range(1, 31):
        assert film.show([(2, 120, 100), (4, 220, 150)], shift=k) == []


def test_a_film_without_dice_says_nothing() -> None:
    film = Film()
    film.show([], 10)
    film.show([], 5, hand=100)
    film.show([], 10)
    assert film.said == []


def test_another_reader_may_be_lent() -> None:
    """The box lends a reader that knows millimetres; the timing stays the same."""
    die = DieSeen("blue", "X", (1.0, 2.0), 0.0, "field")
    throws = Throws(lambda picture: [FoundDie(die, (100.0, 100.0), 20.0)])
    blank = np.zeros((270, 480, 3), np.uint8)
    busy = blank.copy()
    busy[80:120, 80:120] = 255
    said = [s for k in range(12) for s in throws.see(busy if k > 3 else (blank, busy)[k % 2], k / FPS)]
    assert [s.dice for s in said] == [(die,)]


@needs("footage/real-throws")
def test_real_translucent_dice_are_read() -> None:
    film = cv2.VideoCapture(str(SHARED / "footage/real-throws/tirada_2.mp4"))
    film.set(cv2.CAP_PROP_POS_FRAMES, 61)
    _, picture = film.read()
    found = PipReader().read(np.asarray(picture, np.uint8)).found
    left_to_right = [f.die.face for f in sorted(found, key=lambda f: f.at_px[0])]
    assert left_to_right == ["3", "1", "2", "2", "3"]
