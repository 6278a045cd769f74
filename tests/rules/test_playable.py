"""Which cards may be played, surely or by assumption, never concluded from earlier play (G-02, G-14)."""

from __future__ import annotations

from typing import Any

import pytest

from table.rules import Referee
from table.rules.engine import apply, deal, legal

SEATS = ["S1", "S2", "S3", "S4"]
CLUBS = ("C9", "CT", "CK", "CA")


def playing(*cards: tuple[str, str], game: str = "doppelkopf") -> Referee:
    referee = Referee()
    referee.add({"kind": "game", "game": game, "seats": SEATS, "players": list("ABCD")})
    referee.add({"kind": "round", "dealer": "S4"})
    for seat, card in cards:
        referee.add({"kind": "card", "seat": seat, "card": card})
    return referee


def test_who_leads_may_lay_everything() -> None:
    may = playing().may_play("S1")
    assert may is not None
    assert (len(may.sure), may.assumed) == (24, ())


def test_what_follows_is_sure_and_the_rest_assumed() -> None:
    may = playing(("S1", "CA")).may_play("S2")
    assert may is not None
    assert may.sure == CLUBS
    assert {"SA", "CQ"} <= set(may.assumed)


def test_a_card_that_fell_twice_is_offered_no_more() -> None:
    may = playing(("S1", "CA"), ("S2", "CA")).may_play("S3")
    assert may is not None
    assert "CA" not in (*may.sure, *may.assumed)


def test_an_earlier_card_is_judged_by_the_trick_as_it_then_lay() -> None:
    referee = playing(("S1", "CA"), ("S2", "SA"), ("S3", "CT"), ("S4", "CK"), ("S1", "HA"))
    laid = referee.may_play("S2", instead_of=4)
    assert laid is not None
    assert laid.sure == CLUBS
    assert "SA" in laid.assumed
    led = referee.may_play("S1", instead_of=3)
    assert led is not None
    assert led.assumed == ()


def test_what_a_seat_has_shown_itself_out_of_is_not_told() -> None:
    void = playing(("S1", "CA"), ("S2", "SA"), ("S3", "CT"), ("S4", "CK"), ("S1", "C9")).may_play("S2")
    assert void is not None
    assert {"CT", "CK"} <= set(void.sure)


def test_the_turned_card_is_offered_only_to_who_has_swapped_the_seven_for_it() -> None:
    """J-I10: it lies in the open pile, and the table would accuse anybody else who played it."""
    referee = Referee()
    referee.add({"kind": "game", "game": "klapper-jas", "seats": SEATS[:3], "players": list("ABC")})
    referee.add({"kind": "round", "dealer": "S3"})
    referee.add({"kind": "turned", "card": "HA"})
    referee.add({"kind": "say", "seat": "S1", "what": "orgi"})
    for seat in SEATS[:3]:
        may = referee.may_play(seat)
        assert may is not None
        assert "HA" not in (*may.sure, *may.assumed)
    referee.add({"kind": "say", "seat": "S1", "what": "tausch"})
    assert [name for name in SEATS[:3] if "HA" in _sure(referee, name)] == ["S1"]
    referee.add({"kind": "card", "seat": "S1", "card": "HK"})
    referee.add({"kind": "card", "seat": "S2", "card": "H9"})
    earlier = referee.may_play("S2", instead_of=7)
    assert earlier is not None
    assert "HA" not in (*earlier.sure, *earlier.assumed)


def test_with_four_the_dealer_may_play_the_turned_card() -> None:
    """J-30: it stays in his hand."""
    referee = playing(game="klapper-jas")
    referee.add({"kind": "turned", "card": "HA"})
    assert "HA" in _sure(referee, "S4")


def _sure(referee: Referee, seat: str) -> tuple[str, ...]:
    may = referee.may_play(seat)
    assert may is not None
    return may.sure


def test_a_game_without_cards_and_a_seat_that_nobody_has_lay_none() -> None:
    assert playing().may_play("S9") is None
    assert Referee().may_play("S1") is None
    referee = Referee()
    opening: dict[str, Any] = {"kind": "game", "game": "doppelx", "seats": SEATS[:3]}
    referee.add({**opening, "players": ["blue", "red", "green"]})
    referee.add({"kind": "round", "first": "blue"})
    assert referee.may_play("S1") is None


@pytest.mark.parametrize("game", ["dubbe", "dulle", "doppelkopf", "klapper-jas"])
def test_a_hand_that_holds_sure_cards_may_lay_all_of_these(game: str) -> None:
    opening = {"kind": "game", "game": game, "seats": SEATS, "players": list("ABCD")}
    position = deal(opening, 3)
    referee = Referee()
    referee.add(opening)
    referee.add({"kind": "round", "dealer": position.round.dealer})
    seen = 0
    while seen < 30 and (moves := legal(position)):
        cards = {str(move.get("card")): str(move.seat) for move in moves if move.kind == "card"}
        for seat in set(cards.values()):
            may = referee.may_play(seat)
            hand = {card for card, whose in cards.items() if whose == seat}
            assert may is not None
            assert hand <= {*may.sure, *may.assumed}
            if hand & set(may.assumed):  # for seats without a card that fulfils the duty
                assert not hand & set(may.sure)
            seen += 1
        move = moves[0]
        position = apply(position, move)
        referee.add(move.to_dict())
