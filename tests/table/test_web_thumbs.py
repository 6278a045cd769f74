"""Everything to tap is as high as a thumb needs: 2.75 rem, 44 px (WCAG 2.2, 2.5.5), on every page."""

from __future__ import annotations

import pytest

from table.catalogue import LANGUAGES
from table.rules.dice_evening import evening as dice_evening
from tests.table.browser import CHROMIUM, Browser
from tests.table.television import Open, up_to_card

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

SMALL = """
[...document.querySelectorAll('a, button, select, input, summary')]
  .filter((e) => e.checkVisibility() && !e.matches('.skip, .link'))
  .map((e) => e.closest('label:has(input)') ?? e)
  .filter((e) => e.getBoundingClientRect().height < 43.5)
  .map((e) => e.innerText || e.id || e.outerHTML.slice(0, 60))
"""
READY = {
    "/": "!!document.querySelector('#events li')",
    "/history": "!!document.querySelector('.kept a')",
    "/doctor": "!!document.querySelector('#checks tr')",
    "/settings": "document.body?.dataset.shown === 'yes'",
    "/setup": "!!document.querySelector('#on a')",
    "/seat/S1": "!!document.querySelector('#table')?.innerText",
}


@pytest.mark.parametrize("path", READY)
def test_a_thumb_meets_all_that_is_tapped(path: str, at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 28))
    browser.screen(390, 844, mobile=True)
    browser.go(f"{house.page.url}{path}?lang=de")
    browser.wait(READY[path])
    assert browser.ask(SMALL) == []
    assert browser.ask("document.documentElement.scrollWidth") <= 390


def test_a_thumb_meets_every_die_of_the_last_throw(at: Open, browser: Browser) -> None:
    house = at(
        [*dice_evening({"kind": "game", "game": "doppelx", "players": ["blue", "green", "red"]}, 16)][:6]
    )
    browser.screen(360, 640, mobile=True)
    browser.go(f"{house.page.url}/?lang=de")
    browser.wait("document.querySelectorAll('.reasons button').length > 1")
    assert browser.ask(SMALL) == []
    assert browser.ask("document.documentElement.scrollWidth") <= 360


def test_a_name_of_one_long_word_stays_on_the_phone_at_a_seat(at: Open, browser: Browser) -> None:
    people = ["Anna", "Bernd", "Donaudampfschifffahrtskapitän", "Dirk"]
    house = at(up_to_card("dubbe", 6, players=people))
    browser.screen(390, 844, mobile=True)
    for seat in ("S1", "S3"):
        browser.go(f"{house.page.url}/seat/{seat}?lang=de")
        browser.wait(f"{READY['/seat/S1']} && !!document.querySelector('#now .big')")
        wide = "[...document.querySelectorAll('#now, #now .big')].some((e) => e.scrollWidth > e.clientWidth)"
        assert not browser.ask(wide)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["klapper-jas", "doppelkopf"])
def test_the_buttons_stand_beside_the_longest_name_on_a_narrow_phone(
    game: str, language: str, at: Open, browser: Browser
) -> None:
    house = at(up_to_card(game, 3))
    browser.screen(360, 740, mobile=True)
    browser.go(f"{house.page.url}/?lang={language}")
    browser.wait(f"{READY['/']} && !!document.querySelector('#evening button')")
    rows = "[...document.querySelectorAll('#evening, #language, #theme')].map((e) => e.offsetTop)"
    assert len(set(browser.ask(rows))) == 1


def test_a_thumb_meets_all_that_is_tapped_in_the_evenings_dialog(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 28))
    browser.screen(390, 844, mobile=True)
    browser.go(f"{house.page.url}/?lang=de")
    browser.touch("#evening button", "Spiel")
    browser.touch("#begin summary", "Hausregeln")
    assert browser.ask(SMALL) == []
    browser.touch("#begin .links a", "Einstellungen")
    browser.wait(f"location.pathname === '/settings' && {READY['/settings']}")
    browser.touch("#back", "Zum")
    browser.wait("location.pathname === '/'")


CLEAR = """
[...document.querySelectorAll('.played .card')].every((card) => {
  const c = card.getBoundingClientRect();
  return [...document.querySelectorAll('.player')].every((box) => {
    const p = box.getBoundingClientRect();
    return p.right <= c.left || p.left >= c.right || p.bottom <= c.top || p.top >= c.bottom;
  });
})
"""
FIVE = {"seats": [f"S{n}" for n in range(1, 6)], "players": ["Anna", "Bernd", "Carla", "Dirk", "Liselotte"]}


def test_of_five_players_nobody_sits_on_his_card_and_no_name_breaks_in_its_tile(
    at: Open, browser: Browser
) -> None:
    house = at(up_to_card("dubbe", 35, **FIVE))
    browser.screen(1024, 768)
    browser.go(f"{house.page.url}/?lang=de")
    browser.wait("document.querySelectorAll('.played').length === 5")
    assert browser.ask(CLEAR)
    owners = "[...document.querySelectorAll('.character:not(.free) .owner')]"
    heights = (
        f"{owners}.map((e) => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight))"
    )
    assert browser.ask(f"{owners}.length") > 0
    assert max(browser.ask(heights)) < 1.5


def test_the_head_keeps_its_buttons_in_one_line_in_a_settled_game_of_jas(at: Open, browser: Browser) -> None:
    house = at(up_to_card("klapper-jas", 32))
    browser.screen(1024, 768)
    browser.go(f"{house.page.url}/?lang=de")
    browser.wait(f"{READY['/']} && !!document.querySelector('#evening button')")
    buttons = "[...document.querySelectorAll('#evening button, #language, #theme')]"
    assert len(set(browser.ask(f"{buttons}.map((e) => Math.round(e.getBoundingClientRect().top))"))) == 1


LONG = ["Maximiliane-Friederike B.", "Bartholomäus Schmittinger", "Liselotte Klappenbacher-O", "Dirk"]
ON_A_PLAYER = """
[...document.querySelectorAll('.player')].filter((box) => {
  const caption = document.querySelector('.played.won figcaption');
  const [p, c] = [box, caption].map((e) => e.getBoundingClientRect());
  return p.left < c.right && p.right > c.left && p.top < c.bottom && p.bottom > c.top;
}).map((box) => box.innerText)
"""


def test_the_name_of_who_takes_the_trick_lies_on_no_other_name(at: Open, browser: Browser) -> None:
    house = at(up_to_card("dubbe", 32, players=LONG))
    browser.screen(1024, 768)
    browser.go(f"{house.page.url}/?lang=en")
    browser.wait("!!document.querySelector('.played.won.low figcaption')?.innerText")
    assert browser.ask(ON_A_PLAYER) == []


def test_one_player_is_no_opponents(at: Open, browser: Browser) -> None:
    house = at(up_to_card("klapper-jas", 3))
    browser.screen(360, 740, mobile=True)
    browser.go(f"{house.page.url}/?lang=en")
    browser.wait("document.querySelectorAll('.party').length === 2")
    assert " of diamonds" in browser.text("#events"), "a suit begins small within a card's name"
    tags = "[...document.querySelectorAll('.player [class*=side-]')].map((e) => e.innerText)"
    assert set(browser.ask(tags)) == {"opponent", "declarer"}
    parties = "[...document.querySelectorAll('.party [class*=side-]')].map((e) => e.innerText)"
    assert set(browser.ask(parties)) == {"opponents", "declarers"}
