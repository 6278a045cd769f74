"""What may be announced until when: Ansagen, Absagen and their deadlines."""

from __future__ import annotations

import pytest

from .doko import Doko, hochzeit, normal, queens

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
