"""The score kept entirely by hand: every card by one tap, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from table.catalogue import fact
from table.journal import Journal
from table.rules.events import Event
from table.rules.opening import as_event, open_game
from table.virtual import VirtualRound
from table.virtual.deeds import LayCard, Tell
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING, House, opened_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

WHOSE = "document.querySelector('#hand .chips [aria-pressed=true]')?.innerText"
DULLE = {"kind": "game", "game": "dulle", "seats": ["S1", "S2", "S3", "S4"], "players": list("ABCD")}


@pytest.fixture
def house(tmp_path: Path, browser: Browser) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING[:2])
        house.open()
        browser.screen(390, 844, mobile=True)
        browser.complaints.clear()
        browser.go(f"{house.page.url}/?lang=en")
        browser.wait("!!document.querySelector('.player')")
        yield house
        browser.leave()
        house.close()


def play(browser: Browser, card: str) -> None:
    """Tap a card by its spoken name; afterwards the grid no longer has it."""
    one = f"""document.querySelector('#hand .one:has([aria-label="{card}"]):not(:disabled)')"""
    browser.wait(f"!!{one}")
    browser.ask(f"{one}.click()")
    browser.wait(f"!{one}")


def test_trump_and_cards_are_told_one_tap_each_and_undone(house: House, browser: Browser) -> None:
    browser.tap("#events button", "By hand")
    browser.wait("document.getElementById('hand').open")
    browser.tap("#hand .choices button", "Blue")
    browser.wait(f"{WHOSE} === 'Bernd'")
    for card, following in (("Red 7", "Carla"), ("Red 9", "Dirk"), ("Red 1", "Anna"), ("Red 2", "Carla")):
        play(browser, card)
        browser.wait(f"{WHOSE} === {following!r}")
    assert house.session.view.last_winner == "S3"
    browser.tap("#hand .foot button", "Undo")
    browser.wait(f"{WHOSE} === 'Anna'")
    browser.wait("""!!document.querySelector('#hand .one:has([aria-label="Red 2"])')""")
    browser.tap("#hand .chips button", "Dirk")  # another player than the one whose turn it is
    browser.wait(f"{WHOSE} === 'Dirk'")
    assert browser.complaints == []


def test_a_card_that_flies_in_does_not_widen_the_page_of_a_phone(house: House, browser: Browser) -> None:
    """A page wider than its phone shifts for a moment, and the finger meets another card than intended."""
    browser.screen(360, 640, mobile=True)
    browser.ask("document.head.append(Object.assign(document.createElement('style'), {textContent: '"
                ".played.new { animation-play-state: paused !important; }'}))")  # fmt: skip
    for number, seat in enumerate(("S2", "S3", "S4", "S1"), 6):
        house.do(house.session.add, Event("card", {"seat": seat, "card": f"red-{number}", "source": "touch"}))
        browser.wait(f"document.querySelectorAll('.played').length === {number - 5}")
        assert browser.ask("document.documentElement.scrollWidth") <= 360


def double_tap(browser: Browser, selector: str, seconds: float = 0.15) -> None:
    """Two taps of a finger, a moment apart, where the first such element is."""
    element = f"document.querySelector({selector!r})"
    browser.wait(f"!!{element}")
    browser.ask(f"{element}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    x, y = browser.ask(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({element}.getBoundingClientRect())")
    for pause in (seconds, 0.0):
        browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        time.sleep(pause)


def kinds(house: House) -> list[str]:
    return [entry.event.kind for entry in house.session.entries]


def test_a_double_tap_on_a_card_plays_no_other_that_has_moved_there(house: House, browser: Browser) -> None:
    """A card that goes makes room, so the next one lies under the finger before its second tap."""
    house.do(house.session.add, OPENING[2])
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.tap("#events button", "By hand")
    for following in ("Carla", "Dirk"):
        double_tap(browser, "#hand .one:not(:disabled)")
        browser.wait(f"{WHOSE} === {following!r}")
    double_tap(browser, "#hand .foot button")  # the same button with the same words: both taps count
    browser.wait(f"{WHOSE} === 'Bernd'")
    assert kinds(house)[2:] == ["die", "card", "card", "correction", "correction"]
    assert browser.complaints == []


def finger(browser: Browser, x: float, y: float) -> None:
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def test_two_quick_taps_side_by_side_are_both_heard(house: House, browser: Browser) -> None:
    """The second of two keys of a PIN that are close together was once lost, although nothing had changed."""
    house.do(house.session.add, OPENING[2])
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.tap("#events button", "By hand")
    browser.wait(f"{WHOSE} === 'Bernd'")
    for name in ("Carla", "Dirk"):
        of = f"[...document.querySelectorAll('#hand .chips button')].find((e) => e.innerText === {name!r})"
        x, y, width, height = browser.ask(
            f"(r => [r.x, r.y, r.width, r.height])({of}.getBoundingClientRect())"
        )
        finger(browser, x + (width - 4 if name == "Carla" else 4), y + height / 2)
        time.sleep(0.1)
    browser.wait(f"{WHOSE} === 'Dirk'", 5)


def test_the_cards_stay_where_they_are_when_a_finger_tells_one(house: House, browser: Browser) -> None:
    """The list once jumped to its top, and the next tap met another card than the one that was there."""
    house.do(house.session.add, OPENING[2])
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.screen(360, 640, mobile=True)
    browser.tap("#events button", "By hand")
    browser.wait(f"{WHOSE} === 'Carla'")
    body = "document.querySelector('#hand .body')"
    browser.ask(f"{body}.scrollTop = 400")
    browser.wait(f"{body}.scrollTop === 400", 5)
    time.sleep(0.6)
    x, y = browser.ask(
        "[...document.querySelectorAll('#hand .one:not(:disabled)')].map((e) => e.getBoundingClientRect())"
        ".map((r) => [r.x + r.width / 2, r.y + r.height / 2]).find(([, y]) => y > 200 && y < 480)"
    )
    finger(browser, x, y)
    browser.wait(f"{WHOSE} === 'Dirk'", 10)
    time.sleep(0.3)
    assert browser.ask(f"{body}.scrollTop") == 400


def test_what_was_chosen_stays_where_it_could_not_be_saved(house: House, browser: Browser) -> None:
    asked = Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.5], ["red-9", 0.4]]})
    house.do(house.session.add, asked)
    browser.tap("#doubts button", "Another")
    browser.wait("!!document.querySelector('#dialog[open] .one[data-card=red-8]')")
    browser.ask("document.querySelector('#dialog .one[data-card=red-8]').click()")
    browser.ask("window.sound = fetch; window.fetch = () => Promise.reject(new TypeError()); null")
    browser.tap("#dialog button", "Save")
    browser.wait("!!document.querySelector('#dialog .refused')", 10)
    time.sleep(0.3)
    browser.ask("window.fetch = window.sound; null")
    browser.tap("#dialog button", "Save")
    browser.wait("!document.getElementById('dialog').open", 10)
    assert [play.card for play in house.session.view.trick] == ["red-8"]


def test_who_tells_a_card_by_keyboard_keeps_the_focus_in_the_dialog(house: House, browser: Browser) -> None:
    house.do(house.session.add, OPENING[2])
    browser.tap("#events button", "By hand")
    browser.wait("!!document.querySelector('#hand .one:not(:disabled)')")
    browser.ask("document.querySelector('#hand .one:not(:disabled)').focus()")
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
    for held in (False, True, True):  # a key that is held down repeats
        browser.call("Input.dispatchKeyEvent", type="keyDown", autoRepeat=held, **enter)
        browser.wait("document.activeElement.innerText === 'Carla'")
    browser.call("Input.dispatchKeyEvent", type="keyUp", **enter)
    assert browser.ask("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert kinds(house).count("card") == 1


def test_the_focus_goes_to_the_questions_where_what_opened_a_dialog_is_gone(
    house: House, browser: Browser
) -> None:
    asked = Event("unsure", {"seat": "S2", "candidates": [["red-6", 0.5], ["red-9", 0.4]]})
    house.do(house.session.add, asked)
    other = "[...document.querySelectorAll('#doubts button')].find((e) => e.innerText.startsWith('Another'))"
    browser.wait(f"!!{other}")
    browser.ask(f"{other}.focus(); {other}.click()")
    browser.wait("!!document.querySelector('#dialog[open] .one[data-card=red-8]')")
    browser.ask("document.querySelector('#dialog .one[data-card=red-8]').click()")
    browser.tap("#dialog button", "Save")
    browser.wait("!document.getElementById('dialog').open && !document.querySelector('#doubts article')")
    browser.wait("document.activeElement.id === 'side'", 10)


def test_a_double_tap_answers_for_no_other_who_is_asked_next(house: House, browser: Browser) -> None:
    house.do(house.session.begin, [Event.from_dict({**DULLE, "game": "doppelkopf"})])
    house.do(house.session.add, Event("round", {"dealer": "S4"}))
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.tap("#events button", "By hand")
    double_tap(browser, "#hand article button")
    browser.wait("document.querySelector('#hand article p').innerText.startsWith('B:')")
    time.sleep(0.2)
    assert kinds(house) == ["game", "round", "say"]
    assert browser.complaints == []


def test_a_whole_round_of_dulle_is_settled_as_the_players_count(house: House, browser: Browser) -> None:
    house.do(house.session.begin, [Event.from_dict(DULLE)])
    browser.wait("document.querySelector('#game').innerText === 'Dulle'")
    browser.tap("#events button", "By hand")
    browser.tap("#hand .chips button", "D")  # the dealer
    browser.wait("document.querySelectorAll('#hand .one:not(:disabled)').length === 16")
    deal = VirtualRound(open_game(as_event(DULLE)), Event("round", {"dealer": "S4", "seed": 5}), (), 1, None)
    names = dict(zip(house.session.view.seats, "ABCD", strict=True))
    suits, ranks = ["C", "S", "H", "D"], ["A", "T", "Q", "J"]
    cards = "[s + r, w.cardName(s + r)]"
    words = browser.ask(
        f"import('/static/words.js').then((w) => Object.fromEntries({suits}.flatMap((s) =>"
        f" {ranks}.map((r) => {cards}))))"
    )
    while deeds := deal.deeds():
        for deed in deeds:
            if isinstance(deed, Tell):
                house.do(house.session.tell, deed.event)
            if isinstance(deed, LayCard):
                browser.wait(f"{WHOSE} === {names[deed.seat]!r}")
                play(browser, words[deed.card])
    browser.wait("document.querySelector('#hand').innerText.includes('Next round')")
    noted = [entry.event for entry in house.session.entries if entry.event.kind == "card"]
    assert [(event.fields["seat"], event.fields["card"]) for event in noted] == deal.played
    assert house.session.view.phase in ("settled", "finished")


def test_what_a_card_really_was_is_told_by_a_tap_on_it(house: House, browser: Browser) -> None:
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    browser.wait("document.querySelectorAll('.trick .card').length === 1")
    browser.ask("document.querySelector('button[aria-label^=\"Correct: Bernd\"]').click()")
    browser.wait("document.getElementById('dialog').open")
    assert browser.ask("document.querySelector('#dialog .one[aria-pressed=true]').dataset.card") == "red-7"
    browser.ask("document.querySelector('#dialog .one[data-card=red-8]').click()")
    browser.tap("#dialog button", "Save")
    browser.wait("!document.getElementById('dialog').open")
    assert [play.card for play in house.session.view.trick] == ["red-8"]
    assert browser.complaints == []


def test_who_puts_right_what_another_phone_has_just_put_right_sees_what_stands_there_now(
    house: House, browser: Browser
) -> None:
    """The dialog once said that this is the new state, showed the old one, and was refused forever."""
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    browser.wait("document.querySelectorAll('.trick .card').length === 1")
    browser.ask("document.querySelector('button[aria-label^=\"Correct: Bernd\"]').click()")
    browser.wait("document.getElementById('dialog').open")
    house.do(house.session.correct, 3, Event("card", {"seat": "S2", "card": "red-9"}))
    browser.ask("document.querySelector('#dialog .one[data-card=red-8]').click()")
    browser.tap("#dialog button", "Save")
    browser.wait("!!document.querySelector('#dialog .refused')")
    browser.wait("document.querySelector('#dialog form .pale').innerText === 'Bernd: Red 9'", 10)
    assert browser.ask("document.querySelector('#dialog .one[aria-pressed=true]').dataset.card") == "red-9"
    browser.ask("document.querySelector('#dialog .one[data-card=red-8]').click()")
    browser.tap("#dialog button", "Save")
    browser.wait("!document.getElementById('dialog').open")
    assert [play.card for play in house.session.view.trick] == ["red-8"]


def grouped(browser: Browser, dialog: str) -> list[list[str]]:
    """The cards under each heading in a dialog's grid, in order."""
    rows = f"[...document.querySelectorAll('#{dialog} .cards')]"
    return [
        browser.ask(
            f"{rows}.filter((row) => {last}).flatMap((row) => [...row.querySelectorAll('.one')]"
            ".map((one) => one.querySelector('.card').getAttribute('aria-label')))"
        )
        for last in (
            f"row.compareDocumentPosition(document.querySelector('#{dialog} .fits ~ h3')) & 4",
            f"row.compareDocumentPosition(document.querySelector('#{dialog} .fits ~ h3')) & 2",
        )
    ]


def test_cards_that_fit_the_trick_stand_in_front(house: House, browser: Browser) -> None:
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    browser.tap("#events button", "By hand")
    browser.wait("!!document.querySelector('#hand .fits')")
    fitting, others = grouped(browser, "hand")
    assert fitting
    assert all(name.startswith("Red") for name in fitting)
    assert others
    assert not any(name.startswith("Red") for name in others)
    play(browser, "Red 9")
    browser.tap("#hand .foot button", "Close")
    browser.ask("document.querySelector('button[aria-label^=\"Correct: Carla\"]').click()")
    browser.wait("document.getElementById('dialog').open")
    fitting, others = grouped(browser, "dialog")
    assert "Red 9" in fitting
    assert all(name.startswith("Red") for name in fitting)
    assert "Red 7" in others  # it has been played
    assert browser.complaints == []


def test_of_an_earlier_card_the_page_hears_what_fitted_then(house: House) -> None:
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    house.do(house.session.add, Event("card", {"seat": "S3", "card": "green-2"}))
    at = f"{house.page.url}/api/cards"
    told = httpx.get(f"{at}/S3?of=4", trust_env=False).json()
    assert {name.split("-")[0] for name in told["sure"]} == {"red"}
    assert "green-2" in told["assumed"]
    assert httpx.get(f"{at}/S3?of=99", trust_env=False).json()["sure"] == []
    assert httpx.get(f"{at}/S3?of=x", trust_env=False).status_code == 400
    assert httpx.get(f"{at}/S9", trust_env=False).status_code == 404


def test_where_no_camera_will_see_it_the_page_asks_who_deals(house: House, browser: Browser) -> None:
    house.do(house.session.undo)  # undo the round's line
    asked = "document.querySelector('#prompts')?.innerText.includes('Who deals first?')"
    browser.wait("!!document.querySelector('.next')?.innerText")
    assert not browser.ask(asked), "a camera sees who deals by who plays first"
    house.do(house.table.ail, "camera", "unread")
    browser.wait(asked)
    browser.tap("#prompts button", "Carla")
    browser.wait(f"!({asked})")
    assert house.session.view.dealer == "S3"
    assert house.session.view.round == 1


def test_a_trouble_hides_no_button_that_begins_the_first_evening(browser: Browser, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "first.sqlite") as journal:
        house = House(journal)
        house.open()
        try:
            house.do(house.table.ail, "camera", "unread", fact("sight.cards"))
            browser.screen(1280, 800)
            browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
            browser.go(f"{house.page.url}/?lang=en")
            browser.wait("document.querySelectorAll('#troubles p').length > 0")
            browser.touch("#prompts button", "Choose a game")
            browser.wait("document.getElementById('begin').open")
        finally:
            browser.leave()
            house.close()


def test_the_longest_names_run_over_nobody_and_leave_the_cards_their_room(
    browser: Browser, tmp_path: Path
) -> None:
    names = ["Maximiliane-Friederike von Hohenfels", "Maximiliane-Friederike von HohenfelsQ"]
    names += ["Donaudampfschifffahrtsgesellschaftska", "Bob"]
    opening = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "players": names}
    with opened_house(tmp_path) as house:
        house.do(house.session.start, [Event.from_dict(opening), Event("round", {"dealer": "S2"})])
        browser.complaints.clear()
        browser.screen(1024, 768)
        browser.go(f"{house.page.url}/?lang=de")
        browser.wait("document.querySelector('.next')?.innerText.includes('Donau')")
        within = (
            "(() => { const box = (s) => document.querySelector(s).getBoundingClientRect();"
            " const left = Math.max(...[...document.querySelectorAll('.player')]"
            ".filter((e) => +e.style.getPropertyValue('--x') < -0.5)"
            ".map((e) => e.getBoundingClientRect().right));"
            " return box('.next').left >= left; })()"
        )
        assert browser.ask(within)
        told = "document.querySelector('#prompts p')"
        assert browser.ask(f"{told}.scrollWidth <= {told}.clientWidth")
        assert browser.ask("document.getElementById('side').ariaLabel") == "Fragen und Verlauf"
        browser.screen(360, 640, mobile=True)
        browser.tap("#events button", "Von Hand")
        browser.wait("!!document.querySelector('#hand .cards button')")
        ends = "document.querySelector('#hand .cards button').getBoundingClientRect().bottom"
        assert browser.ask(f"{ends} < document.querySelector('#hand .foot').getBoundingClientRect().top")
        assert browser.complaints == []
        browser.leave()
