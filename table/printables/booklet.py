"""All the paper of a game in one PDF: a cover that says what to cut, quick rules, mat or field, pieces."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.catalogue import Language, sentences, text
from table.printables.cards import dubbe_deck
from table.printables.drawing import BLACK, WHITE, Drawing, Ink, Mark, Polygon, Text, arc, box, laid_out
from table.printables.field_plan import BET_MM, FieldPlan
from table.printables.fields import bet_sheets, draw_field, tag_sheets
from table.printables.figures import figure_sheet
from table.printables.insert import CARDS_MM, DICE_MM, height_mm, tray
from table.printables.marks import INKS, ruler, shape
from table.printables.mat import draw_mat, tiled
from table.printables.pieces import A4_UPRIGHT, dice_sheets, tile_sheets
from table.printables.plan import DIE_EDGE_MM, MatPlan
from table.printables.suits import DARK, RED, suit
from table.rules.cards import SUITS
from table.rules.game import Game
from table.rules.packs import pack_of
from vision.layout import Point

QUICK_MM: Point = (105.0, 148.0)
"""A6: fits beside every seat."""

_TITLE_MM = 104.0
"""Room for the title between the two glasses of the cover."""

_LETTER = 0.74
"""Width of a letter of Helvetica, as a share of the height of a capital; most are a little narrower."""
_NARROW = 0.68
"""The same for whole sentences in lower case; a test measures every line of every card."""
_QUICK_LETTERS = (3.1, 2.9, 2.7, 2.5, 2.35)
"""Heights of a capital on a card of quick rules (mm); the largest that fits is used."""
_FRAME: Ink = (52, 44, 84)


@dataclass(frozen=True, slots=True)
class Part:
    """Pages that belong together, and their title in the catalogue."""

    name: str
    pages: tuple[Drawing, ...]


def quick_rules(game: Game, language: Language) -> Drawing:
    """A card with the rules of a game in a few sentences, in the largest letters that fit."""
    w, h = QUICK_MM
    marks: list[Mark] = [
        box((0, 0), (w - 1, h - 1), WHITE, BLACK, 0.2, 4),
        box((0, h / 2 - 13), (w - 9, 17), _FRAME, corner_mm=3),
        Text((0, h / 2 - 15.5), game.title, 6.0, WHITE, bold=True),
        *_glass((-w / 2 + 14, h / 2 - 13), 10.0),
        *_glass((w / 2 - 14, h / 2 - 13), 10.0),
    ]
    said = _rules(game.name, language)
    for letter in _QUICK_LETTERS:
        rules = [_wrapped(rule, w - 21, letter, _NARROW) for rule in said]
        if sum(1.83 * len(lines) + 1.1 for lines in rules) * letter < h - 36:
            break
    y = h / 2 - 30.0
    for n, lines in enumerate(rules):
        marks += _bullet(game, n, (-w / 2 + 9, y + letter / 2), 1.8 * letter)
        for line in lines:
            marks.append(Text((-w / 2 + 14, y), line, letter, BLACK, "start"))
            y -= 1.83 * letter
        y -= 1.1 * letter
    return Drawing((w + 1, h + 1), tuple(marks), WHITE)


def _bullet(game: Game, n: int, center_mm: Point, size_mm: float) -> list[Mark]:
    """The sign before the `n`th rule: a suit for games with ordinary cards, otherwise one of our colours."""
    if not game.boxed and "deck" not in game.pieces:
        letter = SUITS[n % len(SUITS)]
        return suit(letter, center_mm, size_mm, RED if letter in "HD" else DARK)
    colour = tuple(INKS)[n % 5]
    return [shape(colour, center_mm, size_mm, INKS[colour])]


_PIECES: dict[str, Callable[[Language], Sequence[Drawing]]] = {
    "deck": lambda _: laid_out(list(dubbe_deck().values()), A4_UPRIGHT),
    "dice": lambda _: dice_sheets()[:1],
    "figures": figure_sheet,
    "tiles": tile_sheets,
}
"""The pieces that a card game may need (`Game.pieces`)."""
_USUAL_CARDS = 48
"""Smallest number of cards that a tray holds: a game with few cards is still stored as a whole deck."""


def card_parts(game: Game, plan: MatPlan, sheet: str, language: Language) -> list[Part]:
    """The parts that a card game needs on this mat, cut for paper of the size `sheet`."""
    height = height_mm(max(_USUAL_CARDS, len(pack_of(game.name))))
    nets = [[tray(CARDS_MM, height, text("paper.insert.cards", language))]]
    if "dice" in game.pieces:
        nets.append([tray(DICE_MM, DIE_EDGE_MM + 4, text("paper.insert.dice", language))])
    return [
        _rules_part(game, language),
        Part("mat", tuple(tiled(draw_mat(plan, game, language), sheet, language))),
        *(Part(name, tuple(_PIECES[name](language))) for name in game.pieces),
        Part("insert", tuple(page for net in nets for page in laid_out(net, A4_UPRIGHT))),
    ]


def box_parts(game: Game, plan: FieldPlan, language: Language) -> list[Part]:
    """The parts that a dice game needs in a box with this field."""
    dice = tuple(dice_sheets()[1:])
    nets = laid_out([tray(DICE_MM, DIE_EDGE_MM + 4, text("paper.insert.dice", language))], A4_UPRIGHT)
    return [
        _rules_part(game, language),
        Part("field", (draw_field(plan, language), *tag_sheets(plan.layout, language))),
        Part("bets", tuple(bet_sheets(BET_MM, language))),
        Part("dice", dice),
        Part("insert", tuple(nets)),
    ]


def booklet(title: str, parts: Sequence[Part], table_file: str, language: Language) -> list[Drawing]:
    """A cover that says what to do with each part, then the pages of all parts."""
    return [_cover(title, parts, table_file, language), *(page for part in parts for page in part.pages)]


def _rules_part(game: Game, language: Language) -> Part:
    return Part("rules", tuple(laid_out([quick_rules(game, language)] * 2, (297.0, 210.0), gap_mm=4)))


def _cover(title: str, parts: Sequence[Part], table_file: str, language: Language) -> Drawing:
    w, h = A4_UPRIGHT
    marks: list[Mark] = [
        box((0, h / 2 - 45), (w - 30, 60), _FRAME, corner_mm=6),
        Text((0, h / 2 - 52), title, min(15.0, _TITLE_MM / (0.72 * len(title))), WHITE, bold=True),
        Text((0, h / 2 - 66), text("paper.title", language, game=title), 3.6, WHITE),
        *(mark for side in (-1, 1) for mark in _glass((side * (w / 2 - 36), h / 2 - 43), 26.0)),
    ]
    y, first = h / 2 - 95, 2
    for line in _wrapped(text("paper.cover.how", language), w - 50, 3.2):
        marks.append(Text((-w / 2 + 25, y), line, 3.2, BLACK, "start", bold=True))
        y -= 6
    y -= 6
    for part in parts:
        last = first + len(part.pages) - 1
        where = "paper.cover.page" if last == first else "paper.cover.pages"
        marks.append(box((-w / 2 + 27, y + 1.7), (4.5, 4.5), WHITE, BLACK, 0.4))  # a box to tick off
        marks.append(
            Text((-w / 2 + 34, y), text(f"paper.part.{part.name}", language), 3.6, BLACK, "start", bold=True)
        )
        marks.append(Text((w / 2 - 25, y), text(where, language, first=first, last=last), 3.0, BLACK, "end"))
        for line in _wrapped(text(f"paper.do.{part.name}", language), w - 110, 2.8):
            y -= 5.5
            marks.append(Text((-w / 2 + 34, y), line, 2.8, BLACK, "start"))
        if any(max(page.size_mm) > max(A4_UPRIGHT) for page in part.pages):
            y -= 5.5
            large = text("paper.cover.large", language)
            marks.append(Text((-w / 2 + 34, y), large, 2.8, BLACK, "start", bold=True))
        y -= 11
        first = last + 1
    for line in _wrapped(text("paper.cover.table", language, file=table_file), w - 50, 2.8):
        marks.append(Text((-w / 2 + 25, y), line, 2.8, BLACK, "start"))
        y -= 5.5
    marks += ruler((-50, -h / 2 + 16), BLACK)
    return Drawing(A4_UPRIGHT, tuple(marks), WHITE)


def _rules(game: str, language: Language) -> list[str]:
    said = sentences(language)
    numbers = range(1, 20)
    return [said[key] for n in numbers if (key := f"quick.{game}.{n}") in said]


def _wrapped(words: str, width_mm: float, height_mm: float, letter: float = _LETTER) -> list[str]:
    return textwrap.wrap(words, max(8, int(width_mm / (letter * height_mm))), break_long_words=False)


def _glass(center_mm: Point, height: float) -> list[Mark]:
    """A Dubbeglas with its dimples."""
    (x, y), half = center_mm, height / 2
    top, foot = 0.42 * height, 0.33 * height
    gold: Ink = INKS["yellow"]
    marks: list[Mark] = [
        Polygon(((x - top, y + half), (x + top, y + half), (x + foot, y - half), (x - foot, y - half)), gold)
    ]
    for row in range(2):
        for column in range(3):
            at = (x + (column - 1) * 0.24 * height, y + (0.12 - 0.3 * row) * height)
            marks.append(Polygon(arc(at, (0.085 * height, 0.085 * height), 0, 360), (255, 240, 180)))
    return marks
