"""`stammtisch look IMAGE…`: recognise cards and dice in single pictures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from table import telling
from table.errors import UsageError
from table.settings import read_table
from vision.box.dice import look_box
from vision.box.dice_set import DiceSet, enrol_dice
from vision.box.register import register_box
from vision.cards.deck import Deck, load_deck
from vision.cards.look import look_cards
from vision.cards.look_px import look_cards_px
from vision.cards.reading import Reading
from vision.dice.reading import look_pips
from vision.geometry import register as find_table
from vision.layout import Layout
from vision.pictures import read_picture
from vision.pipeline import USUAL_CARD_MM
from vision.sightings import DieSeen, Picture

Told = dict[str, Any]


def register(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("images", metavar="IMAGE", nargs="+", help="pictures to look at")
    parser.add_argument("--table", metavar="FILE", help="the table file: places in millimetres, else pixels")
    parser.add_argument("--deck", metavar="DIR", help="one picture per card, or a deck saved by enrol")
    parser.add_argument(
        "--partial", action="store_true", help="look though cards are missing from the deck: they stay unsure"
    )
    parser.add_argument("--dice", metavar="DIR", help="one picture per die and face, and empty.jpg")
    parser.add_argument("--json", action="store_true", help="one JSON object per picture")


def run(options: argparse.Namespace) -> int:
    """Look at every picture. Raises StammtischError, VisionError."""
    layout = read_table(options.table).layout if options.table else None
    deck = load_deck(Path(options.deck), layout, options.partial) if options.deck else None
    dice = _dice(options.dice, layout)
    for image in options.images:
        told = look_at(read_picture(image), layout, deck, dice)
        if options.json:
            print(json.dumps({"image": image, **told}, ensure_ascii=False), flush=True)
        else:
            print("\n".join(_human(image, told)), flush=True)
    return 0


def _dice(folder: str | None, layout: Layout | None) -> DiceSet | None:
    """The dice of a box game; without a box their pips are read without any enrolment."""
    if folder is None:
        return None
    if layout is None or layout.kind != "field":
        raise UsageError("--dice needs --table with a [field]; dice with pips are read without it")
    return enrol_dice(Path(folder), layout)


def look_at(picture: Picture, layout: Layout | None, deck: Deck | None, dice: DiceSet | None = None) -> Told:
    """Everything in one picture (h, w, 3) BGR, as `look --json` prints it."""
    if layout is None:
        seen = [_card(c.shown_px, c.reading, c.sure) for c in look_cards_px(picture, deck)]
        return {"cards": seen, "dice": _dice_beside(seen, look_pips(picture))}
    if dice is not None:
        found = look_box(picture, register_box(picture, layout), layout, dice)
        return {"cards": [], "dice": [telling.die(each.die, decimals=2) for each in found]}
    registration = find_table(picture, layout)
    size = layout.card_size_mm or (deck.size_mm if deck else None) or USUAL_CARD_MM
    cards = look_cards(picture, registration, layout, size, deck) if layout.kind == "mat" else []
    told = [_card(c.corners_mm, c.reading, c.sure) for c in cards]
    return {"cards": told, "dice": _dice_beside(told, look_pips(picture, registration, layout))}


def _dice_beside(cards: list[Told], dice: Sequence[DieSeen]) -> list[Told]:
    """The dice as they are told; pips on a card of the deck are its print and no dice."""
    faces = [
        np.array(card["corners"], np.float32) for card in cards if card["card"] or card.get("candidates")
    ]
    return [
        telling.die(die, decimals=2)
        for die in dice
        if all(cv2.pointPolygonTest(face, die.center_mm, measureDist=False) < 0 for face in faces)
    ]


def _card(corners: Any, reading: Reading, sure: bool) -> Told:
    told: Told = {
        "card": reading.name if sure else None,
        "corners": [[telling.number(x, 1), telling.number(y, 1)] for x, y in corners],
        "confidence": telling.number(reading.guesses[0].confidence, 3) if reading.guesses else 0.0,
    }
    if not sure and reading.guesses:
        told["candidates"] = telling.candidates(reading.guesses)
    return told


def _human(image: str, told: Told) -> list[str]:
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
            f" at {die['center'][0]:.0f}, {die['center'][1]:.0f}"
        )
    return lines
