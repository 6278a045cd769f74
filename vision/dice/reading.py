"""Pip dice, read without enrolment: the position of the top face, its value and the name of its colour.

With a registered table, the picture is flattened at the height of the dice's tops. A top face is then a
square of known edge, and its middle is the die's foot (the die stands upright under it). Without a table,
the dice's size is searched for and everything is in pixels, x right, y down, yaw counter-clockwise as seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from vision.dice.brightening import brightened, brightening, exposure, well_lit
from vision.dice.brightening_parameters import BRIGHTENING
from vision.dice.colour import Vector, any_colour, from_linear, in_white_light, name_colour, to_linear
from vision.dice.face import Face
from vision.dice.face_detection import find_faces
from vision.dice.larger import without_larger
from vision.dice.parameters import DIE
from vision.dice.pips import EDGE_PX, Lab, to_lab
from vision.dice.search import faces_px
from vision.dice.veiling_glare import veiling_glare, without
from vision.dice.views import ByteMask
from vision.geometry import Registration
from vision.imgproc.colourless import is_colourless
from vision.imgproc.small_change import tint_of
from vision.imgproc.srgb import LIGHT
from vision.layout import Layout, Point, Spot
from vision.sightings import DieSeen, Guess, Picture
from vision.tags import tag_corners_mm

DUBBE_COLOURS = ("blue", "brown", "yellow", "green", "red", "black")
SURE_VALUE = 0.9
"""Least belief at which a value is reported."""
SURE_COLOUR = 0.75
"""Least belief at which a colour's name is reported; lower than for values, because colour names overlap."""
_GROUND = 4.0
"""CIELAB distance from the mat round a spot (two just noticeable steps) below which a face is print."""
_SAME_PAPER = 20.0
"""CIELAB distance in a and b up to which the paper of two tags counts as lit by the same light."""

_WHITE_PIP = (65.0, 25.0)
"""A pip above this CIELAB lightness and below this chroma counts as white."""
_SHOWN = 6
"""Number of guesses that are kept."""
_NOTHING = 1e-4
"""Lower bound of the paper's linear light, so that nothing is divided by zero."""
_SPARSE = 3
"""Stride in both directions at which the ground's colour is sampled, to save time."""


@dataclass(frozen=True, slots=True)
class SpotReading:
    """The die on one spot: colour and value, None where unsure; `candidates` are named `<colour>-<value>`.

    `center_mm` is the middle of the die's foot; `confidence` applies to colour and value together.
    """

    spot: str
    colour: str | None
    value: int | None
    center_mm: Point
    confidence: float
    candidates: tuple[Guess, ...]


@dataclass(frozen=True, slots=True)
class _Light:
    """The colour of white (CIELAB) and the stray light over the picture (linear BGR); None where unknown.

    Both apply to the picture after brightening by `gains` (3,) BGR. `colourless`: the camera shows no
    colours.
    """

    white: Lab | None
    glare: Vector | None = None
    gains: Vector = field(default_factory=lambda: np.ones(3))
    colourless: bool = False

    @classmethod
    def over(cls, picture: Picture, registration: Registration, layout: Layout) -> _Light:
        """Measure the light on the tags of a registered table."""
        paper, colourless = tag_paper(picture, registration, layout), is_colourless(picture)
        if paper is None:
            return cls(None, colourless=colourless)
        glare = veiling_glare(picture, registration, layout, paper.white)
        gains = brightening(*paper, well_lit())
        if gains.max() <= 1.0:
            return cls(paper.white, glare, colourless=colourless)
        bright = np.asarray(from_linear(to_linear(paper.white) * gains), np.float32)
        return cls(bright, None if glare is None else glare * gains, gains, colourless)


def read_spots(picture: Picture, registration: Registration, layout: Layout) -> list[SpotReading]:
    """The dice on the layout's spots, in the layout's order; a spot without a die is left out."""
    edge = layout.edge_mm
    light = _Light.over(picture, registration, layout)
    readings = []
    for spot in layout.spots:
        x, y = spot.center_mm
        reach = spot.size_mm / 2 + edge
        found = [
            (face, at)
            for face, at, ground in _faces_mm(
                picture, registration, (x - reach, y - reach, x + reach, y + reach), edge, light.gains
            )
            if _on(spot, at, edge)
            # A spot's frame and letters may look like a bordered face, but its body has the mat's colour.
            and np.linalg.norm(ground - face.body) > _GROUND
        ]
        if found:
            face, at = max(found, key=lambda pair: pair[0].score)
            guesses = _name(face, light, DUBBE_COLOURS)
            best = guesses[0]
            colour, value = best.name.rsplit("-", 1)
            sure_colour, sure_value = _sure(guesses)
            readings.append(
                SpotReading(
                    spot.name,
                    colour if sure_colour else None,
                    int(value) if sure_value else None,
                    at,
                    best.confidence,
                    tuple(guesses[:3]),
                )
            )
    return readings


def look_pips(
    picture: Picture,
    registration: Registration | None = None,
    layout: Layout | None = None,
    where: ByteMask | None = None,
    edges_px: tuple[float, float] | None = None,
) -> list[DieSeen]:
    """Every die with pips in a picture; millimetres with a registration and its layout, else pixels.

    Without a table, `where` (any size, stretched over the whole picture) is a mask, not 0 where dice are
    sought, and `edges_px` bounds their edge.

    Dice come in reading order: from the top of the picture (the far side of the table) down, left to right.
    A die whose colour or value is in doubt has None there; `doubt` and `candidates` give the reason. A die
    larger than the layout's has its `edge_mm` set and its value in doubt.
    """
    if registration is None or layout is None:
        bright = brightened(picture, exposure(tint_of(picture)))
        dice = name_faces(faces_px(bright, where, edges_px), is_colourless(picture))
        return sorted(dice, key=lambda die: die.center_mm[::-1])
    edge = layout.edge_mm
    light = _Light.over(picture, registration, layout)
    w, h = layout.size_mm
    rim = edge  # a die may stand on the mat's edge
    area = (-w / 2 - rim, -h / 2 - rim, w / 2 + rim, h / 2 + rim)
    dice = [
        replace(
            _seen(at, (90.0 - face.yaw_deg) % 90.0, _name(face, light, None)),
            edge_mm=edge * face.edge / EDGE_PX if face.edge > DIE.larger_told * EDGE_PX else None,
        )
        for face, at, _ in _faces_mm(picture, registration, area, edge, light.gains)
        if not _on_a_tag(layout, at)
    ]
    if any(_on(spot, die.center_mm, edge) for spot in layout.spots for die in dice):
        taken = {reading.spot for reading in read_spots(picture, registration, layout)}
        bare = [spot for spot in layout.spots if spot.name not in taken]  # their print may look like a die
        dice = [die for die in dice if not any(_on(spot, die.center_mm, edge) for spot in bare)]
    return sorted(dice, key=lambda die: (-die.center_mm[1], die.center_mm[0]))


def name_faces(faces: list[Face], colourless: bool = False) -> list[DieSeen]:
    """Name the faces found without a table, in pixels; the light is taken from their white pips.

    `colourless`: the picture has no colours.
    """
    light = _Light(pip_white(faces), colourless=colourless)
    guesses = [_name(face, light, None) for face in faces]
    # Dice on one table are usually of one set: a colour that one die surely has, its neighbour may have too.
    sure = Counter(own[0].name.rsplit("-", 1)[0] for own in guesses if _sure(own)[0])
    return [
        replace(_seen((f.x, f.y), (90.0 - f.yaw_deg) % 90.0, _among_others(own, sure)), edge_px=f.edge)
        for f, own in zip(faces, guesses, strict=True)
    ]


def _among_others(guesses: list[Guess], sure: Counter[str]) -> list[Guess]:
    """Weigh a doubtful colour by how many dice of the picture surely have it; best first."""
    if _sure(guesses)[0]:
        return guesses
    weight = [g.confidence * (1 + sure[g.name.rsplit("-", 1)[0]]) for g in guesses]
    scale = sum(g.confidence for g in guesses) / sum(weight)
    weighed = [Guess(g.name, w * scale) for g, w in zip(guesses, weight, strict=True)]
    return sorted(weighed, key=lambda g: -g.confidence)


def pip_white(faces: list[Face]) -> Lab | None:
    """CIELAB colour of the faces' white pips: what white looks like in this light; None without any."""
    light, tinted = _WHITE_PIP
    bright = [f.pip for f in faces if f.pip[0] > light and np.hypot(f.pip[1], f.pip[2]) < tinted]
    return np.median(np.asarray(bright, np.float32), axis=0) if bright else None


class TagPaper(NamedTuple):
    """The paper round the tags: its CIELAB colour, and the light (3,) BGR, 0 to 1, of the lightest.

    They differ where half of a table lies in shadow.
    """

    white: Lab
    lightest: Vector


def paper_white(picture: Picture, registration: Registration, layout: Layout) -> Lab | None:
    """CIELAB colour of the paper round the tags: what white looks like in this light."""
    paper = tag_paper(picture, registration, layout)
    return None if paper is None else paper.white


def tag_paper(picture: Picture, registration: Registration, layout: Layout) -> TagPaper | None:
    """Measure the paper round the tags in view; None where there is none."""
    seen = _papers(picture, registration, layout)
    if not len(seen):
        return None
    labs = to_lab(np.rint(seen).astype(np.uint8).reshape(-1, 1, 3))[:, 0].astype(np.float32)
    # A sleeve, or rows spoilt by a loose cable, may hide some tags. The colour that most tags show is paper;
    # on a tie it is the brightest, because paper reflects every colour.
    apart = np.linalg.norm(labs[:, None, 1:] - labs[None, :, 1:], axis=2)
    groups = apart < _SAME_PAPER
    alike = groups[max(range(len(seen)), key=lambda n: (groups[n].sum(), np.min(seen[n])))]
    middle = np.median(seen[alike], axis=0).reshape(1, 1, 3).round().astype(np.uint8)
    lightest = LIGHT[seen.max(axis=0).round().astype(np.uint8)].astype(np.float64)
    return TagPaper(np.asarray(to_lab(middle)[0, 0], np.float32), lightest)


def _papers(picture: Picture, registration: Registration, layout: Layout) -> Vector:
    """Colours (n, 3) BGR of the paper round each tag in view."""
    rings = []
    for tag in layout.tags:
        if tag.id in registration.tags:
            middle = np.asarray(tag.center_mm)
            # The paper's quiet zone lies half a module outside the black square.
            out = middle + (tag_corners_mm(tag) - middle) * (1 + 1 / 6)
            rings.append(np.concatenate([out, (out + out[[3, 0, 1, 2]]) / 2]))
    if not rings:
        return np.zeros((0, 3))
    h, w = picture.shape[:2]
    seen = []
    for ring in np.rint(registration.to_px(np.concatenate(rings))).astype(int).reshape(len(rings), -1, 2):
        at = ring[((ring >= 0) & (ring < (w, h))).all(axis=1)]
        if len(at):
            ordered = np.sort(picture[at[:, 1], at[:, 0]], axis=0).astype(np.float64)
            seen.append((ordered[(len(at) - 1) // 2] + ordered[len(at) // 2]) / 2)
    return np.asarray(seen, np.float64).reshape(-1, 3)


def _faces_mm(
    picture: Picture,
    registration: Registration,
    area_mm: tuple[float, float, float, float],
    edge: float,
    gains: Vector,
) -> Iterator[tuple[Face, Point, Lab]]:
    """Yield each face within an area (x0, y0, x1, y1) of the table, its foot in mm, and the area's colour.

    Face and colour are read from the picture brightened by `gains`.
    """
    x0, y0, x1, y1 = area_mm
    scale = EDGE_PX / edge
    size = (round((x1 - x0) * scale), round((y1 - y0) * scale))
    corners = [[x0, y1], [x1, y1], [x1, y0], [x0, y0]]
    flat = brightened(registration.flatten(picture, corners, size, edge), gains)
    lab = to_lab(flat)
    ground = np.median(lab[::_SPARSE, ::_SPARSE].reshape(-1, 3), axis=0)
    eye_x, eye_y = registration.camera_mm[:2]
    nadir = ((eye_x - x0) * scale - 0.5, (y1 - eye_y) * scale - 0.5)
    found = [face for face in find_faces(lab, nadir=nadir) if face.quality >= DIE.clear_quality]
    for face in without_larger(lab, found, nadir):
        yield face, (x0 + (face.x + 0.5) / scale, y1 - (face.y + 0.5) / scale), ground


def _on(spot: Spot, at: Point, edge: float) -> bool:
    """Whether a die lies on the spot: the middle of its foot is at most a quarter of its edge outside."""
    reach = spot.size_mm / 2 + edge / 4
    return abs(at[0] - spot.center_mm[0]) <= reach and abs(at[1] - spot.center_mm[1]) <= reach


def _on_a_tag(layout: Layout, at: Point) -> bool:
    """Whether a face is print, because it lies within a tag's black square."""
    return any(
        max(abs(at[0] - t.center_mm[0]), abs(at[1] - t.center_mm[1])) < t.size_mm / 2 for t in layout.tags
    )


def _name(face: Face, light: _Light, among: tuple[str, ...] | None) -> list[Guess]:
    """`<colour>-<value>` guesses of a face, best first."""
    white = None if light.white is None else _white_there(without(light.white, light.glare), face)
    if light.colourless:
        names = any_colour(among)
    else:
        names = name_colour(without(face.body, light.glare), white, among)
    guesses = [
        Guess(f"{colour.name}-{value}", colour.confidence * share)
        for colour in names
        for value, share in face.belief.items()
    ]
    # Where all colours are equally likely, the value is only sure with one guess for each colour.
    most = _SHOWN if names[0].confidence > names[-1].confidence else max(_SHOWN, len(names))
    return sorted(guesses, key=lambda g: -g.confidence)[:most]


def _white_there(white: Vector, face: Face) -> Vector:
    """What white looks like at a die: its white pips may be in more light than the tags' paper."""
    pip = in_white_light(np.asarray(face.pip, np.float64), white)
    if float(np.hypot(pip[1], pip[2])) > BRIGHTENING.white_pip:
        return white
    paper = to_linear(white)
    more = float(to_linear(face.pip).mean() / max(float(paper.mean()), _NOTHING))
    return from_linear(paper * min(max(more, 1.0), BRIGHTENING.most_lighter))


def _sure(guesses: list[Guess]) -> tuple[bool, bool]:
    """Whether the first guess's colour, and its value, are sure enough to report."""
    colour, value = guesses[0].name.rsplit("-", 1)
    same_colour = sum(g.confidence for g in guesses if g.name.rsplit("-", 1)[0] == colour)
    same_value = sum(g.confidence for g in guesses if g.name.rsplit("-", 1)[1] == value)
    return same_colour >= SURE_COLOUR, same_value >= SURE_VALUE


def _seen(at: Point, yaw: float, guesses: list[Guess]) -> DieSeen:
    colour, value = guesses[0].name.rsplit("-", 1)
    sure_colour, sure_value = _sure(guesses)
    doubt = tuple(word for word, sure in (("colour", sure_colour), ("face", sure_value)) if not sure)
    return DieSeen(
        colour=colour if sure_colour else None,
        face=value if sure_value else None,
        center_mm=at,
        yaw_deg=yaw,
        where="field",
        doubt=doubt,
        candidates=tuple(guesses[:3]) if doubt else (),
    )
