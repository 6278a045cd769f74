"""`stammtisch bench`: speed on this machine, each figure beside a floor measured in the same run."""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from table.cli import bench_box, bench_px, bench_rules
from table.cli.bench_kept import keep
from table.cli.bench_machine import SEND, condition, machine
from table.errors import UsageError

Figures = dict[str, Any]

PARTS = ("rules", "eye", "wire")
AWAKE_FRAMES = 36
"""Frames after the first during which the eye, still awake, looks at every frame: not counted."""
FRAMES = 96
"""Quiet frames for the eye's figures."""
CARD_TRIES_FRAMES = 12
"""Number of frames within which a card that lies still must be named."""
CARDS = (
    ("red-7", (0.0, -90.0), 12.0),
    ("blue-3", (90.0, 0.0), 70.0),
    ("red-9", (0.0, 90.0), -33.0),
    ("blue-1", (-90.0, 0.0), 150.0),
    ("red-2", (0.0, 0.0), 100.0),
)
"""Cards laid one after another: name, place in mm, yaw in degrees."""
WIRE_S = 2.0


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("part", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--keep",
        metavar="DIR",
        type=Path,
        help="also write bench-<commit>.json into DIR and redraw bench.svg",
    )
    parser.add_argument(
        "--pi", action="store_true", help="print one JSON object that can be sent to the project"
    )


def run(options: argparse.Namespace) -> int:
    """Measure on one core and print."""
    chosen = options.part or list(PARTS)
    for part in chosen:
        if part not in PARTS:
            raise UsageError(f"there is nothing to measure called {part!r}; choose from {', '.join(PARTS)}")
    measures: dict[str, Callable[[], Figures]] = {"rules": bench_rules.measure, "eye": _eye, "wire": _wire}
    before = condition()
    figures = {part: measures[part]() for part in chosen}
    if options.keep:
        print(f"kept: {keep(options.keep, figures, machine())}", file=sys.stderr)
    if options.pi:
        after = condition()
        print(
            json.dumps({"machine": machine(), "before": before, "after": after, "figures": figures}, indent=1)
        )
        print(SEND, file=sys.stderr)
        return 0
    if options.json:
        print(json.dumps(figures))
        return 0
    for part, measured in figures.items():
        print(f"{part}:")
        for name, value in measured.items():
            print(f"  {name.replace('_', ' '):34} {value:,.3f}" if isinstance(value, float) else f"  {value}")
    return 0


def _eye() -> Figures:
    """A rendered table at 1280×720: our own renderer measures plumbing and speed, never recognition."""
    import cv2

    from table.printables import plan_mat
    from table.virtual import painter_for, stills
    from vision.cards.deck import learn
    from vision.cards.still import Still
    from vision.frame import Frame
    from vision.mat.pipeline import Eye
    from vision.sightings import CardDown, Sighting
    from vision.synthetic.scene import CardLying, Scene

    cv2.setNumThreads(1)
    plan = plan_mat(4, "A2")
    painter = painter_for(plan)
    names = [f"{colour}-{value}" for colour in ("red", "blue") for value in range(1, 10)]
    deck = learn([Still(name, name, still) for name, still in stills(painter, names).items()])
    eye, film_eye = Eye(plan.layout, deck), Eye(plan.layout, deck)
    spent: dict[str, list[float]] = {"decode": [], "camera": [], "film": []}

    def timed(what: str, work: Callable[[], Any]) -> Any:
        before = time.process_time()
        done = work()
        spent[what].append(time.process_time() - before)
        return done

    def show(scene: Scene, number: int) -> Sequence[Sighting]:
        """One frame: decoded in full as the floor, then seen as a camera's JPEG and as a film's picture."""
        jpeg = cv2.imencode(".jpg", painter.render(scene, number), [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
        picture = timed("decode", lambda: cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
        timed("film", lambda: film_eye.see(picture, number / 15))
        frame = Frame(jpeg=jpeg.tobytes())
        seen: Sequence[Sighting] = timed("camera", lambda: eye.see(frame, number / 15))
        return seen

    for i in range(FRAMES):
        show(Scene(), i)
    # A mean: most frames of a quiet table are not looked at, and a median would leave out those that are.
    quiet = {what: statistics.fmean(times[AWAKE_FRAMES:]) for what, times in spent.items()}
    looks = [seconds for seconds in spent["camera"][AWAKE_FRAMES:] if seconds > quiet["camera"]]
    first_s = spent["film"][0]
    card_s: list[float] = []
    scene, numbers = Scene(), itertools.count(FRAMES)
    for lying in CARDS:
        scene = Scene(cards=(*scene.cards, CardLying(*lying)))
        for _ in range(CARD_TRIES_FRAMES):
            if any(isinstance(s, CardDown) for s in show(scene, next(numbers))):
                card_s.append(spent["film"][-1])
                break
    decode_s = quiet["decode"]
    figures: Figures = {
        "jpeg_decode_floor_ms": 1000 * decode_s,
        "quiet_camera_frame_ms": 1000 * quiet["camera"],
        "quiet_camera_frame_over_decode": quiet["camera"] / decode_s,
        "quiet_camera_look_over_decode": statistics.median(looks) / decode_s,
        "quiet_film_frame_beyond_decode_ms": 1000 * quiet["film"],
        "quiet_film_frame_beyond_decode_over_decode": quiet["film"] / decode_s,
        "quiet_camera_at_15_hz_of_a_core": 15 * quiet["camera"],
        "first_frame_of_a_table_ms": 1000 * first_s,
    }
    figures["cards_named_of_all"] = len(card_s) / len(CARDS)
    if card_s:
        figures["frame_that_names_a_card_ms"] = 1000 * statistics.median(card_s)
    return figures | bench_box.measure() | bench_px.measure()


def _wire() -> Figures:
    """The wire to a board: the real firmware if the emulator is built, else the board in memory."""
    from firmware_bridge.errors import EmulatorError
    from firmware_bridge.link import Link
    from firmware_bridge.measure import measure
    from firmware_bridge.transports.emulated import EmulatedPort
    from firmware_bridge.transports.loopback import Loopback

    board = "the firmware in simavr, real time"
    try:
        port: EmulatedPort | Loopback = EmulatedPort()
    except EmulatorError:
        board, port = "the board in memory (no emulator here): says nothing about the wire", Loopback()
    link = Link(lambda: port)
    try:
        speed = measure(link, 30, WIRE_S)
        stream = measure(link, 60, WIRE_S, pipelined=True)
    finally:
        link.close()
    return {
        "board": board,
        "pictures_of_30_lamps_per_s": speed.pictures_per_s,
        "time_over_the_bits_floor": speed.ratio,
        "payload_share_of_the_wire": stream.payload_share,
    }
