"""Dulle: calls, soli, Stöße, Ansagen, and what proves them wrong (U-19 to U-29, UA-4 to UA-8, U-I)."""

from __future__ import annotations

import pytest

from table.rules import EventError
from table.rules.events import Event
from tests.rules.dulle_calls import first
from tests.rules.sixteen import WHOLE, Sixteen, called


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
    """U-V15: the Rufkarte is the caller's own; the three others are opponents."""
    table = called("SA")
    table.play(WHOLE)
    assert table.view.sides == {"S1": "others", "S2": "others", "S3": "others", "S4": "ruf"}
    assert table.ledger["settlement"]["augen"] == {"ruf": 0, "others": 104}
    assert table.points == [3, 3, 3, -9]  # lost, Schneider, Schwarz; threefold


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


def test_u_i1_of_two_callers_the_one_who_shows_kreuz_dame_plays() -> None:
    """U-19: the other one is a false caller, and thereby has no partner."""
    table = Sixteen()
    said = table.say("S2", "ruf:CA")
    table.say("S1", "stoss")
    table.say("S4", "ruf:HA")
    ids = table.play(WHOLE)
    assert table.findings == [("false_caller", "S2", ids[5], said)]
    assert table.view.contract == "ruf:HA"
    assert table.points == [2, 2, -2, -2]


def test_u_i1_a_false_call_that_is_taken_back_is_none() -> None:
    table = Sixteen()
    said = table.say("S1", "ruf:HA")
    table.event("correction", of=said, event={"kind": "say", "seat": "S4", "what": "ruf:HA"})
    table.play(WHOLE)
    assert table.findings == []
    assert table.points == [1, 1, -1, -1]


def test_u_i5_no_call_before_the_first_card() -> None:
    """The holder of Kreuz Dame should have called and is named when it is played. Nobody wins or loses."""
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


def test_u_24_an_ansage_too_late_is_void() -> None:
    table = called("HA", ansagen=True)
    table.play("S1:CA")
    late = table.say("S1", "schneider")
    assert table.findings == [("late_declaration", "S1", late, None)]


def test_u_i2_a_lower_trump_although_a_higher_one_shows_later() -> None:
    """U-V16: S4 plays Kreuz Bube instead of Kreuz Dame in trick 2 and Kreuz Dame in trick 3."""
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
    """G-12, U-19: at the end it is the one card never played; a second stranger would leave it open."""
    table = called("HA")
    table.play(WHOLE.replace("S3:HA", "S3:H9"))
    assert [name for name, *_ in table.findings] == ["foreign_card"]
    assert table.view.sides == {"S1": "others", "S2": "others", "S3": "ruf", "S4": "ruf"}
    assert table.points == [1, 1, -1, -1]
    table = called("HA")
    table.play(WHOLE.replace("S3:HA", "S3:H9").replace("S1:HJ", "S1:H7"))
    assert table.points == [0, 0, 0, 0]
