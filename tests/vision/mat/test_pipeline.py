"""The eye watches whole evenings: cards are named and seated, their leaving is seen, nothing is invented."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.evening import LAYOUT, Evening, deck, downs, names
from vision.errors import TagsNotFoundError
from vision.geometry import register
from vision.mat.pipeline import Eye
from vision.mat.registration_check import RegistrationCheck
from vision.sightings import (
    CardsGone,
    CardsTouched,
    CardWithdrawn,
    HandSeen,
    LightFine,
    LightPoor,
    SightBack,
    SightLost,
)
from vision.synthetic.scene import Arm, CardLying, Light, ViewPoint


def test_a_tidy_trick_is_named_seated_and_collected() -> None:
    evening = Evening()
    for seat, name in (("S4", "red-8"), ("S1", "blue-3"), ("S2", "green-9"), ("S3", "brown-6")):
        evening.play(seat, name)
    evening.reach("S2", (0.0, 0.0), take=True)
    cards = downs(evening)
    assert names(evening) == ["red-8", "blue-3", "green-9", "brown-6"]
    assert all(card.sure for card in cards)
    assert [card.zone for card in cards] == ["S4", "S1", "S2", "S3"]
    assert [card.hand for card in cards] == ["S4", "S1", "S2", "S3"]
    gone = [s for s in evening.seen if isinstance(s, CardsGone)]
    assert [(set(g.keys), g.hand) for g in gone] == [({c.key for c in cards}, "S2")]


def test_the_deck_is_prepared_when_the_table_is_found() -> None:
    """The first card of an evening must not wait for it."""
    assert "faces" in vars(Evening().eye.deck)


def test_a_card_that_cannot_be_named_is_told_half_a_second_after_it_lies_free() -> None:
    """The next player does not wait longer; a card that his hand then covers would be missed."""
    evening = Evening()
    twins = deck()
    pictures = [twins.pictures[twins.names.index(name.replace("brown", "red"))] for name in twins.names]
    evening.eye = Eye(LAYOUT, replace(twins, pictures=tuple(pictures)))
    evening.wait(3)
    evening.play("S1", "red-8", pause=2)
    free = evening.t
    evening.wait(12)
    (card,) = downs(evening)
    assert not card.sure
    assert card.t - free < 0.5


def test_a_card_that_lacks_a_face_is_asked_for_and_never_told_as_the_nearest() -> None:
    evening = Evening()
    whole = deck()
    known = [at for at, name in enumerate(whole.names) if name != "red-8"]
    lacking = replace(
        whole,
        names=tuple(whole.names[at] for at in known),
        pictures=tuple(whole.pictures[at] for at in known),
        partial=True,
    )
    lacking.expect(["red-8"])
    evening.eye = Eye(LAYOUT, lacking)
    evening.wait(3)
    for seat, name in (("S1", "red-8"), ("S2", "green-9")):
        evening.play(seat, name)
        evening.wait(12)
    strange, known_one = downs(evening)
    assert not strange.sure
    assert "red-8" in [guess.name for guess in strange.guesses]
    assert known_one.sure
    assert known_one.guesses[0].name == "green-9"


def test_every_hand_is_told_once_with_its_seat() -> None:
    evening = Evening()
    for seat in ("S1", "S2", "S3", "S4"):
        evening.play(seat, f"red-{seat[1]}")
    assert [s.seat for s in evening.seen if isinstance(s, HandSeen)] == ["S1", "S2", "S3", "S4"]


def test_cards_thrown_on_a_heap_are_named_and_the_hand_tells_the_seat() -> None:
    evening = Evening()
    throws = [
        ("S1", "red-8", (0.0, 0.0), 10.0),
        ("S2", "blue-3", (22.0, 14.0), 65.0),
        ("S3", "green-9", (-16.0, 20.0), -40.0),
        ("S4", "brown-6", (8.0, -18.0), 120.0),
    ]
    for seat, name, place, yaw in throws:
        evening.play(seat, name, place, yaw)
    assert names(evening) == [name for _, name, _, _ in throws]
    assert [card.hand for card in downs(evening)] == ["S1", "S2", "S3", "S4"]


def test_a_card_lies_where_it_is_said_to_lie() -> None:
    evening = Evening()
    evening.play("S1", "red-8", (12.0, -95.0), 30.0)
    (card,) = downs(evening)
    assert np.allclose(np.mean(card.corners_mm, axis=0), (12.0, -95.0), atol=1.5)


@pytest.mark.parametrize(
    "light",
    [
        Light(level=0.35, tint=(0.6, 0.85, 1.0)),
        Light(level=1.0, tint=(1.0, 0.95, 0.9), slope=(0.5, -0.6)),
    ],
    ids=["dim and warm", "from the side"],
)
def test_the_light_does_not_change_the_cards(light: Light) -> None:
    evening = Evening(light=light)
    evening.play("S3", "brown-4")
    evening.play("S4", "red-4")
    evening.play("S1", "green-4")
    assert names(evening) == ["brown-4", "red-4", "green-4"]


def test_white_cards_on_a_grey_mat_come_and_go() -> None:
    evening = Evening(ground=(105, 105, 105))
    evening.play("S1", "blue-7")
    evening.play("S2", "blue-8")
    evening.reach("S1", (0.0, -40.0), take=True)
    assert names(evening) == ["blue-7", "blue-8"]
    assert [len(s.keys) for s in evening.seen if isinstance(s, CardsGone)] == [2]


def test_a_hand_that_waits_over_the_table_plays_nothing() -> None:
    evening = Evening()
    evening.reach("S2", (-100.0, 0.0), frames=40)
    assert not downs(evening)


def test_a_lamp_that_is_dimmed_is_no_card() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    for level in (0.9, 0.75, 0.6, 0.8, 1.0):
        evening.light = Light(level=level, tint=(level, 1.0, 1.0))
        evening.wait(5)
    assert names(evening) == ["red-8"]


def test_backs_of_cards_are_no_play() -> None:
    evening = Evening()
    evening.play("S1", "back")
    evening.play("S2", "back", (-120.0, 10.0), 80.0)
    evening.wait(20)
    assert not downs(evening)


def test_a_card_pushed_aside_by_a_hand_is_not_played_again() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    evening.reach("S1", (0.0, -100.0), frames=2)
    evening.cards[0] = CardLying("red-8", (30.0, -85.0), 40.0)
    evening.reach("S1", (0.0, -150.0), frames=2)
    assert names(evening) == ["red-8"]


def test_a_hand_that_only_touches_a_trick_is_told() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    evening.play("S2", "red-9")
    evening.reach("S4", (0.0, -95.0))
    touched = [s for s in evening.seen if isinstance(s, CardsTouched)]
    assert [s.hand for s in touched] == ["S4"]
    assert not [s for s in evening.seen if isinstance(s, CardsGone)]


def test_a_card_taken_back_at_once_is_withdrawn() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    evening.reach("S1", (0.0, -100.0), take=True, frames=1)
    (card,) = downs(evening)
    assert [s.key for s in evening.seen if isinstance(s, CardWithdrawn)] == [card.key]


def test_a_camera_that_is_pushed_is_noticed_and_the_play_goes_on() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    before = evening.eye.registration
    evening.painter = evening.paint(ViewPoint(eye_mm=(30.0, -20.0, 790.0), roll_deg=1.5))
    evening.wait(60)
    assert evening.eye.registration is not before
    evening.play("S2", "blue-4")
    evening.reach("S2", (0.0, -40.0), take=True)
    assert names(evening) == ["red-8", "blue-4"]
    assert [len(s.keys) for s in evening.seen if isinstance(s, CardsGone)] == [2]


def test_a_camera_that_is_pushed_a_little_is_noticed_though_the_hands_never_rest() -> None:
    evening = Evening()
    before = evening.eye.registration
    evening.bring("S1", "red-8", evening.middle("S1"))
    evening.painter = evening.paint(ViewPoint(eye_mm=(5.0, -4.0, 790.0), roll_deg=0.6))
    evening.withdraw("S1", evening.middle("S1"))
    assert evening.eye.registration is not before
    evening.play("S2", "blue-4")
    assert names(evening) == ["red-8", "blue-4"]
    pushed, quiet = downs(evening)
    assert (pushed.hand, pushed.after_gap) == (None, True), "nobody saw it fall"
    assert (quiet.hand, quiet.after_gap) == ("S2", False)


def test_a_light_that_goes_out_is_told_once() -> None:
    evening = Evening()
    evening.light = Light(level=0.08)
    evening.wait(80)
    assert [s.why for s in evening.seen if isinstance(s, SightLost)] == ["dark"]
    assert not any(isinstance(s, LightPoor | SightBack) for s in evening.seen)


def test_light_that_has_become_too_poor_is_told_once_and_so_is_its_end() -> None:
    evening = Evening()
    for level in (0.5, 0.25, 0.14, 0.3, 0.6):
        evening.light = Light(level=level)
        evening.wait(35)
    poor, fine = (s for s in evening.seen if isinstance(s, LightPoor | LightFine))
    assert isinstance(poor, LightPoor)
    assert poor.measured["white"] < 34
    assert isinstance(fine, LightFine)
    assert not any(isinstance(s, SightLost) for s in evening.seen)


def test_a_table_without_tags_is_refused_until_they_are_seen() -> None:
    eye = Eye(LAYOUT, deck())
    with pytest.raises(TagsNotFoundError):
        eye.see(np.full((720, 1280, 3), 90, np.uint8), 0.0)


def test_that_the_light_is_poor_is_told_to_be_over_though_the_table_was_pushed_meanwhile() -> None:
    evening = Evening(watched=False)
    bright = evening.picture()
    dark = np.asarray(bright // 8, np.uint8)
    fit = register(bright, LAYOUT)
    check, pushed = RegistrationCheck(fit, LAYOUT), RegistrationCheck(fit, LAYOUT)
    assert [type(told) for told in check.light(dark, 1.0)] == [LightPoor]
    pushed.take_over(check)
    assert [type(told) for told in pushed.light(bright, 2.0)] == [LightFine]


def test_a_camera_that_saw_few_of_the_tags_is_found_again_when_it_is_turned_to_the_whole_table() -> None:
    evening = Evening(watched=False)
    whole = evening.painter
    evening.painter = evening.paint(ViewPoint(looks_at_mm=(-230.0, 0.0), eye_mm=(-216.0, -38.0, 800.0)))
    evening._watched = True
    evening.wait(20)
    before = evening.eye.registration
    evening.painter = whole
    evening.wait(25)
    assert before is not None
    assert evening.eye.registration is not None
    assert set(before.tags) < set(evening.eye.registration.tags)
    assert [type(told) for told in evening.seen] in ([], [SightLost, SightBack])


def test_the_second_of_two_like_cards_is_told_while_the_trick_with_the_first_is_taken() -> None:
    evening = Evening()
    for seat, name in (("S4", "red-8"), ("S1", "blue-3")):
        evening.play(seat, name)
    evening.wait(4)
    for x in (-240.0, -120.0, 0.0, 0.0):
        evening.show([Arm((-540.0, -8.0), (x, 0.0))])
    evening.cards.clear()
    for x in (-100.0, -200.0):
        evening.show([Arm((-540.0, -8.0), (x, 0.0))])
    evening.play("S4", "red-8", (125.0, -5.0), 35.0, beside=[Arm((-540.0, -8.0), (-280.0, 0.0))])
    evening.wait(12)
    assert names(evening) == ["red-8", "blue-3", "red-8"]
    assert [s.keys for s in evening.seen if isinstance(s, CardsGone)] == [(1, 2)]
