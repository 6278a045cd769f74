"""What tests of the pages start from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from table.journal import Journal
from table.rules.opening import as_event
from tests.table.browser import Browser
from tests.table.running_page import House
from tests.table.television import Open


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests of a module."""
    with Browser(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture
def at(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Open the page of a game after these events; after the test browser and house are closed."""
    browser = request.getfixturevalue("browser") if "browser" in request.fixturenames else None
    opened: list[tuple[House, Journal]] = []

    def sit(events: list[Any]) -> House:
        journal = Journal.open(tmp_path_factory.mktemp("journal") / "evening.sqlite")
        house = House(journal)
        house.session.begin([as_event(events[0])])
        for event in events[1:]:
            house.session.add(as_event(event))
        house.open()
        opened.append((house, journal))
        if browser is not None:
            browser.complaints.clear()
        return house

    yield sit
    if browser is not None:
        browser.leave()
    for house, journal in opened:
        house.close()
        journal.close()
