"""Two phones tap at random beside a game that a camera watches: taps accuse nobody.

Afterwards the page alone restores the truth. The phones know only what the page is sent and do only what it
offers. The guest who mends knows what was really played: he strikes what was entered and restores what was
seen.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from table.journal import Journal
from table.rules import dice_evening, evening
from table.rules.doppelx.terms import FACES, WHITE, ZONES
from table.rules.events import Event
from table.rules.referee import Referee
from tests.table.running_page import House

PEOPLE = {"seats": ["S1", "S2", "S3", "S4"], "players": ["Anna", "Bernd", "Carla", "Dirk"]}
GAMES: dict[str, dict[str, Any]] = {
    "dubbe": {**PEOPLE, "options": {"rounds": 4}},
    "dulle": PEOPLE,
    "doppelkopf": {**PEOPLE, "preset": "ddv"},
    "klapper-jas": PEOPLE,
    "doppelx": {"players": ["blue", "red", "green"]},
}
WORDS = ("trump:red", "re", "kontra", "stoss", "gesund", "vorbehalt", "solo:damen", "hochzeit", "k90",
         "pass", "orgi", "belle", "spinner:red")  # fmt: skip


class Phone:
    """A guest who taps anything his page offers, mostly on an old state of the game.

    With `live` he receives each state over a WebSocket as the page does; otherwise he asks for it.
    """

    def __init__(self, line: httpx.Client, seed: int, live: ClientConnection | None) -> None:
        self._line, self._live = line, live
        self._chance = random.Random(seed)
        self._sight: dict[str, Any] = {}
        self.answers: list[int] = []

    def _look(self) -> None:
        if self._live is None:
            self._sight = self._line.get("/api/state").json()
            return
        while True:
            try:
                heard = json.loads(self._live.recv(timeout=0 if self._sight else 10))
            except TimeoutError:
                return
            self._sight = heard if "view" in heard else self._sight

    def tap(self) -> None:
        if not self._sight or self._chance.random() < 0.6:  # otherwise he taps on an older state
            self._look()
        path, body = self._wish()
        if path is None:
            return
        seen = {"game": self._sight["game"], "id": self._sight["newest"]}
        answer = self._line.post(path, json={**body, "seen": seen})
        self.answers.append(answer.status_code)  # one tap is not enough to agree to an accusation

    def _wish(self) -> tuple[str | None, dict[str, Any]]:
        sight, chance = self._sight, self._chance
        view = sight["view"]
        match chance.randrange(9):
            case 0 | 1 if sight["undo"]:
                return "/api/undo", {"id": sight["undo"]}
            case 2 if sight["redo"]:
                return "/api/redo", {"id": sight["redo"]}
            case 3 | 4:
                line = chance.choice(self._lines())
                kept = line["event"]["kind"] == "correction" or line["id"] == 1
                return (
                    (None, {})
                    if kept
                    else ("/api/correction", {"of": line["id"], "event": self._event(view)})
                )
            case 5 if view["doubts"]:
                doubt = chance.choice(view["doubts"])
                return "/api/correction", {"of": doubt["event"], "event": self._event(view)}
            case 6 if view["over"]:
                return "/api/again", {}
            case 7:
                return "/api/event", chance.choice([{"kind": "round"}, {"kind": "end"}])
        return "/api/event", self._event(view) or {"kind": "touch", "seat": view["seats"][0]}

    def _lines(self) -> list[dict[str, Any]]:
        if self._chance.random() < 0.5:
            return list(self._sight["events"])
        newest = self._sight["newest"] + 1
        older = self._line.get(f"/api/events?before={self._chance.randint(2, newest)}&limit=20").json()
        return older["events"] or self._sight["events"]

    def _event(self, view: Mapping[str, Any]) -> dict[str, Any] | None:
        chance = self._chance
        seat, due = chance.choice(view["seats"]), view["turn"]
        word = {"kind": "say", "seat": seat, "what": chance.choice(WORDS)}
        if not view["pack"]:
            first = {"kind": "round", "first": seat}
            throws = [self._throw(view, player) for player in (due or seat, seat, "all")]
            return chance.choice([None, first, word, *throws])
        return chance.choice(
            [
                None,
                {"kind": "card", "seat": seat, "card": chance.choice(list(view["pack"]))},
                {"kind": "card", "seat": due or seat, "card": chance.choice(list(view["pack"]))},
                {"kind": chance.choice(["touch", "collected"]), "seat": seat},
                {"kind": "round", "dealer": seat},
                {"kind": "die", "colour": "red", "value": chance.randint(1, 6), "spot": "aagewwer"},
                word,
            ]
        )

    def _throw(self, view: Mapping[str, Any], player: str) -> dict[str, Any]:
        thrown = list(view["seats"]) if player == "all" else [player, WHITE]
        return {"kind": "throw", "player": player, "dice": [self._die(colour) for colour in thrown]}

    def _die(self, colour: str) -> dict[str, Any]:
        chance = self._chance
        die = {"colour": colour, "face": chance.choice(FACES)}
        zone = chance.choice(ZONES)
        lies = {"where": "field", "touches": [zone], "counts_as": zone}
        return die | chance.choice([lies, lies, {"where": "hole"}, {"where": "bet:C"}])


def mend(address: str, truth: list[dict[str, Any]]) -> None:
    """Act on the page as a guest who knows the truth: restore each line or strike it."""
    with httpx.Client(base_url=address, trust_env=False, timeout=30) as guest:

        def right(of: int, event: dict[str, Any] | None) -> None:
            sight = guest.get("/api/state").json()
            body: dict[str, Any] = {"of": of, "event": event}
            body["seen"] = {"game": sight["game"], "id": sight["newest"]}
            answer = guest.post("/api/correction", json=body)
            while "consequences" in answer.json():  # on the way back others may seem to be at fault
                body["agreed"] = answer.json()["consequences"]["state"]
                answer = guest.post("/api/correction", json=body)
            assert answer.status_code == 200, (body, answer.text)

        while lines(guest)[0]["event"].get("source") == "touch":
            right(1, None)  # a game that nobody began
        left = iter(truth)
        awaited = next(left, None)
        for line in lines(guest):
            event = line["event"]
            if event["kind"] == "correction":
                continue
            seen = event == awaited
            now = line.get("now", event)
            if seen:
                awaited = next(left, None)
            if seen and now != event:
                right(line["id"], event)
            elif not seen and now is not None:
                right(line["id"], None)
        assert awaited is None, f"was never noted: {awaited}"
        for line in lines(guest):  # what the rules inferred on the way
            event = line["event"]
            if event["kind"] != "correction" and event.get("source") == "rules" and line.get("now", event):
                right(line["id"], None)


def lines(guest: httpx.Client) -> list[dict[str, Any]]:
    """Every line of the game, as the page requests them."""
    whole: list[dict[str, Any]] = []
    before = guest.get("/api/state").json()["newest"] + 1
    while before > 1:
        page = guest.get(f"/api/events?before={before}&limit=200").json()
        whole = page["events"] + whole
        before = whole[0]["id"]
    return whole


def as_told(event: Event, n: int) -> Event:
    """An event as a table with a camera receives it: seen, or entered by a tap like any slip."""
    if event.kind == "round":
        return event
    if event.kind in ("say", "turned", "shown"):
        return event.having(source="touch")
    return event.having(source="camera", t=1.5 * n)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "evening.sqlite") as opened:
        yield opened


def play_beside(
    journal: Journal, game: str, seed: int, seconds: float, pause: float, every: int
) -> tuple[int, int]:
    """Play while two phones tap, mend, compare; return how many taps had an effect and how many had not.

    Whole rounds are played until `seconds` are over, at least one; both phones tap at once after every
    `every` events.
    """
    opening = Event("game", {"game": game, **GAMES[game]})
    house = House(journal)
    house.session.begin([opening])
    house.open()
    address = f"http://127.0.0.1:{house.page.port}"
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(house.close)
        phone_lines = [httpx.Client(base_url=address, trust_env=False, timeout=30) for _ in range(2)]
        asking, hearing = map(at_the_end.enter_context, phone_lines)
        line = connect(f"ws://127.0.0.1:{house.page.port}/live", proxy=None, ping_interval=None)
        live = at_the_end.enter_context(line)  # browsers send no pings
        phones = [Phone(asking, seed, None), Phone(hearing, seed + 1, live)]
        played: list[Event] = []
        end = time.monotonic() + seconds
        plays = dice_evening.evening if game == "doppelx" else evening.evening
        film = plays(opening, seed, rounds=10_000)
        next(film)
        fingers = at_the_end.enter_context(ThreadPoolExecutor(2))
        for event in film:
            if event.kind == "round" and played and time.monotonic() > end:
                break
            played.append(as_told(event, len(played)))
            house.do(house.session.add, played[-1])
            if len(played) % every == 0:
                list(fingers.map(Phone.tap, phones))
            assert house.session.view.findings == (), "nobody is accused by a tap"
            time.sleep(pause)
        answers = [answer for phone in phones for answer in phone.answers]
        assert all(answer in (200, 409) for answer in answers), set(answers)
        mend(address, [event.to_dict() for event in (opening, *played)])
        right = Referee()
        for number, event in enumerate([opening, *played], 1):
            right.add(event.numbered(number))
        told, truth = house.do(house.session.result), right.result()
        assert told["points"] == truth["points"]
        assert told["findings"] == truth["findings"] == [], "nobody is accused"
        assert house.session.view.doubts == ()
    return answers.count(200), answers.count(409)


@pytest.mark.parametrize(
    ("game", "every"),
    [
        ("dulle", 2),
        ("dubbe", 12),
        ("doppelx", 1),
        *(
            pytest.param(game, 2, marks=pytest.mark.soak)
            for game in GAMES
            if game not in ("dulle", "doppelx")
        ),
    ],
)
def test_after_two_phones_tapped_at_random_the_page_alone_brings_back_the_truth(
    journal: Journal, game: str, every: int
) -> None:
    done, refused = play_beside(journal, game, seed=18, seconds=0, pause=0, every=every)
    assert done >= 3
    assert done + refused >= 10


def tapping(folder: Path, game: str, seconds: float) -> tuple[int, int, int]:
    """Play evenings for so long; return (evenings, taps with an effect, taps refused)."""
    seed, end = int(os.environ.get("STAMMTISCH_SEED", time.time())), time.monotonic() + seconds
    print(f"this tapping again: STAMMTISCH_SEED={seed}")
    evenings = done = refused = 0
    while (left := end - time.monotonic()) > 0:
        with Journal.open(folder / f"{evenings}.sqlite") as journal:
            every = 1 if game == "doppelx" else 2
            taps = play_beside(journal, game, seed=seed + evenings, seconds=left, pause=0.4, every=every)
        evenings, done, refused = evenings + 1, done + taps[0], refused + taps[1]
    return evenings, done, refused


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_ten_minutes_of_tapping(tmp_path: Path, game: str) -> None:
    evenings, done, refused = tapping(tmp_path, game, 600 / len(GAMES))
    print(f"{game}: {evenings} evenings, {done} taps did something, {refused} were refused")
