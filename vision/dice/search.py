"""Search for dice of unknown size in a picture without a table: try every size where something stands out.

The faces in one picture have about one size; most of a picture is calm table and is never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice.face import Face, choose
from vision.dice.face_detection import find_faces
from vision.dice.flat_print import is_flat
from vision.dice.lookalikes import is_round, of_one_thing
from vision.dice.parameters import DIE
from vision.dice.pieces import Begun, Pieces
from vision.dice.pips import EDGE_PX
from vision.dice.proof import are_glints, are_no_pips, is_die, is_no_one, is_of_two
from vision.dice.search_parameters import DIE_SEARCH
from vision.dice.second_look import second_look, settle
from vision.dice.selection import (
    APART,
    CLEAN,
    READ,
    is_kin,
    is_side,
    is_weak,
    of_one_size,
    without_overlaps,
    without_parts,
)
from vision.dice.standing import Bodies, standing_edges, unread_parts
from vision.dice.views import COARSE, ByteMask, Known, SearchTile, Views, grown, is_cloth, tiles
from vision.sightings import Picture

_ENOUGH = 2
"""Number of clear dice with three or more pips that show how large dice are in a picture."""
_ON_CLOTH = 0.85
"""Least quality of a face on cloth to be reported: weave looks like faces, but not like clean ones."""
_KIN_ON_CLOTH = 0.7
"""The same beside clear dice of its colours."""
_RING = 0.8
"""Distance from a face's middle, over its edge, beyond which its ground is sampled."""
_OTHER_GROUND = 9.0
"""CIELAB distance above which a body is not of the ground's material."""
_SLACK = 0.13
"""Share by which the faces of one look may be larger or smaller than the size sought."""
_SETTLED = 0.9
"""Quality of a face above which no smaller one is sought in its place."""
_AROUND = 1.3
"""Size of the area that a settled face explains, over its own: the die's sides, but no neighbour's pips."""
_ALL, _ONE = 200_000, 20_000
"""Pixels that a look at the whole picture, and at one face, count as: their cost relative to a cut-out's."""


def faces_px(
    picture: Picture, where: ByteMask | None = None, edges_px: tuple[float, float] | None = None
) -> list[Face]:
    """Find faces of dice of unknown size in a picture (h, w, 3) BGR, in its pixels.

    `where` is as in `searched`; `edges_px` bounds the dice's edge more closely than `usual_edges` does.
    """
    least, most = usual_edges(picture.shape)
    if edges_px is not None:
        least, most = max(least, edges_px[0]), min(most, edges_px[1])
    return Begun(searched(picture, (least, most), where)).finish()


def searched(
    picture: Picture, edges_px: tuple[float, float], where: ByteMask | None = None
) -> Pieces[list[Face]]:
    """As `faces_px`, but in pieces; `edges_px` bounds the edge of the dice.

    `where` (any size, stretched over the whole picture) is not 0 where dice are sought; None: everywhere.
    """
    views = Views(picture, where)
    yield _ALL // 2
    least, most = edges_px
    edges = [least * DIE_SEARCH.size_slack]
    while edges[-1] * DIE_SEARCH.size_slack < most:
        edges.append(edges[-1] * DIE_SEARCH.size_step)
    found: list[Face] = []
    vague: list[Face] = []
    settled: list[tuple[float, float, float]] = []
    # From large to small, because the copies grow with every step and clear dice end the search early.
    for edge in reversed(edges):
        if edge * (1 + _SLACK) < _smallest_beside(found):
            break
        proven = yield from _at_size(views, edge, found, settled)
        new = [face for face in proven if face.quality >= _ON_CLOTH or not is_cloth(views, edge)]
        vague += [face for face in proven if face not in new]
        found += new
        settled += [(f.x, f.y, _AROUND * f.edge) for f in new if _is_settled(f, edge)]
    faces = of_one_size(choose(without_parts(found)))
    faces = choose([*faces, *(face for face in vague if is_kin(face, faces))])
    told = yield from _looked_twice(views, without_overlaps(faces), edges_px)
    doubtful = [face for face in told if is_round(views, face)]
    yield _ONE
    doubtful += [face for face in told if is_flat(views, face) or are_no_pips(views, face)]
    yield _ONE
    doubtful += of_one_thing(views, told)
    doubtful += [face for face in told if is_of_two(views, face, told) or is_no_one(views, face)]
    return [face.doubted() if face in doubtful else face for face in told]


def usual_edges(shape: Sequence[int]) -> tuple[float, float]:
    """Least and largest edge, in pixels, of a die in a picture of the given shape (h, w, ...)."""
    return (
        max(DIE_SEARCH.least_edge_px, DIE_SEARCH.least_edge * max(shape[:2])),
        DIE_SEARCH.most_edge * min(shape[:2]),
    )


def _smallest_beside(faces: list[Face]) -> float:
    """Edge, in pixels, below which no further die is sought; 0 while no found die is clear."""
    clear = [f for f in faces if f.value >= 3 and f.quality > CLEAN and max(f.belief.values()) > READ]
    if len(choose(clear)) < _ENOUGH:
        return 0.0
    return float(np.exp(-APART) * np.median([f.edge for f in clear]))


def _looked_twice(views: Views, faces: list[Face], bounds: tuple[float, float]) -> Pieces[list[Face]]:
    """Take a second look at the weak faces, and at unread things of about the faces' size beside them."""
    sure = [face for face in faces if not is_weak(face)]
    faces = [face for face in faces if not is_side(face, sure)]
    # Where no face is clear, bodies of one size on calm ground show how large dice are.
    edges = sorted(face.edge for face in sure) or standing_edges(views, bounds)
    usual = edges[len(edges) // 2] if edges else 0.0
    # On cloth, chance patterns are common: only clean pips count there.
    if not edges or is_cloth(views, usual):
        return faces
    least, most = (
        max(bounds[0], DIE_SEARCH.smaller_beside * edges[0]),
        min(bounds[1], DIE_SEARCH.larger_beside * edges[-1]),
    )
    known = [(face.x, face.y, face.edge) for face in sure]
    lone = Bodies(unread_parts(views, usual, known, crisp=True), COARSE * EDGE_PX / usual)
    rivals: list[Face] = []
    edge = least * DIE_SEARCH.second_slack
    yield _ALL
    while True:
        spot, k = views.spotted(edge)
        unread = unread_parts(views, edge, known)
        yield _ALL // 4
        alone = lone.spread_to(unread.shape)
        for tile in tiles(views, edge, grown(views.asked(spot & unread))):
            lab = views.cut(tile.rect, EDGE_PX / edge)
            masks = (_part(mask, tile, lab.shape, k) for mask in (unread, alone))
            rivals += _told(tile, edge, second_look(lab, *masks))
            yield 5 * lab.shape[0] * lab.shape[1]
        if edge * DIE_SEARCH.second_slack >= most:
            break
        edge *= DIE_SEARCH.second_step
    again = [face for face in settle(rivals, known, lone.carries) if _off_ground(views, face)]
    # A face that the second look does not improve stays as it was.
    kept = [
        face
        for face in faces
        if not is_weak(face)
        or all(
            np.hypot(face.x - new.x, face.y - new.y) > DIE.same_die * max(face.edge, new.edge)
            for new in again
        )
    ]
    again = [face for face in again if is_die(views, face, alone=bool(lone.carries(face)))]
    again = [face.doubted() if are_glints(views, face) else face for face in again]
    return kept + [face for face in again if not is_side(face, sure)]


def _at_size(views: Views, edge: float, before: list[Face], settled: Known) -> Pieces[list[Face]]:
    """Find faces with an edge of about `edge` pixels, only in the busy parts of the picture.

    Faces found `before` at other sizes are already proven; no other is sought where one is `settled`.
    """
    found: list[Face] = []
    cloth = is_cloth(views, edge)
    yield _ONE
    least = _KIN_ON_CLOTH if cloth else DIE.clear_quality
    for tile in tiles(views, edge, views.worth(edge, settled)):
        lab = views.cut(tile.rect, EDGE_PX / edge)
        faces = find_faces(lab, _SLACK)
        yield lab.shape[0] * lab.shape[1]
        found += _told(tile, edge, [face for face in faces if face.quality >= least])
    if cloth:
        found = [face for face in found if _off_ground(views, face)]
    proven = []
    for face in found:
        if _is_again(face, before) or is_die(views, face):
            proven.append(face)
        yield _ONE
    return proven


def _is_settled(face: Face, edge: float) -> bool:
    """Whether a face found when looking for `edge` pixels is beyond doubt, and not really a smaller one."""
    # A lone pip does not show the size.
    sized = face.value > 2 and face.edge > (1 - DIE_SEARCH.own_size * _SLACK) * edge
    return sized and face.quality >= _SETTLED and not is_weak(face)


def _is_again(face: Face, before: list[Face]) -> bool:
    """Whether a face was already found, and proven, at another size; a weak finding there proves nothing."""
    return any(
        face.value == old.value
        and (is_weak(face) or not is_weak(old))
        and np.hypot(face.x - old.x, face.y - old.y) < DIE_SEARCH.again_reach * old.edge
        and old.edge < DIE_SEARCH.again_larger * face.edge
        for old in before
    )


def _told(tile: SearchTile, edge: float, faces: list[Face]) -> list[Face]:
    """Convert faces of a tile's cut-out, scaled to `EDGE_PX`, to the picture's pixels; its own only."""
    x, y = tile.rect[:2]
    told = [face.scaled(edge / EDGE_PX).moved(x, y) for face in faces]
    return [face for face in told if tile.owns(face.x, face.y)]


def _part(mask: ByteMask, tile: SearchTile, size: Sequence[int], k: float) -> ByteMask:
    """Cut a tile's part out of a mask of a copy shrunk to `k`, at the size (h, w, ...) of its cut-out."""
    x0, y0, x1, y1 = (round(v * k) for v in tile.rect)
    part = mask[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    return np.asarray(cv2.resize(part, (size[1], size[0]), interpolation=cv2.INTER_NEAREST), np.uint8)


def _off_ground(views: Views, face: Face) -> bool:
    """Whether a die's body differs in colour from its surroundings: grain and weave look like pips, too."""
    reach, scale = DIE_SEARCH.ground_reach * face.edge, COARSE * EDGE_PX / face.edge
    h, w = views.shape
    x0, y0, x1, y1 = (
        int(max(0, v)) for v in (face.x - reach, face.y - reach, face.x + reach, face.y + reach)
    )
    around = views.cut((x0, y0, min(w, x1), min(h, y1)), scale)
    ys, xs = np.mgrid[: around.shape[0], : around.shape[1]]
    far = np.hypot(xs - (face.x - x0) * scale, ys - (face.y - y0) * scale)
    ring = around[far > _RING * COARSE * EDGE_PX]
    return not len(ring) or bool(np.linalg.norm(np.median(ring, axis=0) - face.body) > _OTHER_GROUND)
