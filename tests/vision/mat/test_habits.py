"""What people do at a table besides playing: none of it is a card, and the cards stay what they are."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest

from tests.vision.evening import LAYOUT, SEATS, Evening, downs, names
from vision.geometry import register
from vision.sightings import CardDown, CardsGone, CardsTouched, CardWithdrawn, DieDown
from vision.synthetic.scene import Arm, CardLying, Light

BEER_MAT = "beer mat"


def odd(evening: Evening) -> list[object]:
    """All sightings except hands and arriving cards."""
    kinds = (CardsGone, CardsTouched, CardWithdrawn, DieDown)
    return [s for s in evening.seen if isinstance(s, kinds)]


def test_a_card_that_slides_when_another_lands_on_it_is_not_played_again() -> None:
    evening = Evening()
    evening.play("S1", "red-8", (0.0, 0.0), 10.0)
    evening.play("S2", "blue-3", (-30.0, 25.0), 70.0)
    evening.bring("S3", "green-9", (12.0, 16.0), -30.0)
    evening.cards[0] = CardLying("red-8", (9.0, -11.0), 4.0)
    evening.cards[1] = CardLying("blue-3", (-36.0, 18.0), 76.0)
    evening.withdraw("S3", (12.0, 16.0))
    evening.wait(12)
    assert names(evening) == ["red-8", "blue-3", "green-9"]
    assert not odd(evening)


def test_a_card_that_its_player_straightens_is_not_played_again() -> None:
    evening = Evening()
    evening.play("S2", "blue-3", yaw=62.0)
    evening.touch("S2", (-120.0, 0.0), turn=lambda card: replace(card, yaw_deg=90.0))
    evening.wait(10)
    assert names(evening) == ["blue-3"]
    assert not [s for s in odd(evening) if not isinstance(s, CardsTouched)]


def test_a_hand_that_vanishes_over_white_cards_still_brought_its_card() -> None:
    """In warm light, skin over a white card looks like shade; the previous hand left the larger trace."""
    evening = Evening(light=Light(level=0.35, tint=(0.55, 0.8, 1.0)))
    evening.play("S1", "green-5", (13.3, 3.2), -167.0)
    evening.play("S2", "brown-2", (65.8, 3.2), -14.2)
    assert [(card.guesses[0].name, card.hand) for card in downs(evening)] == [
        ("green-5", "S1"),
        ("brown-2", "S2"),
    ]


def test_cards_that_fall_against_a_glass_just_put_down_are_told_as_they_fall() -> None:
    """The glass is not yet part of the table, and hands pass over it before it is."""
    evening = Evening()
    at = register(evening.picture(), LAYOUT).to_px([(60.0, 0.0), (25.0, 0.0)])
    middle, rim = (tuple(round(float(c)) for c in point) for point in at)
    radius = middle[0] - rim[0]
    evening.lamps = lambda picture, t: cv2.circle(picture.copy(), middle, radius, (40, 20, 60), -1)
    evening.wait(16)
    told = []
    for seat, name in (("S3", "red-8"), ("S1", "blue-3"), ("S2", "green-9")):
        evening.play(seat, name, (-8.0, 6.0 * len(told)), 20.0 * len(told))
        told.append(evening.t)
    cards = downs(evening)
    assert [(card.guesses[0].name, card.hand) for card in cards] == [
        ("red-8", "S3"),
        ("blue-3", "S1"),
        ("green-9", "S2"),
    ]
    assert all(card.t < gone_t for card, gone_t in zip(cards, told, strict=True))


def test_a_card_of_which_a_corner_was_searched_in_vain_is_found_when_the_hand_has_gone() -> None:
    """The hand on it vanishes over white cards: only a corner shows, and it looks the same afterwards."""
    evening = Evening(light=Light(level=0.35, tint=(0.55, 0.8, 1.0)))
    evening.play("S1", "brown-2", (-16.0, 10.0), -21.0)
    evening.play("S2", "blue-6", (19.0, 10.0), 105.0)
    evening.play("S3", "blue-9", (19.0, -25.0), 140.0)
    evening.play("S4", "brown-5", (-15.8, -25.3), -156.0)
    assert names(evening)[3:] == ["brown-5"]


def test_a_card_of_which_nothing_but_print_differs_is_found() -> None:
    """It lies almost exactly on the card beneath it; all the rest of it is white on white."""
    evening = Evening(light=Light(level=0.35, tint=(0.55, 0.8, 1.0)))
    evening.play("S1", "red-9", (8.0, 3.0), -163.0)
    evening.play("S2", "brown-6", (43.0, 3.0), -156.0)
    evening.play("S3", "green-8", (78.0, 3.0), 150.0)
    evening.play("S4", "green-4", (42.7, 3.3), 6.0)
    assert names(evening)[3:] == ["green-4"]


def test_an_arm_that_rests_on_the_mat_is_no_card_and_hides_none_for_ever() -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    rest = Arm((520.0, -60.0), (215.0, -70.0))
    for _ in range(80):
        evening.show([rest])
    evening.play("S2", "blue-3", beside=(rest,))
    evening.wait(8)
    assert names(evening) == ["red-8", "blue-3"]
    assert not odd(evening)


def test_a_card_is_seen_though_the_fingers_that_laid_it_rest_against_it() -> None:
    evening = Evening()
    evening.bring("S1", "red-8", (0.0, -60.0))
    for _ in range(14):
        evening.show([Arm((0.0, -304.0), (0.0, -112.0))])
    assert [(card.guesses[0].name, card.hand) for card in downs(evening)] == [("red-8", "S1")]


def test_an_arm_that_was_over_the_table_when_the_eye_opened_hides_nothing_when_it_has_gone() -> None:
    evening = Evening(arms=[Arm((0.0, -304.0), (0.0, -90.0))])
    evening.withdraw("S1", (0.0, -90.0))
    for seat, name in (("S1", "red-8"), ("S2", "blue-3")):
        evening.play(seat, name)
        evening.wait(2)
        assert names(evening)[-1:] == [name]


@pytest.mark.parametrize("place", [(230.0, 60.0), (150.0, -110.0)])
def test_a_beer_mat_laid_down_and_taken_away_is_no_card(place: tuple[float, float]) -> None:
    evening = Evening()
    evening.play("S1", "red-8")
    evening.bring("S4", BEER_MAT, place, 20.0)
    evening.withdraw("S4", place)
    evening.wait(40)
    evening.play("S2", "blue-3")
    evening.touch("S4", place, turn=lambda card: None if card.face == BEER_MAT else card)
    evening.wait(20)
    assert names(evening) == ["red-8", "blue-3"]
    assert not odd(evening)


def test_a_hand_that_reaches_over_the_trick_touches_nothing() -> None:
    evening = Evening()
    for seat, name in (("S1", "red-8"), ("S2", "red-9"), ("S3", "red-2"), ("S4", "red-4")):
        evening.play(seat, name)
    evening.reach("S1", (95.0, 150.0), frames=6)
    assert not odd(evening)


def test_cards_shuffled_and_dealt_face_down_are_no_play() -> None:
    evening = Evening()
    packet = [(-120.0, 10.0), (0.0, 70.0), (120.0, 5.0), (0.0, -90.0)]
    for turn in range(3):
        for number, (x, y) in enumerate(packet):
            evening.bring("S1", "back", (x + 5 * turn, y - 4 * turn), 20.0 * number + 9 * turn)
    evening.withdraw("S1", packet[-1])
    evening.wait(10)
    for seat, place in zip(("S2", "S3", "S4", "S1"), packet, strict=True):
        near = [c for c in evening.cards if abs(c.center_mm[0] - place[0]) < 20]
        evening.touch(seat, place, turn=lambda card, near=near: None if card in near else card)  # type: ignore[misc]
    evening.play("S2", "blue-3")
    assert names(evening) == ["blue-3"]
    assert set(SEATS) >= {card.hand for card in evening.seen if isinstance(card, CardDown)}


def test_a_second_card_of_the_same_name_on_the_first_is_played() -> None:
    evening = Evening()
    evening.play("S1", "red-8", (0.0, 0.0), 10.0)
    evening.play("S3", "red-8", (26.0, 18.0), -35.0)
    evening.play("S4", "red-8", (140.0, 0.0), 80.0)
    assert names(evening) == ["red-8", "red-8", "red-8"]
    assert not odd(evening)


@pytest.mark.parametrize("rest", [10, 40])
def test_the_lead_of_the_winner_who_took_the_trick_is_seen(rest: int) -> None:
    """An arm's shadow is followed like lamplight; once it has gone, its trace must not pass for the hand."""
    evening = Evening()
    for seat, name in (("S1", "red-8"), ("S2", "red-9"), ("S3", "red-2"), ("S4", "red-4")):
        evening.play(seat, name)
    place = (0.0, -110.0)
    evening.touch("S3", place, turn=lambda card: card)
    arm = Arm((0.0, 304.0), place)
    for _ in range(rest):
        evening.show([arm])
    evening.cards.clear()
    evening.withdraw("S3", place)
    evening.play("S3", "blue-5")
    evening.wait(12)
    assert names(evening)[4:] == ["blue-5"]


def test_a_card_thrown_nearly_square_on_another_is_played() -> None:
    """It shows only as slivers round the one beneath; a strip of it lies white on a third card's white."""
    evening = Evening()
    evening.play("S1", "brown-7", (24.0, 1.0), 45.0)
    evening.play("S2", "green-4", (77.0, 1.0), -176.0)
    evening.play("S3", "red-7", (24.0, 1.0), -147.0)
    evening.wait(12)
    assert names(evening) == ["brown-7", "green-4", "red-7"]


@pytest.mark.parametrize("upper", ["red-8", "blue-3"])
def test_of_two_cards_that_are_seen_at_once_in_one_heap_the_undermost_is_told_first(upper: str) -> None:
    """It was laid first, and whose turn it was follows from that."""
    evening = Evening()
    lower = "blue-3" if upper == "red-8" else "red-8"
    evening.cards += [CardLying(lower, (-22.0, -14.0), 5.0), CardLying(upper, (22.0, 14.0), 35.0)]
    evening.wait(12)
    assert [card.guesses[0].name for card in downs(evening)] == [lower, upper]
