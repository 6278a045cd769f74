"""Klapper-Jas: false or late melds, Belles and swaps (J-I2, J-I4 to J-I6, J-I10)."""

from __future__ import annotations

from tests.rules.klapperjas_orgi import orgi
from tests.rules.klapperjas_table import Klapper


def test_j_i2_a_meld_after_the_own_first_card_is_void() -> None:
    """J-07."""
    table = orgi()
    table.play("CA")
    table.say("S2:terz:DK")
    late = table.say("S1:terz:CA")
    assert table.proofs == [("late_declaration", "S1", late, None)]
    assert [meld.said for meld in table.game.melds] == ["terz:DK"]


def test_j_i4_a_meld_is_false_when_somebody_else_shows_one_of_its_cards() -> None:
    table = orgi()
    said = table.say("S1:terz:DK")
    table.play("CA")
    assert table.proofs == []
    (proof,) = table.play("DQ")
    assert table.proofs == [("false_meld", "S1", proof, said)]
    assert table.game.true_melds() == []


def test_j_i4_a_meld_is_false_when_too_few_cards_are_left_to_show_it() -> None:
    """After six of nine cards, three are left and four would have to be shown."""
    table = orgi(2)
    said = table.say("S1:halber:DA")
    ids = table.play("CA C7 CT C8 CK C9 SA S7 ST S8")
    assert table.proofs == []
    ids = table.play("SK")
    assert table.proofs == [("false_meld", "S1", ids[0], said)]


def test_j_i4_a_meld_with_a_card_that_lies_open_is_false() -> None:
    """Before its first card a seat may still swap for the turned card; with four the dealer holds it."""
    table = orgi()
    said = table.say("S1:terz:HA")
    assert table.proofs == []
    (proof,) = table.play("HK")
    assert table.proofs == [("false_meld", "S1", proof, said)]
    table = orgi(4)
    said = table.say("S2:terz:HA")
    assert table.proofs == [("false_meld", "S2", said, None)]
    table.say("S4:terz:HA")
    assert len(table.proofs) == 1


def test_j_i4_who_has_swapped_the_seven_cannot_meld_it_any_more() -> None:
    """J-33: the seat put the 7 in the pile itself; in a meld before the swap the 7 was still in its hand."""
    table = orgi()
    table.say("S1:tausch")
    said = table.say("S1:terz:H9")
    assert table.proofs == [("false_meld", "S1", said, None)]
    table = orgi()
    table.say("S1:terz:H9", "S1:tausch")
    assert table.proofs == []


def test_j_i4_there_is_no_terz_up_to_the_eight() -> None:
    table = orgi()
    said = table.say("S2:terz:C8")
    assert table.proofs == [("false_meld", "S2", said, None)]


def test_j_i4_a_card_that_was_read_wrongly_may_have_been_the_melded_one() -> None:
    table = orgi(2)
    table.say("S1:terz:DK")
    table.play("CA C7 CT C8 CK C9 SA S7 ST S8 SK S9")
    ids = table.play("SA SJ DK D7 DQ D8")
    assert table.proofs == [("duplicate_card", "S1", ids[0], None)]


def test_a_true_meld_is_never_called_false() -> None:
    table = orgi(2)
    table.say("S1:terz:DK", "S1:terz:CA")
    table.play("CA C7 CK C9 CQ C8 SA S7 ST S8 SK S9 DK D7 DQ D8 DJ D9")
    assert table.proofs == []
    assert table.audit


def test_j_i5_belle_is_false_when_the_other_card_falls_from_another_seat() -> None:
    table = orgi()
    table.play("CA C8")
    said = table.say("S3:belle")
    table.play("HQ")
    table.play("S7 S8")
    assert table.proofs == []
    (proof,) = table.play("HK")
    assert table.proofs[-1] == ("false_belle", "S3", proof, said)


def test_j_i5_belle_with_the_second_of_its_cards_is_too_late() -> None:
    """J-18."""
    table = orgi()
    table.play("CA C8 HQ S7 S8 SK")
    late = table.say("S3:belle")
    assert table.proofs == [("late_declaration", "S3", late, None)]
    assert table.game.belles == []


def test_j_i5_nobody_has_belle_while_the_trump_is_unknown() -> None:
    table = Klapper(3, "HA")
    table.say("S1:belle")
    assert table.view.remarks == ((1, "belle_without_trump", "S1"),)


def test_j_i6_a_swap_after_the_own_first_card_is_too_late() -> None:
    """J-33; the turned card is in the seat's hand all the same, and that is no second offence."""
    table = orgi()
    table.play("C7")
    late = table.say("S1:tausch")
    table.play("C8 HA")
    assert [(name, seat) for name, seat, *_ in table.proofs] == [
        ("late_declaration", "S1"),
        ("pile_card", "S3"),
    ]
    assert table.proofs[0][2] == late
    table = orgi()
    table.play("CA")
    table.say("S1:tausch")
    table.play("C8 C7 HA")
    assert len(table.proofs) == 1


def test_j_i6_a_swap_without_the_seven_is_found_out_when_the_seven_falls() -> None:
    table = orgi()
    said = table.say("S1:tausch")
    table.play("HA")
    (proof,) = table.play("H7")
    assert table.proofs == [("false_swap", "S1", proof, said)]


def test_j_i6_who_swaps_has_to_show_the_turned_card() -> None:
    table = orgi(2)
    said = table.say("S1:tausch")
    *_, last = table.play("CA C7 CT C8 CK C9 SA S7 ST S8 SK S9 DK D7 DQ D8 DJ")
    assert table.proofs == [("false_swap", "S1", last, said)]


def test_j_i6_there_is_no_swap_with_four_players() -> None:
    """J-30."""
    table = orgi(4)
    said = table.say("S1:tausch")
    assert table.proofs == [("false_swap", "S1", said, None)]


def test_j_i6_there_is_one_seven_and_one_turned_card() -> None:
    table = orgi()
    table.say("S1:tausch")
    again = table.say("S2:tausch")
    assert table.proofs == [("false_swap", "S2", again, None)]
    table = orgi(3, "H7")
    said = table.say("S1:tausch")
    assert table.proofs == [("false_swap", "S1", said, None)]
    table = Klapper(3, None)
    table.say("S1:farbe:C", "S1:tausch")
    assert table.proofs == []
    assert table.view.remarks == ((1, "swap_of_nothing", "S1"),)


def test_j_i10_the_turned_card_lies_in_the_rest_pile_until_somebody_swaps() -> None:
    table = orgi()
    (number,) = table.play("HA")
    assert table.proofs == [("pile_card", "S1", number, None)]
    table = orgi()
    table.say("S2:tausch")
    (number, _) = table.play("HA HK")
    assert table.proofs == [("pile_card", "S1", number, None)]


def test_j_i10_who_swapped_and_was_told_late_of_it_has_played_no_card_of_the_pile() -> None:
    """J-I6, G-I10: the word is late, but the card that it gave was in the hand in time."""
    table = orgi()
    (number,) = table.play("HA")
    assert table.proofs == [("pile_card", "S1", number, None)]
    late = table.say("S1:tausch")
    assert [(f.finding, f.event) for f in table.referee.findings()] == [("late_declaration", late)]


def test_j_i10_a_pile_card_proves_nothing_else_against_its_player() -> None:
    """The card cannot have been in the hand when its player did not follow; the audit agrees."""
    table = orgi(2)
    table.play("H9 C7 CA C8 CT C9 CK CJ SA S8 ST S9 SK SJ DA D7 DT D8")
    before = table.proofs
    assert before == []
    assert table.audit
    table = orgi(2)
    *_, number = table.play("H9 C7 CA C8 CT C9 CK CJ SA S8 ST S9 SK SJ DA D7 DT HA")
    assert table.proofs == [("pile_card", "S2", number, None)]
    assert table.audit


def test_another_open_card_of_the_rest_pile_may_be_told() -> None:
    """J-28: two cards of the rest lie open."""
    table = orgi()
    table.event("turned", card="DT")
    (number,) = table.play("DT")
    assert table.proofs == [("pile_card", "S1", number, None)]
    assert table.view.turned == ("HA", "DT")


def test_j_i10_who_takes_the_turned_card_later_may_play_it() -> None:
    """The first one was misread or lifted from the pile, which is not the second player's fault."""
    table = orgi(2)
    (number,) = table.play("HA")
    table.say("S2:tausch")
    table.play("HK")
    table.play("S1:CA C7 CK C8 S1:H9 HA")
    assert table.proofs == [("pile_card", "S1", number, None)]
