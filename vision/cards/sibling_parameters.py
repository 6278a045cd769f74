"""Thresholds on what a face has in common with the others of its rank, suit and deck. See `siblings`."""

from __future__ import annotations

from dataclasses import dataclass

from vision.parameters import threshold

_LIKENESS = "correlation of corners below the usual"


@dataclass(frozen=True, slots=True)
class SiblingParameters:
    """Thresholds on when a picture is not the card of its name, and when it is not of its deck.

    Measured on 9,989 sound faces of eight decks, relit and degraded: none is refused. By one measure alone,
    0.5 % resemble another kind; they are only named.
    """

    least_print: float = threshold(
        2.0,
        "steps of 255",
        (0.5, 10.0),
        "corners read in faint light against a sensor's noise that agrees with anything",
    )
    least_read: float = threshold(
        6, "cards with siblings", (3, 20), "small decks judged against measures that do not read a deck"
    )
    most_led: float = threshold(
        0.1,
        "share of the cards",
        (0.02, 0.3),
        "several wrong pictures found against a measure that says nothing of this deck",
    )
    lead: float = threshold(
        0.8,
        "share of two kinds' usual lead",
        (0.3, 1.5),
        "wrong pictures found against sound ones that lean to another kind",
    )
    one_least_lead: float = threshold(
        0.25,
        "share of the usual lead",
        (0.05, 0.6),
        "wrong pictures named on one measure's word against sound ones named",
    )
    exchanged_least_lead: float = threshold(
        0.5,
        "share of the usual lead",
        (0.25, 0.9),
        "exchanged names found against names doubted where a measure does not read a deck",
    )
    least_angle: float = threshold(
        5.0,
        "degrees between two suits' colours",
        (3.0, 15.0),
        "suits told apart against light that varies: one suit's colours lie within 1 to 3 of each other",
    )
    least_layout: float = threshold(
        0.25,
        "likeness of two layouts of one kind over that of two kinds",
        (0.1, 0.5),
        "courts told from number cards against decks whose ranks are laid out alike",
    )
    one_colour: float = threshold(
        1.6,
        "angle between two suits over the angle within one",
        (1.1, 3.0),
        "suits told apart against one colour photographed in many lights",
    )
    agreeing: float = threshold(
        2,
        "measures that name the same rank or colour",
        (1, 3),
        "wrong pictures refused against sound ones refused",
    )
    alone: float = threshold(
        0.35,
        _LIKENESS,
        (0.2, 0.45),
        "another deck's cards found against aces whose rank has few pictures",
        "sound faces (2,558 of six decks, 4,742 relit of eight) reach 0.49, all of them such aces",
    )
    quite_alone: float = threshold(
        0.5,
        _LIKENESS,
        (0.4, 0.8),
        "another deck's cards refused on that alone against sound ones refused",
        "cards of another kind begin at 0.49",
    )
    unexplained: float = threshold(
        0.9,
        "share of ink that no other face explains",
        (0.5, 1.0),
        "another deck's cards found against sound faces that look like no other",
    )
    unturned: float = threshold(
        0.25,
        "likeness of a face's own two corners below the usual",
        (0.15, 0.5),
        "another deck's cards refused against sound ones",
        "sound faces: 0.23 at most",
    )
    siblings: float = threshold(
        2,
        "pictures of a rank",
        (1, 4),
        "a card unlike all of its rank is refused where there are more; of fewer nobody can say",
    )


SIBLING = SiblingParameters()
