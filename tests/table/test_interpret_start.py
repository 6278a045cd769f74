"""After a power cut the trick is still on the table: it is recognised, and nothing is played twice."""

from dataclasses import replace

import pytest

from table.interpret import Interpreter
from table.rules import Referee
from table.rules.view import Played, View
from vision.layout import Layout, SeatPlace
from vision.sightings import CardDown, CardsGone, Guess

LAYOUT = Layout(
    kind="mat",
    size_mm=(680, 380),
    tags=(),
    seats=tuple(SeatPlace(f"S{i}", ((0, 0), (1, 0), (1, 1)), (0.0, 0.0)) for i in (1, 2, 3)),
)
PACK = {"red-5": 1, "red-8": 1, "red-9": 1}
CUT = View(
    game="dubbe",
    seats=("S1", "S2", "S3"),
    phase="play",
    trick=(Played("S2", "red-5", 7), Played("S3", "red-8", 8)),
    turn="S1",
    pack=PACK,
    seen={"red-5": 1, "red-8": 1},
)


def lying(name: str, zone: str, key: int = 1) -> CardDown:
    corners = ((0.0, 0.0), (59.0, 0.0), (59.0, 91.0), (0.0, 91.0))
    return CardDown(0.0, key, (Guess(name, 0.9),), True, corners, zone, None, at_start=True)


def test_a_card_that_the_journal_knows_is_not_played_again() -> None:
    assert Interpreter(LAYOUT).hear(lying("red-5", "S2"), CUT) == []


def test_its_collecting_is_still_noticed() -> None:
    table = Interpreter(LAYOUT)
    table.hear(lying("red-5", "S2"), CUT)
    assert [e.kind for e in table.hear(CardsGone(3.0, (1,), "S2"), CUT)] == ["collected"]


def test_the_card_that_fell_while_the_table_was_off_is_played_now() -> None:
    (event,) = Interpreter(LAYOUT).hear(lying("red-9", "S1"), CUT)
    assert (event.kind, event.fields["seat"], event.fields["card"]) == ("card", "S1", "red-9")


def test_a_card_before_another_seat_is_no_play() -> None:
    assert Interpreter(LAYOUT).hear(lying("red-9", "S3"), CUT) == []


FRESH = View(game="dubbe", seats=CUT.seats, phase="play", turn="S1", pack=PACK)


def test_what_lies_on_the_table_before_the_game_is_no_play_and_tells_that_one_may_have_begun() -> None:
    """G-I1: the table may have been switched on amid a trick, so no finding rests on a turn."""
    table = Interpreter(LAYOUT)
    (event,) = table.hear(lying("red-9", "S1"), FRESH)
    assert (event.kind, "t" in event.fields, event.get("until")) == ("blind", False, 0.0)
    assert table.hear(lying("red-5", "S2", key=2), FRESH) == []


def test_a_strange_card_and_one_before_any_game_tell_nothing_of_a_game() -> None:
    assert Interpreter(LAYOUT).hear(lying("red-2", "S1"), FRESH) == []
    assert Interpreter(LAYOUT).hear(lying("red-9", "S1"), replace(FRESH, game=None)) == []


@pytest.mark.parametrize("blind", [True, False])
def test_who_leads_after_a_trick_that_lay_there_from_the_start_is_not_accused(blind: bool) -> None:
    """G-I1: dealer and turn belong to a round whose first trick was never seen."""
    referee = Referee()
    referee.add({"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"]})
    referee.add({"kind": "round", "dealer": "S2"})
    if blind:
        (event,) = Interpreter(LAYOUT).hear(lying("red-9", "S3"), referee.view())
        referee.add(event)
    referee.add({"kind": "die", "colour": "red", "value": 1, "spot": "aagewwer", "source": "camera"})
    for play in ("S1 green-8", "S2 green-12", "S3 green-2", "S4 green-1", "S2 brown-5"):
        seat, card = play.split()
        referee.add({"kind": "card", "seat": seat, "card": card, "source": "camera"})
    accused = {one.finding for one in referee.findings()}
    assert ("out_of_turn" in accused) == (not blind)


def test_a_card_of_the_trick_that_a_hand_hid_at_the_start_is_not_played_again() -> None:
    table = Interpreter(LAYOUT)
    later = replace(lying("red-8", "S3", key=4), t=1.5, at_start=False)
    assert table.hear(later, CUT) == []
    assert [e.kind for e in table.hear(CardsGone(3.0, (4,), "S2"), CUT)] == ["collected"]


def test_the_second_of_two_equal_cards_is_played_though_the_first_was_taken() -> None:
    table = Interpreter(LAYOUT)
    twice = replace(CUT, trick=(), last_trick=CUT.trick, pack=dict.fromkeys(PACK, 2))
    (event,) = table.hear(replace(lying("red-8", "S3"), t=9.0, at_start=False), twice)
    assert (event.kind, event.fields["seat"], event.fields["card"]) == ("card", "S3", "red-8")
