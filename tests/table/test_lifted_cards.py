"""A card that is dropped, lifted, pushed or looked at loses nobody a trick and accuses nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.rules.events import Event
from tests.table.lifted_cards import AT_ONCE_S, LATE_S, MISHAPS, Mishap, Sitting, faults, true_evening
from vision.sightings import SightBack, SightLost

PLACES = (0, 7, 8, 11, 12)
"""Leads, followers and the last card of a trick, in a round of sixteen cards."""


@pytest.fixture
def dubbe(tmp_path: Path) -> Iterator[Sitting]:
    """A game of three; red is trump and S2 leads."""
    sitting = Sitting(tmp_path, Event("game", {"game": "dubbe", "seats": ["S1", "S2", "S3"]}))
    sitting.session.add(Event("round", {"dealer": "S3"}))
    sitting.session.add(Event("die", {"colour": "red", "value": 1, "spot": "aagewwer"}))
    yield sitting
    sitting.journal.close()


def play(sitting: Sitting, *cards: tuple[str, str]) -> None:
    for card, seat in cards:
        sitting.lay(card, seat)


def tricks(sitting: Sitting) -> list[list[str]]:
    """The cards of each trick, in order."""
    (game_round,) = sitting.session.result()["rounds"]
    return [[card["card"] for card in trick["cards"]] for trick in game_round["tricks"]]


def calm(sitting: Sitting) -> bool:
    """Whether nobody is accused and nothing is asked."""
    view = sitting.session.view
    return not (view.findings or view.contested or view.doubts)


def test_a_won_card_that_is_looked_at_again_and_blurred_is_no_card_from_the_hand(dubbe: Sitting) -> None:
    """D-I4, G-I2: a won card may be its winner's look, so the other candidate does not become a play."""
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"), ("blue-9", "S1"))
    dubbe.collect()
    dubbe.take([dubbe.lay((("blue-9", 0.5), ("blue-8", 0.4)), "S1", wait_s=LATE_S)], "S1")
    play(dubbe, ("green-9", "S1"), ("green-2", "S2"), ("green-3", "S3"))
    dubbe.collect()
    play(dubbe, ("blue-6", "S1"), ("blue-2", "S2"), ("blue-8", "S3"))
    assert tricks(dubbe)[1:] == [["green-9", "green-2", "green-3"], ["blue-6", "blue-2", "blue-8"]]
    assert calm(dubbe)


def test_a_blurred_lead_that_looks_like_a_won_card_is_played_once_the_next_player_follows(
    dubbe: Sitting,
) -> None:
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"), ("blue-9", "S1"))
    dubbe.collect()
    dubbe.lay((("blue-9", 0.5), ("blue-8", 0.4)), "S1")
    assert not dubbe.session.view.trick
    dubbe.lay("blue-2", "S2")
    assert [(play.seat, play.card) for play in dubbe.session.view.trick] == [
        ("S1", "blue-8"),
        ("S2", "blue-2"),
    ]


@pytest.mark.parametrize("hand", ["S2", None])
def test_a_lead_that_its_player_takes_up_again_is_no_trick(dubbe: Sitting, hand: str | None) -> None:
    dubbe.take([dubbe.lay("green-2", "S2", wait_s=LATE_S)], hand)
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"), ("blue-1", "S1"))
    dubbe.collect()
    play(dubbe, ("green-9", "S3"), ("green-3", "S1"), ("green-2", "S2"))
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-1"], ["green-9", "green-3", "green-2"]]
    assert calm(dubbe)


def test_a_lead_that_goes_alone_after_a_blind_time_was_a_trick_that_nobody_saw(dubbe: Sitting) -> None:
    lead = dubbe.lay("green-9", "S2")
    dubbe.see(SightLost(dubbe.now, dubbe.now, "covered"))
    dubbe.see(SightBack(dubbe.now, dubbe.now - 1.0, "covered"))
    dubbe.take([lead], "S2")
    assert "collected" in [entry.event.kind for entry in dubbe.session.entries]


def test_the_last_card_of_a_trick_that_its_player_takes_up_again_wins_him_nothing(dubbe: Sitting) -> None:
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"))
    dubbe.take([dubbe.lay("green-9", "S1", wait_s=LATE_S)], "S1")
    dubbe.lay("blue-9", "S1")
    dubbe.collect()
    play(dubbe, ("green-9", "S1"))
    assert tricks(dubbe)[0] == ["blue-5", "blue-7", "blue-9"]
    assert calm(dubbe)


def test_a_lead_that_others_have_played_to_is_changed_in_its_place(dubbe: Sitting) -> None:
    """G-I2, G-I7: its player has not laid two cards, and the next one did not lead."""
    lead = dubbe.lay("green-2", "S2")
    play(dubbe, ("blue-7", "S3"))
    dubbe.take([lead], "S2")
    play(dubbe, ("blue-5", "S2"), ("blue-1", "S1"))
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-1"]]
    assert calm(dubbe)


def test_a_second_card_that_slips_and_is_taken_back_at_once_accuses_nobody(dubbe: Sitting) -> None:
    """G-I2."""
    dubbe.lay("blue-5", "S2")
    dubbe.take_back(dubbe.lay("green-2", "S2", wait_s=AT_ONCE_S))
    play(dubbe, ("blue-7", "S3"), ("blue-1", "S1"))
    dubbe.collect()
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-1"]]
    assert calm(dubbe)


@pytest.mark.parametrize("guesses", ["blue-9", (("blue-9", 0.5), ("blue-8", 0.4))], ids=["sure", "blurred"])
def test_a_card_of_a_whole_trick_that_is_lifted_and_laid_down_leads_nothing(
    dubbe: Sitting, guesses: str | tuple[tuple[str, float], ...]
) -> None:
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"))
    dubbe.take([dubbe.lay("blue-9", "S1", wait_s=LATE_S)], "S2")
    dubbe.lay(guesses, "S1", hand="S2")
    dubbe.collect()
    play(dubbe, ("green-9", "S1"), ("green-2", "S2"), ("green-3", "S3"))
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-9"], ["green-9", "green-2", "green-3"]]
    assert calm(dubbe)


def test_a_wrong_last_card_that_is_put_right_in_the_same_reach_costs_no_trick(dubbe: Sitting) -> None:
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"))
    wrong = dubbe.lay("green-2", "S1", wait_s=0.6)
    dubbe.lay("blue-1", "S1", wait_s=0.6)
    dubbe.take_back(wrong)
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-1"]]
    assert calm(dubbe)


def test_a_blurred_card_that_the_page_names_is_taken_back_no_less(dubbe: Sitting) -> None:
    """G-I2, G-10."""
    key = dubbe.lay((("green-2", 0.5), ("green-3", 0.4)), "S2", wait_s=AT_ONCE_S)
    told = dubbe.session.entries[-1].id
    dubbe.session.correct(told, Event("card", {"seat": "S2", "card": "green-2"}))
    dubbe.take_back(key)
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"), ("blue-1", "S1"))
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-1"]]
    assert calm(dubbe)


def test_a_card_whose_seat_the_page_puts_right_is_taken_back_by_that_seat(dubbe: Sitting) -> None:
    """G-10."""
    key = dubbe.lay("green-2", "S3", hand=None, wait_s=LATE_S)
    told = dubbe.session.entries[-1].id
    dubbe.session.correct(told, Event("card", {"seat": "S2", "card": "green-2"}))
    dubbe.take([key], "S2")
    play(dubbe, ("blue-5", "S2"), ("blue-7", "S3"), ("blue-1", "S1"))
    assert tricks(dubbe) == [["blue-5", "blue-7", "blue-1"]]
    assert calm(dubbe)


@pytest.mark.parametrize("mishap", MISHAPS, ids=lambda mishap: str(mishap.__name__))
def test_a_mishap_with_a_card_leaves_the_points_as_they_are_or_asks_and_accuses_nobody(
    mishap: Mishap, tmp_path: Path
) -> None:
    """Dulle forgives least: a card in the wrong place breaks somebody's duty (U-15, G-I2)."""
    lines = true_evening("dulle", 5)
    for at in PLACES:
        folder = tmp_path / str(at)
        folder.mkdir()
        assert faults(lines, mishap, at, folder) == [], f"at card {at}"
