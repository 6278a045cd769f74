"""What sightings mean in the game: seats, doubts that the game settles, tricks taken."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from table.interpret import Interpreter
from table.rules import Referee
from table.rules.view import Lacking, View
from table.ties import in_turn
from tests.table.told_table import LAYOUT, PLAY, down
from vision.sightings import (
    CardDown,
    DieDown,
    DieSeen,
    Guess,
    HandSeen,
    LightPoor,
    Sighting,
    ThrowSeen,
)


@pytest.mark.parametrize(
    ("zone", "hand", "seat"),
    [
        ("S2", "S2", "S2"),
        ("S2", None, "S2"),
        (None, "S3", "S3"),
        ("S1", "S2", "S2"),  # thrown in front of S1 by S2, whose turn it is
        ("S2", "S1", "S2"),
        ("S3", "S4", "S3"),  # neither has the turn: the place decides
        ("S1", "S3", "S3"),  # unless S1 has already played to this trick
        (None, None, "S2"),
    ],
)
def test_the_place_says_whose_card_it_is_then_the_hand_then_the_turn(
    zone: str | None, hand: str | None, seat: str
) -> None:
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9), zone=zone, hand=hand), PLAY)
    assert (event.kind, event.fields["seat"], event.fields["card"], event.fields["t"]) == (
        "card",
        seat,
        "red-8",
        4.2,
    )


@pytest.mark.parametrize(("zone", "hand"), [("S3", "S4"), ("S1", "S3"), ("S2", "S4"), ("S2", "S1")])
def test_a_seat_against_which_place_or_hand_speaks_is_inferred_unless_it_is_the_hands_turn(
    zone: str, hand: str
) -> None:
    """Another hand's card in front of S2 may not be S2's, though the table believes that it is S2's turn."""
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9), zone=zone, hand=hand), PLAY)
    assert event.fields["inferred"]
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9), zone=zone, hand="S2"), PLAY)
    assert "inferred" not in event


@pytest.mark.parametrize(("zone", "guess"), [("S2", False), ("S4", True)])
def test_the_place_of_a_card_alone_is_a_guess_where_another_has_the_turn(zone: str, guess: bool) -> None:
    """The card may be in the middle, and nobody saw the hand, so nobody played out of turn (G-I1)."""
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9), zone=zone), PLAY)
    assert event.fields["seat"] == zone
    assert bool(event.get("inferred")) == guess


def test_a_seat_that_the_turn_decided_is_told_with_its_reason() -> None:
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9), zone="S1", hand="S2"), PLAY)
    assert "turn of S2" in event.fields["reason"]


@pytest.mark.parametrize("turn", ["S2", None])
def test_a_seat_that_neither_place_nor_hand_says_is_inferred(turn: str | None) -> None:
    """events.md#fields: an inferred seat carries the mark, and no proof rests on it."""
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9)), replace(PLAY, turn=turn))
    assert (event.fields["seat"] is not None, event.fields["inferred"]) == (True, True)
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.9), hand="S2"), PLAY)
    assert "inferred" not in event


def test_a_doubt_keeps_its_candidates_and_its_seat() -> None:
    (event,) = Interpreter(LAYOUT).hear(down(("red-8", 0.5), ("brown-8", 0.45), sure=False, zone="S2"), PLAY)
    assert event.kind == "unsure"
    assert event.fields["seat"] == "S2"
    assert event.fields["candidates"] == [["red-8", 0.5], ["brown-8", 0.45]]


def test_a_card_that_was_seen_before_cannot_be_one_of_two_that_look_alike() -> None:
    (event,) = Interpreter(LAYOUT).hear(down(("red-5", 0.5), ("red-8", 0.45), sure=False, zone="S2"), PLAY)
    assert (event.kind, event.fields["card"]) == ("card", "red-8")
    assert "red-5" in event.fields["reason"]


def test_a_card_outside_the_pack_cannot_be_one_of_two_that_look_alike() -> None:
    (event,) = Interpreter(LAYOUT).hear(down(("red-13", 0.5), ("red-8", 0.45), sure=False, zone="S2"), PLAY)
    assert (event.kind, event.fields["card"]) == ("card", "red-8")


def test_the_game_invents_nothing_where_the_eye_saw_only_what_cannot_be() -> None:
    (event,) = Interpreter(LAYOUT).hear(down(("red-5", 0.6), ("red-8", 0.1), sure=False, zone="S2"), PLAY)
    assert event.kind == "unsure"


def test_a_sure_card_is_told_even_if_the_game_cannot_explain_it() -> None:
    """G: a duplicate or foreign card is a finding of the rules, not an error of the eye."""
    (event,) = Interpreter(LAYOUT).hear(down(("red-5", 0.97), zone="S2"), PLAY)
    assert (event.kind, event.fields["card"]) == ("card", "red-5")


@pytest.mark.parametrize("complete", [False, True])
def test_the_only_card_of_its_name_seen_again_while_it_lies_there_proves_nothing(complete: bool) -> None:
    """G-I3: a reflection or moving light shows it a second time; nobody brought another one."""
    table = Interpreter(LAYOUT)
    table.hear(down(("red-5", 0.97), zone="S1", hand="S1"), replace(PLAY, trick=(), seen={}, turn="S1"))
    view = replace(PLAY, trick=(), last_trick=PLAY.trick) if complete else PLAY
    (event,) = table.hear(down(("red-5", 0.97), zone="S2", hand="S2", key=2), view)
    assert (event.kind, event.get("inferred")) == ("card", True)
    assert "card of S1 that lies there" in event.fields["reason"]


@pytest.mark.parametrize(("hand", "doubted"), [("S2", True), ("S1", False), (None, False)])
def test_one_of_two_equal_cards_seen_again_under_anothers_hand_proves_nothing(
    hand: str | None, doubted: bool
) -> None:
    """G-I2: S2 reaches over S1's card, whose twin is still in the game, and then plays."""
    table, twice = Interpreter(LAYOUT), replace(PLAY, pack=dict.fromkeys(PLAY.pack, 2))
    table.hear(down(("red-5", 0.97), zone="S1", hand="S1"), replace(twice, trick=(), seen={}, turn="S1"))
    (event,) = table.hear(down(("red-5", 0.97), zone="S1", hand=hand, key=2), twice)
    assert (event.kind, "that lies there" in event.get("reason", "")) == ("card", doubted)
    assert event.get("inferred") or not doubted


def test_cards_seen_at_once_are_told_in_the_order_in_which_they_are_played() -> None:
    """G-I1: the order in which the eye lists cards does not say who played first."""
    late, first = (down((name, 0.9), zone=zone) for name, zone in (("red-8", "S3"), ("blue-1", "S2")))
    hand = HandSeen(3.0, 4.0, "S3")
    assert in_turn([late, hand, first], PLAY) == [first, hand, late]
    assert in_turn([late, hand, first], replace(PLAY, turn="S3")) == [late, hand, first]
    unseen = replace(first, after_gap=True)
    assert in_turn([late, unseen, hand], PLAY) == [hand, unseen, late]


@pytest.mark.parametrize("phase", ["settled", "finished"])
def test_between_the_rounds_no_card_is_played(phase: str) -> None:
    view = View(game="dulle", phase=phase, pack=PLAY.pack)
    assert Interpreter(LAYOUT).hear(down(("red-8", 0.97), zone="S2"), view) == []


@pytest.mark.parametrize(
    ("t", "name", "seat", "played"),
    [
        (4.2, "red-8", "S2", True),
        (4.2, "red-5", "S2", False),
        (4.2, "red-8", "S3", False),
        (30.0, "red-8", "S2", False),
    ],
)
def test_a_card_that_the_round_just_over_lacks_is_played_to_it(
    t: float, name: str, seat: str, played: bool
) -> None:
    """If cards fell unseen the round may still be on; later, or for another seat, it is the next deal."""
    lacking = Lacking({"red-8": 1}, frozenset({"S2"}), until=12.0, few=False)
    view = View(game="dulle", phase="settled", pack=PLAY.pack, lacking=lacking)
    events = Interpreter(LAYOUT).hear(replace(down((name, 0.97), zone=seat), t=t), view)
    assert [event.fields["card"] for event in events] == ["red-8"] * played


def test_hands_light_and_dice_are_told_as_they_are() -> None:
    table = Interpreter(LAYOUT)
    assert table.hear(HandSeen(1.0, 2.5, "S2"), PLAY)[0].to_dict() == {
        "kind": "hand", "t": 1.0, "seat": "S2", "until": 2.5
    }  # fmt: skip
    assert table.hear(LightPoor(3.0, "too dark"), PLAY)[0].kind == "too-dark"
    (die,) = table.hear(DieDown(2.0, "red", 1, "aagewwer", (0.0, 0.0), 0.99), PLAY)
    assert (die.fields["colour"], die.fields["value"], die.fields["spot"]) == ("red", 1, "aagewwer")
    assert (
        table.hear(DieDown(2.0, None, 1, "aagewwer", (0.0, 0.0), 0.4), replace(PLAY, seen={"red-5": 1})) == []
    )
    thrown = DieSeen("red", "3", (10.0, 20.0), 12.0, "field", ("1x",), doubt=("line",))
    (throw,) = table.hear(ThrowSeen(9.0, (thrown,)), View())
    assert throw.fields["dice"][0]["doubt"] == ["line"]


@pytest.mark.parametrize(
    ("game", "told"), [("dubbe", 1), ("klapper-jas", 1), ("dulle", 0), ("doppelkopf", 0)]
)
def test_a_die_is_told_only_in_a_game_that_has_dice(game: str, told: int) -> None:
    """In other games the printed back of a pile lies over the characters' places and may read like a die."""
    die = DieDown(2.0, "blue", 6, "weschwieschmaennchen", (0.0, 0.0), 0.93)
    assert len(Interpreter(LAYOUT).hear(die, View(game=game, phase="play"))) == told


def test_a_die_that_is_not_read_before_the_first_card_leaves_a_doubt_and_accuses_nobody() -> None:
    """D-I1, G-I9: some trump was declared, so the chooser did what was due."""
    referee, table = Referee(), Interpreter(LAYOUT)
    for line in (
        {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"]},
        {"kind": "round", "dealer": "S1"},
    ):
        referee.add(line)
    dark = (Guess("brown-1", 0.5), Guess("red-1", 0.4), Guess("red-2", 0.1))
    (die,) = table.hear(DieDown(1.0, None, 1, "aagewwer", (0.0, 0.0), 0.5, dark), referee.view())
    assert (die.fields.get("colour"), die.fields["doubt"]) == (None, ["colour"])
    referee.add(die)
    referee.add({"kind": "card", "seat": "S3", "card": "blue-5"})
    view = referee.view()
    assert view.findings == ()
    assert [(doubt.event, dict(doubt.candidates)) for doubt in view.doubts] == [
        (3, {"brown-1": 0.5, "red-1": 0.4})
    ]
    referee.add({"kind": "correction", "of": 3, "event": {"kind": "die", "colour": "red", "value": 1,
                                                          "spot": "aagewwer"}})  # fmt: skip
    view = referee.view()
    assert (view.trump, view.doubts, view.findings) == ("red", (), ())


def test_a_die_of_which_only_the_colour_is_read_declares_trump() -> None:
    """D-11: its value decides nothing."""
    referee, table = Referee(), Interpreter(LAYOUT)
    referee.add({"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"]})
    referee.add({"kind": "round", "dealer": "S1"})
    for event in table.hear(DieDown(1.0, "red", None, "aagewwer", (0.0, 0.0), 0.5), referee.view()):
        referee.add(event)
    referee.add({"kind": "card", "seat": "S3", "card": "blue-5"})
    assert (referee.view().trump, referee.view().doubts, referee.findings()) == ("red", (), [])


def test_a_die_that_stands_as_it_stood_before_the_power_cut_is_no_news() -> None:
    """D-I3: nobody turned it to a wrong value; a player who has yet to turn it finds it as before."""
    table, seen = (
        Interpreter(LAYOUT),
        DieDown(0.9, "brown", 2, "jammerlabbe", (0.0, 0.0), 0.99, at_start=True),
    )
    assert table.hear(seen, replace(PLAY, dice_seen={"jammerlabbe": ("brown", 2)})) == []
    for known in ({}, {"jammerlabbe": ("brown", 1)}):
        assert [e.fields["value"] for e in table.hear(seen, replace(PLAY, dice_seen=known))] == [2]
    laid_again = replace(seen, at_start=False)
    assert [
        e.fields["value"]
        for e in table.hear(laid_again, replace(PLAY, dice_seen={"jammerlabbe": ("brown", 2)}))
    ] == [2]


N = np.float64


AT = (N(1), N(2))


THROWN = DieSeen("red", "2", AT, N(30), "field", ("2x",), "2x", N(0.3), candidates=(Guess("2", N(1)),))


@pytest.mark.parametrize(
    "seen",
    [
        CardDown(N(1.5), 1, (Guess("red-8", N(0.9)),), True, (AT,) * 4, "S2", "S2"),
        CardDown(N(1.5), 1, (Guess("red-8", N(0.5)), Guess("blue-1", N(0.4))), False, (AT,) * 4, "S2", None),
        DieDown(N(1.5), "red", 2, "aagewwer", AT, N(0.9)),
        HandSeen(N(1.0), N(2.0), "S2"),
        ThrowSeen(1.5, (THROWN,)),
    ],
)
def test_the_house_hears_plain_numbers_whatever_the_eye_reckons_with(seen: Sighting) -> None:
    """The page cannot send numpy's numbers: after a throw with one, nobody saw the score any more."""
    events = Interpreter(LAYOUT).hear(seen, PLAY)
    assert msgspec.json.decode(msgspec.json.encode(events)) == json.loads(json.dumps(events)) != []
