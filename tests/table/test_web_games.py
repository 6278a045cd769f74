"""The page in a real browser for card games other than Dubbe: what is asked and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from table.rules.evening import evening
from tests.table.browser import CHROMIUM, Browser
from tests.table.shown_games import PEOPLE, Open, opened_games

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")


@pytest.fixture
def at(tmp_path: Path, browser: Browser) -> Iterator[Open]:
    with opened_games(tmp_path, browser) as open_house:
        yield open_house


def test_vorbehalte_are_answered_by_taps_and_the_solo_is_told(at: Open, browser: Browser) -> None:
    """K-13, K-40."""
    house = at({"kind": "game", "game": "doppelkopf", **PEOPLE}, {"kind": "round", "dealer": "S4"})
    for who, word in (("Anna", "Vorbehalt"), ("Bernd", "gesund"), ("Carla", "gesund"), ("Dirk", "gesund")):
        browser.wait(f"document.getElementById('prompts').innerText.includes('{who}')")
        browser.tap("#prompts button", word)
    browser.wait("document.getElementById('prompts').innerText.includes('nennt den Vorbehalt')")
    browser.tap("#prompts button", "Damensolo")
    browser.wait("document.getElementById('trump').innerText.includes('Damensolo')")
    assert house.session.view.contract == "solo:damen"
    assert browser.complaints == []


def test_one_trump_that_goes_back_is_told_as_one(at: Open, browser: Browser) -> None:
    at({"kind": "game", "game": "doppelkopf", **PEOPLE}, {"kind": "round", "dealer": "S4"})
    ask = "import('/static/words.js').then(({ spokenWords }) => spokenWords('armut-zurueck:%d'))"
    assert [browser.ask(ask % n) for n in (0, 1, 2)] == [
        "0 Trümpfe zurück",
        "1 Trumpf zurück",
        "2 Trümpfe zurück",
    ]


def test_klapper_jas_turns_a_card_bids_and_shows_score_dice(at: Open, browser: Browser) -> None:
    """J-28 to J-33, J-48."""
    house = at({"kind": "game", "game": "klapper-jas", **PEOPLE}, {"kind": "round", "dealer": "S4"})
    browser.tap("#prompts button", "Aufgedeckte Karte")
    assert browser.ask("document.querySelector('#dialog [type=submit]').disabled"), (
        "no card is turned by chance"
    )
    browser.choose("H9")
    browser.tap("#dialog button", "Speichern")
    browser.wait("document.getElementById('trump').innerText.includes('Herz 9')")
    browser.tap("#prompts button", "Orgi")
    browser.wait("document.getElementById('trump').innerText.includes('Trumpf Herz')")
    assert house.session.view.trump == "H"
    assert browser.ask("document.querySelectorAll('.player .score .die').length") > 0


def test_after_a_round_of_dulle_nobody_has_won_the_evening_and_the_next_is_one_tap_away(
    at: Open, browser: Browser
) -> None:
    """events.md#results: "finished" means that no round is open."""
    house = at(*evening({"kind": "game", "game": "dulle", **PEOPLE}, 3, rounds=1), language="en")
    assert "Round settled" in browser.text("#where")
    assert "Winner" not in browser.text("#stage")
    browser.tap("#prompts button", "Next round")
    browser.wait("document.getElementById('where').innerText.includes('Round 2')")
    assert house.session.view.round == 2


def test_the_evening_of_dulle_is_ended_by_a_tap_and_only_then_somebody_has_won(
    at: Open, browser: Browser
) -> None:
    house = at(*evening({"kind": "game", "game": "dulle", **PEOPLE}, 3, rounds=1), language="en")
    assert "Another game" not in browser.text("#events")
    browser.tap("#prompts button", "End the evening")
    browser.wait("document.getElementById('stage').innerText.includes('Winner')")
    assert "The game is over" in browser.text("#where")
    assert browser.text("#prompts") == ""
    browser.tap("#events button", "Another game")
    browser.wait("document.getElementById('where').innerText === ''")
    assert house.session.game == 2


def test_a_die_that_shows_the_wrong_value_says_both(at: Open, browser: Browser) -> None:
    """D-I3: "Jammerlabbe shows 3, should be 4"."""
    log = [*evening({"kind": "game", "game": "dubbe", **PEOPLE}, 3, rounds=1)]
    set_ = next(i for i, e in enumerate(log) if e.kind == "die" and e.fields["value"] == 1 and i > 5)
    wrong = log[set_].having(value=3)
    at(*log[:set_], wrong, language="en")
    assert "shows 3, should be 1" in browser.text("#characters")
