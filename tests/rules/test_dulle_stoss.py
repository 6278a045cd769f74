"""Dulle: Stoß and Retour, and the duty to give Stoß (U-22, U-23, U-I6, U-I7, UA-4, UA-5)."""

from __future__ import annotations

import pytest

from table.rules.engine import legal
from tests.rules.dulle_calls import first
from tests.rules.sixteen import WHOLE, Sixteen, called, position


def test_u_22_stoss_and_retour_double_each() -> None:
    for stosses, value in (
        ([], 1),
        (["S1"], 2),
        (["S1", "S4"], 4),
        (["S1", "S4", "S2"], 8),
        (["S2", "S3"], 4),
    ):
        table = called("HA")
        for seat in stosses:
            table.say(seat, "stoss")
        table.play(WHOLE)
        assert table.findings == []
        assert table.points == [value, value, -value, -value]


def test_u_i7_the_caller_gives_himself_a_stoss() -> None:
    table = called("HA")
    wrong = table.say("S4", "stoss")
    assert table.findings == [("wrong_side", "S4", wrong, None)]
    table.play(WHOLE)
    assert len(table.findings) == 1
    assert table.points == [1, 1, -1, -1]  # it does not count


def test_u_i7_the_partner_gives_a_stoss_and_the_rufkarte_proves_it() -> None:
    """UA-6: nobody can know it before."""
    table = called("HA")
    wrong = table.say("S3", "stoss")
    ids = table.play(first(WHOLE, 13))
    assert table.findings == []
    ids += table.play("S3:HA")
    assert table.findings == [("wrong_side", "S3", ids[13], wrong)]


def test_u_22_an_opponent_who_repeats_his_own_sides_stoss_is_not_accused_and_does_not_count() -> None:
    """U-I7 is a Stoß of the Ruf side against itself; an opponent cannot know who else is one."""
    table = called("HA")
    table.say("S1", "stoss")
    table.say("S2", "stoss")
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [2, 2, -2, -2]


def test_u_23_who_must_give_a_stoss_may_though_his_partner_gave_one() -> None:
    table = called("HA", pflichtstoss=True)
    table.say("S2", "stoss")
    table.say("S1", "stoss")  # S1 holds Herz 10
    table.play(WHOLE)
    assert table.findings == []


def test_u_22_a_stoss_against_a_call_lapses_with_the_solo_that_replaces_it() -> None:
    """U-29: the pair that it was given against does not play."""
    table, plain = called("HA"), Sixteen()
    table.say("S1", "stoss")
    table.say("S4", "stoss")
    for each in (table, plain):
        each.say("S2", "solo")
        each.play(WHOLE)
        assert each.findings == []
    assert table.points == plain.points
    assert table.view.declared[-1] == ("S2", "solo")


def test_u_i7_a_stoss_lapses_with_the_call_that_is_changed() -> None:
    """S2 holds Kreuz 10 and became the partner only by the second call."""
    table, plain = called("HA"), called("CT")
    table.say("S2", "stoss")
    table.say("S4", "ruf:CT")
    for each in (table, plain):
        each.play(WHOLE)
        assert each.findings == []
    assert table.points == plain.points


def test_u_i7_who_answers_a_wrong_stoss_is_not_accused() -> None:
    table = called("HA")
    wrong = table.say("S3", "stoss")
    table.say("S4", "stoss")
    ids = table.play(WHOLE)
    assert table.findings == [("wrong_side", "S3", ids[13], wrong)]
    assert table.points == [1, 1, -1, -1]


def test_u_i7_a_soloist_cannot_begin() -> None:
    table = Sixteen()
    table.say("S4", "solo")
    wrong = table.say("S4", "stoss")
    assert table.findings == [("wrong_side", "S4", wrong, None)]


def test_ua_4_a_stoss_after_ones_own_first_card_is_late() -> None:
    table = called("HA")
    table.play("S1:CA")
    late = table.say("S1", "stoss")
    table.say("S2", "stoss")
    assert table.findings == [("late_declaration", "S1", late, None)]
    assert table.view.declared == (("S4", "ruf:HA"), ("S2", "stoss"))


def test_ua_4_the_house_may_allow_a_stoss_at_any_time() -> None:
    table = called("HA", stoss_until="any")
    table.play(first(WHOLE, 12))
    table.say("S1", "stoss")
    table.play(" ".join(WHOLE.split()[12:]))
    assert table.findings == []
    assert table.points == [2, 2, -2, -2]


def test_u_22_a_stoss_before_the_call_is_early() -> None:
    table = Sixteen()
    early = table.say("S1", "stoss")
    table.say("S4", "ruf:HA")
    assert table.findings == [("early_declaration", "S1", early, None)]


def test_u_i6_an_opponent_with_the_dulle_gave_no_stoss() -> None:
    """U-23: proven once S1 is known to be an opponent, which the Rufkarte shows."""
    table = called("HA", pflichtstoss=True)
    ids = table.play(WHOLE)
    assert table.findings == [("missed_stoss", "S1", ids[13], ids[0])]


def test_u_i6_without_a_deadline_the_stoss_is_missed_when_the_round_is_over() -> None:
    """UA-4: until then it may still be given; with the last card the time runs out."""
    table = called("HA", pflichtstoss=True, stoss_until="any")
    ids = table.play(" ".join(WHOLE.split()[:-1]))
    assert table.findings == []
    ids = table.play(WHOLE.split()[-1])
    assert table.findings == [("missed_stoss", "S1", ids[0], None)]
    table = called("HA", pflichtstoss=True, stoss_until="any")
    table.play(" ".join(WHOLE.split()[:-1]))
    table.say("S1", "stoss")
    table.play(WHOLE.split()[-1])
    assert table.findings == []


def test_g_04_a_missed_stoss_hides_no_other_offence_of_the_same_card() -> None:
    """Findings are keyed by rule, seat and offending event, so that one never hides another."""
    table = called("CA", pflichtstoss=True)
    ids = table.play("S1:CA S2:CT S3:DJ S4:DA  S2:HT")  # S3 won, but S2 leads and shows the Dulle
    assert table.findings == [("wrong_lead", "S2", ids[4], None), ("missed_stoss", "S2", ids[4], ids[1])]
    table = called("CA", pflichtstoss=True)
    ids = table.play("S1:CA S2:HT S3:DJ S4:DA  S2:CT")  # this card missed the Stoß and the partner duty
    assert table.findings == [("missed_stoss", "S2", ids[1], None), ("partner_duty", "S2", ids[4], ids[1])]


def test_u_i6_the_dulle_itself_proves_it_when_the_rufkarte_came_before() -> None:
    table = called("CA", pflichtstoss=True)
    ids = table.play("S1:CA S2:CT S3:DJ S4:DA  S3:SQ S4:CQ S1:SJ S2:HT")
    # S1 is the partner; S2 shows Herz Zehn and gave no Stoß
    assert table.findings[-1] == ("missed_stoss", "S2", ids[7], ids[1])


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("HA", ["S1:stoss"]),
        ("HA", ["S2:stoss"]),  # S2's side has given one
        ("CA", []),  # S1 himself holds the Rufkarte
        ("HA", ["S3:solo"]),  # no Rufspielpaar, so no duty (UA-5)
    ],
)
def test_u_23_no_duty_or_duty_done(card: str, says: list[str]) -> None:
    table = called(card, pflichtstoss=True)
    for word in says:
        table.say(*word.split(":"))
    table.play(WHOLE)
    assert table.findings == []


def test_u_23_a_late_stoss_is_late_and_not_missed_as_well() -> None:
    table = called("HA", pflichtstoss=True)
    table.play("S1:CA")
    late = table.say("S1", "stoss")
    table.play(" ".join(WHOLE.split()[1:]))
    assert table.findings == [("late_declaration", "S1", late, None)]


def test_ua_5_the_house_may_mean_the_kleine_dulle() -> None:
    table = called("HA", pflichtstoss=True, pflichtstoss_card="DT")
    ids = table.play(WHOLE)
    assert table.findings == [("missed_stoss", "S2", ids[13], ids[1])]


def test_u_23_the_engine_makes_who_must_give_it() -> None:
    hands = {"S1": "HT SJ CA HJ", "S2": "DT HQ CT ST", "S3": "SQ DQ DJ HA", "S4": "CQ DA SA CJ"}
    moves = legal(position(hands, pflichtstoss=True))
    assert [move.get("what") for move in moves] == ["stoss"]
    assert all(move.kind == "card" for move in legal(position(hands, call="S4:CA", pflichtstoss=True)))


def test_u_24_an_ansage_may_be_gestossen_by_the_other_side() -> None:
    """»Auch hierbei kann gestoßen werden«: also by the caller, whose side gives no first Stoß to a call."""
    table = called("HA", ansagen=True)
    table.say("S1", "schneider")
    table.say("S4", "stoss")
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [-4, -4, 4, 4]


def test_an_answer_to_a_stoss_is_not_wrong_while_the_pairs_may_still_make_it_right() -> None:
    """U-22, U-I7: S1 and S2 gave Stoß; one of them is S4's partner, or S2's counted for nothing."""
    table = called("HA", "S4")
    table.say("S1", "stoss")
    table.say("S2", "stoss")
    table.say("S4", "stoss")
    assert table.findings == []
    table.play("S1:CA S2:CT S3:HA")
    assert table.findings == []
