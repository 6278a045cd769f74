"""The hub's page in a real browser: it tells in its own language how tables fare and stand."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

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
    """The hub's page at this port, while the block runs."""
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
    """And points have a real minus."""
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
