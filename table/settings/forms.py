"""The schema of the table file (table-file.md): every section, key and type; msgspec checks against it."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

import msgspec

Positive = Annotated[float, msgspec.Meta(gt=0)]
XY = tuple[float, float]
PolygonForm = Annotated[list[XY], msgspec.Meta(min_length=3)]
Name = Annotated[str, msgspec.Meta(min_length=1)]


class Form(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A section of the table file; a key that the form does not name is an error."""


class MatForm(Form, frozen=True):
    """[mat]: the mat of a card game, millimetres."""

    size: tuple[Positive, Positive]
    die_edge: Positive | None = None


class FieldForm(Form, frozen=True):
    """[field]: the floor of a dice box, millimetres."""

    size: tuple[Positive, Positive]
    die_edge: Positive | None = None
    hole_depth: Annotated[float, msgspec.Meta(ge=0)] | None = None
    outside_z: float | None = None


class TagForm(Form, frozen=True):
    """[[tag]]: an ArUco marker DICT_4X4_50; `size` is the edge of its black square."""

    id: Annotated[int, msgspec.Meta(ge=0, le=49)]
    center: Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]
    size: Positive


class SpotForm(Form, frozen=True):
    """[[spot]]: a marked place for one die."""

    name: Name
    center: XY
    size: Positive


class SeatForm(Form, frozen=True):
    """[[seat]]: where a player lays cards and where his hand comes in."""

    name: Name
    zone: PolygonForm
    enters_from: XY


class ZoneForm(Form, frozen=True):
    """[[zone]]: a scoring polygon of a dice field."""

    kind: Literal["1x", "2x", "3x", "X", "-1", "hole"]
    polygon: PolygonForm


class BetForm(Form, frozen=True):
    """[[bet]]: a bet tile."""

    kind: Literal["A", "B", "C", "D", "E", "F", "G", "H"]
    center: Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]
    size: Positive


class CardsForm(Form, frozen=True):
    """[cards]: the size of a card, millimetres."""

    size: tuple[Positive, Positive]


class CameraForm(Form, frozen=True):
    """[camera]: the lens in OpenCV's convention."""

    f_px: Positive | None = None
    center_px: XY | None = None
    distortion: list[float] = []
    corners: Annotated[list[XY], msgspec.Meta(min_length=4, max_length=4)] | None = None


Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
"""A share of the light, as the eye perceives it."""


MOST_LAMPS = 0xFFFF
"""Largest number of lamps that the wire protocol can address."""

Clock = Annotated[datetime.time, msgspec.Meta(tz=False)]


class LampsForm(Form, frozen=True):
    """[lamps]: the chain as a whole."""

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_LAMPS)] | None = None
    limit_ma: Annotated[int, msgspec.Meta(ge=100)] = 2000
    order: Literal["GRB", "GBR", "RGB", "RBG", "BRG", "BGR"] = "GRB"
    signs: bool = False
    day: Share = 1.0
    evening: Share = 0.7
    night: Share = 0.45
    day_from: Clock | None = None
    evening_from: Clock | None = None
    night_from: Clock | None = None


class LampForm(Form, frozen=True):
    """[[lamp]]: one lamp of the chain."""

    index: Annotated[int, msgspec.Meta(ge=0, lt=MOST_LAMPS)]
    shows: Literal["character", "trump", "turn", "finding", "doubt", "black"]
    seat: str | None = None
    character: str | None = None
    pip: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None
    name: Name | None = None
    place: XY | None = None


class BoardForm(Form, frozen=True):
    """[board]: the port of the lamp board."""

    port: Name = "auto"


Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]
"""A BCM number on the header of a Raspberry Pi."""


BoardPin = Literal["D2", "D3", "D4", "D5"]
"""The lamp board's pin of a button, as printed on the board."""


class PinsForm(Form, frozen=True):
    """[pins]: what is connected to the header of the Raspberry Pi besides buttons and LEDs."""

    camera_light: Pin | None = None
    brightness: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    board_reset: Pin | None = None


class ButtonForm(Form, frozen=True):
    """[[button]]: a push button between a pin of the Raspberry Pi, or one of the lamp board's, and ground."""

    does: Literal["undo", "go-on", "say", "brightness"]
    pin: Pin | None = None
    board: BoardPin | None = None
    seat: str | None = None
    what: str | None = None


class LedForm(Form, frozen=True):
    """[[led]]: a plain LED on a pin; it shows what a lamp of the chain would, as on or off."""

    pin: Pin
    shows: Literal["character", "trump", "turn", "finding", "doubt", "black"]
    seat: str | None = None
    character: str | None = None


SINGLE: dict[str, type[Form]] = {
    "mat": MatForm,
    "field": FieldForm,
    "cards": CardsForm,
    "camera": CameraForm,
    "lamps": LampsForm,
    "board": BoardForm,
    "pins": PinsForm,
}
REPEATED: dict[str, type[Form]] = {
    "tag": TagForm,
    "spot": SpotForm,
    "seat": SeatForm,
    "zone": ZoneForm,
    "bet": BetForm,
    "lamp": LampForm,
    "button": ButtonForm,
    "led": LedForm,
}
