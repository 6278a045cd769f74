"""Doppelkopf: Armut, and hands that are thrown in."""

from __future__ import annotations

import pytest

from table.rules.doppelkopf.choices import is_armut, throws
from tests.rules.doko import Doko, Hands


def test_an_armut_is_taken_and_the_two_are_re() -> None:
    """K-61, K-62"""
    table = Doko("bundeswehr")
    table.gesund(S2="armut")
    assert [(p.what, p.seat) for p in table.view.prompts] == [("take-armut?", None), ("show-fuchs", "S2")]
    table.say("S4 armut-nehmen")
    assert ("trumps-returned?", "S4") in [(p.what, p.seat) for p in table.view.prompts]
    table.say("S4 armut-zurueck:1")
    assert table.view.sides == {"S1": "kontra", "S2": "re", "S3": "kontra", "S4": "re"}
    assert table.view.turn == "S1"
    table.finish()
    assert table.points["S2"] == table.points["S4"] == -table.points["S1"]


def test_how_few_trumps_make_an_armut() -> None:
    """K-61, KA-6: the number is a maximum; in dieblich a fourth is allowed if it is the Fuchs."""
    four = ["HT", "CQ", "SQ", "HQ", "CA", "CT", "CK", "SA", "ST"]
    fox = ["HT", "CQ", "SQ", "DA", "CA", "CT", "CK", "SA", "ST"]
    assert [is_armut(hand, 4, False) for hand in (four, fox)] == [True, True]  # bundeswehr
    assert [is_armut(hand, 3, True) for hand in (four, fox)] == [False, True]  # dieblich
    assert [is_armut(hand, 3, False) for hand in (four, fox)] == [False, False]  # club
    assert is_armut(four[1:], 3, False)
    assert is_armut(["CA", "CT", "CK"], 3, False)
    assert not is_armut(["CA", "CT", "CK"], 0, False)  # ddv
    table = Doko("ddv")  # an Armut is no Vorbehalt there, so the Vorbehalt stays unnamed
    table.gesund(S2="armut")
    event = table.card("S1", "CA")
    assert table.proofs == [("missing_declaration", "S2", event, None)]


def test_trumps_that_come_back_must_be_told() -> None:
    """K-62: the table asks for the number until somebody says it."""
    table = Doko("club")
    table.gesund(S1="armut")
    table.say("S2 armut-nehmen")
    assert ("trumps-returned?", "S2") in [(p.what, p.seat) for p in table.view.prompts]
    table.say("S2 armut-zurueck:0")
    assert "trumps-returned?" not in [p.what for p in table.view.prompts]


def test_more_trumps_than_an_armut_can_have_had_are_proven() -> None:
    """K-I8: trumps that came back are not counted."""

    def poor(hands: Hands) -> bool:
        return sum(card[0] == "D" or card[1] in "QJ" or card == "HT" for card in hands["S1"]) >= 6

    for back, found in ((0, True), (2, False)):
        table = Doko("bundeswehr", want=lambda hands: poor(hands))
        table.gesund(S1="armut")
        about = table.round.bid.event if table.round.bid else 0
        table.say(f"S2 armut-nehmen, S2 armut-zurueck:{back}")
        trumps = [card for card in table.hands["S1"] if card[0] == "D" or card[1] in "QJ" or card == "HT"]
        events = []
        for card in trumps[: 5 if found else 6]:
            events.append(table.card("S1", card))
            for seat in ("S2", "S3", "S4"):  # they may play anything: only S1's trumps matter here
                table.event("card", seat=seat, card="C9")
        mine = [proof for proof in table.proofs if proof[0] == "false_meld"]
        assert mine == ([("false_meld", "S1", events[4], about)] if found else [])


def test_the_first_armut_goes_before_the_second() -> None:
    """K-63"""
    table = Doko("bundeswehr")
    table.gesund(S3="armut", S2="armut")
    assert table.ledger["declarer"] == "S2"
    table = Doko("bundeswehr", armut_twice="thrown_in")
    table.gesund(S3="armut", S2="armut")
    assert table.ledger["contract"] == "thrown"


def test_armut_beside_hochzeit_is_played_only_by_the_two_together() -> None:
    """K-64: in dieblich; elsewhere anybody may take it."""
    table = Doko("dieblich")
    table.gesund(S2="armut", S3="hochzeit")
    assert ("armut-together?", "S3") in [(prompt.what, prompt.seat) for prompt in table.view.prompts]
    table.say("S4 armut-nehmen")
    assert table.ledger["taker"] is None
    assert table.view.remarks == ((0, "armut_not_together", "S4"),)
    assert table.proofs == []
    table.say("S3 armut-nehmen")
    assert table.ledger["taker"] == "S3"
    assert table.view.sides["S3"] == table.view.sides["S2"] == "re"
    table = Doko("club")
    table.gesund(S2="armut", S3="hochzeit")
    table.say("S4 armut-nehmen")
    assert table.ledger["taker"] == "S4"


def test_an_armut_that_nobody_takes_is_thrown_in() -> None:
    """K-62: the poor seat throws it in, or the next round simply begins: all score zero."""
    for said in (True, False):
        table = Doko("club")
        table.gesund(S2="armut")
        if said:
            table.say("S2 schmeissen")
            assert table.referee.finished()
        table.deal("S1")
        assert set(table.points.values()) == {0}
        assert table.proofs == []


@pytest.mark.parametrize(
    ("reason", "hand", "near"),
    [
        ("5_koenige", "CK CK SK SK HK HT CQ", "CK CK SK SK HA HT CQ"),
        ("6_zehnen", "CT CT ST ST HT HT DT", "CT CT ST ST HT CA CA"),
        ("5_neunen", "C9 C9 S9 S9 H9 HT CQ", "C9 C9 S9 S9 HA HT CQ"),
        ("fuchs_unterlegen", "DA DA DT DK CA SA HA", "DA DJ DT DK CA SA HA"),
        ("2_truempfe", "HT CQ CA CT SA ST HA", "HT CQ CJ CT SA ST HA"),
    ],
)
def test_hands_that_may_be_thrown_in(reason: str, hand: str, near: str) -> None:
    """K-65, KA-15: the numbers are minimums."""
    assert throws(hand.split(), [reason])
    assert not throws(near.split(), [reason])
    assert not throws(hand.split(), [])


def test_a_hand_thrown_in_is_a_round_with_zeros() -> None:
    """K-65, K-I9: the claim cannot be checked, so nobody is accused."""
    table = Doko("dieblich")
    table.gesund(S3="schmeissen")
    assert table.ledger["contract"] == "thrown"
    assert table.points == dict.fromkeys(table.seats, 0)
    assert table.referee.finished()
    assert table.proofs == []
    assert set(Doko("bundeswehr").view.options["throw"]) == {
        "5_koenige", "6_zehnen", "5_neunen", "fuchs_unterlegen",
    }  # fmt: skip
    assert Doko("club").view.options["throw"] == ("2_truempfe",)


def test_a_solo_goes_before_a_hand_thrown_in() -> None:
    table = Doko("dieblich")
    table.say("S1 vorbehalt, S2 vorbehalt, S3 gesund, S4 gesund, S1 schmeissen")
    assert not table.round.over
    table.say("S2 solo:as")
    assert table.view.contract == "solo:as"
    assert table.view.turn == "S2"


def test_a_log_that_ends_with_a_hand_to_be_thrown_in_is_a_complete_round() -> None:
    """K-62, K-65: nobody named a better Vorbehalt, nobody took the Armut, and no event follows."""
    for words in ("S1 vorbehalt, S2 vorbehalt, S3 gesund, S4 gesund, S1 schmeissen",
                  "S1 gesund, S2 vorbehalt, S3 gesund, S4 gesund, S2 armut"):  # fmt: skip
        table = Doko("dieblich")
        table.say(words)
        assert not table.referee.finished()
        table.referee.conclude()
        assert table.referee.finished()
        assert table.ledger["contract"] == "thrown"
    playing = Doko("dieblich")
    playing.say("S1 gesund, S2 vorbehalt")
    playing.referee.conclude()
    assert not playing.referee.finished()


def test_a_card_after_all_takes_the_throw_back() -> None:
    table = Doko("dieblich")
    table.say("S1 vorbehalt, S2 vorbehalt, S3 gesund, S4 gesund, S1 schmeissen")
    table.card("S1", "CA")
    assert table.view.contract == "normal"


def test_ka_8_who_holds_the_spitze_can_beat_the_fuchs() -> None:
    """K-65: the Karo 7 in place of a Herz 9 is the highest trump."""
    hand = ["C9", "CT", "CT", "S9", "SA", "H9", "HK", "HA", "D7", "DT", "DK", "DA"]
    assert throws(hand, ["fuchs_unterlegen"])
    assert not throws(hand, ["fuchs_unterlegen"], spitze=True)
