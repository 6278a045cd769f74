"""An evening at the table, from sightings to lamps and points."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.markers import ALARM, COLOURS, OFF, WHITE
from table.rules.events import Event

if TYPE_CHECKING:
    from tests.house.pub_table import PubTable

RED, BLUE, GREEN = COLOURS["red"], COLOURS["blue"], COLOURS["green"]
EXAMPLE = Path(__file__).parents[1] / "data" / "games" / "dubbe-three-players.jsonl"


def test_the_first_die_names_trump_and_who_leads(tables: Callable[..., PubTable]) -> None:
    """D-11, D-13."""
    table = tables(4)
    assert table.lamp("trump") == OFF
    table.lay_die("red", 1, "aagewwer")
    assert table.lamp("trump") == RED
    assert table.lamp("character", "S1", "aagewwer") == RED, "the chooser holds it (D-12)"
    assert table.lamp("turn", "S2") == WHITE


def test_the_turn_goes_round_and_the_winner_leads(table: PubTable) -> None:
    """D-09, D-19."""
    for seat, card, following in (
        ("S2", "red-7", "S3"),
        ("S3", "red-9", "S4"),
        ("S4", "red-1", "S1"),
        ("S1", "red-2", "S3"),
    ):
        assert table.lamp("turn", seat) == WHITE
        table.play(card, seat=seat)
        assert table.lamp("turn", following) == WHITE
        assert table.lamp("turn", seat) == OFF or seat == following


def test_a_new_character_burns_at_the_winners_seat_in_the_colour_that_was_led(table: PubTable) -> None:
    """D-22: red was led first, so red is the Weschwieschmännchen."""
    for seat, card in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-2")):
        table.play(card, seat=seat)
    assert table.lamp("character", "S3", "weschwieschmaennchen") == RED
    assert table.lamp("character", "S1", "aagewwer") == BLUE


def test_a_character_that_moves_takes_its_light_along_and_books_its_points(table: PubTable) -> None:
    """D-24, T3 of the worked example."""
    for seat, card in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-2")):
        table.play(card, seat=seat)
    for seat, card in (("S3", "red-3"), ("S4", "red-12"), ("S1", "red-4"), ("S2", "red-5")):
        table.play(card, seat=seat)
    assert table.lamp("character", "S3", "weschwieschmaennchen") == OFF
    assert table.lamp("character", "S4", "weschwieschmaennchen") == RED
    assert table.points == {"S1": 0, "S2": 0, "S3": 1, "S4": 0}


def test_a_card_out_of_turn_counts_as_it_fell_and_blinks_at_its_seat(table: PubTable) -> None:
    """G-I1."""
    table.play("red-7", seat="S4")
    assert table.trick == ["red-7"]
    assert table.findings == [], "the card may be another seat's"
    for seat, card in (("S1", "red-1"), ("S2", "red-2"), ("S3", "red-3")):
        table.wait(1.0)  # the order of two cards reported at once is unknown
        table.play(card, seat=seat)
    assert table.findings == [("out_of_turn", "S4")], "all four have played"
    assert table.blinks("finding", "S4")
    assert not table.blinks("finding", "S2")
    assert ALARM in {
        table.board.shown[-i][1][lamp.index] for i in range(1, 20) for lamp in table.file.lamps.lamps
    }


def test_a_doubt_stops_nothing_and_one_tap_settles_it(table: PubTable) -> None:
    """events.md#doubts, `unsure`."""
    table.play_unclear("S2", ("red-6", 0.48), ("red-9", 0.44))
    assert table.trick == [None]
    assert table.blinks("doubt")
    table.play("red-8", seat="S3")
    assert table.trick == [None, "red-8"]
    (doubt,) = table.page["view"]["doubts"]
    table.tap(doubt["event"], "red-9", seat="S2")
    assert table.trick == ["red-9", "red-8"]
    assert not table.blinks("doubt")


def test_what_the_game_makes_impossible_breaks_a_tie(table: PubTable) -> None:
    """DESIGN: the game may break a tie but never invent."""
    for seat, card in (("S2", "red-6"), ("S3", "red-8"), ("S4", "red-1"), ("S1", "red-2")):
        table.play(card, seat=seat)
    table.play_unclear("S3", ("red-6", 0.48), ("red-9", 0.44))
    assert table.trick == ["red-9"]
    assert not table.page["view"]["doubts"]


def test_undo_takes_the_light_back_too(table: PubTable) -> None:
    table.play("red-7", seat="S2")
    assert table.lamp("turn", "S3") == WHITE
    table.undo()
    assert (table.lamp("turn", "S2"), table.lamp("turn", "S3")) == (WHITE, OFF)
    table.undo()
    assert table.lamp("trump") == OFF


def test_trump_may_be_said_instead_of_laid(tables: Callable[..., PubTable]) -> None:
    """D-10."""
    table = tables(3)
    table.reach_over("S1")
    table.session.add(Event("round", {"dealer": "S3"}))
    table.say("S1", "trump:green")
    assert table.lamp("trump") == GREEN


def test_the_plug_is_pulled_in_mid_trick_and_everything_is_there_again(table: PubTable) -> None:
    for seat, card in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-2"), ("S3", "blue-3")):
        table.play(card, seat=seat)
    table.play_unclear("S4", ("blue-6", 0.5), ("blue-9", 0.4))
    table.wait(0.05)
    before, lit = table.page, table.board.shown[-1][1]
    table.pull_the_plug()
    assert table.page == before
    assert table.board.shown[-1][1] == lit
    table.play("blue-1", seat="S1")
    assert table.trick == ["blue-3", None, "blue-1"]


def test_the_board_sleeps_when_the_host_hangs_and_wakes_with_the_whole_picture(table: PubTable) -> None:
    table.play("red-7", seat="S2")
    lit = table.board.shown[-1][1]
    table.freeze(60)
    assert table.board.shown[-1][1] != lit, "nobody spoke to the board for a minute: it sleeps"
    table.wait(0)
    turn = next(x.index for x in table.file.lamps.lamps if (x.shows, x.seat) == ("turn", "S3"))
    assert table.board.shown[-1][1][turn] == lit[turn]


def test_poor_light_is_said_and_the_game_goes_on(table: PubTable) -> None:
    table.dim_the_light()
    assert table.page["health"]["light"]["what"] == "poor"
    table.play("red-7", seat="S2")
    assert table.trick == ["red-7"]
    table.wait(15)
    assert table.page["health"]["light"]["what"] == "poor", "for as long as it lasts"
    table.light_the_lamp()
    assert table.page["health"]["light"]["what"] == "fine"


def test_the_black_die_goes_to_whoever_takes_what_is_not_his(tables: Callable[..., PubTable]) -> None:
    """D-41 to D-43."""
    table = tables(3, black_die=True, black_confirm="auto")
    table.lay_die("red", 1, "aagewwer")
    tricks = (
        (("S2", "red-5"), ("S3", "red-8"), ("S1", "red-3")),
        (("S3", "yellow-9"), ("S1", "yellow-2"), ("S2", "yellow-4")),  # Weschwieschmännchen
        (("S3", "blue-9"), ("S1", "blue-2"), ("S2", "blue-4")),  # Jammerlabbe goes to S3
    )
    for trick in tricks:
        for seat, card in trick:
            table.play(card, seat=seat)
        table.collect("S3")
    table.play("green-9", seat="S3")
    table.play("green-2", seat="S1")
    table.play("green-4", seat="S2")
    table.touch("S2")
    assert table.page["view"]["black_die"] == ("S2", 1)
    assert ("unauthorised_touch", "S2") in table.findings


def example() -> list[dict[str, Any]]:
    return [json.loads(line) for line in EXAMPLE.read_text().splitlines()]


def test_a_whole_round_brings_the_points_of_the_worked_example_with_the_plug_pulled_at_every_trick(
    tables: Callable[..., PubTable],
) -> None:
    """T1 to T15 and the settlement (D-33)."""
    events = example()
    table = tables(3)
    die = next(event for event in events if event["kind"] == "die")
    table.lay_die(die["colour"], die["value"], die["spot"])
    cards = [event for event in events if event["kind"] == "card"]
    for number, event in enumerate(cards, 1):
        table.play(event["card"], seat=event["seat"])
        if number % 3 == 0:
            table.collect(event["seat"])
            table.pull_the_plug()
    wanted = json.loads(EXAMPLE.with_suffix(".result.json").read_text())["points"]
    assert table.points == wanted
    assert table.page["view"]["phase"] == "settled"
    assert table.findings == []
    table.lay_die("green", 1, "aagewwer")
    assert table.page["view"]["round"] == 2, "the next round begins with its first die, without a tap"
    assert table.lamp("trump") == GREEN
    assert table.points == wanted
