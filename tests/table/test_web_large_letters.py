"""The page at twice the letter size (32 px): nothing is cut off or out of reach (WCAG 1.4.4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.table.browser import CHROMIUM, Browser
from tests.table.television import Open, up_to_card

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

BEYOND = """
[...document.querySelectorAll('button, a.button, input, select, .player h2, .player p, td, th')]
  .filter((e) => e.checkVisibility() && !e.closest('.unseen') && !e.matches('.unseen'))
  .filter((e) => {
    const r = e.getBoundingClientRect();
    return r.width > 2 && (r.right > innerWidth + 2 || r.left < -2
      || (e.matches('.player *') && e.scrollWidth > e.clientWidth + 3));
  })
  .map((e) => `${e.tagName} ${e.textContent}`)
"""
PAGES = {
    "/": "!!document.querySelector('#events li')",
    "/doctor": "!!document.querySelector('#checks tr')",
    "/history": "!!document.querySelector('.kept a')",
    "/seat/S1": "!!document.querySelector('#table')?.innerText",
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser set to letters of 32 px."""
    profile = tmp_path_factory.mktemp("large")
    settings: Path = profile / "Default" / "Preferences"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"webkit": {"webprefs": {"default_font_size": 32}}}))
    with Browser(profile) as opened:
        yield opened


def visit(browser: Browser, url: str, ready: str) -> None:
    browser.screen(360, 640, mobile=True)
    browser.go(url)
    browser.wait(ready)
    assert browser.ask("getComputedStyle(document.documentElement).fontSize") == "32px"


@pytest.mark.parametrize("path", PAGES)
def test_nothing_stands_beside_a_phone_with_large_letters(path: str, at: Open, browser: Browser) -> None:
    house = at(up_to_card("klapper-jas", 32))
    visit(browser, f"{house.page.url}{path}?lang=de", PAGES[path])
    assert browser.ask(BEYOND) == []


@pytest.mark.parametrize(("button", "dialog"), [("#events button", "hand"), ("#evening button", "begin")])
def test_a_dialog_with_large_letters_scrolls_as_a_whole(
    button: str, dialog: str, at: Open, browser: Browser
) -> None:
    """Its foot once took more than half of the screen and stayed there."""
    house = at(up_to_card("dubbe", 5))
    visit(browser, f"{house.page.url}/?lang=de", PAGES["/"])
    browser.tap(button, "Von Hand" if dialog == "hand" else "Spiel")
    browser.wait(f"document.getElementById({dialog!r}).open && !!document.querySelector('#{dialog} .foot')")
    foot = f"document.querySelector('#{dialog} .foot').getBoundingClientRect()"
    assert browser.ask(f"{foot}.top") > 640
    browser.ask(f"document.getElementById({dialog!r}).scrollTo(0, 99999)")
    assert browser.ask(f"{foot}.bottom") <= 641
    assert browser.ask(BEYOND) == []
