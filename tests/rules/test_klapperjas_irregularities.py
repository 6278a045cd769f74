"""Klapper-Jas: what is proven against whom and at which event, and what is held against nobody."""

from __future__ import annotations

from tests.rules.klapperjas_orgi import orgi
from tests.rules.klapperjas_table import Klapper


def test_j_i1_who_does_not_follow_is_found_out_by_the_card_he_owed() -> None:
    """J-23, G-03: not earlier, and not against a seat that simply could not follow."""
    table = orgi()
    *_, offence, _, _ = table.play("CA C8 D8 CK CQ")
    assert table.proofs == []
    (proof,) = table.play("C7")
    assert table.proofs == [("revoke", "S3", proof, offence)]


def test_j_i1_who_does_not_trump_is_found_out_by_a_trump() -> None:
    """J-23."""
    table = orgi()
    *_, offence = table.play("CA C8 S8")
    *_, proof = table.play("SA S7 H8")
    assert table.proofs == [("trump_duty", "S3", proof, offence)]


def test_j_i1_who_does_not_go_higher_is_found_out_by_a_higher_trump() -> None:
    """J-24 and J-25: on a trump lead, and over a trump in the trick."""
    table = orgi()
    _, offence, _, _, proof = table.play("HT H8 HQ C7 HJ")
    assert table.proofs == [("overtrump_duty", "S2", proof, offence)]
    table = orgi()
    *_, offence = table.play("CA HT H8")
    *_, proof = table.play("SA HJ")
    assert table.proofs == [("overtrump_duty", "S3", proof, offence)]


def test_j_26_undertrumping_is_no_fault_while_no_higher_trump_shows() -> None:
    table = orgi()
    table.play("CA HT H8 SA H7")
    assert table.proofs == []


def test_j_i1_one_card_is_held_against_its_player_once() -> None:
    """One discard may break three duties; the first refuted claim names the fault."""
    table = orgi()
    *_, offence = table.play("CA HT D8")
    *_, proof = table.play("SA H7")
    table.play("S8 HJ HQ H8")
    assert table.proofs == [("trump_duty", "S3", proof, offence)]


def test_j_i7_kontra_before_the_own_first_card_re_before_the_own_second() -> None:
    """J-27."""
    table = orgi()
    table.play("CA")
    table.say("S2:kontra", "S1:re")
    table.play("C8 C7")
    assert table.proofs == []
    assert table.game.doublings() == 2
    late = table.say("S3:kontra")
    assert table.proofs == [("late_declaration", "S3", late, None)]
    table = orgi(4)
    table.play("CA")
    table.say("S2:kontra")
    table.play("C8 C7 C9 CK")
    late = table.say("S1:re")
    assert table.proofs == [("late_declaration", "S1", late, None)]
    table.say("S3:re")
    assert table.game.doublings() == 2


def test_ja_9_kontra_is_for_the_opponents_re_for_the_declarers_side() -> None:
    table = orgi(4)
    wrong = [table.say("S1:kontra"), table.say("S3:kontra"), table.say("S2:re")]
    assert table.proofs == [
        ("wrong_side", seat, n, None) for seat, n in zip(("S1", "S3", "S2"), wrong, strict=True)
    ]
    assert table.game.doublings() == 0
    table.say("S1:re")
    assert table.view.remarks == ((1, "re_without_kontra", "S1"),)
    assert table.game.doublings() == 0


def test_with_four_the_turned_card_is_played_by_the_dealer() -> None:
    table = orgi(4)
    table.play("C7 C8 C9 CA HK H7 HQ HA")
    assert table.proofs == []


def test_j_i9_a_score_die_that_lies_wrong_is_told_but_is_no_finding() -> None:
    table = orgi(2)
    table.play("CA C7 CT C8 CK C9 SA S7 ST S8 SK S9 DK D7 DQ D8 DJ D9")
    assert table.points == {"S1": 2, "S2": 0}
    table.event("die", colour="red", value=1, spot="mat:S1")
    assert table.prompts() == [("set-score-die", "S1")]
    table.event("die", colour="red", value=2, spot="off:S1")
    assert table.prompts() == [("set-score-die", "S1")]
    table.event("die", colour="red", value=2, spot="mat:S1")
    assert table.prompts() == []
    assert table.proofs == []


def test_cards_of_other_packs_and_cards_seen_before() -> None:
    """G-I3, G-I4: they stay in the trick; a foreign value ranks by its number."""
    table = orgi()
    strange, _, again = table.play("C6 C7 C7")
    assert table.proofs == [("foreign_card", "S1", strange, None), ("duplicate_card", "S3", again, None)]
    assert table.view.last_winner == "S2"


def test_out_of_turn_and_two_cards() -> None:
    """G-I1, G-I2, G-I7."""
    table = orgi()
    (number,) = table.play("S2:C7")
    assert table.proofs == [("out_of_turn", "S2", number, None)]
    (again,) = table.play("S2:C8")
    assert table.proofs[1:] == [("two_cards", "S2", again, None)]
    table = orgi()
    table.play("CA C8 C7")
    (wrong,) = table.play("S2:SA")
    assert table.proofs == [("wrong_lead", "S2", wrong, None)]


def test_g_14_who_is_out_of_a_suit_is_shown_only_where_the_group_wants_it() -> None:
    for wanted, shown in ((False, {}), (True, {"S2": ("C", "H")})):
        table = orgi(2, show_inference=wanted)
        table.play("CA S8")
        assert table.view.inference == shown
        assert table.view.sides == {"S1": "declarer", "S2": "others"}


def test_g_i9_g_i7_while_no_suit_was_named_whoever_may_have_won_may_lead() -> None:
    """A Pik wins if Pik is trump; a Herz 7 never wins beside the 9 and the King."""
    table = Klapper(3, "HA")
    table.play("S1:C7 S2:S8 S3:D8 S2:H7 S3:H9 S1:HK")
    assert [finding for finding, *_ in table.proofs] == ["missing_declaration"]
    wrong = table.play("S2:D9")[0]
    assert table.proofs[1:] == [("wrong_lead", "S2", wrong, None)]
