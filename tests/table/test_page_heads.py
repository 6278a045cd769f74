"""All pages are plain files without a build step: this keeps the common part of their heads the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.web.page import STATIC

PAGES = sorted(STATIC.glob("*.html"))
OWN_SCHEME = '<meta name="color-scheme" content="dark light">'
"""The overlay lies on somebody else's picture, which a colour scheme of its own would paint over."""


def head(page: Path) -> list[str]:
    return page.read_text("utf-8").partition("</head>")[0].splitlines()


def shared() -> list[str]:
    """The head of the table's page down to the last style sheet that all pages have, the phone's."""
    lines = head(STATIC / "index.html")
    return lines[: 1 + next(at for at, line in enumerate(lines) if "/static/phone.css" in line)]


def test_a_page_that_is_new_is_looked_at_too() -> None:
    assert {page.stem for page in PAGES} >= {
        "index",
        "seat",
        "history",
        "settings",
        "setup",
        "doctor",
        "overlay",
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_begins_as_the_tables_own_does(page: Path) -> None:
    expected = [line for line in shared() if page.stem != "overlay" or line != OWN_SCHEME]
    assert head(page)[: len(expected)] == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_behind_that_stand_only_its_style_sheets_and_its_script(page: Path) -> None:
    *sheets, script = [line for line in head(page) if line not in shared()]
    if page.stem != "overlay":  # stream viewers must not see this sentence
        assert sheets.pop() == '<script src="/static/unstarted.js"></script>', "before the module"
        assert '<p id="unstarted" hidden>' in page.read_text("utf-8")
    app = "app" if page.stem == "index" else page.stem
    assert script == f'<script type="module" src="/static/{app}.js"></script>'
    for line in sheets:
        name = line.removeprefix('<link rel="stylesheet" href="/static/').removesuffix('">')
        assert (STATIC / name).suffix == ".css", line
        assert (STATIC / name).is_file(), line
    assert (STATIC / f"{app}.js").is_file()
