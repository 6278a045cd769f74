"""The five characters of Dubbe as figures with faces: strips to cut out, fold at the heads and stand up."""

from __future__ import annotations

from table.catalogue import Language, text
from table.printables.drawing import (
    BLACK,
    WHITE,
    Disc,
    Drawing,
    Ink,
    Mark,
    Placed,
    PlainMark,
    Polygon,
    Stroke,
    Text,
    arc,
    box,
    laid_out,
    recast,
)
from table.printables.marks import number
from table.printables.plan import CHARACTERS, SHEETS
from vision.layout import Point

FIGURE_MM: Point = (46.0, 64.0)
_FOOT_MM = 14.0
_SKIN: Ink = (244, 208, 172)
_SHADE: Ink = (226, 178, 138)
_HAIR: Ink = (92, 58, 30)
_LINE = 0.5
COATS: dict[str, Ink] = {
    "aagewwer": (176, 58, 46),
    "weschwieschmaennchen": (72, 122, 176),
    "jammerlabbe": (128, 128, 140),
    "jo-lossen": (84, 140, 82),
    "gliggsridder": (206, 158, 40),
}
"""The coat of each character; these are not the colours of the cards."""


def figure(character: str, language: Language = "de") -> Drawing:
    """One figure: front and back head to head, with feet to fold outward; about 46 by 160 mm."""
    front = Drawing(FIGURE_MM, (*person(character), *_label(character, language)), WHITE)
    back = Drawing(FIGURE_MM, tuple(_back(character, language)), WHITE)
    w, h = FIGURE_MM
    marks: list[Mark] = [
        Placed(front, (0, -h / 2)),
        Placed(back, (0, h / 2)),
        box((0, 0), (w, 2 * h), line=BLACK, line_mm=0.2),
        Stroke(((-w / 2, 0), (w / 2, 0)), (150, 150, 150), 0.15),
    ]
    for side in (-1, 1):
        marks.append(box((0, side * (h + _FOOT_MM / 2)), (w, _FOOT_MM), (240, 240, 240), BLACK, 0.2))
    return Drawing((w + 2, 2 * (h + _FOOT_MM) + 2), tuple(marks), WHITE)


def figure_sheet(language: Language = "de") -> list[Drawing]:
    """All five figures on landscape A4."""
    return laid_out([figure(name, language) for name in CHARACTERS], SHEETS["A4"], margin_mm=8, gap_mm=3)


def _label(character: str, language: Language) -> list[PlainMark]:
    german, does = CHARACTERS[character]
    place = list(CHARACTERS).index(character) + 1
    size = 3.4 if len(german) < 12 else 2.4
    return [
        *number(place, (-17.5, 25.5), 7.0, BLACK),
        Text((0, -25.5), german, size, BLACK, bold=True),
        Text((0, -29.8), text(does, language), 2.3, BLACK),
    ]


def _back(character: str, language: Language) -> list[PlainMark]:
    """The person from behind: coat and hair, no face; upside down, because the strip is folded."""
    coat = COATS[character]
    upright: list[PlainMark] = [_body(coat), Disc((0, 6), 11.5, _HAIR, BLACK, _LINE)]
    return [recast(mark, turn_deg=180) for mark in [*upright, *_label(character, language)]]


def _body(coat: Ink) -> Polygon:
    return Polygon(
        (
            (-6, -3),
            *arc((-9, -9), (7, 6), 90, 180),
            (-17, -21),
            (17, -21),
            *arc((9, -9), (7, 6), 0, 90),
            (6, -3),
        ),
        coat,
        BLACK,
        _LINE,
    )


def _eyes(y: float = 8.0, apart: float = 4.2, size: float = 1.5, look: Point = (0.0, 0.0)) -> list[PlainMark]:
    marks: list[PlainMark] = []
    for side in (-1, 1):
        marks.append(Disc((side * apart, y), size, WHITE, BLACK, 0.3))
        marks.append(Disc((side * apart + look[0], y + look[1]), size * 0.5, BLACK))
    return marks


def _nose(size: float = 2.0, ink: Ink = _SHADE) -> PlainMark:
    return Disc((0, 4.4), size, ink, BLACK, 0.3)


def _mouth(y: float, wide: float, deep: float, open_ink: Ink | None = None) -> PlainMark:
    """A mouth: smiling if `deep` > 0, drooping if < 0."""
    line = (
        arc((0, y), (wide, abs(deep)), 180, 360)
        if deep > 0
        else arc((0, y + deep), (wide, abs(deep)), 0, 180)
    )
    return Polygon(line, open_ink, BLACK, _LINE) if open_ink else Stroke(line, BLACK, 0.8)


def person(character: str) -> list[PlainMark]:
    """Head and shoulders from the front, about 34 by 50 mm, centred on the origin."""
    marks: list[PlainMark] = [
        _body(COATS[character]),
        *(Disc((s * 11.3, 6), 2.3, _SKIN, BLACK, _LINE) for s in (-1, 1)),
    ]
    marks.append(Disc((0, 6), 11.5, _SKIN, BLACK, _LINE))
    match character:
        case "aagewwer":  # the braggart: chest out, a tall hat, a mouth that never shuts
            marks += [
                box((0, 16.5), (27, 2.4), (40, 34, 32), BLACK, _LINE),
                box((0, 23), (17, 11), (40, 34, 32), BLACK, _LINE),
                box((0, 19.2), (17, 2.4), (206, 158, 40)),
                *_eyes(look=(0.5, 0.4)),
                _nose(2.4),
                Polygon(arc((0, 0.6), (5.4, 4.6), 180, 360), (120, 20, 24), BLACK, _LINE),
                box((0, 0.1), (8.2, 1.3), WHITE, BLACK, 0.2),
                *(Disc((0, -9 - 4 * n), 0.9, (206, 158, 40)) for n in range(3)),
            ]
        case (
            "weschwieschmaennchen"
        ):  # the little man with the moustache, who wipes everything away with the cloth in his hand
            marks += [
                Polygon((*arc((0, 12), (11, 8.5), 0, 180), (-11, 12)), (232, 236, 240), BLACK, _LINE),
                Disc((0, 20.5), 2.2, (232, 236, 240), BLACK, _LINE),
                *_eyes(),
                _nose(),
                *(Stroke(arc((s * 3.4, 1.0), (3.6, 2.2), 20, 160), _HAIR, 2.0) for s in (-1, 1)),
                _mouth(-0.6, 2.6, 1.6),
                Polygon(
                    ((9, -11), (17, -9), (18.5, -17), (13, -15.5), (9.5, -18)), (250, 246, 220), BLACK, _LINE
                ),
            ]
        case "jammerlabbe":  # the cry-baby: drooping hair, drooping mouth, tears down to the coat
            marks += [
                *(
                    Stroke(((x, 17.0 - abs(x) * 0.12), (x * 1.25, 10.5)), _HAIR, 1.5)
                    for x in (-9, -6, -3, 3, 6, 9)
                ),
                *_eyes(look=(0.0, -0.6)),
                *(Stroke(((s * 2.4, 10.6), (s * 6.4, 9.6)), BLACK, 0.7) for s in (-1, 1)),
                _nose(2.2, (232, 150, 130)),
                _mouth(0.2, 4.2, -3.0),
                *(
                    Disc((s * 5.6, y), r, (110, 170, 230), (60, 110, 180), 0.2)
                    for s in (-1, 1)
                    for y, r in ((4.6, 1.0), (0.4, 1.3), (-5.0, 1.5))
                ),
            ]
        case "jo-lossen":  # let it be: a straw hat, eyes shut, a straw in the mouth
            marks += [
                Polygon(
                    (*arc((0, 13), (16, 3.0), 180, 360), *arc((0, 13), (9.5, 8.5), 0, 180)),
                    (226, 196, 120),
                    BLACK,
                    _LINE,
                ),
                *(Stroke(arc((s * 4.2, 8.4), (2.2, 1.5), 190, 350), BLACK, 0.7) for s in (-1, 1)),
                _nose(),
                _mouth(1.4, 4.4, 2.6),
                Stroke(((3.0, -0.6), (12.5, 2.6)), (150, 130, 40), 0.7),
                Disc((13.2, 2.9), 1.1, (206, 178, 60)),
            ]
        case _:  # the knight of luck: helmet, plume and a clover on his coat
            steel: Ink = (196, 202, 210)
            marks += [
                Polygon(
                    (
                        *arc((0, 9), (12.2, 11.5), 0, 180),
                        (-12.2, 1.5),
                        (-8.8, 1.5),
                        (-8.8, 11.5),
                        (8.8, 11.5),
                        (8.8, 1.5),
                        (12.2, 1.5),
                    ),
                    steel,
                    BLACK,
                    _LINE,
                ),
                Polygon((*arc((0, 22.6), (9, 4.2), 10, 170), (0, 20.2)), (176, 38, 48), BLACK, _LINE),
                *_eyes(look=(0.4, 0.2)),
                _nose(),
                _mouth(1.2, 4.2, 3.0, (150, 34, 38)),
                *(
                    Disc((dx * 1.9, -12 + dy * 1.9), 2.0, (38, 130, 62), BLACK, 0.2)
                    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                ),
                Stroke(((0, -13.5), (1.6, -18.5)), (38, 130, 62), 0.8),
            ]
    return marks
