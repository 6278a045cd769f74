"""Writes the findings of `board test --camera` into a table file: the strip's order, the lamps' places."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from table.settings.values import Lamp, LampPlan, SettingsError
from table.settings.written import write_over

_HEADER = re.compile(r"\s*\[\[?\s*(\w+)\s*\]\]?\s*(#.*)?$")
_INDEX = re.compile(r"\s*index\s*=\s*(\d+)")
_PLACE = re.compile(r"\s*place\s*=")
_ORDER = re.compile(r"\s*order\s*=")


def write_lamps(
    path: Path, plan: LampPlan, places: Mapping[int, tuple[float, float]], order: str | None
) -> None:
    """Put the places (mm, by index) and the order into the table file, in one step; all else stays unchanged.

    A file that names no lamp gets the lamps of `plan`, its default ones.

    Raises:
        SettingsError: the file cannot be written, or its lamps have a layout that cannot be edited here.
    """
    before = path.read_text(encoding="utf-8-sig")
    raw = tomllib.loads(before)
    lines = before.splitlines()
    if order is not None:
        lines = _ordered(lines, order, "lamps" in raw)
    lines = _placed(lines, places) if raw.get("lamp") else [*lines, *_new(plan.lamps, places)]
    after = "\n".join(lines) + "\n"
    if not _means(after, raw, plan, places, order):
        raise SettingsError(
            f"{path}: its lamps are written in a form that cannot be replaced here; put `index = N` below"
            " each [[lamp]] on a line of its own"
        )
    write_over(path, after)


def _ordered(lines: list[str], order: str, there: bool) -> list[str]:
    said = f'order = "{order}"'
    if not there:
        return [*lines, "", "[lamps]", said]
    out, section = [], ""
    for line in lines:
        if header := _HEADER.match(line):
            section = header.group(1)
            out.append(line)
            if section == "lamps":
                out.append(said)
        elif section != "lamps" or not _ORDER.match(line):
            out.append(line)
    return out


def _placed(lines: list[str], places: Mapping[int, tuple[float, float]]) -> list[str]:
    out, section = [], ""
    for line in lines:
        if header := _HEADER.match(line):
            section = header.group(1)
        elif section == "lamp" and _PLACE.match(line):
            continue
        out.append(line)
        found = _INDEX.match(line) if section == "lamp" else None
        if found and int(found.group(1)) in places:
            out.append(_place(places[int(found.group(1))]))
    return out


def _new(lamps: tuple[Lamp, ...], places: Mapping[int, tuple[float, float]]) -> list[str]:
    out = []
    for lamp in lamps:
        out += ["", "[[lamp]]", f"index = {lamp.index}", f'shows = "{lamp.shows}"']
        out += [f'{key} = "{value}"' for key in ("seat", "character") if (value := getattr(lamp, key))]
        if lamp.index in places:
            out.append(_place(places[lamp.index]))
    return out


def _place(place: tuple[float, float]) -> str:
    return f"place = [{place[0]:.1f}, {place[1]:.1f}]"


def _means(
    after: str,
    raw: dict[str, Any],
    plan: LampPlan,
    places: Mapping[int, tuple[float, float]],
    order: str | None,
) -> bool:
    """Whether the new text parses to the old content with only order and places changed."""
    try:
        now = tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        return False
    lamps = now.pop("lamp", [])
    before = raw.get("lamp", [{}] * len(plan.lamps))
    same = all(
        {**lamp, "place": None} == {**old, "place": None} or not old
        for lamp, old in zip(lamps, before, strict=True)
    )
    there = {lamp["index"]: tuple(lamp["place"]) for lamp in lamps if "place" in lamp}
    wanted = {at: place for at, place in places.items() if at in {lamp["index"] for lamp in lamps}}
    rest = {key: value for key, value in raw.items() if key != "lamp"}
    if order is not None:
        rest["lamps"] = {**raw.get("lamps", {}), "order": order}
    return same and there == wanted and now == rest
