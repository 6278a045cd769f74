"""What a screen has chosen follows it from page to page; otherwise the house's own language applies."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from table.journal import Journal
from table.live import HearsNothing, Table
from table.session import Session
from table.web import Page, PageAddress, PageLook
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING
from tests.table.television import Open, show, up_to_card

PAGES = ("/", "/seat/S1", "/setup", "/settings", "/doctor", "/history", "/overlay")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")


def test_a_language_and_a_theme_of_the_address_hold_for_the_pages_that_are_opened_from_there(
    at: Open, browser: Browser
) -> None:
    house = at(OPENING)
    browser.go(f"{house.page.url}/?lang=pfl&theme=light")
    browser.tap("#evening button", "Spiel")
    browser.tap("#begin a[href='/doctor']")
    browser.wait("location.pathname === '/doctor' && document.documentElement?.lang === 'pfl'")
    browser.wait("document.body?.innerText.includes('Disch')")
    assert browser.ask("document.documentElement.dataset.theme") == "light"
    assert browser.ask("localStorage.getItem('language')") is None, "another evening begins as the house does"


def test_every_page_begins_in_the_language_of_the_house(tmp_path: Path) -> None:
    async def pages(page: Page) -> dict[str, str]:
        transport = httpx.ASGITransport(page.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as guest:
            return {path: (await guest.get(path)).text for path in PAGES}

    with Journal.open(tmp_path / "evening.sqlite") as journal:
        page = Page(Table(Session(journal), HearsNothing()), PageAddress(0), PageLook("en"))
        page.close()
        for path, text in asyncio.run(pages(page)).items():
            assert '<html lang="en">' in text, path


LONG = ["محمد عبد الرحمن", "Käthe", "Maximilian-Alexander v. Hohenzollern", "Annelieschen"]
OVER_ONE_ANOTHER = """
(() => {
  const seen = [...document.querySelectorAll(".player, .played .card")];
  const boxes = seen.map((e) => e.getBoundingClientRect());
  return boxes.filter((a, i) => boxes.some((b, k) => k > i && a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
})()
"""


def test_a_phone_upright_or_on_its_side_shows_players_and_cards_apart(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 28, seats=["S1", "S2", "S3", "S4"], players=LONG))
    for width, height in ((844, 390), (390, 844)):
        show(browser, house, width, height)
        browser.wait("document.querySelectorAll('.played .card').length === 4")
        assert browser.ask(OVER_ONE_ANOTHER) == 0
        assert browser.ask("document.documentElement.scrollWidth") <= width
    assert "\u2068محمد عبد الرحمن\u2069" in str(
        browser.ask("document.querySelector('.player h2').textContent")
    )
