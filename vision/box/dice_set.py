"""Enrolled dice of a box game: the look of each colour, the glyph of the X, the empty floor."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.box.background import Ground
from vision.box.colour_parameters import BOX_COLOUR
from vision.box.glyph import Glyph, X, cut_glyph, find_x, plain_x
from vision.box.patch_atlas import Cut, PatchAtlas
from vision.box.pose_fit import register_box
from vision.dice.colour import DIE_COLOURS, Vector, in_white_light, to_linear
from vision.dice.face import Face
from vision.dice.face_detection import find_faces
from vision.dice.pips import EDGE_PX, Lab, to_lab
from vision.dice.reading import paper_white
from vision.errors import DeckError, TagsNotFoundError
from vision.geometry import Registration
from vision.layout import Layout
from vision.learnt import Arrays, LearntFile
from vision.pictures import picture_files, read_picture
from vision.sightings import Guess, Picture
from vision.tags import find_tags, tag_corners_mm

FACES = ("1", "2", "3", "X")
_DIM = np.geomspace(0.04, 1.0, 24)
"""Levels of light over that at enrolment, from the bottom of a hole to the open."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """Body and ink of each colour in white light (CIELAB), the upright X (see `glyph`), the empty box."""

    bodies: dict[str, Vector]
    inks: dict[str, Vector]
    glyph: Glyph
    ground: Ground

    def name(
        self, body: Lab | Vector, white: Lab | None, others: Collection[str] = ()
    ) -> tuple[list[Guess], bool]:
        """Rank the colours by likeness, best first; return also whether the first is sure.

        Dice of the colours `others` surely lie elsewhere: they are no rivals, and as the first never sure.
        """
        seen = in_white_light(np.asarray(body, np.float64), white)
        # Light falls off in a box, so lightness counts less than hue and chroma.
        light, a, b = seen.tolist()
        far = {c: math.hypot((light - own[0]) / 2, a - own[1], b - own[2]) for c, own in self.bodies.items()}
        weight = {c: math.exp(-0.5 * (d / BOX_COLOUR.likely) ** 2) + 1e-9 for c, d in far.items()}
        total = sum(weight.values())
        guesses = sorted((Guess(c, w / total) for c, w in weight.items()), key=lambda g: -g.confidence)
        least = min(far.values())
        rivals = [d for c, d in far.items() if d > least and c not in others]
        sure = least < BOX_COLOUR.strange and all(least < BOX_COLOUR.twice * d for d in rivals)
        return guesses, sure and guesses[0].name not in others

    def name_dim(self, body: Lab | Vector, ink: Lab | Vector, white: Lab | None) -> tuple[list[Guess], bool]:
        """As `name`, for a die deep in shadow: compares body and ink at every strength of the light."""
        seen = np.concatenate(
            [to_linear(in_white_light(np.asarray(v, np.float64), white)) for v in (body, ink)]
        )
        far = {}
        for colour in self.bodies:
            own = np.concatenate([to_linear(self.bodies[colour]), to_linear(self.inks[colour])])
            dimmed = np.log(_DIM[:, None] * own + BOX_COLOUR.stray)
            far[colour] = float(np.linalg.norm(dimmed - np.log(seen + BOX_COLOUR.stray), axis=1).min())
        guesses = [Guess(c, float(np.exp(-(d**2)))) for c, d in sorted(far.items(), key=lambda pair: pair[1])]
        near = sorted(far.values())
        return guesses, near[0] < BOX_COLOUR.dim_far and (
            len(near) < 2 or near[0] < BOX_COLOUR.twice * near[1]
        )

    def inked(self, colour: str, ink: Lab | Vector, white: Lab | None) -> float:
        """Contrast of a face's ink over that of this colour's die: 1 as enrolled, for print usually less."""
        seen = in_white_light(np.asarray(ink, np.float64), white)
        way = self.inks[colour] - self.bodies[colour]
        return float((seen - self.bodies[colour]) @ way) / float(way @ way)


def flatten_plane(
    picture: Picture,
    fit: Registration,
    layout: Layout,
    area_mm: tuple[float, float, float, float],
    z_mm: float,
) -> Lab:
    """Flatten an area (x0, y0, x1, y1) of the plane at height `z_mm`: CIELAB, `EDGE_PX` pixels per edge."""
    x0, y0, x1, y1 = area_mm
    scale = EDGE_PX / layout.edge_mm
    size = (round((x1 - x0) * scale), round((y1 - y0) * scale))
    return to_lab(fit.flatten(picture, [[x0, y1], [x1, y1], [x1, y0], [x0, y0]], size, z_mm))


def pictured(folder: Path) -> tuple[str, ...]:
    """Return the colours of the dice that a folder has pictures of, from the file names."""
    return tuple(sorted({name.rpartition("-")[0] for name in _named(_pictures(folder))}))


def _pictures(folder: Path) -> dict[str, Path]:
    """Return the pictures of a folder by their names without the suffix."""
    return {p.stem: p for p in picture_files(folder)}


def _named(stems: Iterable[str]) -> list[str]:
    """Return the stems of the form `<colour>-<face>`."""
    return [stem for stem in stems if stem.rpartition("-")[0] and stem.rpartition("-")[2] in FACES]


def _has_strange_face(stem: str) -> bool:
    """Whether a picture is named after a die's colour and a face that no die has, as in `red-x`.

    Faces 4 to 6 are allowed: the folder may also hold dice with pips, which need no enrolment.
    """
    colour, _, face = stem.rpartition("-")
    return colour in DIE_COLOURS and face not in (*FACES, "4", "5", "6") and "." not in face


def enrol_dice(
    folder: Path, layout: Layout, keep: bool = False, learning: Callable[[], None] = lambda: None
) -> DiceSet:
    """Learn dice from `<colour>-<face>.jpg|png` and `empty.jpg|png`.

    `keep` saves the look of the dice for the next time (see `vision.learnt`); `learning` is called before
    it is learnt. Raises DeckError, which says what is missing.
    """
    if not folder.is_dir():
        raise DeckError(
            f"{folder}: there is no such folder of dice; give one with a picture of each die and face",
            "dice.nowhere",
            path=str(folder),
        )
    files = _pictures(folder)
    names = _named(files)
    if not names or "empty" not in files:
        lacks = "pictures named <colour>-<face>.jpg (faces 1, 2, 3, X)" if not names else "empty.jpg"
        raise DeckError(
            f"{folder} lacks {lacks}; take one picture per die and face, and one of the empty box",
            "dice.pictures" if not names else "dice.bare",
            path=str(folder),
        )
    strange = next((name for name in names if name.rpartition("-")[0] not in DIE_COLOURS), None)
    if strange is not None:
        raise DeckError(
            f"{files[strange]}: no die has the name {strange.rpartition('-')[0]!r}; the colours are"
            f" {', '.join(DIE_COLOURS)}",
            "dice.colour",
            path=str(files[strange]),
            colours=", ".join(DIE_COLOURS),
        )
    faceless = next((name for name in files if _has_strange_face(name)), None)
    if faceless is not None:
        raise DeckError(
            f"{files[faceless]}: no face of a die has the name {faceless.rpartition('-')[2]!r}; the faces are"
            f" {', '.join(FACES)}",
            "dice.face",
            path=str(files[faceless]),
            faces=", ".join(FACES),
        )
    learnt = LearntFile(folder, layout) if keep else None
    empty = read_picture(files["empty"])
    try:
        base = _register(empty, layout, files["empty"])
    except DeckError:
        # The dice may have been photographed in another box that has the same tags.
        layout = _as_it_lies(empty, layout)
        base = _register(empty, layout, files["empty"])
    kept = learnt.read() if learnt is not None else None
    if kept is None:
        learning()
        kept = _looks(files, names, empty, base, layout)
        if learnt is not None:
            learnt.keep(kept)
    colours = [str(colour) for colour in kept["colours"]]
    return DiceSet(
        dict(zip(colours, kept["bodies"], strict=True)),
        dict(zip(colours, kept["inks"], strict=True)),
        kept["glyph"],
        Ground.of(empty, base, layout),
    )


def _looks(
    files: Mapping[str, Path], names: Sequence[str], empty: Picture, base: Registration, layout: Layout
) -> Arrays:
    """Learn from the pictures `names`: `colours`, their `bodies` and `inks`, (n, 3) each, and the `glyph`."""
    edge = layout.edge_mm
    w, h = layout.size_mm
    area = (-w / 2, -h / 2, w / 2, h / 2)
    ground = flatten_plane(empty, base, layout, area, edge)
    bodies: dict[str, list[Vector]] = {}
    inks: dict[str, list[Vector]] = {}
    glyphs: list[Glyph] = []
    for name in names:
        colour, _, shown = name.rpartition("-")
        picture = read_picture(files[name])
        fit = base if _stands_still(base, picture, layout) else _register(picture, layout, files[name])
        top = flatten_plane(picture, fit, layout, area, edge)
        face = _shown(top, ground, shown)
        if face is None:
            continue
        if shown == "X":
            glyphs.append(cut_glyph(top, face))
        white = paper_white(picture, fit, layout)
        bodies.setdefault(colour, []).append(in_white_light(np.asarray(face.body, np.float64), white))
        inks.setdefault(colour, []).append(in_white_light(np.asarray(face.pip, np.float64), white))
    unseen = sorted({name.rpartition("-")[0] for name in names} - set(bodies))
    if unseen:
        folder = files["empty"].parent
        raise DeckError(
            f"no die can be made out in any picture of {', '.join(unseen)} in {folder}; take them again with"
            " the die alone in the box, away from the walls",
            "dice.unseen",
            path=str(folder),
            dice=unseen,
        )
    return {
        "colours": np.array(list(bodies)),
        "bodies": np.array([np.median(seen, axis=0) for seen in bodies.values()]),
        "inks": np.array([np.median(inks[colour], axis=0) for colour in bodies]),
        "glyph": np.asarray(np.mean(glyphs, axis=0), np.float32) if glyphs else plain_x(),
    }


def _shown(top: Lab, ground: Lab, shown: str) -> Face | None:
    """Find the face of the one die that `top` shows and `ground` does not; None where there is none."""
    news = cv2.GaussianBlur(np.linalg.norm(top - ground, axis=2), (0, 0), BOX_COLOUR.shown_blur * EDGE_PX)
    reach = round(BOX_COLOUR.shown_reach * EDGE_PX)
    wanted = X if shown == "X" else int(shown)
    for _ in range(3):  # the strongest change is the die, unless a shadow is stronger
        _, change, _, (x, y) = cv2.minMaxLoc(news)
        if change < BOX_COLOUR.shown_change:
            break
        x0, y0 = max(0, x - reach), max(0, y - reach)
        part = np.ascontiguousarray(top[y0 : y + reach, x0 : x + reach])
        faces = find_x(PatchAtlas.of([Cut(part)]), plain_x()) if shown == "X" else find_faces(part)
        right = [face for face in faces if face.value == wanted]
        if right:
            best = max(right, key=lambda face: face.quality)
            return best.moved(x0, y0)
        cv2.circle(news, (x, y), round(EDGE_PX), 0.0, -1)
    return None


def _as_it_lies(picture: Picture, layout: Layout) -> Layout:
    """Place the layout's tags as this picture of another box shows them, in scale by the tags' size alone.

    That is exact enough for the size of a die and the direction of the box; its print stays unknown.
    """
    found = find_tags(picture)
    seen = [tag for tag in layout.tags if tag.id in found]
    if len(seen) < 2:
        return layout
    corners = np.array([found[tag.id] for tag in seen])
    along = corners[:, 1] - corners[:, 0]
    scale = float(np.median(np.linalg.norm(along, axis=1) / [tag.size_mm for tag in seen]))
    right = along.mean(axis=0) / np.linalg.norm(along.mean(axis=0))
    up = np.array([right[1], -right[0]])
    places = corners.mean(axis=1)
    places = (places - places.mean(axis=0)) / scale
    tags = tuple(
        replace(tag, center_mm=(float(at @ right), float(at @ up), tag.center_mm[2]))
        for tag, at in zip(seen, places, strict=True)
    )
    return replace(layout, tags=tags, zones=(), bets=())


def _stands_still(base: Registration, picture: Picture, layout: Layout) -> bool:
    """Whether camera and box have not moved: all visible tags, at least two, are where `base` has them."""
    if (picture.shape[1], picture.shape[0]) != base.size_px:
        return False
    now = find_tags(picture)
    seen = [(now[tag.id], base.to_px(tag_corners_mm(tag))) for tag in layout.tags if tag.id in now]
    return len(seen) >= 2 and all(float(np.abs(one - two).max()) < 2.0 for one, two in seen)


def _register(picture: Picture, layout: Layout, path: Path) -> Registration:
    try:
        return register_box(picture, layout)
    except TagsNotFoundError as missing:
        raise DeckError(f"{path}: {missing}", "dice.tags", path=str(path), why=missing) from missing
