"""Who plays with whom, when it shows, and what may be announced until when."""

from __future__ import annotations

import pytest

from .doko import Doko, Hands, queens


def normal(preset: str = "ddv", **options: object) -> Doko:
    """A normal game: S1 and S3 hold the Kreuz Damen, S2 and S4 are Kontra."""
    table = Doko(preset, want=queens("S1", "S3"), **options)
    table.gesund()
    return table


# Sides ----------------------------------------------------------------------------------------------------


def test_re_are_the_holders_of_the_kreuz_damen() -> None:
    """K-08, K-V3, G-11, G-12: shown only by the cards; the second Dame tells the rest."""
    table = normal()
    table.hold("S1", 11)
    assert table.view.sides == {}
    table.card("S1", "CQ")
    assert table.view.sides == {"S1": "re"}
    while "CQ" in table.hands["S3"]:
        table.play()
    assert table.view.sides == {"S1": "re", "S2": "kontra", "S3": "re", "S4": "kontra"}


def test_an_ansage_tells_nobody_the_sides() -> None:
    """G-14: what somebody says may be wrong; only cards are shown."""
    table = normal()
    table.say("S1 re")
    assert table.view.declared == (("S1", "re"),)
    assert table.view.sides == {}


def test_both_damen_from_one_hand_are_a_stille_hochzeit() -> None:
    """K-18, K-I5: no error, settled as a solo without specials."""
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
    """K-17: the partner is known to all at once."""
    table = Doko(want=queens("S2", "S2"))
    table.gesund(S2="hochzeit")
    assert table.view.sides == {"S2": "re"}
    for seat, card in (("S1", "CA"), ("S2", "CT"), ("S3", "C9"), ("S4", "C9")):
        table.card(seat, card)
    assert table.view.sides == {"S1": "re", "S2": "re", "S3": "kontra", "S4": "kontra"}


def hochzeit(preset: str, kind: str, tricks: str, **options: object) -> Doko:
    """S1 has a Hochzeit and each word is a trick led by the last winner: `CA` he wins it, `S2:CA` S2 does."""
    table = Doko(preset, **options)
    table.gesund(S1=kind)
    for word in tricks.split():
        winner, _, lead = word.rpartition(":")
        table.event("card", seat=table.view.turn, card=lead)
        for _ in range(3):
            seat = table.view.turn
            best = {"C": "CA", "S": "SA", "H": "HA", "D": "HT"}[lead[0]] if seat == (winner or "S1") else lead
            table.event("card", seat=seat, card=best)
    return table


def test_three_own_tricks_leave_the_hochzeiter_alone() -> None:
    """K-18, K-55, KA-5: the first three tricks in ddv, three own tricks in the clubs."""
    table = hochzeit("ddv", "hochzeit", "HT CA SA")
    assert table.view.sides == {"S1": "re", "S2": "kontra", "S3": "kontra", "S4": "kontra"}
    table = hochzeit("bundeswehr", "hochzeit:fehl", "DK DT S2:DJ")
    assert table.view.sides == {"S1": "re"}  # a trump trick of S2 finds nobody, and only two are his own
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
    assert foreign.view.sides["S3"] == "re"  # one's own trick is not the first foreign one


def test_a_kreuz_dame_from_another_hand_proves_a_false_hochzeit() -> None:
    """K-I4: named once; the game goes on as it was declared."""
    table = Doko(want=queens("S1", "S3"))
    table.gesund(S1="hochzeit")
    about = table.round.bid.event if table.round.bid else 0
    while "CQ" in table.hands["S3"]:
        proof = table.play()
    table.finish()
    assert table.proofs == [("false_hochzeit", "S1", proof, about)]
    assert table.view.sides["S1"] == "re"


# In time --------------------------------------------------------------------------------------------------

DEADLINES = {
    "ddv": (11, 10, 9, 8, 7),
    "bundeswehr": (9, 9, 7, 5, 3),
    "dieblich": (7, 7, 5, 3, 1),
    "club": (9, 8, 7, 6, 5),
}


@pytest.mark.parametrize("preset", DEADLINES)
def test_re_is_said_in_time(preset: str) -> None:
    """K-19, K-56, K-I1, K-V2, KA-2, KA-3: counted in the cards that the seat still holds."""
    last = DEADLINES[preset][0]
    for held, late in ((last, False), (last - 1, True)):
        table = normal(preset)
        table.hold("S1", held)
        event = table.say("S1 re")
        assert table.proofs == ([("late_declaration", "S1", event, None)] if late else [])
        assert len(table.ledger["said"]) == (not late)


@pytest.mark.parametrize("preset", DEADLINES)
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_absagen_are_said_in_time(preset: str, level: int) -> None:
    """K-20, K-57, K-I1"""
    what, last = ("", "k90", "k60", "k30", "schwarz")[level], DEADLINES[preset][level]
    for held, late in ((last, False), (last - 1, True)):
        if not held:
            continue
        table = normal(preset)
        table.say("S1 re" + ("", ", S1 k90", ", S1 k60", ", S1 k30")[level - 1])
        table.hold("S1", held)
        event = table.say(f"S1 {what}")
        assert table.proofs == ([("late_declaration", "S1", event, None)] if late else [])


def test_deadlines_may_count_leads_instead() -> None:
    """KA-3"""
    table = normal("club", deadline_unit="own_lead_index")
    while len(table.hands["S4"]) > 4:
        table.play(avoid="CQ")
    led = table.round.leads.get(3, 0)
    table.say("S4 kontra")
    assert (table.proofs == []) == (led <= 1)


def test_nothing_is_announced_before_the_vorbehalte_are_over() -> None:
    """K-19"""
    table = Doko()
    table.say("S1 gesund, S2 gesund")
    event = table.say("S1 re")
    table.say("S3 gesund, S4 gesund")
    assert table.proofs == [("early_declaration", "S1", event, None)]
    table.say("S1 re")
    assert len(table.proofs) == 1


def test_in_a_hochzeit_nothing_is_announced_before_the_partner_is_found() -> None:
    """K-21"""
    table = Doko(want=queens("S2", "S2"))
    table.gesund(S2="hochzeit")
    event = table.say("S1 re")
    assert table.proofs == [("early_declaration", "S1", event, None)]
    for seat, card in (("S1", "CA"), ("S2", "CT"), ("S3", "C9"), ("S4", "C9")):
        table.card(seat, card)
    table.say("S1 re, S1 k90")
    assert len(table.proofs) == 1


@pytest.mark.parametrize("preset", ["ddv", "club"])
@pytest.mark.parametrize("trick", [1, 2, 3])
def test_a_partner_found_late_gives_more_time(preset: str, trick: int) -> None:
    """K-21, K-58: one card for each trick after the first; at the club Re with the very next card."""
    size, (ansage, k90, *_) = (12, DEADLINES[preset]) if preset == "ddv" else (10, DEADLINES[preset])
    own = ["HT", "CA"][: trick - 1]
    table = hochzeit(preset, "hochzeit", " ".join([*own, "S2:SK"]))
    assert table.view.sides["S2"] == "re"
    assert size - trick == ansage - trick + 1  # the very next card
    table.say("S2 re")
    table.event("card", seat="S2", card="SA")
    table.say("S2 k90")
    assert table.words == []
    late = hochzeit(preset, "hochzeit", " ".join([*own, "S2:SK"]))
    late.event("card", seat="S2", card="DK")
    event = late.say("S2 re")
    assert late.words == [("late_declaration", "S2", event, None)]
    strict = hochzeit(preset, "hochzeit", " ".join([*own, "S2:SK"]), hz_shift="off")
    strict.say("S2 re")
    assert (strict.words == []) == (trick == 1)
    assert k90 < ansage


def test_an_answer_has_one_card_more_time() -> None:
    """K-23, K-V2: than the opponents' word needed, however early that came."""
    table = normal()
    table.say("S1 re")
    table.hold("S2", 10)
    table.say("S2 kontra")
    assert table.proofs == []
    table = normal()
    table.say("S1 re")
    table.hold("S2", 9)
    event = table.say("S2 kontra")
    assert table.proofs == [("late_declaration", "S2", event, None)]
    table = normal()
    table.say("S1 re, S1 k60")  # keine 60 needs nine cards: the answer eight
    table.hold("S2", 8)
    table.say("S2 kontra")
    assert table.proofs == []
    table = normal(reply="off")
    table.say("S1 re")
    table.hold("S2", 10)
    table.say("S2 kontra")
    assert [proof[0] for proof in table.proofs] == ["late_declaration"]


def test_an_absage_includes_the_lower_ones() -> None:
    """K-22, K-I2: early, and jumped over, as in dk-test-37."""
    table = normal()
    table.say("S2 kontra, S2 schwarz")
    assert table.proofs == []
    assert table.round.levels([1, 2, 1, 2]) == (-1, 4)


def test_an_absage_cannot_make_up_for_a_lower_one_that_is_too_late() -> None:
    """K-22, K-I1: »es darf aber keine ausgelassen werden«, so the deadline of the lowest one holds."""
    table = normal()
    table.say("S1 re")
    table.hold("S1", 9)  # in time for k60, too late for k90
    event = table.say("S1 k60")
    assert table.proofs == [("late_declaration", "S1", event, None)]
    assert table.round.level(1) == 0
    table = normal()
    table.say("S1 re, S3 k90")
    table.hold("S1", 9)
    table.say("S1 k60")
    assert table.proofs == []


def test_in_the_clubs_every_absage_has_a_deadline_of_its_own() -> None:
    """K-22, K-57: »keine 60 mit min. 7 Karten«, whatever was said before."""
    table = normal("bundeswehr")
    table.say("S1 re")
    table.hold("S1", 7)
    table.say("S1 k60")
    assert table.proofs == []
    assert table.round.level(1) == 2


def test_a_jump_that_only_the_other_side_could_make_is_proven_by_the_damen() -> None:
    """K-22, K-I1: S2 might have been Re, who had said keine 90 in time."""
    table = normal()
    table.say("S1 re, S4 kontra, S1 k90")
    table.hold("S2", 9)
    about = table.say("S2 k60")
    assert table.proofs == []
    while "CQ" in (*table.hands["S1"], *table.hands["S3"]):
        proof = table.play()
    assert table.proofs == [("late_declaration", "S2", proof, about)]
    assert table.round.levels(table.round.sides) == (1, 0)


# For the own side -----------------------------------------------------------------------------------------


def test_an_absage_without_any_ansage_is_void_at_once() -> None:
    """K-22, K-I2"""
    table = normal()
    event = table.say("S2 k90")
    assert table.proofs == [("absage_without_ansage", "S2", event, None)]
    assert table.ledger["said"] == []


def test_the_partners_ansage_suffices() -> None:
    """K-22: nobody can know it before the cards show it, so nothing is found either way."""
    table = normal()
    table.say("S1 re, S3 k90")
    table.finish()
    assert table.proofs == []


def test_an_absage_on_the_other_sides_ansage_is_proven_by_the_damen() -> None:
    """K-I2: by the own Dame, or by the second one from elsewhere."""
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
    """K-I3, G-12: the only stranger in the round was the second Kreuz Dame."""
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
    """K-I3: solo, Armut, Hochzeit."""
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
    """K-73: nobody is accused, and it counts for nobody; in ddv it is the wrong side."""
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
    """K-I2, KA-18: nobody is accused before somebody else shows a Kreuz Dame."""
    table = normal("club")
    event = table.say("S1 k90")
    table.card("S1", "CQ")
    assert table.proofs == []
    while "CQ" in table.hands["S3"]:
        table.play()
    assert table.proofs == [("absage_without_ansage", "S1", event, None)]
    assert table.round.levels(table.round.sides) == (-1, -1)


def test_a_solo_at_the_club_is_re_announced() -> None:
    """KA-18, K-72: it can be absagt and answered at once."""
    table = Doko("club")
    table.gesund(S2="solo:as")
    assert table.round.level(1) == 0
    table.say("S2 k90")
    table.hold("S1", 8)
    table.say("S1 kontra")
    assert table.proofs == []
    table.finish()
    assert table.ledger["doubled"] == ["re", "kontra"]


# Schweinchen ----------------------------------------------------------------------------------------------


def both_foxes(seat: str) -> object:
    def want(hands: Hands) -> bool:
        return hands[seat].count("DA") == 2 and "HT" in hands["S2"]

    return want


def test_schweinchen_told_with_the_second_ass_count_from_the_first_one() -> None:
    """KA-9: the players took the first one for a Schweinchen, the table catches up."""
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
    """G-04, G-10: the solo was another one; a revoke of the wrong contract is gone with it."""
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
