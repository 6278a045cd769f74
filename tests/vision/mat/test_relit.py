"""A table found in the dark, or by other lamps than are on now, is measured by the light that is there."""

import pytest

from tests.vision.evening import Evening, downs
from vision.camera_health.detector import CameraHealth
from vision.frame import Frame
from vision.mat.pipeline import Eye
from vision.sightings import CardsGone, LightFine, LightPoor
from vision.synthetic.scene import Light

PLAYS = (("S4", "red-8"), ("S1", "blue-3"), ("S2", "green-9"), ("S3", "brown-6"))


def lift(eye: Eye) -> float:
    assert eye._table is not None
    return eye._table.scene.lift


def play_a_trick(evening: Evening) -> list[tuple[str, str | None]]:
    for seat, name in PLAYS:
        evening.play(seat, name)
    evening.reach("S2", (0.0, 0.0), take=True)
    evening.wait(20)
    return [(card.guesses[0].name, card.hand) for card in downs(evening)]


@pytest.mark.parametrize("dark", [0.05, 0.1])
def test_a_table_that_wakes_in_the_dark_plays_when_the_lamps_are_on(dark: float) -> None:
    evening = Evening(light=Light(dark))
    evening.wait(30)
    evening.light = Light(1.0)
    evening.wait(15)
    assert play_a_trick(evening) == [(name, seat) for seat, name in PLAYS]
    assert [taken.hand for taken in evening.seen if isinstance(taken, CardsGone)] == ["S2"]
    words = [type(seen) for seen in evening.seen if isinstance(seen, LightPoor | LightFine)]
    assert words == [LightPoor, LightFine]


def test_lamps_that_are_turned_down_and_up_are_what_contrasts_are_measured_by() -> None:
    evening = Evening()
    evening.wait(10)
    bright = lift(evening.eye)
    evening.light = Light(0.3)
    evening.wait(40)
    dim = lift(evening.eye)
    assert dim < 0.7 * bright
    assert play_a_trick(evening) == [(name, seat) for seat, name in PLAYS]
    evening.light = Light(1.0)
    evening.wait(40)
    assert lift(evening.eye) == pytest.approx(bright, rel=0.1)


def test_a_card_that_lies_there_when_the_lamps_are_turned_down_is_taken_later() -> None:
    evening = Evening()
    evening.play("S4", "red-8")
    evening.light = Light(0.4)
    evening.wait(40)
    for seat, name in PLAYS[1:]:
        evening.play(seat, name)
    evening.reach("S2", (0.0, 0.0), take=True)
    evening.wait(20)
    assert [(card.guesses[0].name, card.hand) for card in downs(evening)] == [
        (name, seat) for seat, name in PLAYS
    ]
    assert [(len(taken.keys), taken.hand) for taken in evening.seen if isinstance(taken, CardsGone)] == [
        (4, "S2")
    ]


def test_lamps_that_go_on_over_a_table_too_dark_to_have_structure_cover_nothing() -> None:
    evening = Evening(light=Light(0.02), watched=False)
    health = CameraHealth()
    told = []
    for number in range(60):
        evening.light = Light(0.02 if number < 20 else 1.0)
        told += health.see(Frame(evening.picture()), evening.t).news
        evening.frame += 1
    assert not told
    assert health.why is None
