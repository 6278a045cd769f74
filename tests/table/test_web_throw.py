"""DoppelX without a camera over the box: throws entered and corrected by taps, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.journal import Journal
from table.rules.events import Event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

GAME = Event("game", {"game": "doppelx", "preset": "doppelx", "players": ["red", "blue", "green"]})
TELL = "#hand .foot button.on"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        house = House(journal)
        house.session.begin([GAME])
        house.open()
        yield house
        house.close()


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory, house: House) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("chromium")) as opened:
        opened.screen(390, 844, mobile=True)
        opened.go(f"{house.page.url}/?lang=en")
        opened.tap("#events button", "By hand")
        yield opened


def lay(browser: Browser, face: str, place: str) -> None:
    """Enter face and place of the die that is asked for; the page goes on to the next one by itself."""
    before = "document.querySelector('#hand .dice-row [aria-pressed=true]').dataset.of"
    now = browser.ask(before)
    browser.ask(f"""document.querySelector('#hand [aria-label*="show"] [data-of="{face}"]').click()""")
    browser.ask(f"""document.querySelector('#hand [aria-label*="lie"] [data-of="{place}"]').click()""")
    browser.wait(f"{before} !== '{now}' || !document.querySelector('{TELL}').disabled")


def tell(browser: Browser, house: House) -> Any:
    """Record the throw; return the box as everybody then sees it."""
    before = len(house.session.entries)
    browser.tap(TELL)
    # Asked on the page's own loop, so that no other thread looks between a line and the view after it.
    while house.do(lambda: len(house.session.entries)) == before:
        browser.wait("true")
    box = house.do(lambda: house.session.view.box)
    assert box is not None
    return box


def test_throws_are_told_die_by_die_and_put_right_by_a_tap_on_the_die(house: House, browser: Browser) -> None:
    """X-06, X-08, X-10, X-12, X-13, X-14, X-19, X-23."""
    browser.tap("#hand .chips button", "Red")  # Red begins
    browser.wait("document.querySelectorAll('#hand .dice-row [data-of]').length === 4")
    browser.tap('#hand .chips [data-of="all"]')  # naming the thrower once more loses no die
    for face, place in (("3", "2x"), ("1", "-1"), ("X", "hole")):
        assert browser.ask(f"document.querySelector('{TELL}').disabled"), "a die is not told yet"
        lay(browser, face, place)
    assert tell(browser, house).gains == {"red": 6, "blue": 0, "green": 0}, "nobody pays below zero (XA-2)"
    # Red throws again with the white die; blue lies as before, green (it fell into the hole) bets.
    browser.wait("document.querySelector('#hand .dice-row small').innerText === '…'")
    for die in range(2):
        lay(browser, "X" if die else "2", "1x" if die else "3x")
    browser.ask("document.querySelectorAll('#hand .dice-row [data-of]')[3].click()")
    browser.ask("""document.querySelector('#hand [data-of="bet:D"]').click()""")
    box = tell(browser, house)
    assert box.gains == {"red": 6, "blue": 0, "green": 4}
    assert [(die.colour, die.face, die.where, die.zone) for die in box.dice] == [
        ("red", "2", "field", "3x"),
        ("white", "X", "field", "1x"),
        ("blue", "1", "field", "-1"),
        ("green", None, "bet:D", None),
    ]
    browser.tap("#hand .foot button", "Close")
    browser.wait("document.querySelector('.throw h2').innerText.startsWith('Throw 2')")
    browser.tap(".throw .plain")  # the red die, in the throw that the page shows
    browser.wait("document.getElementById('dialog').open")
    assert browser.text("#dialog .dice-row [aria-pressed=true]").startswith("Red")
    browser.ask("""document.querySelector('#dialog [aria-label*="show"] [data-of="X"]').click()""")
    browser.tap("#dialog button", "Save")
    browser.wait("!document.getElementById('dialog').open && !!document.querySelector('.doppel')")
    assert house.session.view.points == {"red": 16, "blue": 0, "green": 0}
    assert house.session.view.findings == ()
    assert browser.complaints == []
