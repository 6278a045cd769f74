"""A second tap is ignored where something else has just appeared; quick taps on one thing all count."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.journal import Journal
from tests.table.browser import CHROMIUM, FINGER_PX, Browser
from tests.table.running_page import OPENING, House
from tests.table.television import Open, up_to_card
from tests.table.test_web_hand import WHOSE, finger

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

SLOW = """
((now) => {
  window.fetch = (...asked) => new Promise((go) => setTimeout(go, 900)).then(() => now(...asked));
})(fetch)
"""

ROW = """
document.body.append(Object.assign(document.createElement("div"), {
  id: "row",
  innerHTML: '<span>one</span><button style="all: unset; flex: 1">!</button>',
  style: "position: fixed; z-index: 99; inset: 200px auto auto 20px; display: flex; width: 70px",
}));
window.pressed = [];
document.querySelector("#row button").addEventListener("click", () => pressed.push("!"));
"""

NEAREST = """
(x, y) => [...document.querySelectorAll("#hand .one:not(:disabled)")]
  .map((e) => e.getBoundingClientRect())
  .map((r) => [[x, r.left, r.right], [y, r.top, r.bottom]]
    .map(([at, least, most]) => Math.min(Math.max(at, least + 3), most - 3)))
  .sort(([a, b], [c, d]) => Math.hypot(a - x, b - y) - Math.hypot(c - x, d - y))[0]
"""


@pytest.fixture
def phone(browser: Browser) -> Browser:
    browser.screen(360, 640, mobile=True)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    return browser


@pytest.fixture
def house(tmp_path: Path, phone: Browser) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        house.open()
        phone.complaints.clear()
        yield house
        phone.leave()
        house.close()


def middle(browser: Browser, selector: str) -> tuple[float, float]:
    browser.ask(
        f"document.querySelector({selector!r}).scrollIntoView({{block: 'center', behavior: 'instant'}})"
    )
    place = f"document.querySelector({selector!r}).getBoundingClientRect()"
    x, y = browser.ask(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({place})")
    return float(x), float(y)


def test_a_tap_for_want_of_an_answer_plays_no_card_that_came_late(house: House, phone: Browser) -> None:
    """On a slow line another card appears under the finger a second later, just before it taps again."""
    phone.go(f"{house.page.url}/?lang=en")
    phone.wait("!!document.querySelector('#events button')")
    phone.tap("#events button", "By hand")
    phone.wait(f"{WHOSE} === 'Bernd'")
    phone.ask(SLOW)
    x, y = middle(phone, "#hand .one:nth-of-type(10)")
    finger(phone, x, y)
    phone.wait(f"{WHOSE} === 'Carla'")
    near = phone.ask(f"({NEAREST})({x}, {y})")
    assert math.dist(near, (x, y)) < FINGER_PX
    finger(phone, *near)
    time.sleep(1.5)
    assert [entry.event.kind for entry in house.session.entries][3:] == ["card"]
    finger(phone, *near)  # a finger that has looked again counts
    phone.wait(f"{WHOSE} === 'Dirk'")


def test_a_double_tap_that_leads_to_another_page_does_nothing_there(house: House, phone: Browser) -> None:
    phone.go(f"{house.page.url}/setup?lang=en")
    phone.wait("document.body?.dataset.step === 'language'")
    x, y = middle(phone, "#back")
    tapped = "addEventListener('click', ({defaultPrevented}) => heard.push(defaultPrevented))"
    phone.call("Page.addScriptToEvaluateOnNewDocument", source=f"window.heard = []; {tapped}")
    finger(phone, x, y)
    phone.wait("location.pathname === '/' && !!document.querySelector('#evening button')")
    finger(phone, x, y)
    assert phone.ask("heard") in ([], [True])


def test_quick_taps_that_step_through_a_game_are_all_heard(at: Open, phone: Browser) -> None:
    house = at(up_to_card("dubbe", 30))
    phone.go(f"{house.page.url}/history?lang=en#1")
    phone.wait("document.querySelector('#step small')?.innerText.startsWith('Step 1 ')")
    x, y = middle(phone, "#step [aria-label='Forward']")
    for _ in range(12):
        finger(phone, x, y)
        time.sleep(0.15)
    phone.wait("document.querySelector('#step small').innerText.startsWith('Step 13 ')", 10)


def test_a_replay_that_takes_long_to_open_says_so(at: Open, phone: Browser) -> None:
    house = at(up_to_card("dubbe", 10))
    phone.go(f"{house.page.url}/history?lang=en")
    phone.wait("!!document.querySelector('.kept a')")
    phone.ask(SLOW)
    phone.tap(".kept a")
    phone.wait("document.querySelector('#stage .waiting')?.innerText.includes('Loading')", 5)
    phone.wait("document.querySelectorAll('#stage .player').length === 4")


def test_quick_taps_that_count_are_all_heard(house: House, phone: Browser) -> None:
    phone.go(f"{house.page.url}/?lang=en")
    phone.touch("#evening button", "Game")
    phone.wait("!!document.querySelector('#begin .stepper output')")
    x, y = middle(phone, "#begin .stepper button:last-child")
    shown = []
    for _ in range(4):
        finger(phone, x, y)
        shown.append(int(phone.text("#begin .stepper output").split()[0]))
        time.sleep(0.08)
    assert shown == [*range(shown[0], shown[0] + 4)]


def test_a_tap_beside_a_button_silences_no_later_one(house: House, phone: Browser) -> None:
    """What lies there changes with each line of the game, and that is no answer to a tap on no button."""
    phone.go(f"{house.page.url}/?lang=en")
    phone.wait("!!document.querySelector('#events button')")
    phone.ask(ROW)
    words, button = middle(phone, "#row span"), middle(phone, "#row button")
    finger(phone, *words)
    time.sleep(0.9)
    phone.ask("document.querySelector('#row span').innerText = 'two'")
    finger(phone, *button)
    phone.wait("pressed.length === 1")
