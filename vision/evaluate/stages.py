"""All thresholds of the eye's stages in one place: listed, hashed, and tried at other values."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from vision.box.calibration_parameters import BOX_CALIBRATION
from vision.box.colour_parameters import BOX_COLOUR
from vision.box.floor_parameters import FLOOR_VIEW
from vision.box.glyph_parameters import GLYPH
from vision.box.hand_parameters import BOX_HANDS
from vision.box.motion_parameters import BOX_MOTION
from vision.box.paint_parameters import PAINT
from vision.box.parameters import BOX_DIE
from vision.box.pose_parameters import POSE_FIT
from vision.box.print_parameters import PRINT
from vision.box.shade_parameters import BOX_SHADE
from vision.box.shadow_parameters import SHADOW
from vision.box.stacked_parameters import STACKED
from vision.box.tile_parameters import TILE
from vision.box.trace_parameters import TRACE
from vision.camera_health.parameters import SIGHT
from vision.cards.parameters import FACE, MAT_CARD, PHOTO_CARD, STILL_CARD
from vision.cards.quad_parameters import QUAD
from vision.cards.rectangle_parameters import RECTANGLE
from vision.cards.sibling_parameters import SIBLING
from vision.dice.brightening_parameters import BRIGHTENING
from vision.dice.face_parameters import FACE_SEARCH
from vision.dice.parameters import COLOUR, DIE
from vision.dice.search_parameters import DIE_SEARCH
from vision.errors import VisionError
from vision.imgproc.parameters import CHANGE
from vision.imgproc.small_change_parameters import SMALL_CHANGE
from vision.mat.candidate_parameters import CANDIDATES
from vision.mat.hand_parameters import HANDS
from vision.mat.overlap_parameters import OVERLAP
from vision.mat.parameters import CARD_SEARCH
from vision.mat.scene_parameters import SCENE
from vision.mat.spot_parameters import DICE_SPOT
from vision.mat.tracker_parameters import CARD_TRACKER
from vision.mat.watch_parameters import MAT_WATCH
from vision.parameters import Note, noted

STAGES = MappingProxyType(
    {
        "face": FACE,
        "mat-card": MAT_CARD,
        "still-card": STILL_CARD,
        "photo-card": PHOTO_CARD,
        "mat-watch": MAT_WATCH,
        "scene": SCENE,
        "hands": HANDS,
        "candidate": CANDIDATES,
        "card-search": CARD_SEARCH,
        "overlap": OVERLAP,
        "card-tracker": CARD_TRACKER,
        "dice-spot": DICE_SPOT,
        "die": DIE,
        "die-colour": COLOUR,
        "die-face": FACE_SEARCH,
        "die-search": DIE_SEARCH,
        "die-brightening": BRIGHTENING,
        "box-die": BOX_DIE,
        "box-pose": POSE_FIT,
        "box-x": GLYPH,
        "box-shadow": SHADOW,
        "box-stacked": STACKED,
        "box-paint": PAINT,
        "box-tile": TILE,
        "box-print": PRINT,
        "box-floor": FLOOR_VIEW,
        "box-colour": BOX_COLOUR,
        "box-hands": BOX_HANDS,
        "box-shade": BOX_SHADE,
        "camera-health": SIGHT,
        "box-motion": BOX_MOTION,
        "small-change": SMALL_CHANGE,
        "box-calibration": BOX_CALIBRATION,
        "trace": TRACE,
        "quad": QUAD,
        "rectangle": RECTANGLE,
        "sibling": SIBLING,
        "change": CHANGE,
    }
)
"""The stages, each by the first half of its thresholds' names: `still-card.sure_likeness`."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold: `name` is `STAGE.FIELD`; its present value; its unit, range, trade-off and evidence."""

    name: str
    value: float
    note: Note


def thresholds() -> list[Threshold]:
    """Every threshold defined in a stage's dataclass, with its present value."""
    return [
        Threshold(f"{stage}.{name}", value, note)
        for stage, parameters in STAGES.items()
        for name, value, note in noted(parameters)
    ]


def threshold_named(name: str) -> Threshold:
    """The threshold of that name. Raises VisionError, which lists the nearest names, if there is none."""
    known = {each.name: each for each in thresholds()}
    if name not in known:
        stage, _, word = name.rpartition(".")
        near = [k for k in known if (word or stage) in k] or get_close_matches(name, known, 3)
        stages = ", ".join(sorted(STAGES))
        meant = f"did you mean {', '.join(near)}" if near else f"its stage is one of {stages}"
        raise VisionError(f"no threshold is called {name!r}; {meant} (--thresholds lists all)")
    return known[name]


def fingerprint() -> str:
    """Twelve hexadecimal digits that change with any threshold: a SHA-256 over names and values."""
    lines = "\n".join(f"{each.name}={each.value!r}" for each in thresholds())
    return hashlib.sha256(lines.encode()).hexdigest()[:12]


@contextlib.contextmanager
def trying(name: str, value: float) -> Iterator[None]:
    """Set a threshold to another value within the context. Raises VisionError for an unknown name.

    For measurements only, and for one thread: stages are frozen, and nothing else in the house changes one.
    """
    now = threshold_named(name).value
    stage, _, field = name.rpartition(".")
    parameters: Any = STAGES[stage]
    object.__setattr__(parameters, field, value)
    try:
        yield
    finally:
        object.__setattr__(parameters, field, now)
