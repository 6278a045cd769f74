"""The page in a real browser: a guest looks, taps, loses the connection and gets it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.catalogue import foreign
from table.journal import Journal
from table.rules.events import Event
from tests.rules.doko import Doko
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING, House
from vision.sightings import SightBack, SightLost

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

LEAST_CONTRAST = """
(() => {
  const probe = document.body.appendChild(document.createElement("i"));
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (name) => {
    probe.style.color = `var(${name})`;
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const pairs = [
    ["--text", "--wood"], ["--text", "--lit"], ["--text", "--panel"], ["--text", "--edge"],
    ["--text", "--alarm"], ["--text", "--won"], ["--pale", "--wood"], ["--pale", "--lit"],
    ["--pale", "--panel"], ["--pale", "--won"], ["--on-felt", "--felt"], ["--bright", "--panel"],
    ["--bad", "--panel"],
  ].map((pair) => pair.map(light).sort((a, b) => a - b));
  probe.remove();
  return Math.min(...pairs.map(([dark, bright]) => (bright + 0.05) / (dark + 0.05)));
})()
"""

CUT_OFF = """
[...document.querySelectorAll(".player, .character, #trump, .trick .card")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.left < -1 || box.right > innerWidth + 1 || box.width < 10;
}).length
"""

ALL_ON_SCREEN = """
[...document.querySelectorAll(".player, .character")].every(
  (element) => element.getBoundingClientRect().bottom <= innerHeight)
"""

UNSURE = {"kind": "unsure", "seat": "S2", "candidates": [["red-6", 0.48], ["red-9", 0.44]]}


def card(seat: str, name: str) -> dict[str, Any]:
    return {"kind": "card", "seat": seat, "card": name}


@pytest.fixture
def house(tmp_path: Path, browser: Browser) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        browser.screen(1280, 720)
        browser.complaints.clear()
        browser.go(f"{house.page.url}/?lang=de")
        browser.wait("!!document.querySelector('.player')")
        yield house
        browser.leave()
        house.close()


def test_the_page_shows_the_game_and_follows_it(house: House, browser: Browser) -> None:
    assert browser.text("#game") == "Dubbe"
    assert "Runde 1 von 4" in browser.text("#where")
    assert "Trumpf Blau" in browser.text("#trump")
    assert "Bernd" in browser.text(".player.turn"), "left of the chooser leads (D-13)"
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    browser.wait("document.querySelector('.trick .card')?.getAttribute('aria-label') === 'Rot 7'")
    browser.wait("document.querySelector('.player.turn')?.innerText.includes('Carla')")
    browser.wait("document.getElementById('said').textContent.includes('Bernd: Rot 7')")
    assert browser.complaints == []


def test_characters_show_owner_colour_and_value(house: House, browser: Browser) -> None:
    for seat, name in (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-2")):
        house.do(house.session.add, Event.from_dict(card(seat, name)))
    browser.wait("!!document.querySelector('.played.won')")
    assert browser.ask("document.querySelectorAll('.character:not(.free)').length") == 2
    tile = browser.ask("document.querySelectorAll('.character')[1].innerText")
    assert "Weschwiesch" in tile
    assert "Carla" in tile
    assert "Carla sticht" in browser.text(".played.won")
    assert browser.ask("document.querySelector('.player.turn .die').getAttribute('aria-label')") == "Würfel 1"


def test_one_tap_settles_a_doubt_with_its_crop(house: House, browser: Browser) -> None:
    crop = cv2.imencode(".jpg", np.full((90, 60, 3), 200, np.uint8))[1].tobytes()
    house.do(house.session.add, Event.from_dict(UNSURE), crop)
    browser.wait("document.querySelector('#doubts .crop')?.naturalWidth === 60")
    assert "Welche Karte hat Bernd gespielt?" in browser.text("#doubts")
    browser.tap("#doubts button", "Rot 9")
    browser.wait("document.querySelector('#doubts').childElementCount === 0")
    assert [(p.seat, p.card) for p in house.session.view.trick] == [("S2", "red-9")]
    assert browser.complaints == []


def test_a_trump_die_that_was_not_read_is_settled_by_a_touch_on_its_colour(
    tmp_path: Path, browser: Browser
) -> None:
    crop = cv2.imencode(".jpg", np.full((60, 60, 3), 90, np.uint8))[1].tobytes()
    dark = {
        "value": 1,
        "spot": "aagewwer",
        "doubt": ["colour"],
        "candidates": [["brown-1", 0.5], ["red-1", 0.4]],
    }
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING[:2])
        house.session.add(Event("die", dark), crop)
        house.session.add(Event.from_dict(card("S2", "blue-5")))
        house.open()
        try:
            browser.complaints.clear()
            browser.screen(390, 844, mobile=True)
            browser.go(f"{house.page.url}/?lang=de")
            browser.wait("document.querySelector('#doubts .crop')?.naturalWidth === 60")
            words = "e => e.innerText.split(/\\s+/).join(' ')"
            assert browser.ask(f"[...document.querySelectorAll('#doubts .choice')].map({words})") == [
                "Braun 1 50 %",
                "Rot 1 40 %",
            ]
            assert house.session.view.findings == ()
            browser.touch("#doubts .choice", "Rot 1")
            browser.wait("document.querySelector('#doubts').childElementCount === 0")
            browser.wait("document.querySelector('#trump').innerText.includes('Rot')")
            assert (house.session.view.trump, house.session.view.doubts) == ("red", ())
            browser.touch("#events button", "Rückgängig")
            browser.wait("document.querySelectorAll('#doubts .choice').length === 2")
            browser.touch("#doubts button", "Andere")
            browser.wait("document.getElementById('dialog').open")
            browser.choose("green")
            browser.touch("#dialog button", "Speichern")
            browser.wait("document.querySelector('#trump').innerText.includes('Grün')")
            assert (house.session.view.trump, house.session.view.findings) == ("green", ())
            assert browser.complaints == []
        finally:
            browser.leave()
            house.close()


def test_undo_and_correcting_an_older_event(house: House, browser: Browser) -> None:
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    house.do(house.session.add, Event.from_dict(card("S3", "red-9")))
    browser.wait("document.querySelectorAll('.events li').length === 5")
    browser.tap("#events .controls button", "Rückgängig")
    browser.wait("document.querySelectorAll('.trick .card').length === 1")
    browser.ask("document.querySelector('button[aria-label^=\"Berichtigen: Bernd\"]').click()")
    browser.wait("document.getElementById('dialog').open")
    browser.choose("red-8")
    browser.tap("#dialog button", "Speichern")
    browser.wait("!document.getElementById('dialog').open")
    browser.wait("document.querySelector('.trick .card')?.getAttribute('aria-label') === 'Rot 8'")
    assert browser.complaints == []


def test_where_words_cannot_be_had_the_page_asks_for_them_and_says_so(house: House, browser: Browser) -> None:
    browser.call("Network.enable")
    browser.call("Network.setBlockedURLs", urls=["*/words/en/*"])
    browser.tap("#language")
    browser.wait("document.querySelector('#troubles').innerText.includes('Der Tisch antwortet nicht')")
    assert (browser.ask("document.documentElement.lang"), browser.text("#language")) == ("de", "English")
    browser.go(f"{house.page.url}/?lang=en")
    browser.wait("document.readyState === 'complete'")
    assert browser.text(".player") == ""
    browser.call("Network.setBlockedURLs", urls=[])
    browser.wait("document.querySelector('#where')?.innerText.includes('Round 1 of 4')")


def test_a_doubt_is_answered_by_keyboard_and_the_focus_stays_beside_the_table(
    house: House, browser: Browser
) -> None:
    house.do(house.session.add, Event.from_dict(UNSURE))
    browser.wait("!!document.querySelector('#doubts .choice')")
    browser.ask("document.querySelector('#doubts .choice').focus()")
    for kind in ("keyDown", "keyUp"):
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        browser.call("Input.dispatchKeyEvent", type=kind, text="\r", **key)
    browser.wait("document.querySelector('#doubts').childElementCount === 0")
    assert browser.ask("document.activeElement.id") == "side"
    dialogs = "[...document.querySelectorAll('dialog')].map((e) => e.id)"
    assert browser.ask(dialogs) == ["begin", "hand", "dialog", "consequences", "pin"], "as one opens the next"


def test_a_request_that_fails_is_said_on_the_page(house: House, browser: Browser) -> None:
    browser.ask("fetch = async () => { throw new Error('no line'); }")
    browser.tap("#events .controls button", "Rückgängig")
    browser.wait("document.getElementById('troubles').innerText.includes('Der Tisch antwortet nicht')")


def test_findings_are_told_in_words_with_their_proof(house: House, browser: Browser) -> None:
    """G-I4."""
    house.do(house.session.add, Event.from_dict(card("S2", "red-16")))
    browser.wait("document.querySelectorAll('.findings li').length === 1")
    told = browser.text(".findings")
    assert "Rot 16" in told
    assert "Regel" not in told
    browser.tap(".findings summary", "Warum?")
    browser.wait("document.querySelector('.findings').innerText.includes('Regel G-I4')")
    assert "Bernd: Rot 16" in browser.text(".findings button")


class Written(Doko):
    """A Doppelkopf table that keeps its lines."""

    def event(self, kind: str, **fields: Any) -> int:
        self.lines = [*getattr(self, "lines", []), Event(kind, fields)]
        return super().event(kind, **fields)


def test_of_a_third_copy_the_page_says_that_there_were_two(house: House, browser: Browser) -> None:
    """K-01, K-I7: in Doppelkopf every card exists twice."""
    table = Written()
    table.gesund()
    table.play(40)
    fallen = [play.name for trick in table.round.tricks for play in trick.plays]
    twice = next(name for name in fallen if fallen.count(name) == 2)
    seat, cards = table.legal()
    table.hands[seat].remove(cards[0])
    table.card(seat, twice)
    table.finish()
    house.do(house.session.begin, [Event("game", {"game": "doppelkopf", "seats": table.seats})])
    for event in table.lines:
        house.do(house.session.add, event)
    browser.wait("document.querySelectorAll('.findings li').length === 1")
    assert "gab es in dieser Runde schon zweimal" in browser.text(".findings")


def test_trump_is_declared_by_a_tap_where_no_die_tells_it(house: House, browser: Browser) -> None:
    """D-10."""
    house.do(house.session.undo)
    browser.tap("#prompts button", "Grün")
    browser.wait("document.getElementById('trump').innerText.includes('Grün')")
    assert house.session.view.trump == "green"


def test_the_page_speaks_english_and_pfaelzisch_when_asked(house: House, browser: Browser) -> None:
    browser.tap("#language")
    browser.wait("document.documentElement.lang === 'en'")
    browser.wait("document.getElementById('trump').innerText.includes('Trump Blue')")
    browser.tap("#language", "Pälzisch")
    browser.wait("document.getElementById('trump').innerText.includes('Trumpf Bloo')")
    assert browser.ask("localStorage.getItem('language')") == "pfl", "the screen remembers it"
    browser.tap("#language", "Deutsch")
    browser.wait("document.getElementById('trump').innerText.includes('Trumpf Blau')")


def test_troubles_of_camera_board_and_light_are_said_and_go_away(house: House, browser: Browser) -> None:
    house.do(house.table.ail, "camera", "lost", foreign("usb:0 is gone"))
    house.do(house.table.ail, "light", "poor")
    house.do(house.table.ail, "board", "lost", foreign("no answer"))
    browser.wait("document.querySelectorAll('#troubles .bad').length === 3")
    told = browser.text("#troubles")
    assert "Die Kamera ist weg" in told
    assert "usb:0 is gone" in told
    assert "Das Licht reicht nicht" in told
    assert "Die Lampen antworten nicht" in told
    for part in ("camera", "light", "board"):
        house.do(house.table.ail, part, "fine")
    browser.wait("document.getElementById('troubles').childElementCount === 0")


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("covered", "Die Kamera ist verdeckt"),
        ("dark", "Es ist zu dunkel"),
        ("frozen", "Das Kamerabild steht still"),
        ("moved", "Die Kamera zeigt den Tisch nicht mehr"),
        ("gone", "Von der Kamera kommt kein Bild"),
    ],
)
def test_lost_sight_is_said_in_words_of_its_own_until_it_is_back(
    house: House, browser: Browser, why: str, words: str
) -> None:
    house.do(house.table.hear, SightLost(5.3, 5.0, why))
    browser.wait(f"document.querySelector('#troubles .bad')?.innerText.includes('{words}')")
    assert browser.ask("document.querySelectorAll('#troubles .bad').length") == 1
    house.do(house.table.hear, SightBack(9.0, 5.0, why))
    browser.wait("!document.querySelector('#troubles .bad')")


def test_the_page_comes_back_by_itself_after_the_table_was_switched_off(
    house: House, browser: Browser
) -> None:
    port = house.page.port
    house.close()
    browser.wait("document.getElementById('troubles').innerText.includes('Keine Verbindung')")
    again = House(house.journal, at=port)
    assert again.session.resume()
    again.session.add(Event.from_dict(card("S2", "red-7")))
    again.open()
    house.__dict__.update(again.__dict__)  # so that the fixture closes the new one
    browser.wait("document.querySelectorAll('.trick .card').length === 1", 15)
    browser.wait("!document.getElementById('troubles').innerText.includes('Keine Verbindung')")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1280, 720), (1920, 1080)])
def test_nothing_is_cut_off_on_phone_tablet_and_tv(
    house: House, browser: Browser, width: int, height: int
) -> None:
    house.do(house.session.add, Event.from_dict(UNSURE))
    browser.screen(width, height, mobile=width < 800)
    browser.wait(f"innerWidth === {width} && !!document.querySelector('.doubt')")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask(CUT_OFF) == 0
    if width > 1000:  # the whole table must fit on the screen of somebody across the room
        assert browser.ask(ALL_ON_SCREEN)


def test_the_camera_preview_is_fetched_only_while_somebody_looks(house: House, browser: Browser) -> None:
    asked = []

    def frame() -> Any:
        asked.append(1)
        return np.full((270, 480, 3), 90, np.uint8)

    house.table.frame = frame
    house.do(house.session.add, Event.from_dict(card("S2", "red-7")))
    browser.wait("document.querySelectorAll('.trick .card').length === 1")
    assert asked == []
    browser.ask("document.querySelector('#camera details').open = true")
    browser.wait("document.querySelector('.preview').naturalWidth === 480")


def test_everything_can_be_reached_with_the_keyboard(house: House, browser: Browser) -> None:
    house.do(house.session.add, Event.from_dict(UNSURE))
    browser.wait("!!document.querySelector('.doubt')")
    reached = set()
    for _ in range(25):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        reached.add(browser.ask("document.activeElement.innerText.trim().split('\\n')[0]"))
    assert {"English", "Andere …", "Da war nichts", "↶ Rückgängig", "Eintragen …"} <= reached


def test_words_have_enough_contrast(house: House, browser: Browser) -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    for theme in ("dark", "light"):
        browser.ask(f"document.documentElement.dataset.theme = '{theme}'")
        assert browser.ask(LEAST_CONTRAST) >= 4.5
