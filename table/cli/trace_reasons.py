"""The meaning of the reasons for refusing a proposed card, and what helps, for a reader of a trace."""

from __future__ import annotations

from typing import NamedTuple


class ReasonMeaning(NamedTuple):
    """Words that a reason contains, its cause, and what helps."""

    words: str
    cause: str
    helps: str


NOTHING_PROPOSED = "nothing was proposed as a card"
"""Reason for a card that the rules miss if the search proposed nothing in front of its player."""

MEANINGS = (
    ReasonMeaning(
        NOTHING_PROPOSED,
        "nothing changed before that player that could be a card, or a hand covered it the whole time",
        "keep a card free for two frames, and lay it before its player",
    ),
    ReasonMeaning(
        "too little of its outline lies on edges",
        "the card has the ground's colour, is in the dark, or there is no card",
        "more light, a mat of another colour; its print may still identify it",
    ),
    ReasonMeaning(
        "a hand is over it",
        "something stayed at the rim of the card: a hand, a sleeve, a shadow with a sharp edge",
        "nothing if the card is read afterwards; else keep the place free for two frames",
    ),
    ReasonMeaning(
        "too little of its place has changed",
        "nothing new lies there, or a white card lies squarely on another",
        "lay cards less squarely",
    ),
    ReasonMeaning(
        "no face shows at a glance",
        "a small part of the place has changed, and the rest is no face of the deck",
        "nothing: mostly this is no card",
    ),
    ReasonMeaning(
        "not clear enough to tell it by that alone",
        "most of the place looks as before, and its face is not seen well",
        "more light, a sharper picture",
    ),
    ReasonMeaning(
        "proposed by its print alone",
        "no outline was found there, and the print does not match one face of the deck beyond doubt",
        "more light, a mat of another colour",
    ),
    ReasonMeaning(
        "no face was found on it",
        "it shows its back, is mostly covered, blurred, washed out, in the dark, of another deck or no card",
        "look at the picture beside the reason: focus, reflections; is this card in the deck?",
    ),
    ReasonMeaning(
        "of which this deck has no picture",
        "the head of this page names cards that the deck lacks, and what was seen is like no other face",
        "take a picture of the missing cards and enrol the deck again; if it is none of them: focus, light",
    ),
    ReasonMeaning(
        "too unlike",
        "the likest face is named, and what was seen is too far from it: blur, glare, a worn card",
        "compare both pictures; focus the camera, move the lamp, enrol the card in this light",
    ),
    ReasonMeaning(
        "are too near: margin",
        "two faces look alike from there",
        "enrol both again, sharply and in the table's light",
    ),
    ReasonMeaning(
        "waits: it may get clearer",
        "the face is in doubt; the eye waits a little before it reports it",
        "nothing: an event with a doubt follows",
    ),
    ReasonMeaning(
        "waits: something lies beside it",
        "something strange touches the place; it may be a hand that rests on the card",
        "nothing if the card is read afterwards; else keep things away from the cards",
    ),
    ReasonMeaning(
        "what passes for a hand lies there",
        "something at the picture's rim reaches over the place and rests there",
        "keep bottles, sleeves and coats away from the mat",
    ),
    ReasonMeaning(
        "a card that lay here already",
        "a card that was read before was pushed to this place",
        "nothing: it is the same card",
    ),
    ReasonMeaning(
        "and may be that one, partly covered",
        "it lies on a known card and may be that card itself",
        "lay cards so that the face of the lower one stays visible",
    ),
)


def meaning(reason: str) -> ReasonMeaning | None:
    """The meaning of a reason; None if it is unknown."""
    return next((each for each in MEANINGS if each.words in reason), None)
