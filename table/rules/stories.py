"""The story of a result: that of its game, or the plain one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.catalogue import Language
from table.rules.events import Event
from table.rules.games import GAMES
from table.rules.story import Story
from table.rules.words import names


def story(
    result: Mapping[str, Any],
    players: Mapping[str, str] | None = None,
    events: Mapping[int, Event] | None = None,
    language: Language = "de",
    explain: bool = False,
) -> Story:
    """Return the story of a result.

    `players` names seats (two of one name are told apart); `events`, by id, describe cards in no trick.
    """
    kind = GAMES[result["game"]].story if result["game"] in GAMES else Story
    return kind(result, names(players or {}), events or {}, language, explain)
