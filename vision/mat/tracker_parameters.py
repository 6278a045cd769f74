"""Thresholds of what lies on what: which cards are new, which moved, were covered, or left."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_SECONDS = "s"
_CELLS = "cells of 4 mm"


@dataclass(frozen=True, slots=True)
class CardTrackerParameters:
    """From a card that was found to a card that was played, pushed, or taken."""

    doubtful_fresh: float = threshold(
        0.3,
        "share of a card's place that has changed",
        (0.1, 0.6),
        "new cards without a name told against old ones told as new doubts",
    )
    alone_wait_s: float = threshold(
        0.8,
        _SECONDS,
        (0.2, 3),
        "cards told early against cards told while the hand that brought them may lie beside them",
    )
    still_s: float = threshold(
        0.35,
        _SECONDS,
        (0.1, 1.5),
        "cards that pass for hands searched early against hands at rest searched for cards",
    )
    play_s: float = threshold(
        3.0,
        "s over the table",
        (1, 10),
        "cards of slow hands given to their seat against cards given to an arm that only rests there",
    )
    most_at_start: int = threshold(
        8, "cards", (2, 30), "what lies there at the start found against time for it"
    )
    vain_tries: int = threshold(
        2,
        "searches in vain",
        (1, 6),
        "half a second won for what is no card against cards given up while they still slid",
    )
    taken_back_s: float = threshold(
        2.5, _SECONDS, (0.5, 6), "cards taken back at once left out against quick tricks told as taken back"
    )
    same_place_mm: float = threshold(
        8.0, "mm", (3, 20), "a card seen again known as itself against its twin beside it passed over"
    )
    nudge_mm: float = threshold(
        15.0,
        "mm",
        (5, 30),
        "a card read while it slid known as itself against its twin laid as squarely on it",
    )
    nudge_deg: float = threshold(5.0, "degrees", (1, 15), "the same, as a turn")
    slide_mm: float = threshold(
        45.0,
        "mm",
        (15, 90),
        "cards pushed by another that lands on them known as themselves against their twins passed over",
    )
    slide_deg: float = threshold(25.0, "degrees", (8, 60), "the same, as a turn")
    clear: float = threshold(
        0.9,
        "share of ink explained, of both cards",
        (0.7, 0.98),
        "two clear readings believed to be two cards against a half covered card told as another",
    )
    stayed: float = threshold(
        0.12,
        "how unlike it was, as a logarithm of light",
        (0.04, 0.3),
        "the first of two twins known to lie still against a card that slid told twice",
    )
    push_mm: float = threshold(
        30.0,
        "mm",
        (10, 60),
        "half covered cards that were pushed keeping their name against new cards taken for them",
    )
    push_deg: float = threshold(15.0, "degrees", (5, 40), "the same, as a turn")
    around: int = threshold(
        6,
        "cells round a card",
        (2, 15),
        "the light on a card taken from near it against too few cells to tell",
    )
    kept: float = threshold(
        0.35,
        "share of what told the card from the empty table",
        (0.15, 0.6),
        "cards told gone early against cards told gone that lie in a shadow, where half or more shows",
    )
    tinted: float = threshold(
        0.06,
        "how far the colour of a place is from the empty table's, as a logarithm",
        (0.02, 0.15),
        "a brown hand over a card on wood not taken for wood against cards told gone late",
        "three films: .1 to .19 under such a hand, up to .013 where cards were taken away",
    )
    back: float = threshold(
        0.8,
        "share of what told the card from the empty table",
        (0.5, 0.95),
        "cards that were only hidden known to be back against new ones taken for them",
    )
    least_rest: int = threshold(12, _CELLS, (4, 60), "slivers of covered cards judged against noise judged")
    least_shown: float = threshold(
        0.3,
        "share of a card that lies free",
        (0.1, 0.6),
        "half covered cards told gone against cards beneath told gone because they slid",
    )
    least_back: float = threshold(
        0.1,
        "share of a card that lies free",
        (0.03, 0.4),
        "cards that were only hidden found again against chance likeness of a sliver",
    )
    straggle_s: float = threshold(
        1.5, _SECONDS, (0.3, 5), "a trick taken in several grabs told once against two takings told as one"
    )
    mostly_there: float = threshold(
        0.5,
        "share of what shows of a card",
        (0.2, 0.9),
        "a card that vanished under a new one known to lie beneath against one that was really taken",
    )
    at_once_s: float = threshold(
        0.3,
        _SECONDS,
        (0.1, 1),
        "the same: nobody takes a card away and lays another over its place in less time",
    )
    later: float = threshold(
        0.15,
        "as a logarithm of light",
        (0.05, 0.4),
        "cards laid later on a known one seen against shadows taken for them",
    )
    left: float = threshold(
        0.35,
        "share of what shows of a card that has changed",
        (0.1, 0.7),
        "a card that left its place known again elsewhere against its twin passed over",
    )
    above_changed: float = threshold(
        0.3,
        "share of what lies over it",
        (0.1, 0.6),
        "cards that only slid beneath others known against new ones taken for them",
    )
    under_hand: float = threshold(
        0.1,
        "share of a card's place under hands",
        (0.02, 0.4),
        "cards told gone beside hands against cards told gone under fingers",
    )
    not_bare: float = threshold(
        0.3,
        "share of a card's place that is not bare",
        (0.1, 0.6),
        "cards told gone over which something lies against cards told gone too early",
    )


CARD_TRACKER = CardTrackerParameters()
