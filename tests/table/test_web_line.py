"""The connection to the table breaks: each page says so, shows nobody's turn, and recovers by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.rules.events import Event
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House, opened_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

HASTE = 25
"""Factor by which the page's own waits are shortened here."""

SAYS_SO = "document.body.innerText.includes('Keine Verbindung')"
PATHS = ["/?lang=de", "/seat/S2?lang=de", "/overlay?lang=de"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened_house(tmp_path) as opened:
        yield opened


@pytest.fixture
def hasty(browser: Browser) -> Iterator[Browser]:
    """A browser whose pages wait less."""
    faster = f"const wait = setTimeout; window.setTimeout = (call, ms) => wait(call, ms / {HASTE});"
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=faster)["identifier"]
    yield browser
    browser.leave()
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


@pytest.mark.parametrize("path", PATHS)
def test_a_table_that_falls_silent_is_told_at_once_and_nobody_stands_as_awaited(
    house: House, hasty: Browser, path: str
) -> None:
    """A lost network closes no connection, so the page must not wait for one to close."""
    hasty.go(f"{house.page.url}{path}")
    hasty.wait("!!document.querySelector('.turn')")
    heard_again = threading.Event()
    try:
        house._loop.call_soon_threadsafe(heard_again.wait, 60)
        hasty.wait(SAYS_SO, 15)
        assert hasty.ask("document.querySelectorAll('.turn, [aria-current=true]').length") == 0
        assert "Du bist dran" not in hasty.text("main")
        assert "ist dran" not in hasty.text("main")
    finally:
        heard_again.set()
    hasty.wait(f"!{SAYS_SO} && !!document.querySelector('.turn')", 15)


@pytest.mark.parametrize("path", PATHS)
def test_after_a_restart_each_page_comes_back_and_tells_nothing_twice(
    house: House, browser: Browser, path: str
) -> None:
    browser.go(f"{house.page.url}{path}")
    browser.wait("!!document.querySelector('.turn')")
    heard = (
        "window.heard = []; new MutationObserver(() => heard.push(said.textContent))"
        ".observe(document.getElementById('said'), {childList: true})"
    )
    if "overlay" not in path:
        browser.ask(heard)
    port = house.page.port
    house.close()
    browser.wait(SAYS_SO)
    assert browser.ask("document.querySelectorAll('.turn').length") == 0
    again = House(house.journal, at=port)
    assert again.session.resume()
    again.open()
    house.__dict__.update(again.__dict__)  # so that the fixture closes the new one
    browser.wait(f"!{SAYS_SO} && !!document.querySelector('.turn')", 15)
    assert browser.ask("window.heard ?? []") == []
    house.do(house.session.add, Event("card", {"seat": "S2", "card": "red-7"}))
    browser.wait("!document.body.innerText.includes('Du bist dran')")
    browser.leave()


@pytest.mark.parametrize("path", PATHS)
def test_a_phone_that_slept_says_at_once_that_it_is_behind_and_catches_up(
    house: House, browser: Browser, path: str
) -> None:
    """Its timers stopped as well: for half a minute it once showed an hour-old game as the present one."""
    browser.go(f"{house.page.url}{path}")
    browser.wait("!!document.querySelector('.turn')")
    browser.ask(
        """(() => {
      const [now, Line] = [Date.now, WebSocket];
      window.lines = 0;
      window.behind = false;
      window.WebSocket = class extends Line { constructor(...place) { super(...place); window.lines += 1; } };
      new MutationObserver(() => { window.behind ||= SAYS_SO; }).observe(document.body, {
        childList: true, subtree: true, characterData: true });
      document.dispatchEvent(new Event("visibilitychange")); // somebody only looked elsewhere for a moment
      window.kept = window.lines === 0 && !window.behind;
      Date.now = () => now() + 3600e3;
      document.dispatchEvent(new Event("visibilitychange"));
    })()""".replace("SAYS_SO", SAYS_SO)
    )
    browser.wait(f"lines === 1 && behind && !{SAYS_SO} && !!document.querySelector('.turn')", 15)
    assert browser.ask("kept"), "a short look elsewhere costs no line"
    browser.ask("dispatchEvent(new Event('offline'))")
    browser.wait(f"lines === 2 && !{SAYS_SO}", 15)


def test_a_phone_says_where_somebody_reads_that_nothing_goes(house: House, browser: Browser) -> None:
    """Both sentences were once at the head of a page of which the guest saw the foot."""
    browser.screen(390, 700, mobile=True)
    browser.go(f"{house.page.url}/?lang=de")
    browser.wait("document.querySelectorAll('#events li').length > 0")
    seen = """(([e]) => { const {top, bottom} = e.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight; })(
      [...document.querySelectorAll('#troubles p')].filter((e) => e.innerText.includes("WORDS")))"""
    browser.call("Network.enable")
    browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                 uploadThroughput=0)  # fmt: skip
    try:
        browser.wait(SAYS_SO, 15)
        browser.ask("scrollTo(0, document.body.scrollHeight)")
        browser.wait("scrollY > 100")
        assert browser.ask(seen.replace("WORDS", "Keine Verbindung"))
        browser.tap("#events button", "Rückgängig")
        browser.wait("document.querySelector('#troubles').innerText.includes('Das ging nicht')", 20)
        assert browser.ask("scrollY > 100")
        assert browser.ask(seen.replace("WORDS", "Das ging nicht"))
    finally:
        browser.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1,
                     uploadThroughput=-1)  # fmt: skip
        browser.call("Network.disable")
    browser.wait(f"!{SAYS_SO}", 15)
    browser.complaints.clear()
