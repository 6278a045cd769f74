"""Reads the table file as a whole and checks what concerns several sections."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.lamps import IDLE_MA
from table.catalogue import fact, shown
from table.settings.forms import (
    REPEATED,
    SINGLE,
    XY,
    BetForm,
    BoardForm,
    CameraForm,
    CardsForm,
    FieldForm,
    LampForm,
    LampsForm,
    MatForm,
    SeatForm,
    SpotForm,
    TagForm,
    ZoneForm,
)
from table.settings.measures import check_measures
from table.settings.outlines import check_box, check_camera, check_outlines
from table.settings.pins import read_board_buttons, read_pins
from table.settings.reader import Reader, place, unknown, unknown_value
from table.settings.values import (
    CHARACTERS,
    LEAST_TAGS,
    BoardPlace,
    Brightness,
    Lamp,
    LampPlan,
    TableFile,
    default_lamps,
)
from vision.layout import Bet, CameraModel, Layout, Point, Point3, SeatPlace, Spot, Tag, Zone


def read_table(path: str | Path) -> TableFile:
    """Read and check a table file.

    Raises:
        SettingsError: what is wrong, with file, line, key and nearest name.
    """
    reader = Reader(Path(path))
    known = [*SINGLE, *REPEATED]
    for section in reader.raw:
        if section not in known:
            named = fact("tablefile.section", section=shown(section))
            raise reader.fail(named, unknown(section, known), reader.line(section, 0, None))
    layout = _layout(reader)
    pins = read_pins(reader, tuple(seat.name for seat in layout.seats))
    port = (reader.one("board", BoardForm) or BoardForm()).port
    return TableFile(
        layout=layout,
        lamps=_lamps(reader, layout),
        board=BoardPlace(port, read_board_buttons(reader)),
        pins=pins,
        path=reader.path,
    )


def _layout(reader: Reader) -> Layout:
    mat, box = reader.one("mat", MatForm), reader.one("field", FieldForm)
    if (mat is None) == (box is None):
        raise reader.fail(fact("tablefile.file"), fact("tablefile.base"))
    base: MatForm | FieldForm = mat or box  # type: ignore[assignment]  # exactly one is not None
    tags = reader.many("tag", TagForm)
    reader.unique("tag", "id", [t.id for t in tags])
    if len(tags) < LEAST_TAGS:
        raise reader.fail("[[tag]]", fact("tablefile.tags", n=len(tags), least=LEAST_TAGS))
    spots, seats = reader.many("spot", SpotForm), reader.many("seat", SeatForm)
    reader.unique("spot", "name", [s.name for s in spots])
    reader.unique("seat", "name", [s.name for s in seats])
    for i, spot in enumerate(spots):
        if spot.name not in CHARACTERS:
            raise reader.wrong("spot", i, "name", unknown_value(spot.name, list(CHARACTERS)))
    for i, seat in enumerate(seats):
        if seat.name != f"S{i + 1}":
            what = fact("tablefile.seats", expected=f"S{i + 1}", found=shown(seat.name))
            raise reader.wrong("seat", i, "name", what)
    zones, bets = reader.many("zone", ZoneForm), reader.many("bet", BetForm)
    check_outlines(reader, seats, zones)
    check_box(reader, box, zones, bets)
    cards, camera = reader.one("cards", CardsForm), reader.one("camera", CameraForm)
    if camera:
        check_camera(reader, camera)
    layout = Layout(
        kind="mat" if mat else "field",
        size_mm=base.size,
        tags=tuple(Tag(t.id, _xyz(t.center), t.size) for t in tags),
        spots=tuple(Spot(s.name, s.center, s.size) for s in spots),
        seats=tuple(SeatPlace(s.name, _points(s.zone), s.enters_from) for s in seats),
        zones=tuple(Zone(z.kind, _points(z.polygon)) for z in zones),
        bets=tuple(Bet(b.kind, _xyz(b.center), b.size) for b in bets),
        die_edge_mm=base.die_edge,
        card_size_mm=cards.size if cards else None,
        camera=_camera(camera) if camera else None,
        hole_depth_mm=box.hole_depth if box else None,
        outside_z_mm=box.outside_z if box else None,
    )
    check_measures(reader, layout)
    return layout


def _camera(form: CameraForm) -> CameraModel:
    return CameraModel(form.f_px, form.center_px, tuple(form.distortion), _points(form.corners or []))


def _lamps(reader: Reader, layout: Layout) -> LampPlan:
    general, lamps = reader.one("lamps", LampsForm) or LampsForm(), reader.many("lamp", LampForm)
    seats = tuple(s.name for s in layout.seats)
    usual = default_lamps(seats)
    if all(lamp.index >= usual.count for lamp in lamps):  # none, or only lamps after the default chain
        before, least = usual.lamps, usual.count
    else:
        before, least = (), 0
    if general.count is not None and general.count < least:
        raise reader.wrong("lamps", None, "count", fact("tablefile.chain", least=least))
    reader.unique("lamp", "index", [x.index for x in lamps])
    reader.unique("lamp", "name", [x.name for x in lamps if x.name is not None])
    count = general.count or max((x.index + 1 for x in lamps), default=least)
    for i, lamp in enumerate(lamps):
        if lamp.seat is not None and not seats:
            raise reader.wrong("lamp", i, "seat", fact("tablefile.seatless"))
        choices = {"seat": seats, "character": CHARACTERS}
        for key, names in choices.items():
            value = getattr(lamp, key)
            if value is not None and value not in names:
                raise reader.wrong("lamp", i, key, unknown_value(value, list(names)))
        if lamp.shows == "character" and (lamp.seat is None or lamp.character is None):
            named = place("lamp", i, None)
            raise reader.fail(named, fact("tablefile.character"), reader.line("lamp", i, "shows"))
        if lamp.index >= count:
            raise reader.wrong("lamp", i, "index", fact("tablefile.beyond", n=lamp.index, count=count))
    if general.limit_ma <= count * IDLE_MA:
        dark = f"{count * IDLE_MA:.0f}"
        what = fact("tablefile.supply", count=count, dark=dark, limit=general.limit_ma)
        raise reader.wrong("lamps", None, "limit_ma", what)
    return _plan(
        before + tuple(Lamp(x.index, x.shows, x.seat, x.character, x.pip, x.name, x.place) for x in lamps),
        count,
        general,
    )


def _plan(lamps: tuple[Lamp, ...], count: int, general: LampsForm) -> LampPlan:
    brightness = Brightness(
        *(general.day, general.evening, general.night),
        *(general.day_from, general.evening_from, general.night_from),
    )
    return LampPlan(lamps, count, general.limit_ma, general.signs, brightness, general.order)


def _xyz(center: list[float]) -> Point3:
    return (center[0], center[1], center[2] if len(center) == 3 else 0.0)


def _points(polygon: list[XY]) -> tuple[Point, ...]:
    return tuple(polygon)
