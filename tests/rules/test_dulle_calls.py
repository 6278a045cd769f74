"""Dulle: calls, soli, Stöße, Ansagen, and what proves them wrong (U-19 to U-29, UA-4 to UA-8, U-I)."""

from __future__ import annotations

import pytest

from table.rules import EventError
from table.rules.engine import legal
from table.rules.events import Event
from tests.rules.sixteen import WHOLE, Sixteen, called, position


def first(cards: str, count: int) -> str:
    return " ".join(cards.split()[:count])


# Calling --------------------------------------------------------------------------------------------------


def test_u_19_caller_and_holder_of_the_rufkarte_play_together() -> None:
    table = called("HA")
    assert table.view.contract == "ruf:HA"
    assert table.view.declared == (("S4", "ruf:HA"),)
    table.play(WHOLE)
    assert table.view.sides == {"S1": "others", "S2": "others", "S3": "ruf", "S4": "ruf"}
    assert table.findings == []


def test_u_19_only_a_fehlkarte_can_be_called() -> None:
    table = called("HT")
    assert table.view.contract is None
    assert table.view.remarks == ((0, "no_fehlkarte", "HT"),)
    with pytest.raises(EventError, match="did you mean"):
        table.say("S4", "ruf:X1")


def test_u_20_a_caller_of_his_own_card_plays_alone() -> None:
    """U-V15: the Rufkarte comes from the caller; the three others are opponents."""
    table = called("SA")
    table.play(WHOLE)
    assert table.view.sides == {"S1": "others", "S2": "others", "S3": "others", "S4": "ruf"}
    assert table.ledger["settlement"]["augen"] == {"ruf": 0, "others": 104}
    assert table.points == [3, 3, 3, -9]  # lost, Schneider, Schwarz; three times


def test_u_21_nobody_is_told_the_pairs_before_the_rufkarte_falls() -> None:
    """G-14: neither sides nor points may give the partner away."""
    table = called("HA")
    for word in WHOLE.split()[:13]:
        table.play(word)
        assert table.view.sides == {"S4": "ruf"}
        assert table.points == [0, 0, 0, 0]
    table.play("S3:HA")
    assert table.view.sides["S3"] == "ruf"


def test_u_29_a_solo_beats_the_call() -> None:
    table = called("HA")
    table.say("S2", "solo")
    assert table.view.contract == "solo"
    assert table.view.sides == {"S1": "others", "S2": "solo", "S3": "others", "S4": "others"}
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [2, -6, 2, 2]  # 17 Augen: lost and Schneider


def test_ua_7_of_two_soloists_the_nearer_to_the_lead_plays() -> None:
    table = Sixteen(dealer="S2")
    table.say("S2", "solo")
    table.say("S4", "solodu")
    assert table.view.declared[0] == ("S4", "solodu")


def test_ua_8_the_holder_of_kreuz_dame_may_play_a_solo() -> None:
    table = Sixteen()
    table.say("S4", "solo")
    table.play(WHOLE)
    assert table.findings == []
    assert table.view.sides["S4"] == "solo"


def test_u_28_who_sits_left_of_the_dealer_leads_and_the_deal_moves_on() -> None:
    table = called("HA")
    assert table.view.prompts == ()
    table.play(WHOLE)
    assert table.referee.next_round({"kind": "say", "seat": "S1", "what": "ruf:HA"}) == Event(
        "round", {"dealer": "S1"}
    )
    assert table.referee.next_round({"kind": "say", "seat": "S1", "what": "stoss"}) is None
    table.event("round")
    assert (table.view.dealer, table.view.turn, table.view.phase) == ("S1", "S2", "declare")
    assert [p.what for p in table.view.prompts] == ["call"]


def test_u_i1_another_seat_shows_kreuz_dame() -> None:
    table = Sixteen()
    said = table.say("S1", "ruf:HA")
    ids = table.play(WHOLE)
    assert table.findings == [("false_caller", "S1", ids[5], said)]


def test_u_i1_a_false_call_that_is_taken_back_is_none() -> None:
    table = Sixteen()
    said = table.say("S1", "ruf:HA")
    table.event("correction", of=said, event={"kind": "say", "seat": "S4", "what": "ruf:HA"})
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [1, 1, -1, -1]


def test_u_i5_no_call_before_the_first_card() -> None:
    """The holder of Kreuz Dame should have called: he is named when it shows. Nobody wins or loses."""
    table = Sixteen()
    ids = table.play(first(WHOLE, 5))
    assert table.findings == [("missing_declaration", None, ids[0], None)]
    table.play(" ".join(WHOLE.split()[5:]))
    assert table.findings == [("missing_declaration", "S4", ids[0], None)]
    assert table.points == [0, 0, 0, 0]


def test_g_i10_a_call_after_the_first_card_is_void() -> None:
    table = Sixteen()
    lead = table.play("S1:CA")[0]
    late = table.say("S4", "ruf:HA")
    assert table.findings == [
        ("missing_declaration", None, lead, None),
        ("late_declaration", "S4", late, None),
    ]
    assert table.view.contract is None


# Stoß -----------------------------------------------------------------------------------------------------


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
    """UA-6: before, nobody can know."""
    table = called("HA")
    wrong = table.say("S3", "stoss")
    ids = table.play(first(WHOLE, 13))
    assert table.findings == []
    ids += table.play("S3:HA")
    assert table.findings == [("wrong_side", "S3", ids[13], wrong)]


def test_u_i7_an_opponent_returns_his_own_sides_stoss() -> None:
    table = called("HA")
    table.say("S1", "stoss")
    wrong = table.say("S2", "stoss")
    ids = table.play(WHOLE)
    assert table.findings == [("wrong_side", "S2", ids[13], wrong)]
    assert table.points == [2, 2, -2, -2]


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


# Pflichtstoß ----------------------------------------------------------------------------------------------


def test_u_i6_an_opponent_with_the_dulle_gave_no_stoss() -> None:
    """U-23: proven when it is known that S1 is an opponent, which the Rufkarte shows."""
    table = called("HA", pflichtstoss=True)
    ids = table.play(WHOLE)
    assert table.findings == [("missed_stoss", "S1", ids[13], ids[0])]


def test_u_i6_without_a_deadline_the_stoss_is_missed_when_the_round_is_over() -> None:
    """UA-4: until then he may still give it; with the last card his time runs out."""
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
    """One accusation never hides another's: keyed by rule, seat and offending event."""
    table = called("CA", pflichtstoss=True)
    ids = table.play("S1:CA S2:CT S3:DJ S4:DA  S2:HT")  # S3 won: S2 leads, and shows the Dulle with it
    assert table.findings == [("wrong_lead", "S2", ids[4], None), ("missed_stoss", "S2", ids[4], ids[1])]
    table = called("CA", pflichtstoss=True)
    ids = table.play("S1:CA S2:HT S3:DJ S4:DA  S2:CT")  # the card that missed the Stoß kept the partner
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
        ("HA", ["S2:stoss"]),  # his side has given one
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


# Ansagen --------------------------------------------------------------------------------------------------


def test_u_24_without_the_variant_an_ansage_is_nothing() -> None:
    table = called("HA")
    table.say("S1", "schwarz")
    assert table.view.remarks == ((0, "not_played", "schwarz"),)
    table.play(WHOLE)
    assert table.points == [1, 1, -1, -1]


def test_u_24_a_missed_ansage_loses() -> None:
    """The others take 70 of 104: they win, but not Schneider."""
    table = called("HA", ansagen=True)
    table.say("S1", "schneider")
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [-2, -2, 2, 2]


def test_u_24_an_ansage_may_be_gestossen_by_the_other_side() -> None:
    """»Auch hierbei kann gestoßen werden«: also by the caller, whose side gives no first Stoß to a call."""
    table = called("HA", ansagen=True)
    table.say("S1", "schneider")
    table.say("S4", "stoss")
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [-4, -4, 4, 4]


def test_u_24_an_ansage_too_late_is_void() -> None:
    table = called("HA", ansagen=True)
    table.play("S1:CA")
    late = table.say("S1", "schneider")
    assert table.findings == [("late_declaration", "S1", late, None)]


# Duties broken --------------------------------------------------------------------------------------------


def test_u_i2_a_lower_trump_although_a_higher_one_shows_later() -> None:
    """U-V16: S4 plays Kreuz Bube instead of Kreuz Dame in trick 2; Kreuz Dame falls in trick 3."""
    table = called("HA")
    ids = table.play("S1:CA S2:CT S3:DJ S4:DA  S3:SQ S4:CJ S1:HT S2:HQ  S1:SJ S2:DT S3:DQ S4:CQ")
    assert table.findings == [("overtrump_duty", "S4", ids[11], ids[5])]


def test_u_i3_a_partner_card_shows_later() -> None:
    table = called("HA")
    ids = table.play("S1:CA S2:ST S3:DJ S4:DA  S3:SQ S4:CQ S1:HT S2:CT")
    assert table.findings[0] == ("partner_duty", "S2", ids[7], ids[1])


def test_u_i4_no_trump_on_trump_although_one_shows_later() -> None:
    table = called("HA")
    ids = table.play("S1:HT S2:CT S3:DJ S4:DA  S1:CA S2:DT")
    assert table.findings == [("trump_duty", "S2", ids[5], ids[1])]


def test_u_i4_a_higher_trump_refutes_both_claims_and_is_named_once() -> None:
    table = called("HA")
    ids = table.play("S1:DJ S2:CT S3:SQ S4:CQ  S4:CJ S1:HT S2:DT")
    assert table.findings == [("trump_duty", "S2", ids[6], ids[1])]


def test_u_i8_a_card_seen_twice() -> None:
    table = called("HA")
    ids = table.play("S1:CA S2:CT S3:DJ S4:CA")
    assert table.findings == [("duplicate_card", "S4", ids[3], None)]


def test_g_12_a_strange_card_in_the_place_of_the_rufkarte_tells_who_held_her() -> None:
    """G-12, U-19: in the end she is the one card that never fell; a second stranger would leave it open."""
    table = called("HA")
    table.play(WHOLE.replace("S3:HA", "S3:H9"))
    assert [name for name, *_ in table.findings] == ["foreign_card"]
    assert table.view.sides == {"S1": "others", "S2": "others", "S3": "ruf", "S4": "ruf"}
    assert table.points == [1, 1, -1, -1]
    table = called("HA")
    table.play(WHOLE.replace("S3:HA", "S3:H9").replace("S1:HJ", "S1:H7"))
    assert table.points == [0, 0, 0, 0]


def test_an_answer_to_a_stoss_is_not_wrong_while_the_pairs_may_still_make_it_right() -> None:
    """U-22, U-I7: S1 and S2 gave Stoß; one of them is S4's partner, or S2's counted for nothing."""
    table = called("HA", "S4")
    table.say("S1", "stoss")
    second = table.say("S2", "stoss")
    table.say("S4", "stoss")
    assert table.findings == []
    shown = table.play("S1:CA S2:CT S3:HA")[-1]
    assert table.findings == [("wrong_side", "S2", shown, second)]
