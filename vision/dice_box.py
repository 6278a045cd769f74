"""A box of settled dice, read in millimetres: colour, face, foot, place and verdict of every die in view.

The picture is flattened at the height of the dice's tops, so that a top face is a square of the known
edge and its middle stands over its own foot. What looks as in the empty box is print, not a die. Dice on
the bet tiles, in holes and beside the box have other heights: a little larger or smaller, at places that
say what they are.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.box import register_box
from vision.dice import USUAL_EDGE_MM, paper_white
from vision.dice_faces import CLEAR, Face, choose, find_faces
from vision.dice_glyph import X, find_x
from vision.dice_pips import EDGE_PX, Lab
from vision.dice_search import busy
from vision.dice_set import DiceSet, flatten_floor, flatten_plane
from vision.errors import TagsNotFoundError
from vision.field import Field, Verdict
from vision.geometry import Registration
from vision.layout import Layout, Point
from vision.sightings import DieSeen, Guess, Picture
from vision.throws import Found

SURROUNDINGS_MM = 110.0
"""How far beyond the printed field dice are looked for: rim, bet tiles, what fell out beside the box."""
SURE_FACE = 0.9
_SAME_PRINT = 0.75
"""Correlation with the empty floor from which a face is the field's own drawing."""
_OTHER_COLOUR = 12.0
"""Distance in a and b of CIELAB between a face's middle and the empty floor: beyond, it is no drawing."""
_FAR_CLEAR = 0.7
"""Quality that a face needs beside the field, where nobody knows what the table looks like."""


def look_box(picture: Picture, fit: Registration, layout: Layout, dice: DiceSet) -> list[Found]:
    """Every die in a picture (h, w, 3) BGR of a registered box, in the words of a `throw` (CONTRACTS 4)."""
    edge = layout.die_edge_mm or USUAL_EDGE_MM
    w, h = (side / 2 + SURROUNDINGS_MM for side in layout.size_mm)
    area = (-w, -h, w, h)
    top = flatten_plane(picture, fit, layout, area, edge)
    floor = flatten_floor(picture, fit, layout)
    white = paper_white(picture, fit, layout)
    field = Field(layout)
    scale = EDGE_PX / edge
    found = []
    for face in choose(_faces(top, dice)):
        at = (-w + (face.x + 0.5) / scale, h - (face.y + 0.5) / scale)
        at_px = fit.to_px([at], edge)[0]
        if face.quality < CLEAR or _on_tag(layout, fit, at_px):
            continue
        if field.in_box(at) and _is_print(floor, dice, fit.to_mm([at_px])[0], layout):
            continue
        die = _die(face, at, at_px, fit, layout, field, dice, white)
        if die is not None:
            found.append(Found(die, (float(at_px[0]), float(at_px[1])), edge * fit.px_per_mm(at, edge)))
    return found


class BoxReader:
    """Reads the box for `Throws`: finds it anew in each picture, for players may turn it."""

    def __init__(self, layout: Layout, dice: DiceSet) -> None:
        self._layout, self._dice = layout, dice

    def __call__(self, picture: Picture) -> list[Found]:
        """Every die in view; none while too few tags can be seen."""
        try:
            fit = register_box(picture, self._layout)
        except TagsNotFoundError:
            return []
        return look_box(picture, fit, self._layout, self._dice)


def _faces(top: Lab, dice: DiceSet) -> Iterator[Face]:
    """Pip faces and X faces of the flattened picture, looked for where anything stands out."""
    eight = np.clip(top * (2.55, 1.0, 1.0) + (0.0, 128.0, 128.0), 0, 255).astype(np.uint8)
    for x0, y0, x1, y1 in busy(np.asarray(cv2.cvtColor(eight, cv2.COLOR_LAB2BGR), np.uint8), EDGE_PX):
        part = np.ascontiguousarray(top[y0:y1, x0:x1])
        for face in (*find_faces(part), *find_x(part, dice.glyph)):
            if face.value in (1, 2, 3, X):
                yield face.moved(x0, y0)


def _is_print(floor: Lab, dice: DiceSet, at: NDArray[np.float64], layout: Layout) -> bool:
    """Whether the floor behind a face looks as in the empty box: same drawing, whatever the light."""
    if dice.empty is None or floor.shape != dice.empty.shape:
        return False
    scale = EDGE_PX / (layout.die_edge_mm or USUAL_EDGE_MM)
    x = round((at[0] + layout.size_mm[0] / 2) * scale)
    y = round((layout.size_mm[1] / 2 - at[1]) * scale)
    reach = round(0.6 * EDGE_PX)
    window = (slice(max(0, y - reach), y + reach), slice(max(0, x - reach), x + reach))
    now, then = floor[window].reshape(-1, 3), dice.empty[window].reshape(-1, 3)
    if len(now) < reach:
        return False
    # A die that stands on strong lines leaves them in view: its own colour must be the floor's too.
    middle = np.abs(np.mgrid[-reach:reach, -reach:reach]).max(axis=0).ravel() < reach // 2
    if (
        len(now) == len(middle)
        and float(np.linalg.norm((now - then)[middle, 1:].mean(axis=0))) > _OTHER_COLOUR
    ):
        return False
    now, then = now - now.mean(axis=0), then - then.mean(axis=0)
    return bool((now * then).sum() > _SAME_PRINT * float(np.sqrt((now**2).sum() * (then**2).sum()) + 1e-6))


def _die(
    face: Face,
    at: Point,
    at_px: NDArray[np.float64],
    fit: Registration,
    layout: Layout,
    field: Field,
    dice: DiceSet,
    white: Lab | None,
) -> DieSeen | None:
    """The face as a die: named, placed, judged; None where no die of this set can be meant."""
    colours, colour_sure = dice.name(np.asarray(face.body), white)
    names = {X: "X"} | {k: str(k) for k in range(1, 7)}
    faces = sorted((Guess(names[v], b) for v, b in face.belief.items()), key=lambda g: -g.confidence)
    face_sure = faces[0].confidence >= SURE_FACE
    if colour_sure and not dice.inked(colours[0].name, np.asarray(face.pip), white):
        return None
    where, place = _where(at, at_px, fit, layout, field)
    yaw = (90.0 - face.yaw_deg) % 90.0
    verdict: Verdict | None = field.judge(place, yaw) if where == "field" else None
    # An unknown drawing or a thing on the table may look a little like a die: then it must look very.
    beside = where in ("outside", "hole") or where.startswith("bet")
    if beside and (face.quality < _FAR_CLEAR or not colour_sure or not face_sure):
        return None
    if not face_sure and (face.quality < _FAR_CLEAR or not colour_sure):
        return None
    doubt = [word for word, sure in (("colour", colour_sure), ("face", face_sure)) if not sure]
    if verdict is not None and verdict.on_the_line:
        doubt.append("line")
    candidates = [
        Guess(f"{c.name}-{f.name}", c.confidence * f.confidence) for c in colours[:2] for f in faces[:2]
    ]
    return DieSeen(
        colour=colours[0].name if colour_sure else None,
        face=faces[0].name if face_sure else None,
        center_mm=place,
        yaw_deg=yaw,
        where=where,
        touches=verdict.touches if verdict else (),
        counts_as=verdict.counts_as if verdict else None,
        margin_mm=round(verdict.margin_mm, 2) if verdict else None,
        doubt=tuple(doubt),
        candidates=tuple(sorted(candidates, key=lambda g: -g.confidence)[:3]) if doubt else (),
    )


def _where(
    at: Point, at_px: NDArray[np.float64], fit: Registration, layout: Layout, field: Field
) -> tuple[str, Point]:
    """`field`, `hole`, `bet:A` … or `outside`, with the foot at that place's height."""
    if field.in_box(at):
        return ("hole" if field.over_hole(at) else "field"), at
    edge = layout.die_edge_mm or USUAL_EDGE_MM
    for bet in layout.bets:
        x, y = fit.to_mm([at_px], bet.center_mm[2] + edge)[0]
        if field.bet_under((float(x), float(y))) == bet.kind:
            return f"bet:{bet.kind}", (float(x), float(y))
    if layout.outside_z_mm is not None:
        x, y = fit.to_mm([at_px], layout.outside_z_mm + edge)[0]
        return "outside", (float(x), float(y))
    return "outside", at


def _on_tag(layout: Layout, fit: Registration, at_px: NDArray[np.float64]) -> bool:
    """Whether a face is a tag's print."""
    for tag in layout.tags:
        x, y = fit.to_mm([at_px], tag.center_mm[2])[0] - tag.center_mm[:2]
        if max(abs(x), abs(y)) < 0.7 * tag.size_mm:
            return True
    return False
