"""Before the first card: gesund, Vorbehalt, soli, Armut, throwing in."""

from __future__ import annotations

import pytest

from table.rules import EventError, Referee
from tests.rules.doko import Doko, queens


def test_with_five_the_dealer_sits_out() -> None:
    """K-02: the others play, asked from his left; the dealer's card is out of turn and in no trick."""
    table = Doko(players=5, dealer="S2")
    assert table.round.seats == ("S1", "S3", "S4", "S5")
    table.gesund()
    assert table.view.turn == "S3"
    event = table.card("S2", "C9")
    assert table.proofs == [("out_of_turn", "S2", event, None)]
    table.finish()
    assert table.points["S2"] == 0
    assert sum(table.points.values()) == 0
    assert table.ledger["audit"] is True
    with pytest.raises(EventError, match="4 players"):
        Doko(players=3)


def test_the_question_goes_round_from_the_dealers_left() -> None:
    """K-13, K-14"""
    table = Doko(dealer="S2")
    asked = []
    while table.view.phase == "declare":
        prompt = table.view.prompts[0]
        asked.append((prompt.what, prompt.seat))
        table.say(f"{prompt.seat} gesund")
    assert asked == [("vorbehalt?", seat) for seat in ("S3", "S4", "S1", "S2")]
    assert table.view.turn == "S3"
    assert table.view.contract == "normal"


def test_the_first_card_before_the_question_is_over_is_a_missing_declaration() -> None:
    """G-I9: it accuses the seat that should have spoken; a Vorbehalt that was never named is missing, too."""
    table = Doko()
    table.say("S1 gesund, S2 gesund, S4 gesund")
    event = table.card("S1", "C9")
    assert table.proofs == [("missing_declaration", "S3", event, None)]
    table = Doko()
    table.say("S1 gesund, S2 vorbehalt, S3 gesund, S4 gesund")
    assert table.view.prompts[0].what == "name-vorbehalt"
    event = table.card("S1", "C9")
    assert table.proofs == [("missing_declaration", "S2", event, None)]


def test_a_word_without_a_seat_is_said_by_the_one_who_is_asked() -> None:
    """G-13"""
    table = Doko()
    for _ in range(4):
        table.event("say", what="gesund")
    assert table.view.phase == "play"


def test_solo_goes_before_hochzeit_and_of_several_soli_the_first_seat() -> None:
    """K-15: the seat that is asked first; a Pflichtsolo goes before a Lustsolo."""
    table = Doko()
    table.gesund(S1="hochzeit", S4="solo:damen", S3="solo:as")
    assert table.ledger["contract"] == "solo:as"
    assert table.ledger["declarer"] == "S3"
    table = Doko()
    table.gesund(S2="solo:as", S4="pflichtsolo:damen")
    assert table.ledger["declarer"] == "S4"


def test_soli_have_an_order_of_their_own_in_the_clubs() -> None:
    """K-53, KA-14: the order matters only if two are announced."""
    for preset, first, second, played in (
        ("bundeswehr", "solo:buben", "solo:H", "S3"),
        ("bundeswehr", "solo:trumpf", "solo:damen", "S3"),
        ("dieblich", "solo:damen", "solo:buben", "S3"),
        ("club", "solo:buben", "solo:as", "S3"),
        ("club", "solo:as", "solo:buben", "S2"),
        ("ddv", "solo:trumpf", "solo:as", "S2"),
    ):
        table = Doko(preset)
        table.gesund(S2=first, S3=second)
        assert table.ledger["declarer"] == played, (preset, first, second)


def test_a_pflichtsolo_leads_and_a_lustsolo_does_not() -> None:
    """K-16"""
    table = Doko()
    table.gesund(S3="solo:C")
    assert table.view.turn == "S1"
    table = Doko()
    table.gesund(S3="pflichtsolo:C")
    assert table.view.turn == "S3"


@pytest.mark.parametrize(("preset", "leads"), [("bundeswehr", "S3"), ("dieblich", "S3"), ("club", "S1")])
def test_in_the_clubs_the_soloist_leads_always_or_never(preset: str, leads: str) -> None:
    """K-67"""
    table = Doko(preset)
    table.gesund(S3="solo:as")
    assert table.view.turn == leads


def test_another_seat_that_leads_the_soloists_trick_is_out_of_turn() -> None:
    """K-I10"""
    table = Doko("bundeswehr")
    table.gesund(S3="solo:as")
    event = table.card("S1", "CA")
    assert table.proofs == [("out_of_turn", "S1", event, None)]


def test_a_vorbehalt_is_taken_back_only_where_the_house_allows_it() -> None:
    """K-51, KA-16: until its kind is named; a gesund cannot be taken back anywhere."""
    for preset, gone in (("bundeswehr", True), ("club", True), ("dieblich", False), ("ddv", False)):
        table = Doko(preset)
        table.say("S1 vorbehalt, S2 gesund, S3 gesund, S4 gesund, S1 gesund")
        event = table.card("S1", "CA")
        assert table.proofs == ([] if gone else [("missing_declaration", "S1", event, None)]), preset
    table = Doko("bundeswehr")
    table.gesund(S1="solo:as")
    table.say("S1 gesund")
    assert table.ledger["contract"] == "solo:as"
    table = Doko("bundeswehr")
    event = table.say("S1 gesund, S1 vorbehalt")
    assert table.proofs == [("late_declaration", "S1", event, None)]


def test_after_the_first_card_no_vorbehalt_can_be_named() -> None:
    """G-I10: it is void and reported."""
    table = Doko()
    table.gesund()
    table.card("S1", "CA")
    event = table.say("S2 hochzeit")
    assert table.proofs == [("late_declaration", "S2", event, None)]
    assert table.view.contract == "normal"


def test_the_soli_of_the_presets() -> None:
    """K-52: as RULES.md lists them; the table asks nobody for a solo that the club leaves out."""
    soli = {
        preset: set(Doko(preset).view.options["soli"]) for preset in ("ddv", "bundeswehr", "dieblich", "club")
    }
    assert soli["ddv"] == {"damen", "buben", "as", "trumpf", "C", "S", "H", "D"}
    assert soli["dieblich"] == {"as", "damen", "buben", "trumpf"}
    assert soli["bundeswehr"] == soli["club"] == {"as", "damen", "buben", "trumpf", "C", "S", "H"}


def test_nobody_says_what_doppelkopf_does_not_know() -> None:
    table = Doko()
    with pytest.raises(EventError, match='did you mean "solo:damen"'):
        table.say("S1 solo:dame")
    table.say("S1 armut-zurueck:12")


def test_presets_give_the_hochzeit_its_kinds() -> None:
    """K-54"""
    kinds = {
        preset: Doko(preset).view.options["hochzeit"] for preset in ("ddv", "bundeswehr", "dieblich", "club")
    }
    assert kinds["bundeswehr"] == ("fehl", "trumpf", "fremd")
    assert kinds["ddv"] == kinds["dieblich"] == kinds["club"] == ("fremd",)


def test_options_that_contradict_each_other_are_refused() -> None:
    for options, words in (
        ({"spitze": True, "cards": 40}, "Herz 9"),
        ({"spitze": True, "schweinchen": True}, "highest trump"),
        ({"k60_cards": 12}, "earlier deadline"),
        ({"factors": ["re"]}, "what doubles"),
        ({"ansage_cards": 13}, "0 to 12"),
        ({"specials": ["fuchs"]}, "did you mean|known: "),
        ({"specials": 3}, "give a list"),
    ):
        with pytest.raises(EventError, match=words):
            Referee().add({"kind": "game", "game": "doppelkopf", "seats": list("ABCD"), "options": options})


def test_a_hochzeit_holder_can_be_asked_for() -> None:
    """The tests' own deals: `queens` finds such hands."""
    table = Doko(want=queens("S2", "S2"))
    assert table.holders("CQ") == ["S2", "S2"]


@pytest.mark.parametrize(
    ("preset", "said", "told"),
    [
        ("dieblich", "solo:C", True),
        ("dieblich", "pflichtsolo:as", True),
        ("club", "hochzeit:trumpf", True),
        ("bundeswehr", "solo:D", False),  # a Karo solo is the Trumpfsolo
        ("bundeswehr", "hochzeit", False),
        ("ddv", "pflichtsolo:C", False),
        ("club", "solo:H", False),
    ],
)
def test_a_game_that_the_rule_set_lacks_is_played_as_it_was_said_and_told(
    preset: str, said: str, told: bool
) -> None:
    """K-52, K-54, K-69: the group may have agreed on it, so the table remarks on it and accuses nobody."""
    table = Doko(preset, queens("S2", "S2"))
    table.gesund(S2=said)
    assert table.view.remarks == (((0, "not_in_these_rules", "S2"),) if told else ())
    table.finish()
    assert (table.proofs, table.round.settlement is not None) == ([], True)
