"""What the table writes about lost sight, and about changes in the meantime (events.md#blind-times)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.interpret import Interpreter
from table.rules import Referee
from table.rules.events import Event
from table.rules.view import Played, View
from table.ties import in_turn
from vision.layout import Layout, SeatPlace
from vision.sightings import CardDown, CardsGone, DieDown, Guess, SightBack, Sighting, SightLost

SEATS = ("S1", "S2", "S3", "S4")
IN_TURN = ("S2", "S3", "S4", "S1")
LAYOUT = Layout(
    kind="mat",
    size_mm=(680, 380),
    tags=(),
    seats=tuple(SeatPlace(seat, (), (100.0 * at, 0.0)) for at, seat in enumerate(SEATS)),
)
SQUARE = ((0.0, 0.0), (59.0, 0.0), (59.0, 91.0), (0.0, 91.0))


def down(seat: str | None, name: str, key: int, after_gap: bool = False) -> CardDown:
    hand = None if after_gap else seat
    return CardDown(5.0, key, (Guess(name, 0.95),), True, SQUARE, seat, hand, after_gap=after_gap)


class Sitting:
    """Eye, interpreter and rules for one round of Dubbe."""

    def __init__(self) -> None:
        self.referee = Referee()
        self.ears = Interpreter(LAYOUT)
        self.events: list[Event] = []
        self.referee.add({"kind": "game", "game": "dubbe", "seats": [*SEATS], "players": [*"ABCD"]})
        self.referee.add({"kind": "round", "dealer": "S4"})
        self.referee.add({"kind": "die", "colour": "blue", "value": 1, "spot": "aagewwer"})

    @property
    def view(self) -> View:
        return self.referee.view()

    def hear(self, *sightings: Sighting) -> list[Event]:
        told = []
        for sighting in in_turn(sightings, self.view):
            for event in self.ears.hear(sighting, self.view):
                self.referee.add(event)
                told.append(event)
        self.events += told
        return told


def test_a_gap_is_written_when_sight_is_back_before_what_is_told_after_it() -> None:
    sitting = Sitting()
    assert sitting.hear(SightLost(4.3, 4.0, "covered")) == []
    told = sitting.hear(SightBack(6.5, 4.0, "covered"), down("S1", "red-3", 1, after_gap=True))
    assert told[0].to_dict() == {"kind": "blind", "t": 4.0, "until": 6.5, "why": "covered"}
    assert (told[1].kind, told[1].seat, told[1].get("after_gap")) == ("card", "S1", True)


def test_sight_that_never_comes_back_is_written_at_the_end_without_until() -> None:
    ears = Interpreter(LAYOUT)
    ears.hear(SightLost(4.3, 4.0, "gone"), View())
    assert ears.close() == [Event("blind", {"t": 4.0, "why": "gone"})]
    assert ears.close() == []


def test_what_is_seen_without_a_gap_says_nothing_of_one() -> None:
    (card,) = Sitting().hear(down("S1", "red-3", 1))
    assert "after_gap" not in card


def test_cards_that_fell_unseen_are_told_in_the_order_of_play() -> None:
    cards = [down(seat, f"red-{at}", at, after_gap=True) for at, seat in enumerate(("S3", "S1", "S2"), 2)]
    told = Sitting().hear(*cards)
    assert [event.fields["seat"] for event in told] == ["S2", "S3", "S1"], "left of the chooser leads"


def test_a_trick_that_was_taken_unseen_was_taken_by_nobody_known() -> None:
    sitting = Sitting()
    for at, seat in enumerate(IN_TURN, 1):
        sitting.hear(down(seat, f"red-{at}", at))
    gone = CardsGone(8.0, (1, 2, 3, 4), None)
    assert sitting.hear(gone) == [], "a trick that seems gone though nobody was there"
    sitting = Sitting()
    for at, seat in enumerate(IN_TURN, 1):
        sitting.hear(down(seat, f"red-{at}", at))
    (event,) = sitting.hear(replace(gone, after_gap=True))
    assert (event.kind, event.get("seat"), event.fields["after_gap"]) == ("collected", None, True)
    assert not sitting.referee.result()["findings"]


def test_a_trick_half_of_which_is_hidden_was_taken_unseen_when_its_player_plays_again() -> None:
    """A seat's second card does not belong to the same trick (G-I2 accuses nobody)."""
    sitting = Sitting()
    sitting.hear(down("S2", "red-1", 1), down("S3", "red-2", 2))
    gap = SightBack(9.0, 5.0, "dark")
    assert [event.kind for event in sitting.hear(gap, CardsGone(9.0, (1,), None, after_gap=True))] == [
        "blind"
    ]
    told = sitting.hear(down("S3", "red-5", 3))
    assert [(event.kind, event.get("after_gap")) for event in told] == [
        ("collected", True),
        ("card", None),
    ]


def test_a_card_of_a_trick_that_was_told_as_taken_is_pulled_away_later_without_another_taking() -> None:
    """The rules have completed the trick with unseen cards, and it is still the same trick."""
    sitting = Sitting()
    sitting.hear(down("S2", "red-1", 1), down("S3", "red-2", 2))
    sitting.hear(SightBack(9.0, 5.0, "dark"), CardsGone(9.0, (1,), None, after_gap=True))
    sitting.hear(down("S3", "red-5", 3))
    assert sitting.hear(CardsGone(12.0, (2,), "S3")) == []
    assert [event.kind for event in sitting.events].count("collected") == 1


def test_a_card_of_an_older_trick_that_went_unseen_takes_no_newer_trick_that_lies_there() -> None:
    """The older trick was taken in the gap; the trick on the table is taken by the hand that takes it."""
    sitting = Sitting()
    sitting.hear(*(down(seat, f"red-{at}", at) for at, seat in enumerate(IN_TURN, 1)))
    winner = sitting.view.last_winner
    assert winner is not None
    order = [SEATS[(SEATS.index(winner) + at) % 4] for at in range(4)]
    newer = [down(seat, f"green-{at}", at, after_gap=True) for at, seat in enumerate(order, 5)]
    sitting.hear(SightBack(9.0, 5.0, "covered"), *newer)
    assert sitting.hear(CardsGone(9.4, (1,), "S1")) == []
    taken = sitting.hear(CardsGone(12.0, (2, 3, 5, 6, 7, 8), sitting.view.last_winner))
    assert [(event.kind, event.seat) for event in taken] == [("collected", sitting.view.last_winner)]


def test_an_unseen_trick_of_which_all_is_gone_was_taken_though_a_card_of_the_one_before_is_hidden() -> None:
    """A card of the trick before lies under the newer ones and goes last."""
    sitting = Sitting()
    for at, seat in enumerate(IN_TURN, 1):
        sitting.hear(down(seat, f"red-{at}", at))
    sitting.hear(SightBack(9.0, 5.0, "dark"), CardsGone(9.0, (1, 2, 3), None, after_gap=True))
    sitting.hear(down("S2", "red-6", 6, after_gap=True), down("S3", "red-7", 7, after_gap=True))
    told = sitting.hear(CardsGone(10.0, (6,), None, after_gap=True))
    told += sitting.hear(CardsGone(10.2, (7,), None, after_gap=True))
    assert [(event.kind, event.get("seat")) for event in told] == [("collected", None)]
    assert not sitting.referee.result()["findings"]


def test_the_place_alone_of_a_card_that_came_unseen_says_whose_it_is_only_in_turn() -> None:
    """Cards may lie in the middle, so the nearest seat is a guess (events.md#fields)."""
    (first,) = Sitting().hear(down("S2", "red-1", 1, after_gap=True))
    assert (first.fields["seat"], first.get("inferred")) == ("S2", None)
    (other,) = Sitting().hear(down("S4", "red-1", 1, after_gap=True))
    assert (other.fields["seat"], other.get("inferred")) == ("S4", True)


@pytest.mark.parametrize("spot", ["aagewwer", "jo-lossen"])
def test_a_die_that_was_turned_unseen_says_so(spot: str) -> None:
    die = DieDown(5.0, "red", 1, spot, (0.0, 0.0), 0.9, after_gap=True)
    (event,) = Sitting().hear(die)
    assert event.fields["after_gap"] is True


def test_the_trick_that_goes_as_the_next_lead_falls_is_told_first() -> None:
    whole, begun = (
        View(seats=SEATS, turn="S2"),
        View(seats=SEATS, turn="S2", trick=(Played("S1", "red-1", 7),)),
    )
    lead, gone = down("S2", "red-8", 9), CardsGone(5.0, (1, 2), "S2")
    assert in_turn([lead, gone], whole) == [gone, lead]
    assert in_turn([lead, gone], begun) == [lead, gone]
