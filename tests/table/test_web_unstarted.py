"""A browser that cannot load modules, or loses one on the way, shows a sentence instead of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import House, opened_house

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

SHOWN = "document.getElementById('unstarted')?.getClientRects().length > 0"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened_house(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("path", ["/", "/?kiosk", "/seat/S1", "/history", "/doctor", "/settings", "/setup"])
def test_a_page_whose_scripts_do_not_run_says_so_and_what_helps(
    house: House, browser: Browser, path: str
) -> None:
    browser.go(f"{house.page.url}{path}")
    browser.wait("document.readyState === 'complete' && !document.getElementById('unstarted')")
    assert not browser.ask(SHOWN)
    browser.leave()
    browser.call("Network.enable")
    browser.call("Network.setCacheDisabled", cacheDisabled=True)
    browser.call("Network.setBlockedURLs", urls=["*/static/dom.js"])
    try:
        browser.go(f"{house.page.url}{path}")
        browser.wait(SHOWN, 15)
        assert "neueren Browser" in browser.text("#unstarted")
    finally:
        browser.call("Network.setBlockedURLs", urls=[])
        browser.call("Network.setCacheDisabled", cacheDisabled=False)
        browser.call("Network.disable")
        browser.leave()
        browser.complaints.clear()


def test_a_page_that_waits_for_a_slow_network_shows_that_it_waits(house: House, browser: Browser) -> None:
    waits = "getComputedStyle(document.getElementById('stage'), '::before').content.includes('…')"
    browser.call("Network.enable")
    browser.call("Network.setCacheDisabled", cacheDisabled=True)
    browser.call("Network.setBlockedURLs", urls=["*/static/words/*"])
    try:
        browser.go(f"{house.page.url}/?lang=de")
        browser.wait("document.readyState === 'complete' && !!document.getElementById('stage')")
        assert browser.ask(waits)
    finally:
        browser.call("Network.setBlockedURLs", urls=[])
        browser.call("Network.setCacheDisabled", cacheDisabled=False)
        browser.call("Network.disable")
    browser.wait("document.querySelectorAll('.player').length === 4", 20)
    assert not browser.ask(waits)
    browser.complaints.clear()
