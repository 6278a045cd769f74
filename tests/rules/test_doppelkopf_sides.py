"""Who plays with whom and when it becomes known; Schweinchen, and a contract corrected later."""

from __future__ import annotations

from tests.rules.doko import Doko, Hands, hochzeit, normal, queens

# Sides ----------------------------------------------------------------------------------------------------


def test_re_are_the_holders_of_the_kreuz_damen() -> None:
    """K-08, K-V3, G-11, G-12: only cards show it; the second Dame settles the rest."""
    table = normal()
    table.hold("S1", 11)
    assert table.view.sides == {}
    table.card("S1", "CQ")
    assert table.view.sides == {"S1": "re"}
    while "CQ" in table.hands["S3"]:
        table.play()
    assert table.view.sides == {"S1": "re", "S2": "kontra", "S3": "re", "S4": "kontra"}


def test_an_ansage_tells_nobody_the_sides() -> None:
    """G-14: a word may be wrong, so only cards show a side."""
    table = normal()
    table.say("S1 re")
    assert table.view.declared == (("S1", "re"),)
    assert table.view.sides == {}


def test_both_damen_from_one_hand_are_a_stille_hochzeit() -> None:
    """K-18, K-I5: no error; it is settled as a solo without Sonderpunkte."""
    table = Doko(want=queens("S2", "S2"))
    table.gesund()
    table.finish()
    assert table.proofs == []
    entry = table.ledger
    assert entry["solo"]
    assert entry["sides"]["S2"] == "re"
    assert [line for line in entry["settlement"] if line["rule"] in ("K-35", "K-36", "K-37", "K-38")] == []
    assert table.points["S2"] == -3 * table.points["S1"]


def test_a_hochzeit_finds_the_first_other_winner_of_three_tricks() -> None:
    """K-17: everybody knows the partner at once."""
    table = Doko(want=queens("S2", "S2"))
    table.gesund(S2="hochzeit")
    assert table.view.sides == {"S2": "re"}
    for seat, card in (("S1", "CA"), ("S2", "CT"), ("S3", "C9"), ("S4", "C9")):
        table.card(seat, card)
    assert table.view.sides == {"S1": "re", "S2": "re", "S3": "kontra", "S4": "kontra"}


def test_three_own_tricks_leave_the_hochzeiter_alone() -> None:
    """K-18, K-55, KA-5: the first three tricks in ddv, three own tricks in the clubs."""
    table = hochzeit("ddv", "hochzeit", "HT CA SA")
    assert table.view.sides == {"S1": "re", "S2": "kontra", "S3": "kontra", "S4": "kontra"}
    table = hochzeit("bundeswehr", "hochzeit:fehl", "DK DT S2:DJ")
    assert table.view.sides == {"S1": "re"}  # S2's trump trick finds nobody; only two tricks are S1's own
    table = hochzeit("bundeswehr", "hochzeit:fehl", "DK DT S2:DJ S1:D9")
    assert table.view.sides["S2"] == "kontra"
    table = hochzeit("bundeswehr", "hochzeit:fehl", "DK DT S2:DJ S1:D9", hz_limit="first3")
    assert table.round.clarified == 3


def test_the_kinds_of_a_hochzeit_go_by_the_led_card() -> None:
    """K-54, KA-4"""
    assert hochzeit("bundeswehr", "hochzeit:fehl", "S2:DK S3:CT").view.sides["S3"] == "re"
    assert hochzeit("bundeswehr", "hochzeit:trumpf", "S2:CT S3:DK").view.sides["S3"] == "re"
    assert hochzeit("bundeswehr", "hochzeit:fremd", "S2:DK").view.sides["S2"] == "re"
    assert hochzeit("bundeswehr", "hochzeit", "S2:CK").view.sides["S2"] == "re"
    waits = hochzeit("bundeswehr", "hochzeit:fehl", "CA S3:SK")
    assert waits.view.sides["S3"] == "re"
    alone = hochzeit("bundeswehr", "hochzeit:fehl", "CA", hz_wait="off")
    assert alone.view.sides["S3"] == "kontra"
    foreign = hochzeit("bundeswehr", "hochzeit:fremd", "CA S3:SK", hz_wait="off")
    assert foreign.view.sides["S3"] == "re"  # his own trick is not the first foreign one


def test_a_kreuz_dame_from_another_hand_proves_a_false_hochzeit() -> None:
    """K-I4: reported once; the game goes on as declared."""
    table = Doko(want=queens("S1", "S3"))
    table.gesund(S1="hochzeit")
    about = table.round.bid.event if table.round.bid else 0
    while "CQ" in table.hands["S3"]:
        proof = table.play()
    table.finish()
    assert table.proofs == [("false_hochzeit", "S1", proof, about)]
    assert table.view.sides["S1"] == "re"


# Schweinchen ----------------------------------------------------------------------------------------------


def both_foxes(seat: str) -> object:
    def want(hands: Hands) -> bool:
        return hands[seat].count("DA") == 2 and "HT" in hands["S2"]

    return want


def test_schweinchen_told_with_the_second_ass_count_from_the_first_one() -> None:
    """KA-9: the players treated the first one as a Schweinchen, and the table catches up with them."""
    table = Doko("club")
    table.gesund()
    for seat, card in (("S1", "DA"), ("S2", "HT"), ("S3", "DK"), ("S4", "DK")):
        table.event("card", seat=seat, card=card)
    assert table.view.last_winner == "S2"
    table.event("card", seat="S1", card="DA")  # S1 took the trick and leads
    assert [proof[0] for proof in table.proofs] == ["wrong_lead"]
    assert [(p.what, p.seat) for p in table.view.prompts] == [("schweinchen?", "S1")]
    table.say("S1 schweinchen")
    assert table.proofs == []
    assert table.round.tricks[0].winner == 0
    assert table.view.prompts == ()


def test_schweinchen_told_late_that_did_not_count_before_count_from_now_on() -> None:
    """KA-9: S2 took the first Karo Ass with the Herz 10, and everybody agreed."""
    table = Doko("club")
    table.gesund()
    for seat, card in (
        ("S1", "DA"),
        ("S2", "HT"),
        ("S3", "DK"),
        ("S4", "DK"),
        ("S2", "HT"),
        ("S3", "DT"),
        ("S4", "DT"),
    ):
        table.event("card", seat=seat, card=card)
    table.say("S1 schweinchen")
    table.event("card", seat="S1", card="DA")
    assert table.proofs == []
    assert [trick.winner for trick in table.round.tricks] == [1, 0]


def test_schweinchen_are_false_when_another_hand_shows_a_karo_ass() -> None:
    """K-66"""
    table = Doko("club")
    table.gesund()
    about = table.say("S1 schweinchen")
    table.event("card", seat="S1", card="DA")
    proof = table.event("card", seat="S2", card="DA")
    assert table.proofs == [("false_meld", "S1", proof, about)]
    assert table.round.top() is None
    event = table.say("S3 schweinchen")
    assert table.proofs[1:] == [("false_meld", "S3", event, None)]


def test_schweinchen_may_have_to_be_told_before_the_first_card() -> None:
    """K-66, KA-9: only where the house says so; ddv knows none at all."""
    table = Doko("club", swine_call="at_start")
    table.gesund()
    table.event("card", seat="S1", card="CA")
    event = table.say("S2 schweinchen")
    assert table.proofs == [("late_declaration", "S2", event, None)]
    table = Doko()
    table.gesund()
    table.say("S1 schweinchen")
    assert table.round.top() is None


def test_a_contract_corrected_later_is_folded_from_its_beginning() -> None:
    """G-04, G-10: the solo was another one; a revoke that existed only in the wrong contract disappears."""
    table = Doko()
    table.say("S1 vorbehalt, S2 gesund, S3 gesund, S4 gesund")
    said = table.say("S1 solo:C")
    table.event("card", seat="S1", card="CQ")
    table.event("card", seat="S2", card="DQ")
    table.event("card", seat="S3", card="C9")
    table.event("card", seat="S4", card="C9")
    table.event("card", seat="S1", card="D9")
    table.event("card", seat="S2", card="CA")
    assert table.proofs == []
    table.event("correction", of=said, event={"kind": "say", "seat": "S1", "what": "solo:as"})
    assert table.view.contract == "solo:as"
    assert [(finding, seat) for finding, seat, *_ in table.proofs] == [("revoke", "S2")]
