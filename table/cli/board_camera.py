"""`stammtisch board test --camera`: the camera watches each lamp in turn and reports what is wrong."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from statistics import median

import numpy as np

from firmware_bridge.lamps import RGB
from firmware_bridge.link import Link
from table.errors import StammtischError
from table.lamp_proof import NAMES, LampStand, Proof, Watched, prove
from table.settings import TableFile, read_table
from table.settings.lamp_places import write_lamps
from vision.sightings import Picture

SETTLE_S = 0.3
"""How long the camera may lag: a USB camera delivers frames that are already a little old."""
FRAMES = 3
"""Number of frames averaged against noise."""


def run_camera_test(port: str | None, source: str, file: str, settle_s: float = SETTLE_S) -> int:
    """Check the lamps of the table file, write what was seen into it; return 1 when something is wrong."""
    from vision.cameras import open_camera

    table_file = read_table(file)
    with closing(open_camera(source)) as camera, Link.open(port or table_file.board.port) as link:

        def look() -> Picture:
            time.sleep(settle_s)
            return _averaged(camera.read, source)

        proof = proven(link.show, look, table_file)
        link.show(((0, 0, 0),) * table_file.lamps.count)
    return report(proof, table_file)


def proven(
    show: Callable[[Sequence[RGB]], None], look: Callable[[], Picture], table_file: TableFile
) -> Proof:
    """`prove` for a table file, printing a line for each lamp; assumes the lamps as high as the tags."""
    from vision.box.pose_fit import register_box
    from vision.geometry import register

    layout = table_file.layout
    find = register if layout.kind == "mat" else register_box
    height_mm = median(tag.center_mm[2] for tag in layout.tags)
    stand = LampStand(show, look, lambda seen: find(seen, layout), height_mm)
    return prove(stand, table_file.lamps, layout.seats, _tell)


def report(proof: Proof, table_file: TableFile) -> int:
    """Print what was found; write places and order into the table file."""
    places = {one.index: one.place_mm for one in proof.lamps if one.place_mm is not None}
    for wrong in proof.odd:
        print(wrong, file=sys.stderr)
    if places:
        write_lamps(table_file.path, table_file.lamps, places, proof.order)
        order = f"order {proof.order}" if proof.order else "the order of its colours is not clear"
        print(f"{len(places)} of {len(proof.lamps)} lamps seen, {order}: written into {table_file.path}")
    else:
        print(f"none of {len(proof.lamps)} lamps was seen", file=sys.stderr)
    return 1 if proof.odd or not places else 0


def _averaged(read: Callable[[], tuple[Picture, float] | None], source: str) -> Picture:
    seen = [frame[0] for _ in range(FRAMES) if (frame := read()) is not None]
    if not seen:
        raise StammtischError(f"{source}: no more pictures; it must be a live camera: usb:0 or pi:0")
    return np.asarray(np.mean(seen, axis=0).round(), np.uint8)


def _tell(watched: Watched) -> None:
    if watched.place_mm is None:
        print(f"lamp {watched.index}: {watched.why}")
        return
    told = [
        f"{name} shines {'unclear' if at is None else NAMES[at]}"
        for name, at in zip(NAMES, watched.told, strict=True)
        if at is None or NAMES[at] != name
    ]
    x, y = watched.place_mm
    print(f"lamp {watched.index}: at {x:+.0f}, {y:+.0f} mm" + "".join(f"; {one}" for one in told))
