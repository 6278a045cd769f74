"""Who may see what (G-14, G-11): the table keeps what it knows of a hand until cards show it."""

from __future__ import annotations

from collections import Counter

import pytest

from table.rules import Referee
from table.rules.audience import ALL, OPERATOR, Audience, only
from table.rules.chance import Chance
from table.rules.evening import evening
from tests.rules.doko import Doko, queens
from tests.rules.evening import Evening

HANDS = {"lacks", "holds", "assumed"}


def hands_told(referee: Referee, reader: Audience) -> list[tuple[str, str | None]]:
    return [(told.what, told.seat) for told in referee.told(reader) if told.what in HANDS]


def test_g_14_the_operator_hears_everything_a_seat_its_own_and_the_table_nothing_of_hands() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 blue-1 yellow-1")  # S3 claims to have no blue
    assert hands_told(t.referee, ALL) == []
    assert hands_told(t.referee, only("S1")) == []
    assert hands_told(t.referee, only("S3")) == [("lacks", "S3")]
    assert hands_told(t.referee, OPERATOR) == [("lacks", "S3"), ("assumed", "S3")]


def test_g_14_a_group_that_wants_it_shows_everybody_who_is_void() -> None:
    t = Evening(show_inference=True)
    t.trump("red")
    t.play("blue-5 green-1 blue-1")
    assert hands_told(t.referee, ALL) == [("lacks", "S3")]


def test_g_14_what_only_one_reading_of_a_doubtful_card_says_is_told_to_nobody() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5")
    t.unsure("S3", "green-1", "blue-1")
    assert hands_told(t.referee, OPERATOR) == []


def test_what_is_proven_is_for_everybody() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 blue-1 yellow-1 S3:blue-3")
    for reader in (ALL, only("S1"), OPERATOR):
        assert [told.words for told in t.referee.told(reader) if told.what == "finding"] == ["revoke"]


def test_g_11_who_holds_the_other_kreuz_dame_is_not_said_before_it_falls() -> None:
    """The operator can work out the partner by elimination; table and opponents hear nothing of it."""
    t = Doko(want=queens("S1", "S3"))
    t.gesund()
    worked_out = 0
    while "S3" not in t.view.sides:
        for seat in ("S1", "S2", "S4"):
            told = t.referee.told(only(seat))
            assert all(one.seat == seat for one in told if one.what in HANDS)
        assert not [one for one in t.referee.told(ALL) if one.what in HANDS]
        worked_out += any("CQ" in one.cards for one in t.referee.told(OPERATOR) if one.what == "holds")
        t.play()
    assert t.view.sides["S3"] == "re"


@pytest.mark.parametrize("game", ["dubbe", "dulle", "doppelkopf", "klapper-jas"])
def test_in_a_game_that_plays_itself_nobody_hears_of_another_hand(game: str) -> None:
    """G-14: and what is shown about hands is true, card by card, in a round without a fault."""
    seats, referee, heard = ["S1", "S2", "S3", "S4"], Referee(), Counter[str]()
    log = list(evening({"kind": "game", "game": game, "seats": seats}, seed=Chance(3).below(99), rounds=1))
    coming = [(event.get("seat"), event.fields["card"]) for event in log if event.kind == "card"]
    for event in log:
        referee.add(event)
        if event.kind != "card":
            continue
        coming.pop(0)
        told = referee.told(OPERATOR)
        assert not HANDS & {one.what for one in referee.told(ALL)}
        for one in told:
            heard[one.what] += 1
            for card in one.cards:
                if one.what == "lacks":
                    assert (one.seat, card) not in coming
                if one.what == "holds":
                    assert {seat for seat, later in coming if later == card} <= {one.seat}
        for seat in seats:
            assert all(only(seat).may_hear(one.audience) for one in referee.told(only(seat)))
    assert heard["lacks"] > 0
    assert heard["assumed"] > 0


def test_told_as_json_names_its_audience() -> None:
    t = Evening()
    t.trump("red")
    t.play("blue-5 green-1 blue-1")
    first = t.referee.told(OPERATOR)[0].as_dict()
    assert first["audience"] == "S3"
    assert first["what"] == "lacks"
    assert "blue-3" in first["cards"]
