"""The table file (CONTRACTS 2): read, checked to the last key, and turned into plain values.

Whoever edits a table file by hand gets told the file, the line, the key and the nearest known name.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec

from table.errors import StammtischError
from vision.layout import Bet, CameraModel, Layout, Point, Point3, SeatPlace, Spot, Tag, Zone

CHARACTERS = ("aagewwer", "weschwieschmaennchen", "jammerlabbe", "jo-lossen", "gliggsridder")
"""The five Dubbe characters in the order of their printed die values (D-20)."""

LEAST_TAGS = 3
"""With fewer tags one hidden tag would leave the table lost."""


class SettingsError(StammtischError):
    """A table file that cannot be used; the text names file, place and remedy."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp on the chain: what it shows, and for whom.

    `shows` is character, trump, turn, finding or doubt; `pip` (1..6) makes a character lamp one pip of
    the die value, None lets a single lamp show colour and value.
    """

    index: int
    shows: str
    seat: str | None = None
    character: str | None = None
    pip: int | None = None


@dataclass(frozen=True, slots=True)
class LampPlan:
    """Which lamp of the chain stands where; `limit_ma` is what the power supply gives."""

    lamps: tuple[Lamp, ...]
    count: int
    limit_ma: int = 2000


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where the lamp board hangs; port "auto" looks for it."""

    port: str = "auto"


@dataclass(frozen=True, slots=True)
class TableFile:
    """Everything one table file says."""

    layout: Layout
    lamps: LampPlan
    board: BoardPlace
    path: Path


def default_lamps(seats: tuple[str, ...]) -> LampPlan:
    """The lamps of a table that names none: trump, doubt, then a seat's five characters, turn, finding."""
    lamps = [Lamp(0, "trump"), Lamp(1, "doubt")]
    for seat in seats:
        for character in CHARACTERS:
            lamps.append(Lamp(len(lamps), "character", seat, character))
        lamps.append(Lamp(len(lamps), "turn", seat))
        lamps.append(Lamp(len(lamps), "finding", seat))
    return LampPlan(tuple(lamps), len(lamps))


# --- the file's own form, checked by msgspec ---------------------------------------------------------

Positive = Annotated[float, msgspec.Meta(gt=0)]
XY = tuple[float, float]
Polygon = Annotated[list[XY], msgspec.Meta(min_length=3)]
Name = Annotated[str, msgspec.Meta(min_length=1)]


class _Form(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    pass


class _Mat(_Form, frozen=True):
    size: tuple[Positive, Positive]
    die_edge: Positive | None = None


class _Field(_Form, frozen=True):
    size: tuple[Positive, Positive]
    die_edge: Positive | None = None
    hole_depth: float | None = None
    outside_z: float | None = None


class _Tag(_Form, frozen=True):
    id: Annotated[int, msgspec.Meta(ge=0, le=49)]
    center: Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]
    size: Positive


class _Spot(_Form, frozen=True):
    name: Name
    center: XY
    size: Positive


class _Seat(_Form, frozen=True):
    name: Name
    zone: Polygon
    enters_from: XY


class _Zone(_Form, frozen=True):
    kind: Literal["1x", "2x", "3x", "X", "-1", "hole"]
    polygon: Polygon


class _Bet(_Form, frozen=True):
    kind: Literal["A", "B", "C", "D", "E", "F", "G", "H"]
    center: Annotated[list[float], msgspec.Meta(min_length=2, max_length=3)]
    size: Positive


class _Cards(_Form, frozen=True):
    size: tuple[Positive, Positive]


class _Camera(_Form, frozen=True):
    f_px: Positive | None = None
    center_px: XY | None = None
    distortion: list[float] = []


class _Lamps(_Form, frozen=True):
    count: Annotated[int, msgspec.Meta(ge=1)] | None = None
    limit_ma: Annotated[int, msgspec.Meta(ge=100)] = 2000


class _Lamp(_Form, frozen=True):
    index: Annotated[int, msgspec.Meta(ge=0)]
    shows: Literal["character", "trump", "turn", "finding", "doubt"]
    seat: str | None = None
    character: str | None = None
    pip: Annotated[int, msgspec.Meta(ge=1, le=6)] | None = None


class _Board(_Form, frozen=True):
    port: str = "auto"


_ONE: dict[str, type[_Form]] = {
    "mat": _Mat,
    "field": _Field,
    "cards": _Cards,
    "camera": _Camera,
    "lamps": _Lamps,
    "board": _Board,
}
_MANY: dict[str, type[_Form]] = {
    "tag": _Tag,
    "spot": _Spot,
    "seat": _Seat,
    "zone": _Zone,
    "bet": _Bet,
    "lamp": _Lamp,
}

F = TypeVar("F", bound=_Form)


class _Reader:
    """One file being read: knows its text, so that an error can name the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise SettingsError(f"{path}: there is no such table file; check the path") from None
        except (OSError, UnicodeDecodeError) as wrong:
            raise SettingsError(f"{path}: cannot be read as text ({wrong}); check the file") from None
        try:
            self.raw: dict[str, Any] = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as wrong:
            raise SettingsError(f"{path}: not valid TOML: {wrong}; mend that line") from None

    def fail(self, place: str, what: str, line: int | None = None) -> SettingsError:
        where = f"{self.path}, line {line}" if line else f"{self.path}"
        return SettingsError(f"{where}: {place}: {what}")

    def line(self, section: str, index: int | None, key: str | None) -> int | None:
        """Line number of `key` in the index-th `[[section]]` (or in `[section]`), None if not found."""
        header = re.compile(rf"\s*\[{{1,2}}\s*{re.escape(section)}\s*\]{{1,2}}")
        wanted, count, inside, start = index or 0, -1, False, None
        for number, line in enumerate(self.text.splitlines(), 1):
            if line.lstrip().startswith("["):
                found = header.match(line) is not None
                count += found
                inside = found and count == wanted
                if inside:
                    start = number
            elif inside and key and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line):
                return number
        return start

    def form(self, section: str, index: int | None, raw: Any, form: type[F]) -> F:
        """Check one section against its form."""
        place = f"[[{section}]] number {index + 1}" if index is not None else f"[{section}]"
        known = [f.name for f in msgspec.structs.fields(form)]
        if not isinstance(raw, dict):
            brackets = f"[[{section}]]" if index is not None else f"[{section}]"
            raise self.fail(place, f"write it as a section {brackets}", self.line(section, index, None))
        for key in raw:
            if key not in known:
                raise self.fail(f"{place} key {key!r}", _unknown(key, known), self.line(section, index, key))
        for key, value in raw.items():
            if not _finite(value):
                raise self.fail(
                    f"{place} key {key!r}", "a number is not finite", self.line(section, index, key)
                )
        try:
            return msgspec.convert(raw, form)
        except msgspec.ValidationError as wrong:
            text = str(wrong)
            found = re.search(r"`\$\.(\w+)", text)
            key = found.group(1) if found else None
            named = f"{place} key {key!r}" if key else place
            said = text.split(" - at ")[0]
            if "enum" in said and key:  # msgspec names the bad value but not the good ones
                said += f"; known here: {', '.join(_choices(form, key))}"
            raise self.fail(named, said[0].lower() + said[1:], self.line(section, index, key)) from None

    def one(self, section: str, form: type[F]) -> F | None:
        return self.form(section, None, self.raw[section], form) if section in self.raw else None

    def many(self, section: str, form: type[F]) -> list[F]:
        items = self.raw.get(section, [])
        if not isinstance(items, list):
            raise self.fail(
                f"[{section}]",
                f"write [[{section}]] with double brackets, once for each",
                self.line(section, 0, None),
            )
        return [self.form(section, i, item, form) for i, item in enumerate(items)]

    def unique(self, section: str, key: str, values: list[Any]) -> None:
        for i, value in enumerate(values):
            if value in values[:i]:
                raise self.fail(
                    f"[[{section}]] number {i + 1} key {key!r}",
                    f"{value!r} stands twice; each must be its own",
                    self.line(section, i, key),
                )


def _finite(value: Any) -> bool:
    if isinstance(value, list):
        return all(_finite(v) for v in value)
    return not isinstance(value, float) or math.isfinite(value)


def _choices(form: type[_Form], key: str) -> tuple[str, ...]:
    kind = next(f.type for f in msgspec.structs.fields(form) if f.name == key)
    return get_args(kind)


def _unknown(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, 1, 0.4)
    return "unknown; " + (f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known)}")


def read_table(path: str | Path) -> TableFile:
    """Read and check a table file.

    Raises:
        SettingsError: what is wrong, with file, line, key and nearest name.
    """
    reader = _Reader(Path(path))
    known = [*_ONE, *_MANY]
    for section in reader.raw:
        if section not in known:
            raise reader.fail(f"section {section!r}", _unknown(section, known), reader.line(section, 0, None))
    layout = _layout(reader)
    return TableFile(
        layout=layout,
        lamps=_lamps(reader, layout),
        board=BoardPlace(port=(reader.one("board", _Board) or _Board()).port),
        path=reader.path,
    )


def _layout(reader: _Reader) -> Layout:
    mat, box = reader.one("mat", _Mat), reader.one("field", _Field)
    if (mat is None) == (box is None):
        raise reader.fail("the file", "needs either [mat] (cards) or [field] (dice), one of the two")
    base: _Mat | _Field = mat or box  # type: ignore[assignment]  # one of them is there
    tags = reader.many("tag", _Tag)
    reader.unique("tag", "id", [t.id for t in tags])
    if len(tags) < LEAST_TAGS:
        raise reader.fail(
            "[[tag]]",
            f"{len(tags)} given, at least {LEAST_TAGS} are needed "
            "to find the table; add the missing ones as they are printed",
        )
    spots, seats = reader.many("spot", _Spot), reader.many("seat", _Seat)
    reader.unique("spot", "name", [s.name for s in spots])
    reader.unique("seat", "name", [s.name for s in seats])
    for i, spot in enumerate(spots):
        if spot.name not in CHARACTERS:
            said = f"{spot.name!r} is {_unknown(spot.name, list(CHARACTERS))}"
            raise reader.fail(f"[[spot]] number {i + 1} key 'name'", said, reader.line("spot", i, "name"))
    for i, seat in enumerate(seats):
        if seat.name != f"S{i + 1}":
            raise reader.fail(
                f"[[seat]] number {i + 1} key 'name'",
                f"seats are S1, S2, … clockwise: expected 'S{i + 1}', found {seat.name!r}",
                reader.line("seat", i, "name"),
            )
    cards, camera = reader.one("cards", _Cards), reader.one("camera", _Camera)
    return Layout(
        kind="mat" if mat else "field",
        size_mm=base.size,
        tags=tuple(Tag(t.id, _xyz(t.center), t.size) for t in tags),
        spots=tuple(Spot(s.name, s.center, s.size) for s in spots),
        seats=tuple(SeatPlace(s.name, _points(s.zone), s.enters_from) for s in seats),
        zones=tuple(Zone(z.kind, _points(z.polygon)) for z in reader.many("zone", _Zone)),
        bets=tuple(Bet(b.kind, _xyz(b.center), b.size) for b in reader.many("bet", _Bet)),
        die_edge_mm=base.die_edge,
        card_size_mm=cards.size if cards else None,
        camera=CameraModel(camera.f_px, camera.center_px, tuple(camera.distortion)) if camera else None,
        hole_depth_mm=box.hole_depth if box else None,
        outside_z_mm=box.outside_z if box else None,
    )


def _lamps(reader: _Reader, layout: Layout) -> LampPlan:
    general, lamps = reader.one("lamps", _Lamps) or _Lamps(), reader.many("lamp", _Lamp)
    seats = tuple(s.name for s in layout.seats)
    if not lamps:
        plan = default_lamps(seats)
        return LampPlan(plan.lamps, max(general.count or 0, plan.count), general.limit_ma)
    reader.unique("lamp", "index", [x.index for x in lamps])
    count = general.count or max(x.index for x in lamps) + 1
    for i, lamp in enumerate(lamps):
        choices = {"seat": seats, "character": CHARACTERS}
        for key, names in choices.items():
            value = getattr(lamp, key)
            if value is not None and value not in names:
                raise reader.fail(
                    f"[[lamp]] number {i + 1} key {key!r}",
                    f"{value!r} is " + _unknown(value, list(names)),
                    reader.line("lamp", i, key),
                )
        if lamp.shows == "character" and (lamp.seat is None or lamp.character is None):
            raise reader.fail(
                f"[[lamp]] number {i + 1}",
                "a character lamp needs 'seat' and 'character'",
                reader.line("lamp", i, "shows"),
            )
        if lamp.index >= count:
            raise reader.fail(
                f"[[lamp]] number {i + 1} key 'index'",
                f"{lamp.index} lies beyond [lamps] count = {count}",
                reader.line("lamp", i, "index"),
            )
    return LampPlan(
        tuple(Lamp(x.index, x.shows, x.seat, x.character, x.pip) for x in lamps), count, general.limit_ma
    )


def _xyz(center: list[float]) -> Point3:
    return (center[0], center[1], center[2] if len(center) == 3 else 0.0)


def _points(polygon: list[XY]) -> tuple[Point, ...]:
    return tuple(polygon)
