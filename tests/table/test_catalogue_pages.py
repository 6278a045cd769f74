"""Pages and scripts contain no words of their own: they ask the catalogue."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from table.catalogue import LANGUAGES, PAGE_PARTS
from tests.table.catalogue_files import SCRIPTS, STATIC

UNTOLD = {
    "Stammtisch",
    "Diese Seite braucht JavaScript. This page needs JavaScript.",
    "Diese Seite startet nicht: neu laden, sonst einen neueren Browser nehmen. Die Seit geht "
    "net aa: neu lade, sunscht en neiere Browser nemme. This page does not start: reload it, or "
    "take a newer browser.",
}
"""The name of the house, and the words for when no script can run."""


class Shown(HTMLParser):
    """The words in a page's source that a reader would see."""

    def __init__(self) -> None:
        super().__init__()
        self.words: set[str] = set()

    def handle_data(self, data: str) -> None:
        if re.search(r"[A-Za-zÄÖÜäöü]{2}", data):
            self.words.add(data.strip())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.words |= {value for name, value in attrs if name in ("title", "alt", "aria-label") and value}


def test_no_words_stand_in_the_pages() -> None:
    shown = Shown()
    for file in STATIC.glob("*.html"):
        shown.feed(file.read_text(encoding="utf-8"))
    assert shown.words <= UNTOLD


NAMES = {"Stammtisch", "Doppel X", "Backspace"}
"""The house, the ledger's name of a throw, and a key on the keyboard."""


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_words_stand_in_the_scripts(name: str) -> None:
    """No text begins like a sentence or has two words that are neither classes nor a selector."""
    source = re.sub(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", "", SCRIPTS[name], flags=re.DOTALL)
    texts = [a or b for a, b in re.findall(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'', source)]
    texts += [re.sub(r"\$\{[^}]*\}", "#", text) for text in re.findall(r"`([^`\n]*)`", source)]
    spoken = [
        said
        for said in texts
        if re.match(r"[A-ZÄÖÜ][a-zäöü]{2}", said)
        or (
            re.search(r"[a-zäöüß]{2}[,.]? [A-Za-zÄÖÜäöüß]{2}", said)
            and not re.fullmatch(r"[-a-z0-9#.\[\] ]+", said)
        )
    ]
    assert set(spoken) - NAMES == set()


def test_no_script_reads_sentences_back() -> None:
    """No script builds a regular expression, as it would to match what the house said."""
    assert [name for name, source in SCRIPTS.items() if "new RegExp" in source] == []


def test_the_page_loads_its_parts_of_the_catalogue() -> None:
    assert f"const PARTS = {json.dumps(list(PAGE_PARTS))};" in SCRIPTS["words.js"]
    assert f"export const NAMES = {json.dumps(list(LANGUAGES))};" in SCRIPTS["words.js"]
