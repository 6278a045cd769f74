"""Labels that people gave to pictures: reads and checks the formats of docs/reference/labels.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import VisionError

_HIDDEN = 0.1
"""Largest hidden share of a card that must still be named."""

Point = tuple[float, float]
LabelBox = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Label:
    """One thing in a picture.

    `kind` is `card` or `die`; `key` is the kind of `name` (`card`, `rank`, `die`, `face`). `at` is its centre
    in mm or px; `box` is (x0, y0, x1, y1) in px where the label is a box. `must`: it must be named; a thing
    that is hidden or lies elsewhere need not be.
    """

    kind: str
    key: str
    name: str
    at: Point
    box: LabelBox | None = None
    must: bool = True


@dataclass(frozen=True, slots=True)
class LabelledStill:
    """A picture, the files needed to read it, and the labels of the things in it."""

    image: Path
    labels: tuple[Label, ...]
    table: Path | None = None
    deck: Path | None = None
    dice: Path | None = None


def read_stills(folder: Path) -> list[LabelledStill]:
    """The labelled pictures of a folder. Raises VisionError where there are none or a label is malformed."""
    if (folder / "labels.json").exists():
        pictures = _json(folder / "labels.json")
        common: dict[str, Any] = {"deck": "deck"} if (folder / "deck").is_dir() else {}
    else:
        pictures = [_json(path) for path in sorted(folder.glob("*.json"))]
        common = {"table": "table.toml"} if (folder / "table.toml").exists() else {}
        common |= {"dice_folder": "enrol"} if (folder / "enrol").is_dir() else {}
    found = [
        _still(folder, common | picture)
        for picture in pictures
        if isinstance(picture, dict) and "image" in picture
    ]
    if not found:
        raise VisionError(
            f"{folder}: no labels; put truth.jsonl beside a film, labels.json or PICTURE.json beside pictures"
        )
    return found


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except ValueError as wrong:
        raise VisionError(f"{path}: not JSON: {wrong}") from None


def _still(folder: Path, told: Mapping[str, Any]) -> LabelledStill:
    try:
        labels = [_card(card) for card in told.get("cards", ())] + [_die(die) for die in told.get("dice", ())]
    except (KeyError, TypeError, ValueError) as wrong:
        raise VisionError(f"{folder.name}/{told['image']}: a label lacks or misspells {wrong}") from None
    return LabelledStill(
        folder / told["image"],
        tuple(labels),
        _beside(folder, told.get("table")),
        _beside(folder, told.get("deck")),
        _beside(folder, told.get("dice_folder")),
    )


def _beside(folder: Path, name: str | None) -> Path | None:
    """A file or folder that a label names: in the set's folder or, failing that, beside it."""
    if name is None:
        return None
    return folder / name if (folder / name).exists() else folder.parent / name


def _card(told: Mapping[str, Any]) -> Label:
    key = "card" if "card" in told else "rank"
    at, box = _place(told)
    return Label("card", key, str(told[key]), at, box, must=float(told.get("covered", 0.0)) <= _HIDDEN)


def _die(told: Mapping[str, Any]) -> Label:
    face, colour = str(told["face"] if "face" in told else told["value"]), told.get("colour")
    at, box = _place(told)
    lies = told.get("in_view", True) and told.get("where", "field") == "field" and not told.get("cocked")
    if colour is None:
        return Label("die", "face", face, at, box, must=bool(lies))
    return Label("die", "die", f"{colour}-{face}", at, box, must=bool(lies))


def _place(told: Mapping[str, Any]) -> tuple[Point, LabelBox | None]:
    if "box" in told:
        x0, y0, x1, y1 = (float(v) for v in told["box"])
        return ((x0 + x1) / 2, (y0 + y1) / 2), (x0, y0, x1, y1)
    if "center" in told:
        return (float(told["center"][0]), float(told["center"][1])), None
    return middle_of(told["corners"]), None


def middle_of(corners: Sequence[Sequence[float]]) -> Point:
    """The mean of corners (n, 2)."""
    return sum(c[0] for c in corners) / len(corners), sum(c[1] for c in corners) / len(corners)
