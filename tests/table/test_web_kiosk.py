"""The screen on the wall and the overlay for streams, in a real browser."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import cv2
import httpx
import msgspec
import numpy as np
import pytest

from table.equipment import Equipment
from table.journal import Journal
from table.rules.events import Event
from table.rules.games import GAMES
from table.web import attract
from table.web.state import MOST_BYTES, encode
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING, House

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

SOUNDS = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { heard.push("note"); return start.call(this, at); };
speechSynthesis.speak = (said) => heard.push(said.text);
"""


@pytest.fixture
def house(tmp_path: Path, browser: Browser) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        browser.screen(1920, 1080)
        browser.complaints.clear()
        yield house
        browser.leave()
        house.close()


def lay(house: House, seat: str, card: str) -> None:
    house.do(house.session.add, Event("card", {"seat": seat, "card": card}))


def test_an_idle_kiosk_plays_a_round_until_a_card_comes(house: House, browser: Browser) -> None:
    browser.go(f"{house.page.url}/?kiosk&idle=0.005&lang=de")
    browser.wait("document.body?.classList.contains('attract')")
    assert "Legt eine Karte" in browser.text("#invite")
    browser.wait("document.querySelectorAll('.trick .card').length > 0")
    assert len(house.session.entries) == 3, "nothing of it is written"
    lay(house, "S2", "red-7")
    browser.wait("document.querySelector('.trick .card')?.getAttribute('aria-label') === 'Rot 7'")
    assert browser.ask("document.querySelectorAll('.trick .card').length") == 1
    assert browser.ask("['lock', 'film'].includes(document.documentElement.dataset.awake)")
    assert browser.complaints == []


def test_a_table_shows_no_round_by_itself_unless_it_is_told_to(house: House) -> None:
    told = httpx.get(f"{house.page.url}/api/attract", trust_env=False).json()
    assert told["minutes"] == 0
    assert told["steps"] > 50


def test_a_screen_chimes_and_speaks_only_where_somebody_wants_it(house: House, browser: Browser) -> None:
    for address, sounds in (("/?lang=en", False), ("/?lang=en&chime&speak", True)):
        browser.go(f"{house.page.url}{address}")
        browser.wait("document.readyState === 'complete' && !!document.querySelector('.player')")
        browser.ask(SOUNDS)
        seat = house.session.view.turn or ""
        browser.wait("document.getElementById('said').textContent !== ''")  # it knows the state of the game
        lay(house, seat, "green-1" if sounds else "red-7")
        browser.wait("/Green 1|Red 7/.test(document.getElementById('said').textContent)")
        heard = browser.ask("heard")
        assert bool(heard) == sounds
        if sounds:
            assert "note" in heard
            assert any("Green 1" in said for said in heard)


def test_the_overlay_covers_nothing_but_what_it_says(house: House, browser: Browser) -> None:
    browser.go(f"{house.page.url}/overlay?lang=en")
    browser.call("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
    lay(house, "S2", "red-7")
    browser.wait("document.querySelectorAll('#trick .card').length === 1")
    assert "Carla" in browser.text("li.turn")
    png = browser.call("Page.captureScreenshot", format="png")["data"]
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(png), np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    seen = picture[..., 3] > 0
    assert not seen[:600].any()
    assert seen[980:1050].mean() > 0.4
    browser.call("Emulation.setDefaultBackgroundColorOverride")
    assert browser.complaints == []


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_has_a_round_to_show(game: str) -> None:
    steps = [msgspec.json.decode(step) for step in attract.steps(game, "de")]
    assert len(steps) > 10
    assert all(step["view"]["findings"] == [] for step in steps)
    assert max(len(encode(step)) for step in steps) <= MOST_BYTES


def test_the_enrolled_faces_of_the_deck_lie_on_the_felt(house: House, browser: Browser) -> None:
    """A card that was not enrolled is drawn."""
    red = cv2.imencode(".jpg", np.full((120, 80, 3), (40, 40, 200), np.uint8))[1].tobytes()
    house.session.equipment = Equipment(faces={"red-7": red})
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    house.do(house.session.add, Event("card", {"seat": "S3", "card": "red-9"}))
    browser.go(f"{house.page.url}/?lang=en")
    browser.wait("document.querySelectorAll('.trick .card').length === 2")
    browser.wait("document.querySelectorAll('.trick .face').length === 1")
    address = browser.ask("document.querySelector('.trick .face').getAttribute('href')")
    answer = httpx.get(house.page.url + address, trust_env=False)
    assert answer.content == red
    assert "immutable" in answer.headers["cache-control"]


def test_the_invitation_is_shown_without_the_troubles_of_the_table(house: House, browser: Browser) -> None:
    house.do(house.table.ail, "board", "lost")
    house.do(house.table.ail, "light", "poor")
    browser.go(f"{house.page.url}/?kiosk&idle=0.02&lang=de")
    browser.wait("document.querySelectorAll('#troubles p').length >= 2")
    assert browser.ask("getComputedStyle(document.getElementById('troubles')).display") == "flex"
    browser.wait("document.body.classList.contains('attract')")
    assert browser.ask("getComputedStyle(document.getElementById('troubles')).display") == "none"
