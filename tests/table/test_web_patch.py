"""What people do on the page is not disturbed by what happens at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from table.journal import Journal
from table.rules.events import Event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING, House

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

UNSURE = {"kind": "unsure", "seat": "S2", "candidates": [["red-6", 0.48], ["red-9", 0.44]]}
CARDS = (("S2", "red-7"), ("S3", "red-9"), ("S4", "red-1"), ("S1", "red-2"))


def card(seat: str, name: str) -> dict[str, Any]:
    return {"kind": "card", "seat": seat, "card": name}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[House]:
    with Journal.open(tmp_path_factory.mktemp("journal") / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin(OPENING)
        for _ in range(12):
            house.session.add(Event("die", {"colour": "blue", "value": 1, "spot": "aagewwer"}))
        house.open()
        browser.screen(390, 844, mobile=True)
        browser.go(f"{house.page.url}/?lang=de")
        browser.wait("!!document.querySelector('.player')")
        yield house
        browser.leave()
        house.close()


@pytest.fixture(autouse=True)
def no_older_complaints(house: House, browser: Browser) -> None:
    """Each test answers for itself in any order: one of them opens a camera that does not exist."""
    browser.complaints.clear()


def test_events_keep_focus_scroll_and_an_open_dialog(house: House, browser: Browser) -> None:
    browser.ask(
        "window.held = document.querySelector('#events li:nth-child(9) button'); held.focus();"
        "document.querySelector('.events').scrollTop = 150; window.scrollTo(0, 400);"
        "window.top_ = held.getBoundingClientRect().top"
    )
    house.do(house.session.add, Event.from_dict(UNSURE))
    browser.wait("!!document.querySelector('.doubt')")
    house.do(house.session.correct, 16, Event.from_dict(card("S2", "red-9")))
    browser.wait("!document.querySelector('.doubt')")
    assert browser.ask("document.activeElement === held && held.isConnected")
    assert browser.ask("document.querySelector('.events').scrollTop > 100")
    assert browser.ask("Math.abs(held.getBoundingClientRect().top - top_) < 2"), "it is where it was"

    browser.ask("held.click()")
    browser.wait("document.getElementById('dialog').open")
    browser.ask("document.querySelector('#dialog select').focus()")
    house.do(house.session.add, Event.from_dict(card("S3", "red-8")))
    browser.wait("document.querySelectorAll('.trick .card').length === 2")
    assert browser.ask("document.getElementById('dialog').open")
    assert browser.ask("document.activeElement.tagName") == "SELECT"
    browser.tap("#dialog button", "Schließen")
    assert browser.ask("document.activeElement === held"), "the dialog gives the focus back"
    assert browser.complaints == []


def test_the_camera_stays_open_and_a_word_half_read_stays_marked(house: House, browser: Browser) -> None:
    browser.ask(
        "document.querySelector('#camera details').open = true;"
        "getSelection().selectAllChildren(document.querySelector('.player h2'))"
    )
    marked = browser.ask("String(getSelection())")
    house.do(house.session.add, Event.from_dict(card(house.session.view.turn or "S2", "red-1")))
    browser.wait("document.querySelectorAll('.trick .card[aria-label=\"Rot 1\"]').length === 1")
    assert browser.ask("document.querySelector('#camera details').open")
    assert browser.ask("String(getSelection())") == marked != ""
    browser.tap("#language")
    browser.wait("document.querySelector('#camera summary').innerText === 'Camera'")
    assert browser.ask("document.querySelector('#camera details').open")
    browser.tap("#language", "Pälzisch")
    browser.tap("#language", "Deutsch")
    browser.wait("document.querySelector('#camera summary').innerText === 'Kamera'")


PATCHING = """
(async () => {
  const { h, patch } = await import("/static/dom.js");
  const place = document.createElement("div");
  document.body.append(place);
  const heard = [];
  const item = (key, text, more) => h("button", { key, onclick: () => heard.push(text), ...more }, text);
  patch(place, [item("a", "one", { class: "x", title: "t" }), item("b", "two"), item("c", "three"), "words"]);
  const [a, b, c] = place.children;
  c.focus();
  const dressed = { class: "y", style: { color: "red" } };
  patch(place, [item("c", "3"), item("d", "4"), item("a", "1", dressed), "other words"]);
  const said = place.textContent;
  [...place.children].forEach((each) => each.click());
  const result = {
    said, heard,
    same: place.children[0] === c && place.children[2] === a, gone: !b.isConnected,
    focus: document.activeElement === c,
    class: a.className, title: a.hasAttribute("title"), colour: a.style.color,
  };
  patch(place, [h("ul", {}, h("li", { key: 1 }, "x")), h("p", {}, "y")]);
  result.later = place.innerHTML;
  place.remove();
  return result;
})()
"""


def test_what_stays_the_same_thing_stays_the_same_node(house: House, browser: Browser) -> None:
    """Words, attributes, styles and listeners are replaced; order and focus are kept."""
    assert browser.ask(PATCHING) == {
        "said": "341other words",
        "heard": ["3", "4", "1"],
        "same": True,
        "gone": True,
        "focus": True,
        "class": "y",
        "title": False,
        "colour": "red",
        "later": "<ul><li>x</li></ul><p>y</p>",
    }
