"""A walk through the pages in every language: no word of another language and no raw key."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from table.catalogue import LANGUAGES, Language, sentences
from table.equipment import Equipment
from table.journal import Journal
from table.rules import games
from table.rules.dice_evening import evening as dice_evening
from table.rules.events import Event
from table.rules.opening import as_event
from table.rules.presets import preset, preset_names
from table.setup.desk import SetupDesk
from table.virtual.rehearsal import rehearsal
from tests.table.browser import CHROMIUM, Browser
from tests.table.running_page import OPENING, House
from tests.table.shown_games import JPEG, OPENING_THROW, PEOPLE, die
from tests.table.television import up_to_card
from tests.table.test_setup import PLAN, Pub
from tests.table.test_web_summary import rounds_of

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")

LETTERS = "A-Za-zÄÖÜäöüß"
WORD = re.compile(rf"[{LETTERS}]+(?:[’'][{LETTERS}]+)*")
RULE = re.compile(r"\b[A-Z]{1,2}-[A-Z]?\d+[a-z]?\b|/\S+|\S+\.(?:toml|sqlite|deck)\b|\busb:\d|\b\d+[A-Z]\b")
"""Names that are the same everywhere: ids of rules, paths, cameras."""
KEY = re.compile(r"(?<![\w./])[a-z]+(?:\.[a-z][a-z-]*)+(?![\w./])")
"""A key of the catalogue that was not put into words."""

TITLES = [*(game.title for game in games.GAMES.values()), *(preset(name).title for name in preset_names())]
NAMES = {
    *WORD.findall(" ".join(TITLES)),
    *("Anna", "Bernd", "Carla", "Dirk", "Gast", "Stammtisch", "CSV", "JSON", "PIN", "XX"),
    *("Deutsch", "English", "Pfälzisch", "Pälzisch", "de", "en", "pfl", "AM", "PM"),
    *("Python", "cv", "numpy", "serial", "starlette", "uvicorn", "websockets", "msgspec", "sqlite"),
}
"""People, games and presets, file formats and programs; each language's name is in that language."""
DAYS = {
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar März April Mai Juni"
    " Juli August September Oktober November Dezember",
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June"
    " July August September October November December",
}
DAYS["pfl"] = DAYS["de"]

TEXT = """(() => {
  const said = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const at = walk.currentNode.parentElement;
    if (at && !at.closest("script, style, noscript, #language")) said.push(walk.currentNode.nodeValue);
  }
  for (const e of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
    if (e.id !== "language") for (const a of ["aria-label", "title", "alt", "placeholder"])
      if (e.getAttribute(a)) said.push(e.getAttribute(a));
  return said.join("\\n");
})()"""


@cache
def vocabulary(language: Language) -> frozenset[str]:
    said = " ".join(sentences(language).values()).replace("\u00ad", "")
    return frozenset(word.lower() for word in WORD.findall(re.sub(r"\{\w+\}", " ", said)))


def strange(text: str, language: Language) -> list[str]:
    """Words of a page that its language does not have, and keys that were not put into words."""
    plain = text.replace("\u00ad", "")
    usual = {name.lower() for name in (*NAMES, *DAYS[language].split())} | vocabulary(language)
    words = {word for word in WORD.findall(RULE.sub(" ", plain)) if len(word) > 1}
    return sorted({word for word in words if word.lower() not in usual} | set(KEY.findall(plain)))


def test_a_word_of_another_language_is_found() -> None:
    assert strange("Anna ist dran", "de") == []
    assert strange("Anna is dran", "de") == ["is"]
    assert strange("the camera is gone", "pfl") == ["gone", "the"]
    assert strange("sheet.nobody", "en") == ["sheet.nobody"]


@dataclass(frozen=True)
class Sight:
    """What a guest or host visits: a page, taps on it, and what must then be there."""

    name: str
    events: Sequence[Any]
    path: str = "/"
    taps: tuple[str, ...] = ()
    there: str = ".player, .runner, .waiting"
    ails: tuple[tuple[Any, str], ...] = ()


GAMES = {"dubbe": 26, "doppelkopf": 39, "dulle": 7, "klapper-jas": 11}
RACE = {"kind": "game", "game": "doppelx", "players": ["blue", "green", "red"]}
LINE = die("blue", "2", "1x", touches=["1x", "2x"], doubt=["line"], margin_mm=0.1)
OTHERS = [die("green", "1", "1x"), die("red", "1", "3x")]
MID = up_to_card("dubbe", 26)
UNREAD = {"kind": "unsure", "seat": "S3", "candidates": [["blue-6", 0.4], ["red-8", 0.2]]}
AILS = tuple(("sight", how) for how in ("covered", "dark", "frozen", "moved", "gone", "starting"))
SAID = "#events .controls button"
ALL_OPEN = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
DIALOG = "dialog[open]"

FEW = [
    Sight("begin", MID, taps=("#evening button", ALL_OPEN), there=DIALOG),
    Sight("end", rounds_of("dubbe", 2), there="#summary table"),
    Sight("accused", [*OPENING, Event("card", {"seat": "S2", "card": "red-16"})], taps=(ALL_OPEN,)),
]
ALL = [
    Sight(
        "asked",
        [{"kind": "game", "game": "doppelkopf", **PEOPLE}, {"kind": "round", "dealer": "S4"}],
        "/seat/S1",
    ),
    Sight("nothing", []),
    *(Sight(f"{game}", up_to_card(game, cards)) for game, cards in GAMES.items()),
    *(Sight(f"{game} settled", rounds_of(game, 1), there="#summary table") for game in GAMES),
    *(
        Sight(f"{game} over", [*rounds_of(game, 2), {"kind": "end"}], there="#summary table")
        for game in ("doppelkopf", "dulle", "klapper-jas")
    ),
    *(
        Sight(f"{game} asks", [{"kind": "game", "game": game, **PEOPLE}, {"kind": "round", "dealer": "S4"}])
        for game in GAMES
    ),
    Sight("race", [RACE, {"kind": "round", "first": "blue"}, OPENING_THROW]),
    Sight("race over", [*dice_evening(RACE, 5)], there="#summary table"),
    Sight("race asks", [RACE, {"kind": "round", "first": "blue"}, OPENING_THROW | {"dice": [LINE, *OTHERS]}]),
    Sight("throw by hand", [RACE, {"kind": "round"}], taps=(f"{SAID}:nth-of-type(2)",), there=DIALOG),
    *(
        Sight(f"begin {game}", up_to_card(game, 3), taps=("#evening button", ALL_OPEN), there=DIALOG)
        for game in GAMES
    ),
    Sight("doubt", [*MID, UNREAD], there=".doubt"),
    Sight("put right", MID, taps=("#events li button.small",), there=DIALOG),
    *(Sight(f"dialog {n}", MID, taps=(f"{SAID}:nth-of-type({n})",), there=DIALOG) for n in (2, 3, 4)),
    *(Sight(f"{part} {how}", MID, ails=((part, how),), there="#troubles p") for part, how in AILS),
    Sight("stuck", MID, ails=(("journal", "stuck"), ("rules", "stuck")), there="#troubles p"),
    Sight("light", MID, ails=(("light", "poor"), ("camera", "lost"), ("board", "lost")), there="#troubles p"),
    Sight("seat", MID, "/seat/S2", there="main section"),
    Sight("nobody's seat", MID, "/seat/S5", there="main"),
    Sight("history", rounds_of("dubbe", 1), "/history", there="main section"),
    Sight("replay", MID, "/history", ("main a, main button",), ".player"),
    Sight("settings", MID, "/settings", there="main"),
    Sight("overlay", MID, "/overlay", there="#bar *"),
    Sight(
        "overlay race", [RACE, {"kind": "round", "first": "blue"}, OPENING_THROW], "/overlay", there="#bar *"
    ),
]


@contextlib.contextmanager
def table_at(folder: Path, sight: Sight) -> Iterator[House]:
    with Journal.open(folder / "evening.sqlite") as journal:
        house = House(journal)
        house.session.equipment = Equipment(tuple(f"S{n}" for n in range(1, 6)))
        if sight.events:
            house.session.begin([as_event(sight.events[0])])
        for event in map(as_event, sight.events[1:]):
            house.session.add(event, JPEG if event.kind in ("throw", "unsure") else None)
        house.open()
        for part, how in sight.ails:
            house.do(house.table.ail, part, how)
        try:
            yield house
        finally:
            house.close()


def read(browser: Browser, url: str, sight: Sight, language: Language) -> str:
    """All words on the page."""
    browser.leave()
    browser.screen(1280, 800)
    path, _, step = sight.path.partition("#")
    browser.go(f"{url}{path}?lang={language}#{step}")
    browser.wait(f"document.documentElement?.lang === '{language}' && document.body?.innerText.trim() !== ''")
    if sight.taps and "document." not in sight.taps[0]:
        browser.wait(f"!!document.querySelector({sight.taps[0]!r})")
    for tap in sight.taps:
        browser.ask(tap if "document." in tap else f"document.querySelector({tap!r}).click()")
    browser.wait(f"!!document.querySelector({sight.there!r})" if "seat" not in sight.path else "true")
    if sight.path.startswith("/seat"):
        browser.wait("document.querySelector('main').innerText.trim() !== ''")
    return str(browser.ask(TEXT))


def walk(browser: Browser, folder: Path, sight: Sight, languages: Sequence[Language]) -> dict[str, list[str]]:
    with table_at(folder, sight) as house:
        found = {each: strange(read(browser, house.page.url, sight, each), each) for each in languages}
        browser.leave()
    return {language: words for language, words in found.items() if words}


@pytest.mark.parametrize("sight", FEW, ids=lambda each: each.name)
def test_a_screen_has_one_language(browser: Browser, tmp_path: Path, sight: Sight) -> None:
    assert walk(browser, tmp_path, sight, LANGUAGES) == {}


@pytest.mark.soak
@pytest.mark.parametrize("sight", [*FEW, *ALL], ids=lambda each: each.name)
def test_no_state_of_any_page_shows_a_word_of_another_language(
    browser: Browser, tmp_path: Path, sight: Sight
) -> None:
    assert walk(browser, tmp_path, sight, LANGUAGES) == {}


@pytest.mark.soak
def test_no_step_of_setting_up_shows_a_word_of_another_language(browser: Browser, tmp_path: Path) -> None:
    asked: list[SetupDesk] = []
    camera = rehearsal(PLAN, {}, lambda: None)
    found = {}
    with Journal.open(tmp_path / "evening.sqlite") as journal, Pub(tmp_path, journal, camera) as pub:
        asked.append(pub.desk)
        for step in ("language", "camera", "place", "deck", "lamps"):
            for language in LANGUAGES:
                browser.leave()
                browser.go(f"{pub.page.url}/setup?lang={language}#{step}")
                browser.wait(f"document.body?.dataset.step === '{step}'")
                browser.wait("document.querySelector('#step').innerText.trim() !== ''")
                browser.ask(ALL_OPEN)
                found[step, language] = strange(str(browser.ask(TEXT)), language)
        browser.leave()
    assert {at: words for at, words in found.items() if words} == {}
