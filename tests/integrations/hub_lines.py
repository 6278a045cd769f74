"""What tables send to a hub, for the hub's tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from table.hub.database import Connection
from table.hub.scoring import rate, score_one
from table.messages import JournalLine

GAMES = Path(__file__).parents[1] / "data" / "games"
NAMES = ["Anna", "Bernd", "Carla", "Dirk"]


def log(name: str = "dubbe-one-strong-hand") -> list[dict[str, Any]]:
    events = [json.loads(line) for line in (GAMES / f"{name}.jsonl").read_text().splitlines() if line]
    events[0]["players"] = NAMES[: len(events[0]["seats"])]
    return events


def told(
    events: Sequence[dict[str, Any]], table: str = "window", game: int = 1, boot: int = 7
) -> Iterator[JournalLine]:
    after = 0
    for number, event in enumerate(events, 1):
        yield JournalLine(
            table, boot, (game << 32) + number, after, game, number, 1e9 + game * 1000 + number, event
        )
        after = (game << 32) + number


def score(base: Connection) -> None:
    while score_one(base):
        pass
    rate(base)


def rows(base: Connection, question: str) -> list[Any]:
    return base.execute(question.encode()).fetchall()
