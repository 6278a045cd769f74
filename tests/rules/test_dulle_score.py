"""Dulle: who wins and what it is worth (U-08 to U-11, U-25 to U-27, UA-1, UA-3, UA-9 to UA-11)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from table.rules import EventError
from table.rules.dulle.terms import PACK, augen
from tests.rules.sixteen import WHOLE, Sixteen, called, worth


def test_u_v1_the_whole_round() -> None:
    """U-V1: 34, 19, 17 and 34 Augen; the Rufspielpaar has 34 of 104 and is not Schneider."""
    table = called("HA")
    table.play(WHOLE)
    assert [(t["winner"], t["augen"]) for t in table.ledger["tricks"]] == [
        ("S3", 34),
        ("S1", 19),
        ("S2", 17),
        ("S1", 34),
    ]
    assert table.ledger["settlement"]["augen"] == {"ruf": 34, "others": 70}
    assert table.points == [1, 1, -1, -1]
    assert table.view.winners == ("S1", "S2")
    assert table.ledger["audit"] is True


@pytest.mark.parametrize(("augen_", "wins"), [(53, True), (52, False)])
def test_u_08_the_caller_needs_53(augen_: int, wins: bool) -> None:
    """U-V2, U-V3; a draw loses. U-25, U-V4, U-V5: so does a soloist."""
    assert (worth(augen_).winner == 0) is wins
    assert (worth(augen_, solo="solo").winner == 0) is wins


def test_u_09_three_tricks_always_win() -> None:
    """The fourth trick is worth at most 44."""
    most = max(sum(map(augen, trick)) for trick in combinations(PACK, 4))
    assert most == 44
    assert 104 - most >= 53


@pytest.mark.parametrize(
    ("caller", "rule", "schneider"),
    [
        (27, "inclusive", True),
        (28, "inclusive", False),
        (27, "free_at", False),
        (26, "free_at", True),
        (78, "inclusive", True),
        (77, "inclusive", False),
        (78, "free_at", False),
        (79, "free_at", True),
    ],
)
def test_u_10_schneider_is_27_for_the_caller_and_26_for_the_others(
    caller: int, rule: str, schneider: bool
) -> None:
    """UA-1, U-V6 to U-V9."""
    assert worth(caller, schneider=rule).value == (2 if schneider else 1)


@pytest.mark.parametrize(("caller", "value"), [(27, 2), (28, 1), (78, 2), (77, 1)])
def test_ua_10_a_soloist_is_schneider_like_a_caller(caller: int, value: int) -> None:
    assert worth(caller, solo="solo").value == value


def test_u_11_schwarz_is_no_trick_and_holds_schneider() -> None:
    """U-V10, UA-11: every card is worth something, so no trick and no point are the same."""
    assert worth(104, tricks=(4, 0)).value == 3
    assert worth(0, tricks=(0, 4)).value == 3
    assert min(augen(card) for card in PACK) > 0


def test_ua_3_winners_get_what_losers_pay() -> None:
    assert worth(60).points == (1, -1, 1, -1)
    assert worth(60, stosses=2).points == (4, -4, 4, -4)
    assert worth(60, solo="solo").points == (3, -1, -1, -1)
    assert worth(40, alone=True).points == (-3, 1, 1, 1)
    for caller in range(105):
        for terms in (
            {},
            {"solo": "solo"},
            {"solo": "solodu"},
            {"alone": True},
            {"stosses": 3, "bock": True},
        ):
            assert sum(worth(caller, **terms).points) == 0


def test_u_26_solodu_needs_every_trick() -> None:
    """UA-8: a single trick for the others loses it, whatever its Augen."""
    assert worth(104, tricks=(4, 0), solo="solodu").points == (18, -6, -6, -6)
    assert worth(95, tricks=(3, 1), solo="solodu").points == (-6, 2, 2, 2)


@pytest.mark.parametrize(
    ("augen_", "tricks", "winner"), [(95, (3, 1), 1), (27, (1, 3), 1), (104, (4, 0), 0), (60, (3, 1), 1)]
)
@pytest.mark.parametrize("said", ["schneider", "schwarz"])
@pytest.mark.parametrize("side", [0, 1])
def test_u_26_no_ansage_saves_a_solodu_that_lost_a_trick(
    augen_: int, tricks: tuple[int, int], winner: int, said: str, side: int
) -> None:
    """UA-3: a missed Ansage loses, but SoloDu depends on the tricks alone, whoever missed what."""
    assert worth(augen_, tricks=tricks, solo="solodu", ansagen={side: (said,)}).winner == winner


def test_u_24_an_ansage_adds_one_and_must_be_made() -> None:
    assert worth(80, ansagen={0: ("schneider",)}).points == (3, -3, 3, -3)
    assert worth(70, ansagen={0: ("schneider",)}).points == (-2, 2, -2, 2)
    assert worth(104, tricks=(4, 0), ansagen={0: ("schneider", "schwarz")}).value == 5
    assert (
        worth(40, ansagen={0: ("schwarz",), 1: ("schneider",)}).winner == 1
    )  # both missed, so the Augen decide


def test_ua_3_the_tariff_is_the_houses() -> None:
    table = called("HA", tariff={"win": 2, "stoss": 3, "soloDu": "×5"})
    table.say("S1", "stoss")
    table.play(WHOLE)
    assert table.points == [6, 6, -6, -6]
    for wrong, words in (
        ({"wins": 1}, 'did you mean "win"'),
        ({"win": "many"}, "whole number"),
        (7, "table"),
    ):
        with pytest.raises(EventError, match=words):
            called("HA", tariff=wrong)


def evening(*rounds: str, **options: Any) -> Sixteen:
    """Rounds with the cards of WHOLE, dealt by S4; each word is S4's call or solo."""
    table = Sixteen(**options)
    for number, what in enumerate(rounds):
        if number:
            table.event("round", dealer="S4")
        table.say("S4", what)
        table.play(WHOLE)
    return table


def test_u_27_after_a_solo_the_next_deal_counts_double() -> None:
    """UA-9: for one deal; S4 loses the solo by 0 : 104 and the call of Herz Ass by 34 : 70."""
    single = [r["points"]["S4"] for r in evening("solo", "ruf:HA", "ruf:HA").referee.result()["rounds"]]
    double = [
        r["points"]["S4"] for r in evening("solo", "ruf:HA", "ruf:HA", bock=True).referee.result()["rounds"]
    ]
    assert single == [-9, -1, -1]
    assert double == [-9, -2, -1]


def test_ua_9_a_bockrunde_may_last_four_deals_and_begins_anew_with_a_solo() -> None:
    calls = ["ruf:HA"] * 5
    table = evening("solo", *calls, bock=True, bock_deals=4)
    assert [r["points"]["S4"] for r in table.referee.result()["rounds"]] == [-9, -2, -2, -2, -2, -1]
    table = evening("solo", "ruf:HA", "solo", "ruf:HA", "ruf:HA", bock=True)
    assert [r["points"]["S4"] for r in table.referee.result()["rounds"]] == [-9, -2, -9, -2, -1]
    assert not table.view.bock


def test_g_10_a_corrected_solo_changes_the_bock_of_the_rounds_after_it() -> None:
    table = evening("solo", "ruf:HA", bock=True)
    assert table.points[3] == -9 - 2
    solo = 3
    table.event("correction", of=solo, event={"kind": "say", "seat": "S4", "what": "ruf:HA"})
    assert table.points[3] == -1 - 1


def test_a_round_broken_off_books_nothing_and_the_evening_is_not_over() -> None:
    table = evening("ruf:HA")
    assert table.view.finished
    table.event("round")
    table.say("S4", "ruf:HA")
    table.play("S2:CA")
    assert not table.view.finished
    table.event("end")
    assert table.points == [1, 1, -1, -1]
    assert not table.view.finished
    assert table.view.winners == ()
