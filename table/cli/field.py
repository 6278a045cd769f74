"""`stammtisch field trace PHOTO`: the zones of a bought DoppelX field from a picture of the empty field."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2

from table.cli.actions import add_action
from table.errors import StammtischError, UsageError
from table.printables.drawing import PrintError
from table.printables.field_plan import plan_frame
from table.printables.tablefile import field_file
from table.settings import read_table
from table.settings.camera import camera_lines
from vision.box.trace import DIM, KINDS, draw_zones, trace
from vision.pictures import read_picture

_WORDS = {
    "1x": "blue 1x",
    "2x": "red 2x",
    "3x": "yellow 3x",
    "X": "grey X",
    "-1": "violet -1",
    "hole": "holes",
}


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)
    words = "zones by colour from a picture of the empty field between its tags, as a table file"
    sub = add_action(things, "trace", words)
    sub.add_argument("photo", metavar="PHOTO", help="the whole empty field with its tags, from above")
    sub.add_argument("--out", metavar="FILE", type=Path, required=True, help="the table file to write")
    sub.add_argument(
        "--check", metavar="PICTURE", type=Path, help="draw the zones over the photo, to check them"
    )
    sub.add_argument(
        "--tags",
        metavar="FILE",
        help="table file with [field] and the tags, and [camera] if measured (default: our `print frame`)",
    )
    sub.add_argument("--force", action="store_true", help="overwrite an existing table file")


def run(options: argparse.Namespace) -> int:
    """Trace the zones, write them, report them. Raises TraceError, TagsNotFoundError, StammtischError."""
    out: Path = options.out
    if out.exists() and not options.force:
        raise UsageError(f"{out}: exists already and may have been edited by hand; add --force to replace it")
    if options.check and not cv2.haveImageWriter(options.check.name):
        raise UsageError(f"--check {options.check}: that is not a picture's name; end it in .png or .jpg")
    layout = read_table(options.tags).layout if options.tags else plan_frame()
    if layout.kind != "field":
        raise UsageError(f"{options.tags}: has a [mat]; a field is traced between the tags of a [field]")
    seen = read_picture(options.photo)
    traced = trace(seen, layout)
    layout = replace(traced.layout, die_edge_mm=layout.die_edge_mm)
    said = (
        f"Traced by `stammtisch field trace` from {Path(options.photo).name}: check it, correct it by hand.",
        "Millimetres from the middle of the floor; 1x 2x 3x own the white line to what counts less (X-16).",
    )
    if options.check and not cv2.imwrite(str(options.check), draw_zones(seen, traced)):
        raise StammtischError(f"{options.check}: cannot be written; choose another --check")
    text = field_file(layout, said)
    if layout.camera is not None:
        text += "\n".join(["", *camera_lines(layout.camera, f"copied from {Path(options.tags).name}"), ""])
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise PrintError(f"{out}: cannot be written ({wrong.strerror}); choose another --out") from None
    count = Counter(zone.kind for zone in layout.zones)
    for kind in KINDS:
        if count[kind]:
            zones = f"{count[kind]} zone{'s' if count[kind] > 1 else ''}"
            print(f"{_WORDS[kind]}: {zones}, {traced.shares[kind]:.0%} of the floor")
    missing = [_WORDS[kind] for kind in ("1x", "2x", "3x") if not count[kind]]
    if missing:
        print(
            f"nothing found that is {' or '.join(missing)}: is the light too coloured, the picture too dark?"
        )
    if traced.paper < DIM:
        print(
            f"the picture is dark (the tags' paper has {traced.paper:.0f} of 255): better take it in more"
            " light"
        )
    if options.check:
        print(
            f"{options.check}: the zones over the photo; every line must run where the print changes colour"
        )
    print(f"{out}: the table file; correct it by hand, in millimetres")
    return 0
