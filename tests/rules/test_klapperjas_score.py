"""Klapper-Jas: Augen, the winner, and the points for it."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules.klapperjas.score import KlapperSettlement, home, settle
from tests.rules.klapperjas_table import Klapper

TWO = ("CA C7 CT C8 CK C9 SA S7 ST S8 SK S9 DK D7 DQ D8 DJ D9", 93)
"""S1 wins every trick and so has all Augen."""


def four(mine: int, theirs: int, base: int = 1, doublings: int = 0) -> KlapperSettlement:
    """S1 and S3 play against S2 and S4."""
    return settle((mine, theirs, 0, 0), 0, base, doublings)


def play(table: Klapper, *says: str) -> dict[str, Any]:
    table.say(*says)
    table.play(TWO[0])
    assert table.proofs == []
    settlement: dict[str, Any] = table.last["settlement"]
    return settlement


def test_j_19_the_last_trick_counts_ten() -> None:
    table = Klapper(2, "HA")
    play(table, "orgi")
    assert [trick["augen"] for trick in table.last["tricks"]] == [11, 10, 4, 11, 10, 4, 4, 3, 12]


def test_j_38_jas_and_mie_count_once_for_whoever_has_them_and_melded_cards_count_again() -> None:
    """J-V2: 20 + 14 + 10 + 20 + 20 and 45 in other cards are 129."""
    table = Klapper(2, "DA")
    table.say("orgi", "S1:terz:DQ")
    table.play("DJ D7 D9 D8")
    assert table.view.augen == {"S1": 34, "S2": 0}
    table.play("DT C7")
    table.say("S1:belle")
    table.play("DK C8 DQ C9 CA S7 CT S8 ST S9 S7 H7".replace("S7 H7", "SQ H7"))
    settlement = table.last["settlement"]
    assert settlement["augen"]["S1"] == 20 + 14 + 10 + 4 + 3 + 11 + 10 + 10 + 3 + 10 + 20 + 20
    assert table.proofs == []


def test_j_39_with_four_82_of_162_win_and_81_lose() -> None:
    """J-40, J-V1."""
    assert four(82, 80).won
    assert not four(81, 81).won
    assert four(82, 80).points == (1, 0, 1, 0)


def test_j_39_every_meld_raises_the_middle_by_half() -> None:
    """J-V3: of 202 Augen 104 win, 101 lose."""
    assert four(104, 98).won
    assert not four(101, 101).won


def test_j_40_the_declarer_must_have_more() -> None:
    for players in (2, 3, 4):
        assert not settle((70, 70, 0, 0)[:players], 0, 1, 0).won


def test_j_36_with_three_one_opponent_alone_must_have_more() -> None:
    """J-V12: 70 against 69 and 23 wins, although 92 is more."""
    assert settle((70, 69, 23), 0, 1, 0).won
    assert not settle((69, 70, 23), 0, 1, 0).won


def test_ja_2_with_three_equal_is_lost_or_won_as_the_house_likes() -> None:
    assert not settle((70, 70, 22), 0, 1, 0).won
    assert settle((70, 70, 22), 0, 1, 0, tie_wins=True).won
    assert not settle((81, 81), 0, 1, 0, tie_wins=True).won
    assert Klapper(3, tie3="declarer_wins").view.options["tie3"] == "declarer_wins"


def test_j_37_with_four_partners_add_up() -> None:
    assert settle((40, 80, 42, 0), 0, 2, 0).points == (2, 0, 2, 0)
    assert settle((40, 80, 40, 2), 3, 2, 0).points == (0, 2, 0, 2)


@pytest.mark.parametrize(
    ("base", "doublings", "won", "points"),
    [(1, 0, True, 1), (2, 0, True, 2), (1, 2, True, 4), (1, 2, False, 8), (2, 0, False, 4), (2, 1, True, 4)],
)
def test_j_41_j_42_j_43_orgi_counts_two_lost_doubles_kontra_doubles_re_again(
    base: int, doublings: int, won: bool, points: int
) -> None:
    """J-V4 to J-V7; JA-16: Kontra doubles whether the game is won or lost."""
    done = settle((100, 62) if won else (62, 100), 0, base, doublings)
    assert done.points == ((points, 0) if won else (0, points))


def test_j_44_with_three_the_opponents_share_what_the_declarer_lost() -> None:
    """J-V8."""
    assert settle((40, 70, 30), 0, 2, 0).points == (0, 2, 2)
    assert settle((40, 70, 30), 0, 1, 1).points == (0, 2, 2)
    assert settle((40, 70, 30), 0, 1, 0).points == (0, 1, 1)
    assert settle((80, 70, 30), 0, 2, 0).points == (2, 0, 0)


def test_ja_9_and_ja_16_kontra_by_any_opponent_counts_for_the_whole_game() -> None:
    table = Klapper(2, "HA")
    assert play(table, "orgi", "S2:kontra")["value"] == 4
    table = Klapper(2, "HA")
    assert play(table, "orgi", "S2:kontra", "S1:re")["value"] == 8
    assert table.points == {"S1": 8, "S2": 0}
    assert table.last["settlement"]["declarer"] == TWO[1] - 24
    table = Klapper(2, "HA")
    assert play(table, "S2:orgi", "S1:kontra")["value"] == 8
    assert table.points == {"S1": 8, "S2": 0}


def test_kontra_twice_doubles_once() -> None:
    table = Klapper(3, "HA")
    table.say("orgi", "S2:kontra", "S3:kontra")
    assert table.game.doublings() == 1


def test_j_45_the_first_to_reach_twelve_has_won() -> None:
    table = Klapper(2, "HA")
    for _ in range(2):
        play(table, "S1:orgi", "S2:kontra")
        assert not table.view.finished
        table.round("S2", "HA")
    play(table, "S1:orgi", "S2:kontra")
    assert table.points == {"S1": 12, "S2": 0}
    assert table.view.finished
    assert table.view.winners == ("S1",)
    assert table.view.score_dice["S1"] == (False, (6,))


def test_with_four_both_partners_carry_the_partys_points_and_win_together() -> None:
    """J-37, J-45."""
    table = Klapper(4, "H7")
    hands = table.deal_rest({"S1": "HJ H9 HA HT CA CT SA DA", "S4": "H7"})
    for round_ in range(3):
        if round_:
            table.round("S4", "H7")
        table.say("orgi", "S2:kontra")
        table.play_out(hands)
    assert table.proofs == []
    assert table.points == {"S1": 12, "S2": 0, "S3": 12, "S4": 0}
    assert table.view.winners == ("S1", "S3")


def test_ja_11_of_two_who_reach_twelve_together_the_one_with_more_is_first_a_tie_asks_for_one_more() -> None:
    assert home({"S1": 13, "S2": 12, "S3": 4}, (), 2) == ("S1", "S2")
    assert home({"S1": 12, "S2": 12, "S3": 4}, (), 2) == ()
    assert home({"S1": 12, "S2": 12, "S3": 13}, (), 2) == ("S3",)
    assert home({"S1": 12, "S2": 14, "S3": 13}, ("S3",), 2) == ("S3", "S2")
    assert home({"S1": 11, "S2": 2}, (), 1) == ()


def test_a_round_that_is_broken_off_books_nothing() -> None:
    """events.md#kinds; proven findings stay."""
    table = Klapper(2, "HA")
    table.say("orgi")
    table.play("CA C7 HA")
    table.event("end")
    assert table.points == {"S1": 0, "S2": 0}
    assert [name for name, *_ in table.proofs] == ["pile_card"]
    assert not table.last["complete"]


def test_a_round_without_a_game_brings_nothing() -> None:
    """G-I9."""
    table = Klapper(2, "HA")
    table.play(TWO[0])
    assert table.points == {"S1": 0, "S2": 0}
    assert table.last["settlement"] is None
