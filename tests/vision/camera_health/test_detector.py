"""A camera that does not show its table is reported, with reason and duration, whatever happens there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.camera_health.filmed import (
    HZ,
    Filmed,
    Spoil,
    cover,
    haze,
    lit,
    noisy,
    shifted,
    torn,
    unfocused,
)
from tests.vision.evening import SEATS, Evening
from vision.camera_health.detector import TELL_S, CameraHealth
from vision.evaluate.stages import trying
from vision.frame import Frame
from vision.sightings import Picture, SightBack, SightLost
from vision.synthetic.scene import Arm

KINDS = {
    "black": (cover(3, 3, 3), "covered"),
    "a black glove": (cover(26, 24, 25), "covered"),
    "grey": (cover(128, 128, 128), "covered"),
    "white": (cover(250, 250, 250), "covered"),
    "skin": (cover(120, 150, 205), "covered"),
    "lights off": (lit(0.06), "dark"),
    "a tenth of the light": (lit(0.1), "dark"),
    "a palm through which a little shows": (haze, "covered"),
    "out of focus": (unfocused, "covered"),
    "torn": (torn, "covered"),
    "another scene": (shifted, "moved"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seconds", [0.2, 0.4, 2.0])
def test_nothing_is_seen_while_the_picture_is_unlike_the_table(kind: str, seconds: float) -> None:
    spoil, why = KINDS[kind]
    film = Filmed()
    assert all(film.watch(20))
    began = film.t
    assert not any(film.watch(round(seconds * HZ), spoil))
    assert film.watch(6)[-1]
    if seconds < TELL_S:
        assert not film.news
        return
    lost, back = film.news
    assert isinstance(lost, SightLost)
    assert isinstance(back, SightBack)
    assert (lost.why, back.why) == (why, why)
    assert lost.since == back.since == pytest.approx(began)
    assert lost.t - began < 0.4
    assert back.t == pytest.approx(began + seconds, abs=0.35)


def test_a_frozen_picture_of_a_camera_with_noise_is_no_picture() -> None:
    film = Filmed()
    film.watch(30)
    began = film.t
    frozen = film.last
    assert not any(film.give(frozen) for _ in range(30))
    (lost,) = film.news
    assert (lost.why, lost.since) == ("frozen", pytest.approx(began))
    assert lost.t - began < 1.0
    film.watch(6)
    assert isinstance(film.news[-1], SightBack)


def test_a_picture_whose_lower_part_a_decoder_repeats_is_frozen_though_its_upper_part_lives() -> None:
    film = Filmed()
    film.watch(30)
    began, old = film.t, film.last

    def half_old(picture: Picture, chance: np.random.Generator) -> Picture:
        return np.concatenate((picture[: picture.shape[0] // 2], old[picture.shape[0] // 2 :]))

    assert not any(film.watch(30, half_old))
    (lost,) = film.news
    assert (lost.why, lost.since) == ("frozen", pytest.approx(began, abs=0.1))
    film.watch(6)
    assert isinstance(film.news[-1], SightBack)


def test_a_part_that_has_lost_its_noise_for_good_blinds_no_table_for_ever() -> None:
    film = Filmed()
    film.watch(30)
    old = film.last

    def still_below(picture: Picture, chance: np.random.Generator) -> Picture:
        return np.concatenate((picture[: picture.shape[0] // 2], old[picture.shape[0] // 2 :]))

    with trying("camera-health.longest_tear", 60):
        seen = film.watch(100, still_below)
    assert not any(seen[5:55])
    assert all(seen[80:])


def test_a_black_picture_that_is_repeated_is_covered_and_not_frozen() -> None:
    film = Filmed()
    film.watch(30)
    black = np.zeros_like(film.last)
    assert not any(film.give(black) for _ in range(30))
    assert [type(news) for news in film.news] == [SightLost]


def test_a_frame_that_a_camera_repeats_now_and_then_is_passed_over_without_a_word() -> None:
    film = Filmed()
    film.watch(30)
    for _ in range(20):
        film.give(film.last)
        assert film.watch(2) == [True, True]
    assert not film.news


def test_of_a_slow_camera_that_gives_each_picture_three_times_only_the_first_counts() -> None:
    """In repeated pictures a blurred card in flight seems as still as one that has come to rest."""
    film = Filmed()
    for _ in range(12):
        film.watch(1)
        film.give(film.last)
        film.give(film.last)
    for _ in range(20):
        assert film.watch(1) == [True]
        assert [film.give(film.last), film.give(film.last)] == [False, False]
    assert not film.news


def test_a_film_without_noise_may_repeat_itself_while_nothing_happens() -> None:
    film = Filmed()
    still = film.table()
    assert all(film.give(still) for _ in range(60))
    other = still.copy()
    other[200:260, 300:420] = 240
    assert all(film.give(other) for _ in range(60))
    assert not film.news


def test_a_camera_that_gives_nothing_for_long_was_gone() -> None:
    film = Filmed()
    film.watch(20)
    film.t += 5.0
    film.watch(6)
    assert [(type(news), news.why) for news in film.news] == [(SightLost, "gone"), (SightBack, "gone")]
    assert film.news[1].since < 1.4


def test_what_slides_over_the_lens_takes_sight_before_it_covers_all() -> None:
    film = Filmed()
    film.watch(20)

    def slid(share: float) -> Spoil:
        def spoil(picture: Picture, chance: np.random.Generator) -> Picture:
            part = picture.copy()
            width = round(share * picture.shape[1])
            part[:, :width] = cover(118, 146, 196)(picture, chance)[:, :width]
            return part

        return spoil

    seen = [film.watch(1, slid(step / 7))[0] for step in range(1, 8)]
    assert not any(seen[3:])
    assert not any(film.watch(10, slid(1.0)))
    film.watch(20)
    assert [news.why for news in film.news] == ["covered", "covered"]


def test_hands_over_the_table_take_no_sight() -> None:
    """Four hands at once, and cards that come and go."""
    pictures: list[Picture] = []
    evening = Evening(watched=False)

    def keep(picture: Picture, t: float) -> Picture:
        pictures.append(picture)
        return picture

    evening.lamps = keep
    arms = [Arm((1.6 * x, 1.6 * y), (0.3 * x, 0.3 * y)) for _, (x, y) in SEATS.values()]
    for seat, name in zip(SEATS, ("red-8", "blue-3", "green-9", "brown-6"), strict=True):
        evening.play(seat, name)
    evening.reach("S2", (0.0, 0.0), take=True)
    for count in (1, 2, 3, 4, 3, 2, 1):
        for _ in range(5):
            evening.show(arms[:count])
    health = CameraHealth()
    glances = [health.see(Frame(picture), i / HZ) for i, picture in enumerate(pictures)]
    assert len(glances) > 60
    assert all(glance.seen for glance in glances)


def test_a_table_found_anew_is_trusted() -> None:
    film = Filmed()
    film.watch(20)
    film.watch(10, shifted)
    assert film.health.why == "moved"
    film.health.bear(Frame(film.last))
    assert film.watch(5, shifted)[-1]
    assert film.health.why is None


def test_a_table_that_is_found_elsewhere_at_once_takes_no_sight() -> None:
    found: list[Frame] = []
    film = Filmed(CameraHealth(finds=lambda frame: not found.append(frame)))
    film.watch(20)
    assert all(film.watch(20, shifted))
    assert len(found) == 1
    assert not film.news


def test_a_table_is_not_looked_for_where_nothing_is_shown() -> None:
    film = Filmed(CameraHealth(finds=lambda frame: pytest.fail("there is no tag in a black picture")))
    film.watch(20)
    film.watch(10, cover(3, 3, 3))
    film.watch(10, cover(120, 150, 205))
    film.watch(10, lit(0.1))


def test_without_a_table_another_scene_that_stays_is_what_the_camera_looks_at_now() -> None:
    film = Filmed(CameraHealth(moves_on_s=2.0))
    film.watch(20)
    seen = film.watch(60, shifted)
    assert not any(seen[:20])
    assert all(seen[40:])


def test_a_cover_that_slides_in_is_no_table_although_the_tags_were_found_beside_it() -> None:
    """Halfway in, the box used to be found in its place, and the cover was learnt as the table."""
    palm = np.random.default_rng(3).normal(118, 14, (6, 8, 1)) + np.zeros(3)

    def covered(picture: Picture, share: float) -> Picture:
        height, width = picture.shape[:2]
        soft = cv2.resize(palm, (width, height), interpolation=cv2.INTER_CUBIC).clip(0, 255)
        hidden = round(share * width)
        shown = picture.copy()
        shown[:, :hidden] = soft[:, :hidden]
        return noisy(shown, film.chance)

    film = Filmed()
    film.watch(30)
    film.give(covered(film.table(), 0.25))
    film.give(covered(film.table(), 0.55))
    film.health.bear(Frame(film.last))
    film.give(covered(film.table(), 0.8))
    seen = [film.give(covered(film.table(), 1.0)) for _ in range(15)]
    assert not any(seen)
    assert [type(news) for news in film.news] == [SightLost]
    assert not any(film.watch(1))
    film.watch(12)
    assert type(film.news[-1]) is SightBack


@pytest.mark.parametrize("tone", [(20, 20, 24), (238, 240, 235)])
def test_a_sleeve_or_a_menu_over_most_of_the_picture_that_goes_leaves_sight(
    tone: tuple[int, int, int],
) -> None:
    film = Filmed()
    film.watch(12, noisy)
    width = film.table().shape[1]
    for share in (*np.linspace(0.05, 0.6, 20), *[0.6] * 60):  # it comes slowly, as no cover does, and stays

        def sleeved(
            picture: Picture, chance: np.random.Generator, wide: int = round(share * width)
        ) -> Picture:
            hidden = picture.copy()
            hidden[:, :wide] = tone
            return noisy(hidden, chance)

        film.watch(1, sleeved)
    film.watch(30, noisy)
    assert film.health.why is None
    assert film.health.doubt is None


@pytest.mark.parametrize("frames", [5, 10, 20])
def test_a_sleeve_that_slides_over_more_than_half_of_the_table_covers_it_however_slowly(frames: int) -> None:
    film = Filmed()
    film.watch(20, noisy)
    width = film.table().shape[1]

    def sleeved(share: float) -> Spoil:
        def spoil(picture: Picture, chance: np.random.Generator) -> Picture:
            hidden = picture.copy()
            hidden[:, : round(share * width)] = (20, 20, 24)
            return noisy(hidden, chance)

        return spoil

    for step in range(frames):
        film.watch(1, sleeved(0.7 * (step + 1) / frames))
    film.watch(6, sleeved(0.7))
    assert not any(film.watch(60, sleeved(0.7)))
    assert film.health.why == "covered"
    film.watch(12, noisy)
    assert film.health.why is None
    assert [news.why for news in film.news] == ["covered", "covered"]
