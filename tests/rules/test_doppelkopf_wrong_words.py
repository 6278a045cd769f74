"""Announcements that the seat had no right to: the wrong side, an Absage without Ansage (K-I2, K-I3)."""

from __future__ import annotations

from tests.rules.doko import Doko, normal, queens


def test_an_absage_without_any_ansage_is_void_at_once() -> None:
    """K-22, K-I2"""
    table = normal()
    event = table.say("S2 k90")
    assert table.proofs == [("absage_without_ansage", "S2", event, None)]
    assert table.ledger["said"] == []


def test_the_partners_ansage_suffices() -> None:
    """K-22: nobody can know it before the cards show it, so there is no finding either way."""
    table = normal()
    table.say("S1 re, S3 k90")
    table.finish()
    assert table.proofs == []


def test_an_absage_on_the_other_sides_ansage_is_proven_by_the_damen() -> None:
    """K-I2: by the speaker's own Dame, or by the second one from elsewhere."""
    table = normal()
    about = table.say("S4 kontra, S1 k90")
    table.hold("S1", 12)
    proof = table.card("S1", "CQ")
    assert table.proofs == [("absage_without_ansage", "S1", proof, about)]
    table = normal()
    about = table.say("S1 re, S2 k90")
    table.card("S1", "CQ")
    assert table.proofs == []
    while "CQ" in table.hands["S3"]:
        proof = table.play()
    assert table.proofs == [("absage_without_ansage", "S2", proof, about)]
    assert table.round.levels(table.round.sides) == (0, -1)


def test_with_both_ansagen_made_any_absage_has_one() -> None:
    """K-22"""
    table = normal()
    table.say("S1 re, S4 kontra, S2 k90, S3 k60")
    table.finish()
    assert table.proofs == []
    assert table.round.levels(table.round.sides) == (2, 1)


def test_kontra_from_a_kreuz_dame_is_proven_when_she_falls() -> None:
    """K-I3"""
    table = normal()
    about = table.say("S1 kontra")
    assert table.proofs == []
    proof = table.card("S1", "CQ")
    assert table.proofs == [("wrong_side", "S1", proof, about)]
    table.finish()
    assert table.round.levels(table.round.sides) == (-1, -1)


def test_re_without_a_kreuz_dame_is_proven_when_both_fell_elsewhere() -> None:
    """K-I3"""
    table = normal()
    about = table.say("S2 re")
    table.card("S1", "CQ")
    assert table.proofs == []
    while "CQ" in table.hands["S3"]:
        proof = table.play()
    assert table.proofs == [("wrong_side", "S2", proof, about)]


def test_re_is_proven_wrong_at_the_end_if_a_dame_was_misread() -> None:
    """K-I3, G-12: the second Kreuz Dame was the only misread card of the round."""
    table = normal()
    about = table.say("S2 re")
    table.hold("S3", 12)
    table.hands["S3"].remove("CQ")
    stranger = table.card("S3", "C8")
    table.finish()
    last = table.round.tricks[-1].plays[-1].event
    found = [proof for proof in table.proofs if proof[0] != "revoke"]
    assert found == [("foreign_card", "S3", stranger, None), ("wrong_side", "S2", last, about)]
    assert table.view.sides == {"S1": "re", "S2": "kontra", "S3": "re", "S4": "kontra"}


def test_where_the_sides_are_known_the_wrong_word_is_proven_at_once() -> None:
    """K-I3: in solo, Armut and Hochzeit."""
    table = Doko()
    table.gesund(S2="solo:as")
    event = table.say("S1 re")
    assert table.proofs == [("wrong_side", "S1", event, None)]
    table = Doko("bundeswehr")
    table.gesund(S2="armut")
    table.say("S4 armut-nehmen, S4 armut-zurueck:0")
    event = table.say("S2 kontra")
    assert table.proofs == [("wrong_side", "S2", event, None)]


# At the club ----------------------------------------------------------------------------------------------


def test_a_stille_hochzeit_may_say_kontra_at_the_club() -> None:
    """K-73: nobody is accused and it counts for nobody; in ddv it is the wrong side."""
    table = Doko("club", want=queens("S2", "S2"))
    table.gesund()
    table.say("S2 kontra, S2 k90")
    table.finish()
    assert table.proofs == []
    assert table.round.levels(table.round.sides) == (1, -1)
    assert table.ledger["doubled"] == ["re"]
    table = Doko(want=queens("S2", "S2"))
    table.gesund()
    about = table.say("S2 kontra")
    table.hold("S2", 12)
    proof = table.card("S2", "CQ")
    assert table.proofs == [("wrong_side", "S2", proof, about)]


def test_who_believed_the_kontra_of_a_stille_hochzeit_is_not_accused() -> None:
    """K-73, K-22: the Kontra may confuse, so an Absage that relies on it is void but no fault."""
    table = Doko("club", want=queens("S2", "S2"))
    table.gesund()
    table.say("S2 kontra, S3 k90, S4 k60")
    table.finish()
    assert table.proofs == []
    assert table.round.levels(table.round.sides) == (0, -1)
    assert [remark[1:] for remark in table.ledger["remarks"]] == [
        ["misled_by_kontra", "S3"],
        ["misled_by_kontra", "S4"],
    ]


def test_at_the_club_kontra_with_one_dame_is_proven_by_the_other_one() -> None:
    """K-73, K-I3: until then it might have been a stille Hochzeit."""
    table = normal("club")
    about = table.say("S1 kontra")
    table.card("S1", "CQ")
    assert table.proofs == []
    while "CQ" in table.hands["S3"]:
        proof = table.play()
    assert table.proofs == [("wrong_side", "S1", proof, about)]


def test_a_stille_hochzeit_at_the_club_needs_no_re_before_an_absage() -> None:
    """KA-18, K-73, K-I2: a solo is announced by itself, and it is one of the club's soli."""
    table = Doko("club", want=queens("S2", "S2"))
    table.gesund()
    table.say("S2 k90, S2 k60")
    table.finish()
    assert table.proofs == []
    assert table.round.levels(table.round.sides) == (2, -1)


def test_who_only_might_have_been_a_stille_hochzeit_lacked_the_ansage() -> None:
    """K-I2, KA-18: nobody is accused until somebody else shows a Kreuz Dame."""
    table = normal("club")
    event = table.say("S1 k90")
    table.card("S1", "CQ")
    assert table.proofs == []
    while "CQ" in table.hands["S3"]:
        proof = table.play()
    assert table.proofs == [("absage_without_ansage", "S1", proof, event)]
    assert table.round.levels(table.round.sides) == (-1, -1)


def test_a_solo_at_the_club_is_re_announced() -> None:
    """KA-18, K-72: an Absage and an answer to it may follow at once."""
    table = Doko("club")
    table.gesund(S2="solo:as")
    assert table.round.level(1) == 0
    table.say("S2 k90")
    table.hold("S1", 9)
    table.say("S1 kontra")
    assert table.proofs == []
    table.finish()
    assert table.ledger["doubled"] == ["re", "kontra"]
