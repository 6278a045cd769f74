"""Ansagen and Absagen, and until when each may be made."""

from __future__ import annotations

import pytest

from tests.rules.doko import Doko, hochzeit, normal, queens

DEADLINES = {
    "ddv": (11, 10, 9, 8, 7),
    "bundeswehr": (9, 9, 7, 5, 3),
    "dieblich": (7, 7, 5, 3, 1),
    "club": (9, 8, 7, 6, 5),
}


@pytest.mark.parametrize("preset", DEADLINES)
def test_re_is_said_in_time(preset: str) -> None:
    """K-19, K-56, K-I1, K-V2, KA-2, KA-3: the deadline counts the cards that the seat still holds."""
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
    """K-21, K-58: one card for each trick after the first; at the club Re with the next card only."""
    size, (ansage, k90, *_) = (12, DEADLINES[preset]) if preset == "ddv" else (10, DEADLINES[preset])
    own = ["HT", "CA"][: trick - 1]
    table = hochzeit(preset, "hochzeit", " ".join([*own, "S2:SK"]))
    assert table.view.sides["S2"] == "re"
    assert size - trick == ansage - trick + 1  # Re is possible with the next card only
    table.say("S2 re")
    table.event("card", seat="S2", card="SA")
    table.say("S2 k90")
    assert table.words == []
    late = hochzeit(preset, "hochzeit", " ".join([*own, "S2:SK"]))
    late.event("card", seat="S2", card="DK")
    event = late.say("S2 re")
    assert late.words == [("late_declaration", "S2", event, None)]
    plain = {"hz_shift": "off"} if preset == "ddv" else {"hz_calls": "free"}
    strict = hochzeit(preset, "hochzeit", " ".join([*own, "S2:SK"]), **plain)
    strict.say("S2 re")
    assert (strict.words == []) == (trick == 1)
    assert k90 < ansage


@pytest.mark.parametrize("preset", ["bundeswehr", "dieblich", "club"])
def test_the_clubs_count_cards_and_nothing_else(preset: str) -> None:
    """K-21, K-23, K-56: neither an answer nor a late partner's side gets more time there, except by K-58."""
    last = DEADLINES[preset][0]
    table = normal(preset)
    table.say("S1 re")
    table.hold("S2", last - 1)
    event = table.say("S2 kontra")
    assert table.proofs == [("late_declaration", "S2", event, None)]
    size = 12 if preset == "bundeswehr" else 10
    table = hochzeit(preset, "hochzeit:fremd", "HT CA S2:SK")
    for seat in ("S2", "S3", "S4", "S1"):
        table.event("card", seat=seat, card="DK")
    for level, what in enumerate(("re", "k90", "k60", "k30", "schwarz")):
        shift = 2 * (preset == "club")
        late = size - 4 < DEADLINES[preset][level] - shift
        before = table.words
        event = table.say(f"S2 {what}")
        assert (table.words[len(before) :] == [("late_declaration", "S2", event, None)]) == late
    event = table.say("S3 kontra")
    assert (table.words[-1:] == [("late_declaration", "S3", event, None)]) == (size - 4 < last)


def test_at_the_club_re_waits_for_the_partner_and_kontra_does_not() -> None:
    """K-58: »erst RE gesagt werden nachdem der Erkennungsstich gemacht wurde«."""
    table = Doko("club", want=queens("S2", "S2"))
    table.gesund(S2="hochzeit")
    re, absage = table.say("S1 re"), table.say("S2 k90")
    assert table.proofs == [("early_declaration", "S1", re, None), ("early_declaration", "S2", absage, None)]
    table.say("S3 kontra")
    assert len(table.proofs) == 2


@pytest.mark.parametrize("preset", ["bundeswehr", "dieblich"])
def test_in_a_hochzeit_the_other_clubs_announce_when_they_like(preset: str) -> None:
    """K-21, K-58: the sides are unknown, so a word for the other side is no fault and counts for nothing."""
    table = Doko(preset)
    table.gesund(S1="hochzeit:fremd")
    table.say("S1 re, S2 kontra, S3 re, S3 k90, S4 kontra, S4 k90")
    for card in ("CA", "CK", "CT", "CK"):
        table.event("card", seat=table.view.turn, card=card)
    assert table.view.sides == {"S1": "re"}  # S1 took its own trick: no partner yet
    for seat, card in (("S1", "SK"), ("S2", "SK"), ("S3", "SA"), ("S4", "SK")):
        table.event("card", seat=seat, card=card)
    assert table.words == []
    assert table.round.levels(table.round.sides) == (1, 1)


def test_an_absage_that_is_void_whoever_plays_with_whom_is_proven_at_once() -> None:
    """K-I2, K-22: only S1 said Re. S2 has shown a Kreuz Dame, so S4 is Re only if S1 is not."""
    table = Doko(want=lambda hands: all("CQ" in hands[seat] for seat in ("S1", "S2")))
    table.gesund()
    table.say("S1 re")
    table.play(avoid="CQ")
    table.card("S2", "CQ")
    table.play(avoid="CQ")
    event = table.say("S4 k90")
    assert table.words == [("absage_without_ansage", "S4", event, None)]
    assert [call.level for call in table.round.made] == [0]


def test_the_first_kreuz_dame_may_prove_an_absage_void_in_every_division() -> None:
    """K-I2: while both were hidden, S4 might have been S1's partner."""
    table = Doko(want=lambda hands: all("CQ" in hands[seat] for seat in ("S1", "S2")))
    table.gesund()
    table.say("S1 re")
    about = table.say("S4 k90")
    table.play(avoid="CQ")
    assert table.words == []
    proof = table.card("S2", "CQ")
    assert table.words == [("absage_without_ansage", "S4", proof, about)]


def test_an_answer_has_one_card_more_time() -> None:
    """K-23, K-V2: one more than the opponents' word needed, however early they said it."""
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
    table.say("S1 re, S1 k60")  # keine 60 needs nine cards, the answer eight
    table.hold("S2", 8)
    table.say("S2 kontra")
    assert table.proofs == []
    table = normal(reply="off")
    table.say("S1 re")
    table.hold("S2", 10)
    table.say("S2 kontra")
    assert [proof[0] for proof in table.proofs] == ["late_declaration"]


def test_an_absage_includes_the_lower_ones() -> None:
    """K-22, K-I2: when it is early and skips levels, as in dk-test-37."""
    table = normal()
    table.say("S2 kontra, S2 schwarz")
    assert table.proofs == []
    assert table.round.levels([1, 2, 1, 2]) == (-1, 4)


def test_an_absage_cannot_make_up_for_a_lower_one_that_is_too_late() -> None:
    """K-22, K-I1: »es darf aber keine ausgelassen werden«, so the lowest one's deadline counts."""
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
    """K-22, K-I1: S2 might have been with Re, which had said keine 90 in time."""
    table = normal()
    table.say("S1 re, S4 kontra, S1 k90")
    table.hold("S2", 9)
    about = table.say("S2 k60")
    assert table.proofs == []
    while "CQ" in (*table.hands["S1"], *table.hands["S3"]):
        proof = table.play()
    assert table.proofs == [("late_declaration", "S2", proof, about)]
    assert table.round.levels(table.round.sides) == (1, 0)
