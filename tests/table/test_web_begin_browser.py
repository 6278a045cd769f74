"""An evening from the first game to the next one by taps alone, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from table.equipment import Equipment
from table.journal import Journal
from table.rules.events import Event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

OPEN = "document.getElementById('begin').open"
WIDER = "document.querySelector('#begin').scrollWidth > innerWidth"
SMALL = """
[...document.querySelectorAll('#begin button, #begin .chip')].filter((each) => each.offsetParent
  && each.getBoundingClientRect().height < 40).length
"""


@pytest.fixture
def house(tmp_path: Path, browser: Browser) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.equipment = Equipment(("S1", "S2", "S3", "S4"))
        house.open()
        browser.screen(390, 844, mobile=True)
        browser.complaints.clear()
        browser.go(f"{house.page.url}/?lang=de")
        browser.wait("!!document.querySelector('#evening button')")
        browser.ask("localStorage.clear()")
        yield house
        browser.leave()
        house.close()


def fill(browser: Browser, place: int, name: str) -> None:
    """Type a name as a guest does."""
    field = f"document.querySelectorAll('#begin .place input[type=text]')[{place}]"
    browser.ask(f"{field}.focus(); {field}.value = {name!r}; {field}.dispatchEvent(new Event('change'))")


def names(browser: Browser) -> list[str]:
    fields = "[...document.querySelectorAll('#begin .place input[type=text]')]"
    return list(browser.ask(f"{fields}.map((field) => field.value)"))


def test_where_no_game_is_on_the_page_asks_for_one_and_taps_begin_it(house: House, browser: Browser) -> None:
    assert "Es läuft kein Spiel" in browser.text("#prompts")
    browser.tap("#prompts button", "Spiel wählen")
    browser.wait(OPEN)
    assert not browser.ask(WIDER)
    assert browser.ask(SMALL) == 0
    browser.tap("#begin .chip", "Doppelkopf")
    browser.tap("#begin .chip", "Club")
    browser.tap("#begin .house > summary")
    browser.tap("#begin .switch", "Spitze ist auch im Trumpfsolo")
    browser.tap("#begin .options .some", "Karlchen")
    assert "2 anders" in browser.text("#begin .house > summary")
    browser.tap("#begin .chip", "Gast 3")  # the dealer
    browser.tap("#begin .foot button", "Beginnen")
    browser.wait("document.querySelectorAll('.player').length === 4")
    view = house.session.view
    assert (view.game, view.preset, view.dealer) == ("doppelkopf", "club", "S3")
    assert view.options["spitze_in_solo"] is True
    assert "karlchen" not in view.options["specials"]
    assert "Gast 1" in browser.text("#stage")
    assert not browser.ask(OPEN)
    assert browser.complaints == []


def test_names_are_remembered_and_two_alike_are_told_apart(house: House, browser: Browser) -> None:
    browser.tap("#evening button")
    browser.wait(OPEN)
    fill(browser, 0, " Anna ")
    fill(browser, 1, "Bernd")
    fill(browser, 2, "anna")
    assert names(browser) == ["Anna", "Bernd", "anna 2", ""]
    assert "Zwei heißen anna" in browser.text("#begin")
    browser.tap("#begin .place .chip", "S4")  # S4 is free now
    browser.tap("#begin .foot button", "Beginnen")
    browser.wait(f"!{OPEN}")
    assert house.session.view.players == ("Anna", "Bernd", "anna 2")
    browser.go(f"{house.page.url}/?lang=de")
    browser.tap("#evening button")
    browser.wait(OPEN)
    assert names(browser) == ["Anna", "Bernd", "anna 2", ""], "the same people as before"
    browser.tap("#begin .place .chip", "S4")
    assert browser.ask("document.querySelectorAll('#begin .names button').length") == 0, "all are here"
    fill(browser, 0, "Erna")
    browser.tap("#begin .names button", "Anna")  # it goes to the free seat and does not replace Erna
    browser.ask("document.activeElement.blur()")
    assert names(browser) == ["Erna", "Bernd", "anna 2", "Anna"]


def test_as_many_as_the_game_wants_and_no_others(house: House, browser: Browser) -> None:
    browser.tap("#evening button")
    browser.wait(OPEN)
    browser.tap("#begin .chip", "Dulle")
    browser.tap("#begin .place .chip", "S2")
    browser.wait("document.querySelector('#begin .foot button').disabled")
    assert "Dulle spielt man zu 4" in browser.text("#begin .foot")
    browser.tap("#begin .chip", "DoppelX")
    browser.tap("#begin .colour", "Rot")
    browser.wait("!document.querySelector('#begin .foot button').disabled")
    browser.tap("#begin .foot button", "Beginnen")
    browser.wait(f"!{OPEN}")
    assert "red" in house.session.view.players


def test_who_sits_there_stays_and_only_who_is_lacking_comes_along(house: House, browser: Browser) -> None:
    house.do(house.session.begin, [Event("game", {"game": "dubbe", "seats": ["S1", "S2"]})])
    browser.wait("document.querySelectorAll('.player').length === 2")
    browser.tap("#evening button")
    browser.wait(OPEN)
    taken = "[...document.querySelectorAll('#begin .place input:checked')].length"
    browser.tap("#begin .chip", "Klapper-Jas")
    assert browser.ask(taken) == 2
    browser.tap("#begin .chip", "Doppelkopf")
    assert browser.ask(taken) == 4
    browser.tap("#begin .phones > summary", "Jeder an seinem Handy")
    browser.tap("#begin .phones a:nth-child(2)")
    browser.wait("document.querySelector('#who')?.innerText === 'S2'")
    assert browser.ask("location.pathname") == "/seat/S2"


def test_a_running_round_is_broken_off_only_after_a_question(house: House, browser: Browser) -> None:
    house.do(house.session.begin, [Event("game", {"game": "dubbe", "seats": ["S1", "S2", "S3"]})])
    house.do(house.session.add, Event("round", {"dealer": "S1"}))
    browser.wait("document.querySelector('#where').innerText.includes('Runde 1')")
    browser.tap("#evening button")
    browser.wait(OPEN)
    browser.tap("#begin .chip", "Dulle")
    browser.tap("#begin .foot button", "Beginnen")
    browser.wait("document.querySelector('#begin .bad').innerText.includes('Runde 1 von Dubbe')")
    browser.tap("#begin .foot button", "weiterspielen")
    assert house.session.view.game == "dubbe"
    browser.tap("#begin .foot button", "Beginnen")
    browser.tap("#begin .foot button", "Abbrechen und neu")
    browser.wait(f"!{OPEN}")
    assert house.session.view.game == "dulle"
    assert browser.complaints == []


def test_the_round_is_broken_off_the_evening_ended_and_begun_again_in_the_same_place(
    house: House, browser: Browser
) -> None:
    house.do(house.session.begin, [Event("game", {"game": "dulle", "seats": ["S1", "S2", "S3", "S4"]})])
    house.do(house.session.add, Event("round", {"dealer": "S1"}))
    browser.wait("document.querySelector('#where').innerText.includes('Runde 1')")
    browser.tap("#evening button")
    browser.tap("#begin .now button", "Runde abbrechen")
    browser.wait(f"!{OPEN} && document.querySelector('#where').innerText.includes('abgerechnet')")
    browser.tap("#evening button")
    browser.tap("#begin .now button", "Schluss für heute")
    browser.wait(f"!{OPEN}")
    browser.wait("document.querySelector('#where').innerText.includes('Das Spiel ist aus')")
    browser.tap("#evening button")
    browser.tap("#begin .now button", "Noch einmal dasselbe")
    browser.wait("document.querySelector('#where').innerText === ''")
    assert house.session.game == 2


def test_the_dialog_breaks_off_the_round_it_showed_and_asks_anew_where_that_is_over(
    house: House, browser: Browser
) -> None:
    """Cards are played while somebody looks for the button; the second time another phone is quicker."""
    house.do(house.session.begin, [Event("game", {"game": "dulle", "seats": ["S1", "S2", "S3", "S4"]})])
    for number in (1, 2):
        house.do(house.session.add, Event("round", {"dealer": "S1"}))
        browser.wait(f"document.querySelector('#where').innerText.includes('Runde {number}')")
        browser.tap("#evening button")
        browser.wait(OPEN)
        house.do(house.session.add, Event("card", {"seat": "S2", "card": "HA"}))
        if number == 2:
            house.do(house.session.add, Event("end", {"source": "touch"}))
        browser.tap("#begin .now button", "Runde abbrechen")
        if number == 1:
            browser.wait(f"!{OPEN}")
    browser.wait("document.querySelector('#begin .now').innerText.includes('Schluss für heute')")
    assert browser.ask(OPEN)
    height = "document.querySelector('#begin {}').getBoundingClientRect().height"
    assert browser.ask(f"{height.format('> .refused')} < .3 * {height.format('form')}"), "it hides the choice"
    assert not house.session.view.over
    assert [each["broken_off"] for each in house.session.result()["rounds"]] == [True, True]


def test_what_the_table_refuses_is_said_in_the_dialog(house: House, browser: Browser) -> None:
    browser.tap("#evening button")
    browser.wait(OPEN)
    house.do(house.session.begin, [Event("game", {"game": "dulle", "seats": ["S1", "S2", "S3", "S4"]})])
    browser.tap("#begin .foot button", "Beginnen")
    browser.wait("document.querySelector('#begin .bad').innerText !== ''")
    assert browser.ask(OPEN)
    assert "Spiel" in browser.text("#begin .bad")
    assert house.session.game == 1
    assert "Jetzt: Dulle" in browser.text("#begin .now")
    browser.tap("#begin .foot button", "Beginnen")
    browser.wait(f"!{OPEN}")
    assert house.session.game == 2


def test_it_speaks_english_too(house: House, browser: Browser) -> None:
    browser.go(f"{house.page.url}/?lang=en")
    browser.tap("#evening button", "Choose a game")
    browser.wait(OPEN)
    browser.tap("#begin .house > summary", "House rules")
    assert "Play with the black die" in browser.text("#begin .options")
    assert "{" not in browser.text("#begin")


def test_the_dialog_shows_what_the_lamps_say(house: House, browser: Browser) -> None:
    browser.tap("#prompts button", "Spiel wählen")
    browser.wait(OPEN)
    browser.tap("#begin .lamps > summary", "Was die Lampen sagen")
    browser.wait("document.querySelector('#begin .lamps img').naturalWidth > 0")
    assert not browser.ask(WIDER)


GUESTS = {
    "game": "dulle",
    "seats": ["S1", "S2", "S3", "S4"],
    "players": ["Gast 1", "Anna", "Guest 3", "Gascht 4"],
}


def test_a_guest_without_a_name_is_called_in_the_language_of_the_screen(
    house: House, browser: Browser
) -> None:
    """The game stores a name in the language of whoever began it; the next game's field is empty again."""
    house.do(house.session.begin, [Event("game", GUESTS)])
    house.do(house.session.add, Event("round", {"dealer": "S1"}))
    for language, called in (("en", "Guest"), ("pfl", "Gascht"), ("de", "Gast")):
        browser.go(f"{house.page.url}/?lang={language}")
        browser.wait("document.querySelectorAll('.player').length === 4")
        heads = browser.ask("[...document.querySelectorAll('.player h2')].map((e) => e.textContent).join()")
        assert all(f"{called} {n}" in heads for n in (1, 3, 4)), heads
    browser.tap("#evening button")
    browser.wait(OPEN)
    assert names(browser) == ["", "Anna", "", ""]
    house.do(house.session.add, Event("end"))
    told = httpx.get(f"{house.page.url}/api/sheet?lang=en", trust_env=False).json()["rounds"][0]["head"]
    assert "dealt by Guest 1" in told
    csv = httpx.get(f"{house.page.url}/api/sheet.csv?lang=pfl", trust_env=False).text
    assert "Gascht 1;Anna;Gascht 3;Gascht 4" in csv


def test_the_line_of_the_first_game_is_not_offered_as_one_that_never_happened(
    house: House, browser: Browser
) -> None:
    """No earlier game could continue in its place; after another game one can."""
    never = "[...document.querySelectorAll('#dialog button')].some((e) => e.innerText === 'Nie geschehen')"
    opening = Event("game", {**GUESTS, "source": "touch"})
    for game in (1, 2):
        house.do(house.session.begin, [opening])
        browser.wait("document.querySelectorAll('#events li').length > 0")
        browser.go(f"{house.page.url}/?lang=de")
        browser.wait("document.querySelectorAll('#events li').length > 0")
        browser.ask("document.querySelector('#events li button').click()")
        browser.wait("document.getElementById('dialog').open")
        assert browser.ask(never) is (game == 2)
        assert ("So hat dieses Spiel begonnen" in browser.text("#dialog")) is (game == 1)
        browser.ask("document.getElementById('dialog').close()")
    assert browser.complaints == []


@pytest.mark.parametrize(
    ("page", "language", "title"),
    [
        ("/", "de", "Dulle – Stammtisch"),
        ("/history", "de", "Frühere Abende – Stammtisch"),
        ("/history", "en", "Past evenings – Stammtisch"),
        ("/doctor", "en", "How is the table? – Stammtisch"),
        ("/settings", "pfl", "Eistellunge – Stammtisch"),
        ("/setup", "de", "Einrichten, Sprache – Stammtisch"),
        ("/seat/S2", "de", "Anna – Stammtisch"),
        ("/overlay", "de", "Einblendung – Stammtisch"),
    ],
)
def test_every_page_has_a_title_of_its_own(
    house: House, browser: Browser, page: str, language: str, title: str
) -> None:
    house.do(house.session.begin, [Event("game", GUESTS)])
    browser.go(f"{house.page.url}{page}?lang={language}")
    browser.wait(f"document.title === {title!r}")


def test_a_long_name_without_a_gap_stands_whole_on_the_page_of_its_seat(
    house: House, browser: Browser
) -> None:
    long = "Donaudampfschifffahrtsgesellschaftskapit"
    house.do(house.session.begin, [Event("game", {**GUESTS, "players": [long, "Anna", "Bernd", "Carla"]})])
    browser.go(f"{house.page.url}/seat/S1?lang=de")
    browser.wait(f"document.getElementById('who')?.innerText === {long!r}")
    assert browser.ask("document.getElementById('who').getBoundingClientRect().right <= innerWidth")
    assert browser.ask("document.documentElement.scrollWidth <= innerWidth")


def test_what_setting_up_refuses_begins_as_a_sentence(house: House, browser: Browser) -> None:
    """On the command line, after a colon, it begins in lower case."""
    browser.go(f"{house.page.url}/setup?lang=de#place")
    browser.wait("document.body?.dataset.step !== undefined")
    refused = "{ error: 'no', code: 'setup.picture', args: {} }"
    browser.ask(f"window.fetch = async () => new Response(JSON.stringify({refused}), {{ status: 409 }}); 1")
    browser.ask("location.hash = '#lamps'; 1")
    browser.wait("document.querySelector('#troubles p')?.innerText === 'Die Kamera zeigt noch kein Bild'")
