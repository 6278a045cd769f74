"""Which story tells which game; a game that is not here is told plainly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.rules.doppelkopf.story import DoppelkopfStory
from table.rules.doppelx.story import DoppelXStory
from table.rules.dubbe.story import DubbeStory
from table.rules.dulle.story import DulleStory
from table.rules.events import Event
from table.rules.klapperjas.story import KlapperStory
from table.rules.story import Story
from table.rules.words import Language, names

STORIES: dict[str, type[Story]] = {
    "doppelkopf": DoppelkopfStory,
    "doppelx": DoppelXStory,
    "dubbe": DubbeStory,
    "dulle": DulleStory,
    "klapper-jas": KlapperStory,
}


def story(
    result: Mapping[str, Any],
    players: Mapping[str, str] | None = None,
    events: Mapping[int, Event] | None = None,
    language: Language = "de",
    explain: bool = False,
) -> Story:
    """Return the story of a result.

    `players` names seats (two of one name are told apart), `events` by id name what no trick holds.
    """
    kind = STORIES.get(result["game"], Story)
    return kind(result, names(players or {}), events or {}, language, explain)
