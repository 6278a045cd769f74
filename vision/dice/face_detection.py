"""Face detection: fit the six pip patterns to the pips of a picture and check the die's body.

Two pips that may be the ends of a diagonal fix a face's centre, turn and size; the other places of the
3 x 3 grid then decide the pattern. A lone pip may be a 1: its turn is the one with the clearest edge.
Side faces drop out because their pips are foreshortened and their grid is not square; cloth and print
drop out because a face is one calm surface with an edge round it. All hypotheses of a picture are
measured together, one row of an array each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Float32
from vision.dice.body import GRID, Bounds, PipGrids, best_turns, bodies, nearby, sample, turn_matrices
from vision.dice.face import Face, choose, tops
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.pip_patterns import PITCH, belief_in
from vision.dice.pips import EDGE_PX, Lab, Pips, find_pips, spots
from vision.dice.poses import SLANTS, FaceBodies, Poses, on_diagonals

_CROWD = 24
"""Most pips of neighbouring dice expected round a die."""
_ONE_FACE = 0.7
"""Distance, in edges, from a 1 within which no pip of a neighbouring die can lie."""
_BETWEEN = np.array([0.4, 0.5, 0.6], np.float32)
_SURFACE = 6.0
"""CIELAB distance up to which a place counts as the body's colour, where its pips are faint."""
_PAINT = 0.5
"""Ratio of two pips' colour distance to their contrast up to which they may belong to one die."""
_FEW = 2
"""Most pips of a face that may be part of a higher value: three in a row already fix the face."""
_WHOLE_FACE = 0.85
"""Distance, in edges of such a part, within which the other pips of the whole face lie: .8 for a 4."""
_ROUND = np.deg2rad(np.arange(0, 360, 30))
_RING = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1).astype(np.float32)
_PLACES = 2**16
"""Largest number of pips times faces compared at once."""
SLACK = 0.12
"""Share of `EDGE_PX` by which an edge may differ: dice of slightly different size against other squares."""
_ROWS = 2048
"""Hypotheses measured at once, so that they fit into a small computer's cache."""


def find_faces(lab: Lab, slack: float = SLACK, nadir: tuple[float, float] | None = None) -> list[Face]:
    """Find the top faces with an edge of `EDGE_PX` within `slack` (a share), best first, not overlapping.

    Give `nadir` where the picture is flattened at the height of the tops: the point (x, y) straight below
    the camera, in pixels and usually far outside the picture. Dice show their sides towards it.
    """
    band = spots(lab)
    pips = find_pips(lab, band)
    if not len(pips):
        return []
    search = FaceSearch.among(lab, band, pips, slack)
    search.flattened = nadir is not None
    return choose(search.faces() if nadir is None else tops(search.faces(), nadir))


def smoothed(lab: Lab) -> Lab:
    """Remove the camera's grain from a CIELAB picture; bodies are measured in the result."""
    return np.asarray(cv2.GaussianBlur(lab, (9, 9), FACE_SEARCH.calm_sigma * EDGE_PX), np.float32)


class FaceSearch:
    """The pips of one picture, and the filtered copies of it in which hypotheses are measured.

    `band` is the CIELAB picture band-passed at a pip's size, `calm` the same picture lightly smoothed.
    """

    flattened: bool = False
    """Whether tops are seen straight from above: a clean square round a lone pip is then proof of a top."""
    slants: Sequence[float] = SLANTS
    """Angles (radians) that a face's diagonal may make with its side."""

    def __init__(self, band: Lab, calm: Lab, pips: Pips, slack: float) -> None:
        self.band, self.calm, self.pips, self.slack = band, calm, pips, slack
        self.at, self.contrast, self.radius = pips.at, pips.contrast, pips.radius
        self.height = np.linalg.norm(pips.contrast, axis=1)

    @classmethod
    def of(cls, lab: Lab, slack: float = SLACK) -> Self:
        """Make the search of one CIELAB picture."""
        band = spots(lab)
        return cls.among(lab, band, find_pips(lab, band), slack)

    @classmethod
    def among(cls, lab: Lab, band: Lab, pips: Pips, slack: float) -> Self:
        """Make the search of a CIELAB picture whose band-passed copy and pips are already known."""
        return cls(band, smoothed(lab), pips, slack)

    def sisters(self, own: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n, pips) whether each may share a die with pips `own` (n,): alike in colour, strength, size."""
        height, radius = self.height[own, None], self.radius[own, None]
        along = self.contrast[own] @ self.contrast.T / (self.height * height)
        ratio, size = self.height / height, self.radius / radius
        alike: NDArray[np.bool_] = (
            (along > FACE_SEARCH.sister_colour)
            & (ratio > FACE_SEARCH.sister_weaker)
            & (ratio < FACE_SEARCH.sister_stronger)
            & (size > FACE_SEARCH.sister_smaller)
            & (size < FACE_SEARCH.sister_larger)
        )
        return alike

    def faces(self) -> list[Face]:
        """Every face of value 1 to 6 that the pips allow, including faces that exclude each other."""
        return self.judge(self.from_pairs().joined(self.from_single()))

    def from_pairs(self) -> Poses:
        """Poses of possible faces of value 2 to 6: any pair of similar pips may be a diagonal."""
        long_, short = (
            2 * 2**0.5 * PITCH * EDGE_PX * k
            for k in (1 + FACE_SEARCH.maker_slack + self.slack, 1 - FACE_SEARCH.maker_slack - self.slack)
        )
        pairs = []
        for k in range(0, len(self.pips), _ROWS):
            own = np.arange(k, min(k + _ROWS, len(self.pips)))
            gap = self.at[None] - self.at[own, None]
            far = np.hypot(gap[..., 0], gap[..., 1])
            later = np.arange(len(self.pips)) > own[:, None]
            i, j = np.nonzero((far > short) & (far < long_) & later & self.sisters(own))
            pairs.append(np.stack([own[i], j], axis=1))
        ends = np.concatenate(pairs) if pairs else np.zeros((0, 2), np.intp)
        return on_diagonals(self.at, ends, self.slants)

    def from_single(self) -> Poses:
        """Poses of possible faces of value 1: a lone pip in the middle of a square with an edge round it."""
        own = np.nonzero(self.pips.round_ >= FACE_SEARCH.lone_round)[0]
        own = own[self.alone(own)]
        pitch = np.full((len(own), 2), PITCH * EDGE_PX, np.float32)
        turns = best_turns(self.calm, self.at[own], EDGE_PX, self.within(own))
        return Poses(self.at[own], turns, pitch, np.stack([own, own], axis=1))

    def alone(self, own: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether each of pips `own` (n,) has nothing like it at any other place of its possible face."""
        angles = np.deg2rad(np.arange(0, 360, 15))
        round_ = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        ring = np.concatenate([round_ * PITCH, round_ * PITCH * 2**0.5]) * np.float32(EDGE_PX)
        out = np.zeros(len(own), bool)
        for k in range(0, len(own), _ROWS):
            part = own[k : k + _ROWS]
            direction = (self.contrast[part] / self.height[part, None])[:, :, None]
            itself = (nearby(self.band, self.at[part], 1) @ direction).max(axis=(1, 2))
            places, within = self.at[part, None] + ring, self.within(part)
            around = (sample(self.band, places, within) @ direction)[..., 0]
            # A neighbour's dark body is no pip: the pips of one die have one colour.
            off = sample(self.calm, places, within) - sample(self.calm, self.at[part])[:, None]
            alike = np.sqrt(np.einsum("nkc,nkc->nk", off, off)) < _PAINT * self.height[part, None]
            out[k : k + _ROWS] = ~((around >= 0.5 * itself[:, None]) & alike).any(axis=1)
        return out

    def judge(self, poses: Poses) -> list[Face]:
        """Faces among the hypotheses."""
        found: list[Face] = []
        for k in range(0, len(poses.middle), _ROWS):
            found += self._judged(poses.of(slice(k, k + _ROWS)))
        return found

    def _judged(self, poses: Poses) -> list[Face]:
        middle, yaw, pitch, ends = poses
        turn = turn_matrices(yaw)
        contrast = self.contrast[ends].mean(axis=1)
        height = np.linalg.norm(contrast, axis=1)
        filled = self.filled(middle, turn, pitch, contrast / height[:, None], ends)
        belief, share = belief_in(filled)
        single = ends[:, 0] == ends[:, 1]
        # Each step measures only what passed the step before; most hypotheses end here.
        pick = np.nonzero(((belief.argmax(axis=1) == 0) == single) & (share >= FACE_SEARCH.least_fit))[0]
        edge = (pitch[pick].mean(axis=1) / PITCH).clip(EDGE_PX * (1 - self.slack), EDGE_PX * (1 + self.slack))
        grids = PipGrids(middle[pick], turn[pick], edge, filled[pick] > 0.5, pitch[pick], height[pick])
        calm, border, body = bodies(self.calm, grids, self.within(ends[pick, 0]))
        border = self.edged(middle[pick], body, border)
        good = np.nonzero((calm >= FACE_SEARCH.least_calm) & (border >= FACE_SEARCH.least_border))[0]
        found: list[Face] = []
        for k in range(0, len(good), rows := max(1, _PLACES // max(1, len(self.pips)))):
            own = good[k : k + rows]
            i = pick[own]
            sure = belief[i], share[i], np.asarray(calm[own] * border[own], np.float32)
            found += self._faces(poses.of(i), FaceBodies(edge[own], filled[i], body[own], contrast[i]), sure)
        return found

    def edged(self, middle: Float32, body: Lab, border: Float32) -> Float32:
        """Share (n,) of each face's rim with an edge: `border`, unless a subclass knows the background."""
        return border

    def _faces(
        self,
        poses: Poses,
        seen: FaceBodies,
        sure: tuple[NDArray[np.float64], NDArray[np.float64], Float32],
    ) -> list[Face]:
        """The faces at those poses, without those that stray pips rule out.

        `sure`: belief (n, 6), how well its pattern fits (n,), and how calm and bordered the body is (n,).
        """
        edge, filled, body, contrast = seen
        alike = self.sisters(poses.ends[:, 0])
        used, strays = self.explained(poses, edge, alike, filled)
        worn = self.worn(poses, edge, body, used)
        lonely = self.lonely(poses.middle, edge, alike).tolist()
        gaps = self.gaps(poses.ends, edge, body)
        strong = np.minimum(
            1.0, (np.linalg.norm(contrast, axis=1) - FACE_SEARCH.no_strength) / FACE_SEARCH.strength_span
        ).tolist()
        faces = []
        for k, (belief, share, clean) in enumerate(zip(*sure, strict=True)):
            stray, value = strays[k], int(belief.argmax()) + 1
            clear = self.flattened and clean >= FACE_SEARCH.lone_clean
            if stray > 1 or (
                value == 1
                and (stray or (not clear and self.shared(poses.middle[k], float(edge[k]), alike[k], body[k])))
            ):
                continue
            if value == 2 and gaps[k].any():
                continue  # a 1 and the gap between its die and the print beside it
            quality = (
                float(clean) * strong[k] * self.even(used[k]) * FACE_SEARCH.stray_share**stray * lonely[k]
            )
            if stray or worn[k]:  # the pattern leaves a pip unexplained: keep the reading, in doubt
                belief = belief * 0.5 + 0.5 / 6
            # Of two readings of one place, the one that explains more pips is more likely true.
            score = quality * (0.5 + 0.5 * float(share)) * (1 + len(used[k])) ** 0.5
            x, y = poses.middle[k].tolist()
            own, pip = body[k].tolist(), (body[k] + contrast[k]).tolist()
            faces.append(
                Face(
                    x=x,
                    y=y,
                    edge=float(edge[k]),
                    yaw_deg=float(np.rad2deg(poses.yaw[k]) % 90),
                    belief={v + 1: b for v, b in enumerate(belief.tolist())},
                    score=score,
                    body=(own[0], own[1], own[2]),
                    pip=(pip[0], pip[1], pip[2]),
                    pips=used[k],
                    quality=quality,
                )
            )
        return faces

    def filled(
        self, middle: Float32, turn: Float32, pitch: Float32, direction: Lab, ends: NDArray[np.intp]
    ) -> Float32:
        """(n, 9) strength of a pip at each of the nine places, 1 = as strong as at the ends."""
        reach = max(1, round(FACE_SEARCH.pip_reach * EDGE_PX))
        places = np.asarray(middle[:, None] + (pitch[:, None] * GRID) @ turn, np.float32)
        h, w = self.band.shape[:2]
        bounds = self.within(ends[:, 0]) or (np.zeros((1, 2), np.intp), np.array([[w - 1, h - 1]]))
        first, last = (rim[:, None] for rim in bounds)
        inside = np.all((places >= first + reach) & (places < last + 1 - reach), axis=(1, 2))
        free = np.asarray(inside)[:, None]
        spots_ = np.concatenate([self.at[ends], places], axis=1)
        there = nearby(self.band, spots_.reshape(-1, 2), reach).reshape(len(middle), -1, 3)
        along = (there @ direction[:, :, None]).reshape(*spots_.shape[:2], -1).max(axis=2)
        own = ends.shape[1]
        share = along[:, own:] / along[:, :own].mean(axis=1, keepdims=True)
        return np.asarray(np.where(free, share, 0.0), np.float32)

    def within(self, own: NDArray[np.intp]) -> Bounds | None:
        """Bounds of the parts of the picture that pips `own` (n,) lie in; None if the picture is one part."""
        return None

    def explained(
        self, poses: Poses, edge: Float32, alike: NDArray[np.bool_], filled: Float32
    ) -> tuple[list[frozenset[int]], list[int]]:
        """Pips of the same kind on each pattern's places, and how many more lie elsewhere on the face."""
        turn = turn_matrices(poses.yaw)
        local = (self.at - poses.middle[:, None]) @ turn.transpose(0, 2, 1)
        face, pip = np.nonzero(alike & (np.abs(local).max(axis=2) < FACE_SEARCH.face_half * edge[:, None]))
        off = np.linalg.norm(local[face, pip][:, None] - poses.pitch[face][:, None] * GRID, axis=2)
        on = (
            np.where(filled[face] > 0.5, off, np.inf).min(axis=1, initial=np.inf)
            <= FACE_SEARCH.on_place * edge[face]
        )
        used: list[list[int]] = [[] for _ in edge]
        for k, number in zip(face[on].tolist(), pip[on].tolist(), strict=True):
            used[k].append(number)
        strays = np.bincount(face[~on], minlength=len(edge)).tolist()
        return [frozenset(own) for own in used], strays

    def worn(
        self, poses: Poses, edge: Float32, body: Lab, used: Sequence[frozenset[int]]
    ) -> NDArray[np.bool_]:
        """Whether (n,) pips that a face's value does not explain, including faint ones, lie on its surface.

        Paint wears off one pip sooner than off another; the remaining pips then show a smaller value.
        """
        own = poses.ends[:, 0]
        faint = self.faint(own)
        rest = faint | self.sisters(own)
        turn = turn_matrices(poses.yaw)
        local = (self.at - poses.middle[:, None]) @ turn.transpose(0, 2, 1)
        inside = np.abs(local).max(axis=2) < FACE_SEARCH.worn_half * edge[:, None]
        worn = (faint & inside).any(axis=1)
        if self.flattened:  # the size is known: a part of a face cannot look like one, and sides lie nearer
            return np.asarray(worn, np.bool_)
        for k in np.nonzero(~worn & (own != poses.ends[:, 1]))[0].tolist():
            rest[k, list(used[k])] = False
            worn[k] = len(used[k]) <= _FEW and self.shared(
                poses.middle[k], float(edge[k]), rest[k], body[k], reach=_WHOLE_FACE
            )
        return np.asarray(worn, np.bool_)

    def faint(self, own: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n, pips) whether each pip resembles pips `own` (n,) as in `sisters`, but is weaker."""
        height, radius = self.height[own, None], self.radius[own, None]
        along = self.contrast[own] @ self.contrast.T / (self.height * height)
        ratio, size = self.height / height, self.radius / radius
        like: NDArray[np.bool_] = (
            (along > FACE_SEARCH.worn_colour)
            & (ratio <= FACE_SEARCH.sister_weaker)
            & (ratio > FACE_SEARCH.worn_weaker)
            & (size > FACE_SEARCH.sister_smaller)
            & (size < FACE_SEARCH.sister_larger)
            & (self.pips.round_ >= FACE_SEARCH.worn_round)
        )
        return like

    def shared(
        self, middle: Float32, edge: float, alike: NDArray[np.bool_], body: Lab, *, reach: float = _ONE_FACE
    ) -> bool:
        """Whether a pip like the one in the `middle` lies within `reach` with no edge between them."""
        gap = self.at - middle
        far = np.hypot(gap[:, 0], gap[:, 1])
        near = np.nonzero(alike & (far > FACE_SEARCH.own_pip * edge) & (far < reach * edge))[0]
        if not len(near):
            return False
        between = middle + _BETWEEN[:, None] * gap[near, None]
        own = np.linalg.norm(sample(self.calm, between) - body, axis=2)
        limit = np.maximum(_SURFACE, FACE_SEARCH.body_share * self.height[near])
        same = near[own.max(axis=1) < limit]
        if not len(same):
            return False
        return not self.gaps(same[None], np.array([edge], np.float32), body[None]).all()

    def gaps(self, pips: NDArray[np.intp], edge: Float32, body: Lab) -> NDArray[np.bool_]:
        """Which of (n, k) pips are gaps instead: not round, and not surrounded by the `body` (n, 3)."""
        around = self.at[pips][:, :, None] + FACE_SEARCH.ring_reach * edge[:, None, None, None] * _RING
        off = np.linalg.norm(sample(self.calm, around, self.within(pips[:, 0])) - body[:, None, None], axis=3)
        limit = np.maximum(FACE_SEARCH.body_apart, FACE_SEARCH.body_share * self.height[pips])
        ringed = (off < limit[..., None]).mean(axis=2)
        open_ = (ringed < FACE_SEARCH.least_ringed) & (self.pips.round_[pips] < FACE_SEARCH.gap_round)
        return np.asarray(open_, np.bool_)

    def even(self, used: frozenset[int]) -> float:
        """How round and how equal in size the pips of one face are, 0..1."""
        if not used:
            return 0.0
        own = list(used)
        sizes, count = self.radius[own].tolist(), len(own)
        round_ = sum(self.pips.round_[own].tolist()) / count
        mean = sum(sizes) / count
        uneven = (sum((size - mean) ** 2 for size in sizes) / count) ** 0.5 / mean
        return float(min(1.0, round_ / FACE_SEARCH.full_round) * min(1.0, FACE_SEARCH.even_full - 2 * uneven))

    def lonely(self, middle: Float32, edge: Float32, alike: NDArray[np.bool_]) -> Float32:
        """How few similar spots surround each face, 0..1 (n,): a die has few neighbours, a weave many."""
        far = np.abs(self.at - middle[:, None]).max(axis=2)
        around = (
            alike
            & (far > FACE_SEARCH.crowd_from * edge[:, None])
            & (far < FACE_SEARCH.crowd_to * edge[:, None])
        ).sum(axis=1)
        return np.asarray(np.minimum(1.0, _CROWD / np.maximum(1, around)), np.float32)
