"""`stammtisch look IMAGE…`: recognise cards and dice in single pictures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table import telling
from table.cli.look_overlay import Looked, drawn, places_for, save
from table.errors import UsageError
from table.settings import read_table
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet, enrol_dice
from vision.box.pose_fit import register_box
from vision.cards.deck import Deck, load_deck
from vision.cards.look import CardSeen, look_cards
from vision.cards.look_px import CardOutlined, look_cards_px
from vision.cards.outline import sides_of
from vision.cards.parameters import STILL_CARD
from vision.cards.proposal import Proposal
from vision.cards.reading import Reading
from vision.dice.reading import look_pips
from vision.dice.views import ByteMask
from vision.errors import VisionError
from vision.geometry import register as find_table
from vision.layout import Layout
from vision.mat.pipeline import USUAL_CARD_MM
from vision.pictures import read_picture, read_within_reach, within_reach
from vision.rectified import RegisteredPicture
from vision.sightings import DieSeen, Picture

PHOTOGRAPH_PX = 1600
"""Largest side in px to which a photograph is reduced: each of twelve cards in a row is then 80 px wide."""

_DIE_BY_CARD = (0.1, 0.7)
"""Range of a die's edge over a card's short side: from 8 mm with a poker card to 25 mm with a small one."""
_DIE_OUTLINE = 1.3
"""Longest outline of a die, in die edges. Of 32 round dice in byler's first 20 pictures 26 are shorter;
six drawn cards whose pips were read as dice had 1.31 to 1.48, a photographed one 2.07."""

LookReport = dict[str, Any]
Outline = tuple[Any, Reading, float]
"""Corners (4, 2), the deck's reading, and the share of the card that is visible."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("images", metavar="IMAGE", nargs="+", help="pictures to look at")
    parser.add_argument("--table", metavar="FILE", help="the table file: places in millimetres, else pixels")
    parser.add_argument("--deck", metavar="DIR", help="one picture per card, or a deck saved by enrol")
    parser.add_argument(
        "--partial",
        action="store_true",
        help="look even if cards are missing from the deck; those stay unsure",
    )
    parser.add_argument("--dice", metavar="DIR", help="one picture per die and face, and empty.jpg")
    parser.add_argument("--overlay", metavar="OUT", help="draw what was found into this folder or file")
    parser.add_argument("--json", action="store_true", help="one JSON object per picture")


def run(options: argparse.Namespace) -> int:
    """Look at every picture; report those that cannot be read, and return 1 if there are any.

    Raises StammtischError, VisionError.
    """
    layout = read_table(options.table).layout if options.table else None
    deck = load_deck(Path(options.deck), layout, options.partial, keep=True) if options.deck else None
    dice = _dice(options.dice, layout)
    places = places_for(options.overlay, options.images) if options.overlay else [None] * len(options.images)
    status = 0
    for image, place in zip(options.images, places, strict=True):
        try:
            if layout is None:
                told, looked = _look_px(*read_within_reach(image, PHOTOGRAPH_PX), deck)
            else:
                told, looked = _look(read_picture(image), layout, deck, dice, traced=place is not None)
        except VisionError as wrong:  # the other pictures may be all right
            where = "" if image in str(wrong) else f"{image}: "
            print(f"stammtisch look: {where}{wrong}", file=sys.stderr)
            status = 1
            continue
        if place is not None:
            save(drawn(read_picture(image), looked), place)
        if options.json:
            print(json.dumps({"image": image, **told}, ensure_ascii=False), flush=True)
        else:
            print("\n".join(_human(image, told)), flush=True)
    return status


def _dice(folder: str | None, layout: Layout | None) -> DiceSet | None:
    """The dice of a box; None without a folder, as pips are read without enrolment. Raises UsageError."""
    if folder is None:
        return None
    if layout is None or layout.kind != "field":
        raise UsageError("--dice needs --table with a [field]; dice with pips are read without it")
    return enrol_dice(Path(folder), layout, keep=True)


def look_at(
    picture: Picture, layout: Layout | None, deck: Deck | None, dice: DiceSet | None = None
) -> LookReport:
    """Everything in one picture (h, w, 3) BGR, as `look --json` prints it."""
    return _look(picture, layout, deck, dice)[0]


def _look(
    picture: Picture, layout: Layout | None, deck: Deck | None, dice: DiceSet | None, traced: bool = False
) -> tuple[LookReport, Looked]:
    """The report on a picture and the findings behind it; `traced`: also the refused ones."""
    if layout is None:
        return _look_px(*within_reach(picture, PHOTOGRAPH_PX), deck)
    if dice is not None:
        registration = register_box(picture, layout)
        found = look_box(picture, registration, layout, dice)
        return _told([], Looked([], [each.die for each in found], registration, layout.die_edge_mm))
    registration = find_table(picture, layout)
    size = layout.card_size_mm or (deck.size_mm if deck else None) or USUAL_CARD_MM
    refused: list[Proposal] = []
    listener = refused.append if traced else None
    cards: list[CardSeen] = []
    if layout.kind == "mat":
        cards = look_cards(RegisteredPicture(picture, registration, layout), size, deck, listener=listener)
    seen = [_card(c.corners_mm, c.reading, c.sure) for c in cards]
    printed = _printed([(c.corners_mm, c.reading, c.shown) for c in cards], deck)
    if deck is None:  # anything of a card's size counts as a card, so pips on it are print
        printed = [card.corners_mm for card in cards]
    lying = _dice_beside(printed, look_pips(picture, registration, layout))
    return _told(seen, Looked(cards, lying, registration, layout.die_edge_mm, refused))


def _look_px(reach: Picture, by: float, deck: Deck | None) -> tuple[LookReport, Looked]:
    """As `_look`, for a reduced photograph `reach`, one pixel of which is `by` pixels of the original."""
    cards = look_cards_px(reach, deck)
    printed = _printed([(c.shown_px, c.reading, c.shown) for c in cards], deck)
    sizes = [sides_of(card.corners_px)[0] for card in cards if card.sure]
    edges = (_DIE_BY_CARD[0] * min(sizes), _DIE_BY_CARD[1] * max(sizes)) if sizes else None
    dice = _dice_beside(printed, look_pips(reach, where=_beside(printed, reach.shape), edges_px=edges))
    outlined = [_enlarged(card, by) for card in cards if not _is_of_a_die(card, dice)]
    seen = [_card(c.shown_px, c.reading, c.sure) for c in outlined]
    return _told(seen, Looked(outlined, [_die_enlarged(die, by) for die in dice]))


def _is_of_a_die(card: CardOutlined, dice: Sequence[DieSeen]) -> bool:
    """Whether an outline without a name is a die's: it lies on the die and is hardly longer.

    Round pips of a card may be read as a die, too, but the card is longer than that.
    """
    if card.reading.guesses:
        return False
    middle, long = card.shown_px.mean(axis=0), float(sides_of(card.shown_px)[1])
    return any(
        long < _DIE_OUTLINE * die.edge_px
        and float(np.linalg.norm(middle - die.center_mm)) < die.edge_px * np.sqrt(0.5)
        for die in dice
        if die.edge_px is not None
    )


def _enlarged(card: CardOutlined, by: float) -> CardOutlined:
    """A card found in a reduced picture, in the pixels of the original."""
    if by == 1:
        return card
    corners, shown = (by * (points + 0.5) - 0.5 for points in (card.corners_px, card.shown_px))
    return replace(card, corners_px=corners, shown_px=shown)


def _die_enlarged(die: DieSeen, by: float) -> DieSeen:
    x, y = (by * (middle + 0.5) - 0.5 for middle in die.center_mm)
    return die if by == 1 else replace(die, center_mm=(x, y))


def _told(cards: list[LookReport], looked: Looked) -> tuple[LookReport, Looked]:
    return {"cards": cards, "dice": [telling.die(die, decimals=2) for die in looked.dice]}, looked


def _printed(cards: Sequence[Outline], deck: Deck | None) -> list[Any]:
    """Outlines (4, 2) within which pips are print: of cards with a face of the deck, and of covered cards.

    A partly covered outline is a card, even if too little of its face shows to be read.
    """
    return [
        corners
        for corners, reading, shown in cards
        if reading.guesses or (deck is not None and shown < STILL_CARD.whole)
    ]


def _beside(printed: Sequence[Any], shape: Sequence[int]) -> ByteMask | None:
    """Mask of a picture of that shape (h, w, ...): 1 outside every outline (4, 2) of print, else 0.

    None if there is no print: then dice may be anywhere.
    """
    if not printed:
        return None
    where = np.ones(shape[:2], np.uint8)
    for corners in printed:
        cv2.fillConvexPoly(where, np.rint(corners).astype(np.int32), (0,))
    return where


def _dice_beside(printed: Sequence[Any], dice: Sequence[DieSeen]) -> list[DieSeen]:
    """The dice that lie within no outline (4, 2) of print."""
    faces = [np.asarray(corners, np.float32) for corners in printed]
    return [
        die
        for die in dice
        if all(cv2.pointPolygonTest(face, die.center_mm, measureDist=False) < 0 for face in faces)
    ]


def _card(corners: Any, reading: Reading, sure: bool) -> LookReport:
    told: LookReport = {
        "card": reading.name if sure else None,
        "corners": [[telling.number(x, 1), telling.number(y, 1)] for x, y in corners],
        "confidence": telling.number(reading.guesses[0].confidence, 3) if reading.guesses else 0.0,
    }
    if not sure and reading.guesses:
        told["candidates"] = telling.candidates(reading.guesses)
    return told


def _human(image: str, told: LookReport) -> list[str]:
    cards, dice = len(told["cards"]), len(told["dice"])
    lines = [f"{image}: {cards} {'card' if cards == 1 else 'cards'}, {dice} {'die' if dice == 1 else 'dice'}"]
    for card in told["cards"]:
        x = sum(p[0] for p in card["corners"]) / 4
        y = sum(p[1] for p in card["corners"]) / 4
        options = ", ".join(name for name, _ in card.get("candidates", []))
        name = card["card"] or (f"a card I cannot name ({options}?)" if options else "a card")
        lines.append(f"  {name} at {x:.0f}, {y:.0f}")
    for die in told["dice"]:
        lines.append(
            f"  {die['colour'] or 'some'} die shows {die['face'] or '?'}"
            f" at {die['center'][0]:.0f}, {die['center'][1]:.0f}{_larger(die)}"
        )
    return lines


def _larger(die: LookReport) -> str:
    """A remedy for a die that is larger than the table file says; empty for any other."""
    if "edge_mm" not in die:
        return ""
    return (
        f"; its edge of about {die['edge_mm']:.0f} mm is longer than the table file's:"
        " measure it and write it there as die_edge"
    )
