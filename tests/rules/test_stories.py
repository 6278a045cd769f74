"""`replay` can tell every log that can be folded, even one that breaks off or lacks cards (G-12)."""

from __future__ import annotations

import pytest

from table.catalogue import LANGUAGES
from table.rules.opening import as_event
from table.rules.stories import story
from tests.rules.spoilt import GAMES, Log, cards, folded, true_round


def told(log: Log) -> list[str]:
    """The story as `replay --explain` prints it, in every language."""
    referee = folded(log)
    while corrections := referee.settle_by_rules():
        for correction in corrections:
            referee.add(correction)
    referee.conclude()
    assert referee.setup is not None
    players = dict(zip(referee.setup.seats, referee.setup.players, strict=True))
    events = {number: as_event(line) for number, line in enumerate(log, 1)}
    result = referee.result()
    return [line for language in LANGUAGES for line in story(result, players, events, language, True).lines()]


@pytest.mark.parametrize("game", GAMES)
def test_g_12_a_round_whose_last_cards_nobody_reported_is_told(game: str) -> None:
    """Klapper-Jas once failed on cards of the last trick, which follow from the others."""
    log = true_round(game, 1)
    for last in cards(log)[-6:]:
        assert told(log[: last + 1])
        assert told(log[:last] + log[last + 1 :])


@pytest.mark.parametrize("game", GAMES)
def test_a_log_that_breaks_off_anywhere_is_told(game: str) -> None:
    log = true_round(game, 2)
    for end in range(2, len(log), 7):
        assert told(log[:end])
