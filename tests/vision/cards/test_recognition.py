"""A flattened card is named by its face in any light; a face not enrolled gets no name."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.evening import FACES, NAMES, deck
from vision.cards import face_pyramid
from vision.cards.alignment import align
from vision.cards.recognition import FACE_PX, Faces
from vision.sightings import Picture

FACES_ENROLLED = deck().faces


def flat(name: str) -> np.ndarray:
    return cv2.resize(FACES[name], FACE_PX, interpolation=cv2.INTER_AREA).astype(np.float32)


def as_picture(values: np.ndarray) -> Picture:
    return np.clip(values, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", NAMES[::4])
def test_a_card_in_warm_dim_light_with_a_shadow_across_is_named(name: str) -> None:
    gain = np.linspace(0.35, 0.7, FACE_PX[0])[None, :, None] * np.array([0.55, 0.8, 1.0])
    reading = FACES_ENROLLED.read(as_picture(flat(name) * gain + 6))
    assert reading.name == name
    assert reading.likeness > 0.9
    assert reading.margin > 0.5


@pytest.mark.parametrize("name", NAMES[1::4])
@pytest.mark.parametrize("shade", [0.35, 0.55])
def test_a_card_across_a_shadow_with_a_hard_edge_is_named(name: str, shade: float) -> None:
    x, y = np.meshgrid(np.arange(FACE_PX[0]), np.arange(FACE_PX[1]))
    light = np.where(x + 0.5 * y > 62, shade, 0.9)[..., None]
    reading = FACES_ENROLLED.read(as_picture(flat(name) * light))
    assert reading.name == name
    assert reading.likeness > 0.85
    assert reading.margin > 0.5


@pytest.mark.parametrize("name", NAMES[2::4])
def test_a_card_under_a_lamps_image_is_named(name: str) -> None:
    x, y = np.meshgrid(np.arange(FACE_PX[0]), np.arange(FACE_PX[1]))
    image = (
        110 * np.exp(-(((x - 12) / 45) ** 2) - ((y - 30) / 50) ** 2)[..., None] * np.array([0.9, 1.0, 1.1])
    )
    reading = FACES_ENROLLED.read(as_picture(flat(name) * 0.5 + image))
    assert reading.name == name
    assert reading.likeness > 0.82
    assert reading.margin > 0.6


def test_a_clear_card_is_told_without_moving_its_rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each alignment costs as much as all faces at a third of their size; only near ties are worth it."""
    moved: list[object] = []
    monkeypatch.setattr(face_pyramid, "align", lambda *what: moved.append(what) or align(*what))
    assert FACES_ENROLLED.read(as_picture(flat("red-7"))).name == "red-7"
    assert len(moved) == 3  # the likeliest face, at a quarter, half and full size
    half_red_7_half_red_1 = as_picture((flat("red-7") + flat("red-1")) / 2)
    FACES_ENROLLED.read(half_red_7_half_red_1)
    assert len(moved) > 3 + 3


@pytest.mark.parametrize("name", NAMES[2::9])
def test_a_card_through_haze_is_not_dismissed_at_a_glance(name: str) -> None:
    hazy = as_picture(flat(name) * 0.5 + 120)
    assert FACES_ENROLLED.glance(hazy) < 0.1
    assert FACES_ENROLLED.glance(hazy, veiled=True) > 0.5
    assert FACES_ENROLLED.read(hazy).name == name


def test_a_card_upside_down_is_named_and_known_to_be_turned() -> None:
    reading = FACES_ENROLLED.read(as_picture(cv2.rotate(flat("red-7"), cv2.ROTATE_180)))
    assert (reading.name, reading.turned) == ("red-7", True)


def test_a_card_cut_out_two_pixels_off_and_a_little_turned_is_named() -> None:
    warp = cv2.getRotationMatrix2D((40, 60), 2.0, 1.01) + np.array([[0, 0, 2.0], [0, 0, -1.5]])
    seen = cv2.warpAffine(flat("green-6"), warp, FACE_PX, borderMode=cv2.BORDER_REPLICATE)
    reading = FACES_ENROLLED.read(as_picture(seen))
    assert reading.name == "green-6"
    assert reading.margin > 0.5


def test_a_finger_across_the_card_does_not_change_its_name() -> None:
    seen = flat("blue-5")
    seen[80:, 20:40] = (120, 150, 200)
    assert FACES_ENROLLED.read(as_picture(seen)).name == "blue-5"


def test_what_is_covered_is_left_out() -> None:
    seen = flat("blue-5")
    seen[:70] = flat("red-2")[:70]
    visible = np.ones(FACE_PX[::-1], np.bool_)
    visible[:70] = False
    assert FACES_ENROLLED.read(as_picture(seen), visible).name == "blue-5"


def test_brown_and_red_ink_are_kept_apart() -> None:
    for name, other in (("brown-3", "red-3"), ("red-3", "brown-3")):
        reading = FACES_ENROLLED.read(as_picture(flat(name) * np.array([0.4, 0.7, 1.0])))
        assert reading.name == name
        assert reading.margin > 0.5
        assert other in [guess.name for guess in reading.guesses]


def test_a_back_is_like_no_face() -> None:
    assert FACES_ENROLLED.read(as_picture(flat("back"))).likeness < 0.3


def test_an_ink_between_two_enrolled_ones_leaves_a_small_margin() -> None:
    middle = (flat("brown-3") + flat("red-3")) / 2
    assert FACES_ENROLLED.read(as_picture(middle)).margin < 0.3


def test_beliefs_are_shares_of_one() -> None:
    reading = FACES_ENROLLED.read(as_picture(flat("red-1")))
    assert sum(guess.confidence for guess in reading.guesses) == pytest.approx(1.0)


def test_no_deck_names_nothing() -> None:
    assert Faces((), ()).read(as_picture(flat("red-1"))).name is None


def ace(diamond: bool, shift: int = 0) -> Picture:
    """A white card (120, 80, 3) with one red pip and two small ones, cut out `shift` pixels off."""
    card = np.full((480, 320, 3), 225, np.uint8)
    for x, y, size in ((160, 240, 32), (32, 100, 12), (288, 380, 12)):
        x += 4 * shift
        if diamond:
            points = [(x, y - 5 * size // 4), (x + size, y), (x, y + 5 * size // 4), (x - size, y)]
            cv2.fillConvexPoly(card, np.array(points, np.int32), (45, 40, 205))
        else:
            for side in (-1, 1):
                cv2.circle(card, (x + side * size // 2, y - size // 2), 5 * size // 8, (45, 40, 205), -1)
            points = [(x - size, y - size // 4), (x + size, y - size // 4), (x, y + 5 * size // 4)]
            cv2.fillConvexPoly(card, np.array(points, np.int32), (45, 40, 205))
    return np.asarray(cv2.resize(card, FACE_PX, interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize("shift", [-3, 3])
def test_an_ace_cut_out_roughly_when_enrolled_is_not_read_as_the_ace_of_the_other_red_suit(
    shift: int,
) -> None:
    """Compared at the place that suits the heart, the diamond's own face would be the worse one."""
    aces = Faces(["DA", "HA"], [ace(True, shift), ace(False)])
    seen = cv2.GaussianBlur(ace(True), (0, 0), 0.7).astype(np.uint8)
    for fairly in (False, True):
        read = aces.read(seen, fairly=fairly)
        assert read.name == "DA"
        assert read.margin > 0.2
        assert aces.read(ace(False), fairly=fairly).name == "HA"


@pytest.mark.parametrize(("shift", "wide", "high"), [(-2, 1.07, 1.0), (2, 1.04, 1.05), (2, 1.07, 1.05)])
def test_both_likely_faces_lie_where_they_suit_when_the_last_word_is_said(
    shift: float, wide: float, high: float
) -> None:
    """A covered ace, enrolled a little too wide: its lookalike was moved into place, the ace was not."""
    stretched = np.array([[wide, 0, 40 * (1 - wide) + shift], [0, high, 60 * (1 - high)]])
    enrolled = cv2.warpAffine(ace(True), stretched, FACE_PX, borderMode=cv2.BORDER_REPLICATE)
    aces = Faces(["DA", "HA"], [as_picture(enrolled), ace(False)])
    seen = cv2.GaussianBlur(ace(True), (0, 0), 0.7).astype(np.uint8)
    visible = np.ones((FACE_PX[1], FACE_PX[0]), bool)
    visible[70:, :40] = False
    seen[~visible] = 30
    read = aces.read(seen, visible, fairly=True)
    assert read.name == "DA"
    assert read.likeness > 0.95


def court(seed: int, share: float) -> Picture:
    """A white card (120, 80, 3) of which patches of many inks cover about that share."""
    card = np.full((120, 80, 3), 235, np.uint8)
    rng = np.random.default_rng(seed)
    for _ in range(round(60 * share)):
        x, y = rng.integers(10, 62), rng.integers(12, 100)
        cv2.rectangle(card, (x, y), (x + 9, y + 10), [int(v) for v in rng.integers(10, 190, 3)], -1)
    return card


def test_a_washed_out_court_card_is_not_taken_for_the_cards_with_least_ink() -> None:
    """Without a veil, pale ink is nearest to faces with little ink; the right one was not tried."""
    names = ["court", "ace-1", "ace-2", "ace-3", "ace-4"]
    faces = Faces(names, [court(1, 1.5), *(court(seed, 0.1) for seed in (2, 3, 4, 5))])
    reading = faces.read(as_picture(0.45 * court(1, 1.5).astype(np.float32) + 110))
    assert reading.name == "court"
    assert reading.likeness > 0.6


@pytest.mark.parametrize("sigma", [1.0, 1.8])
def test_a_card_seen_from_afar_is_as_like_its_face_as_one_nearby(sigma: float) -> None:
    faces = Faces(["one", "two", "three"], [court(seed, 1.5) for seed in (1, 2, 3)])
    reading = faces.read(as_picture(cv2.GaussianBlur(court(1, 1.5), (0, 0), sigma).astype(np.float32)))
    assert reading.name == "one"
    assert reading.likeness > 0.98
    assert reading.margin > 0.9


def seven_and_eight() -> list[Picture]:
    """Two cards of one suit that differ by one pip, without indices."""
    places = [(22, 22), (58, 22), (22, 60), (58, 60), (22, 98), (58, 98), (40, 41), (40, 79)]
    cards = []
    for count in (7, 8):
        card = np.full((120, 80, 3), 226, np.uint8)
        for place in places[:count]:
            cv2.circle(card, place, 7, (40, 40, 190), -1, cv2.LINE_AA)
        cards.append(card)
    return cards


def test_dark_ground_round_a_card_that_was_cut_out_wide_is_not_taken_for_ink() -> None:
    """The seven was read as the eight, whose enrolled picture also showed the ground at its rim."""
    seven, eight = seven_and_eight()
    wide = cv2.copyMakeBorder(eight[2:-2, 2:-2], 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(30, 30, 30))
    faces = Faces(["7", "8"], [seven, np.asarray(wide, np.uint8)])
    seen = cv2.copyMakeBorder(seven[2:-2, 2:-2], 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(20, 20, 20))
    reading = faces.read(as_picture(seen.astype(np.float32) * 0.8))
    assert reading.name == "7"
    assert reading.margin > 0.4
    assert reading.likeness > 0.9


@pytest.mark.parametrize(("x", "y"), [(5.0, 3.0), (-5.0, 4.0), (0.0, -6.0)])
def test_a_card_cut_out_far_off_is_named_where_its_print_lies(x: float, y: float) -> None:
    for name in ("red-7", "blue-3", "green-8"):
        warp = cv2.getRotationMatrix2D((40, 60), 3.0, 1.0) + np.array([[0, 0, x], [0, 0, y]])
        seen = cv2.warpAffine(flat(name), warp, FACE_PX, borderValue=(40, 90, 40))
        reading = FACES_ENROLLED.read(as_picture(seen))
        assert reading.name == name
        assert reading.likeness > 0.9
