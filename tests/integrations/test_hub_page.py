"""The hub's page in a real browser: it shows the state and scores of tables in its own language."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from table import catalogue
from table.catalogue import LANGUAGES, Language, sentences
from table.hub import page, store
from table.hub.database import Connection
from table.hub.engines import free_port
from table.hub.page import application
from table.messages import TableState
from tests.integrations.engines import until
from tests.integrations.hub_lines import log, score, told
from tests.table.browser import CHROMIUM, Browser

SCRIPT = (Path(page.__file__).parent / "static" / "hub.js").read_text(encoding="utf-8")
SOURCE = SCRIPT + (Path(page.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")

AILS = TableState(
    table="window",
    game="dubbe",
    number=1,
    round=2,
    points={"S1": -3, "S2": 4},
    turn="S1",
    camera="lost",
    sight="covered",
    board="fine",
    journal="mended",
)


def test_the_hubs_page_asks_for_every_word_of_its_own() -> None:
    asked = set(re.findall(r"hub(?:\.\w+)+", SOURCE))
    asked |= {f"hub.part.{name}" for name in ("camera", "sight", "board", "journal")}
    asked |= {
        f"hub.{name}" for name in re.findall(r'"(\w+)"', " ".join(re.findall(r"names: \[.*?\]", SCRIPT)))
    }
    assert {key for key in sentences("en") if key.startswith("hub.")} <= asked
    (parts,) = re.findall(r"const PARTS = \[(.*)\];", SCRIPT)
    assert f"const NAMES = {list(LANGUAGES)};".replace("'", '"') in SCRIPT
    assert all(
        (Path(catalogue.__file__).parent / "de" / f"{part}.json").exists()
        for part in re.findall(r'"(\w+)"', parts)
    )


@contextlib.contextmanager
def served(dsn: str, port: int) -> Iterator[str]:
    """The hub's page on this port while the block runs."""
    server = uvicorn.Server(uvicorn.Config(application(dsn, None), port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def url(dsn: str) -> Iterator[str]:
    with served(dsn, free_port()) as opened:
        yield opened


def test_the_hub_gives_out_its_words_and_nothing_that_lies_beside_them(url: str) -> None:
    assert httpx.get(f"{url}/words/de/hub.json", trust_env=False).status_code == 200
    for beside in ("words/__init__.py", "words/de/../__init__.py", "words/de/%2e%2e/__init__.py", "words/"):
        assert httpx.get(f"{url}/{beside}", trust_env=False).status_code == 404, beside


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_a_hub_that_is_gone_is_told_and_shows_nobody_as_awaited_until_it_is_back(
    dsn: str, base: Connection, tmp_path: Path
) -> None:
    store.keep(base, list(told(log())))
    store.keep_states(base, [AILS])
    store.keep_online(base, AILS.table, online=True)
    port = free_port()
    with Browser(tmp_path / "profile") as guest:
        with served(dsn, port) as url:
            guest.go(f"{url}/?lang=de")
            guest.wait("document.querySelectorAll('#tables .turn').length === 1")
        guest.wait("document.getElementById('trouble').innerText !== ''")
        assert guest.text("#trouble") == "Keine neuen Zahlen: Der Hub antwortet nicht."
        assert guest.ask("document.querySelectorAll('#tables .table').length") == 1
        assert guest.ask("document.querySelectorAll('#tables .turn').length") == 0
        with served(dsn, port):
            guest.wait("document.querySelectorAll('#tables .turn').length === 1")
            guest.wait("document.getElementById('trouble').innerText === ''")
            guest.leave()


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_what_ails_a_table_is_told_in_the_language_of_the_page(
    url: str, base: Connection, tmp_path: Path
) -> None:
    """And points have a true minus sign."""
    store.keep(base, list(told(log())))
    store.keep_states(base, [AILS])
    score(base)
    expected: dict[Language, tuple[str, ...]] = {
        "de": ("Kamera: ist weg", "Sicht: etwas verdeckt den Tisch", "Protokoll: es war", "Runde 2", "Gast"),
        "en": ("Camera: is gone", "Sight: something covers the table", "Journal: it was", "round 2", "Guest"),
        "pfl": ("Kamera: is weg", "Blick: ebbes verdeckt de Disch", "Protokoll: ", "Rund 2", "Gascht"),
    }
    with Browser(tmp_path / "profile") as guest:
        for language, words in expected.items():
            guest.go(f"{url}/?lang={language}")
            guest.wait("!!document.querySelector('#tables .ill') && !!document.querySelector('#evenings td')")
            shown = guest.text("body")
            for each in (*words, sentences(language)["hub.standings"], ": −3", ": 4"):
                assert each in shown, (language, each)
            assert re.findall(r"hub\.\w+|-\d", shown.replace("2026-", "")) == []
            assert guest.ask("document.title") == sentences(language)["hub.title"]
        assert guest.complaints == []


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (apt-get install chromium)")
def test_a_phone_shows_every_column_and_of_a_table_that_is_off_nobody_as_awaited(
    tmp_path: Path,
) -> None:
    """Twelve tables were once one below the other, with half of each column beyond the screen's edge."""
    names = {"S1": "Maximilian-Alexander von Hohenzollern", "S2": "Gast 4", "S3": "Anna", "S4": "Bernd"}
    state = {"game": "dubbe", "round": 3, "turn": "S1", "points": dict.fromkeys(names, 12)}
    state |= dict.fromkeys(("camera", "sight", "board", "journal"), "fine")
    person = {"id": 1, "name": names["S1"], "games": 10, "tables": 2, "won": 5, "points": -30, "rating": 1500}
    evening = {"evening": "2026-11-20", "table": "Vereinsheim SV Hinterweidenthal", "title": "Doppelkopf"}
    answers: dict[str, Any] = {
        "kinds": [{"kind": "dubbe", "games": 3, "title": "Dubbe", "boxed": False}],
        "leagues": [],
        "standings": [person],
        "evenings": [evening | {"points": [{"name": name, "points": -4} for name in names.values()]}],
        "tables": {
            "connected": True,
            "tables": [
                {"name": f"table {n}", "online": n < 9, "state": state, "people": names, "title": "Dubbe"}
                for n in range(12)
            ],
        },
    }
    asked = [
        Route(f"/api/{name}", partial(lambda answer, _: JSONResponse(answer), answer))
        for name, answer in answers.items()
    ]
    routes = [each for each in application("", None).routes if "/api/" not in getattr(each, "path", "")]
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=[*asked, *routes]), port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        with Browser(tmp_path / "profile") as guest:
            guest.screen(390, 844, mobile=True)
            guest.go(f"http://127.0.0.1:{port}/?lang=pfl")
            guest.wait("document.querySelectorAll('.table').length === 12")
            guest.wait("!!document.querySelector('#evenings td')")
            assert guest.ask("document.querySelectorAll('.table .turn').length") == 9
            wide = "[...document.querySelectorAll('section')].filter((e) => e.scrollWidth > e.clientWidth)"
            assert guest.ask(f"{wide}.length") == 0
            two = "new Set([...document.querySelectorAll('.table')].map((e) => e.offsetLeft)).size"
            assert guest.ask(two) == 2, "two tables side by side"
            guest.leave()
    finally:
        server.should_exit = True
        thread.join()
