"""Who led shows who deals: after a guess two rounds must agree, then a wrong first lead is told again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table.rules import Referee
from tests.rules.ill_told_evenings import true_evening
from tests.rules.lines import of_kind
from tests.rules.spoilt import GAMES, Log

CARD_GAMES = [game for game in GAMES if game != "doppelx"]


def without_ids(log: Log) -> Log:
    return [{key: value for key, value in event.items() if key != "id"} for event in log]


def dealt_again(log: Log) -> Log:
    """The first deal is broken off after its first card, and the same seat deals again; one `round` line."""
    one = of_kind(log, "round")[0]
    card = of_kind(log, "card")[0]
    rest = [event for event in log[one + 1 :] if event["kind"] != "round"]
    return without_ids([*log[: card + 1], {"kind": "end"}, *rest])


def told_by_the_table(log: Log) -> tuple[Referee, list[bool]]:
    """The log with the table's own round lines, and of each of those whether its dealer is a guess."""
    referee, guessed = Referee(), []
    for event in log:
        if (line := referee.next_round(event)) is not None:
            referee.add(line)
            guessed.append(line.get("dealer") is None or bool(line.get("inferred")))
        referee.add(event)
        for correction in referee.settle_by_rules():
            referee.add(correction)
    return referee, guessed


def led_by_the_next(log: Log, start: int, seats: int) -> Log:
    """In the round from `start` on the leader lets his left neighbour lead the first trick."""
    first = next(at for at in of_kind(log, "card") if at > start)
    trick = log[first : first + seats]
    return [*log[:first], *trick[1:], trick[0], *log[first + seats :]]


@pytest.mark.parametrize("game", CARD_GAMES)
def test_two_rounds_led_in_the_order_of_dealing_make_the_next_dealer_sure(game: str) -> None:
    """G-I1, K-68: after a deal that was broken off two dealers are guesses; a solo delays the proof."""
    _, guessed = told_by_the_table(dealt_again(true_evening(game, 4)))
    assert guessed == [True, True, False]


def test_without_any_dealer_named_the_third_round_has_a_sure_one() -> None:
    """G-I1: one lead alone may be wrong; the second, in turn, shows that it was not."""
    log = dealt_again(true_evening("dulle", 3))
    log[1] = {"kind": "round"}
    assert told_by_the_table(log)[1] == [True, True, False]


def test_a_wrong_first_lead_is_told_again_after_two_rounds_led_in_turn() -> None:
    """G-I1, U-30: a deal that was broken off an hour ago excuses nobody who leads out of turn now."""
    told = 0
    for seed in range(40):
        log = true_evening("dulle", seed)
        wrong = led_by_the_next(log, of_kind(log, "round")[2], 4)
        named = Referee()
        named.read(without_ids(wrong))
        if [one.finding for one in named.findings()] != ["out_of_turn"]:
            continue  # the other lead changes who wins, or what is owed
        found = told_by_the_table(dealt_again(wrong))[0].findings()
        assert [(one.finding, one.seat) for one in found] == [("out_of_turn", named.findings()[0].seat)]
        told += 1
    assert told


def twice_guessed(change: Callable[[Log], Log]) -> list[bool]:
    return told_by_the_table(change(dealt_again(true_evening("dulle", 3))))[1]


def by_tap(log: Log) -> Log:
    """A camera watches; the lead of the round before the last was tapped."""
    seen = [dict(event, source="camera") if event["kind"] == "card" else event for event in log]
    third = of_kind(seen, "card")[1 + 16]
    return [*seen[:third], dict(seen[third], source="touch"), *seen[third + 1 :]]


def after_a_gap(log: Log) -> Log:
    """Nobody saw what happened before the lead of the round before the last."""
    third = of_kind(log, "card")[1 + 16]
    return [*log[:third], {"kind": "blind", "t": 1.0, "until": 9.0}, *log[third:]]


@pytest.mark.parametrize("change", [by_tap, after_a_gap])
def test_a_lead_that_nobody_surely_saw_shows_no_dealer(change: Callable[[Log], Log]) -> None:
    """G-I1, events.md#doubts: a tap, and what fell unseen, is no link in a proof."""
    assert twice_guessed(change)[2] is True


def test_a_lead_out_of_the_order_of_dealing_begins_the_proof_anew() -> None:
    """G-I1: where the second lead belies the guess, the third dealer is guessed as well."""

    def wrongly_led(log: Log) -> Log:
        return led_by_the_next(log, of_kind(log, "card")[16], 4)

    assert twice_guessed(wrongly_led) == [True, True, True]
