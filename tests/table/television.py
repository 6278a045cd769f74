"""The page on a screen across the room: open it and find what is too small, cut off or covered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table.rules.evening import evening
from table.rules.events import Event
from tests.table.browser import Browser
from tests.table.running_page import House
from tests.table.shown_games import PEOPLE

STILL = {"name": "prefers-reduced-motion", "value": "reduce"}
LEAST = 0.026
"""Share of the screen's height that words need to be readable from three metres (issue 21)."""

SMALLEST = """
(selectors) => Math.min(...selectors.flatMap((selector) => {
  const found = [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length);
  if (!found.length) throw new Error(`nothing is ${selector}`);
  return found.map((e) => parseFloat(getComputedStyle(e).fontSize) / innerHeight);
}))
"""

OFF_SCREEN = """
(() => {
  const seen = [...document.querySelectorAll("header > *, .player, .character, .party, .played .card, "
    + ".runner, .reasons li, .reasons b, .doppel, #last .card, #side > section:not(:empty), p.past")]
    .filter((e) => e.getClientRects().length && e.innerText !== "");
  const off = seen.filter((e) => {
    const r = e.getBoundingClientRect();
    return r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || (!PHONE && r.bottom > innerHeight + 1);
  });
  const words = ".player h2, .character .owner, .runner .name, .doppel, .reasons b, header > *";
  const wide = [...document.querySelectorAll(words)]
    .filter((e) => e.scrollWidth > e.clientWidth + 1);
  const box = (e) => e.closest(".player").getBoundingClientRect();
  const beyond = [...document.querySelectorAll(".player :is(.augen, .points)")].filter((e) => {
    const r = e.getBoundingClientRect();
    return r.width && (r.left < box(e).left + 3 || r.right > box(e).right - 3);
  });
  return [...off, ...wide, ...beyond].map((e) => `${e.className || e.id || e.tagName} ${e.textContent}`);
})()
"""

COVERED = """
[...document.querySelectorAll(".played .card")].flatMap((card) => {
  const c = card.getBoundingClientRect();
  return [...document.querySelectorAll(".player, p.past, #side > section:not(:empty)")].filter((e) => {
    const r = e.getBoundingClientRect();
    const across = r.left < c.right - 1 && r.right > c.left + 1;
    const along = r.top < c.bottom - 1 && r.bottom > c.top + 1;
    return r.width && across && along;
  }).map((e) => e.textContent);
})
"""

Open = Callable[..., House]


def up_to_card(game: str, number: int, **line: Any) -> list[Event]:
    """An evening up to its `number`th card."""
    log = [*evening({"kind": "game", "game": game, **PEOPLE, **line}, 3, rounds=2)]
    return log[: [i for i, event in enumerate(log) if event.kind == "card"][number - 1] + 1]


def off_screen(browser: Browser, phone: bool = False) -> list[str]:
    return list(browser.ask(OFF_SCREEN.replace("PHONE", str(phone).lower())))


def show(browser: Browser, house: House, width: int, height: int, asked: str = "") -> None:
    browser.screen(width, height, mobile=width < 800)
    browser.call("Emulation.setEmulatedMedia", features=[STILL])
    browser.go(f"{house.page.url}/?{asked.lstrip('&')}&lang=de")
    browser.wait(f"innerWidth === {width} && document.querySelectorAll('.player, .runner').length > 0")
