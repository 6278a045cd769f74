"""Games as tests of the page play them, and a page opened on one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table.journal import Journal
from table.rules.opening import as_event
from tests.table.browser import Browser
from tests.table.running_page import House

PEOPLE = {"seats": ["S1", "S2", "S3", "S4"], "players": ["Anna", "Bernd", "Carla", "Dirk"]}
JPEG = cv2.imencode(".jpg", np.full((90, 60, 3), 200, np.uint8))[1].tobytes()
Open = Callable[..., House]


def die(colour: str, face: str, counts_as: str, **more: Any) -> dict[str, Any]:
    touches = more.pop("touches", [counts_as])
    return {
        "colour": colour,
        "face": face,
        "where": "field",
        "touches": touches,
        "counts_as": counts_as,
    } | more


OPENING_THROW = {
    "kind": "throw",
    "player": "all",
    "dice": [die("blue", "2", "3x"), die("green", "1", "1x"), die("red", "3", "2x")],
}


@contextmanager
def opened_games(tmp_path: Path, browser: Browser) -> Iterator[Open]:
    """Open a house for each call; close all of them together."""
    houses: list[tuple[House, Journal]] = []

    def open_house(*events: dict[str, Any], width: int = 1280, language: str = "de") -> House:
        journal = Journal.open(tmp_path / f"{len(houses)}.sqlite")
        house = House(journal)
        house.session.begin([as_event(events[0])])
        for event in events[1:]:
            house.session.add(as_event(event), JPEG if as_event(event).kind == "throw" else None)
        house.open()
        houses.append((house, journal))
        browser.screen(width, 844)
        browser.complaints.clear()
        browser.go(f"{house.page.url}/?lang={language}")
        browser.wait("document.querySelectorAll('#events li').length > 0")
        return house

    yield open_house
    browser.leave()
    for house, journal in houses:
        house.close()
        journal.close()
