"""The box in `stammtisch bench eye`: a rendered dice box under a full HD camera, quiet and after a throw."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

Figures = dict[str, Any]

CALM_FRAMES = 36
"""Number of quiet frames after which the eye looks at fewer."""
FRAMES = 30
"""Number of quiet frames measured after the box was read."""
THROW_FRAMES = 8
"""Number of frames within which dice that lie still must be reported."""
RUNS = 5
"""Number of throws to read; the median counts."""


def measure() -> Figures:
    """CPU milliseconds of one core; the floor is decoding the same 1920×1080 JPEG in the same run."""
    import cv2
    import numpy as np

    from table.virtual.box import VIEW, WHITE, Fate, box_painter, die_lying, enrolment_stills, plan_box
    from table.virtual.box_evening import COLOURS
    from vision.box.dice_set import enrol_dice
    from vision.box.pipeline import BoxEye
    from vision.frame import Frame
    from vision.layout import CameraModel
    from vision.sightings import ThrowSeen
    from vision.synthetic.scene import Scene

    cv2.setNumThreads(1)
    size = (1920, 1080)
    view = replace(VIEW, size_px=size, f_px=VIEW.f_px * size[1] / VIEW.size_px[1])
    plan, _ = plan_box()
    lens = CameraModel(view.f_px, (size[0] / 2 - 0.5, size[1] / 2 - 0.5))
    layout, painter = replace(plan.layout, camera=lens), box_painter(plan, view)
    with tempfile.TemporaryDirectory() as folder:
        enrolment_stills(painter, COLOURS, layout.edge_mm, Path(folder))
        eye = BoxEye(layout, enrol_dice(Path(folder), layout))
    decode: list[float] = []
    frames = 0

    def show(scene: Scene) -> tuple[float, int]:
        """CPU seconds of the next frame, and how many dice were reported with it."""
        nonlocal frames
        picture = painter.render(scene, frames)
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        before = time.process_time()
        cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        between = time.process_time()
        told = [seen for seen in eye.see(Frame(jpeg=jpeg), frames / 15) if isinstance(seen, ThrowSeen)]
        frames += 1
        decode.append(between - before)
        return time.process_time() - between, len(told[0].dice) if told else 0

    for _ in range(CALM_FRAMES):
        show(Scene())
    quiet_s = [show(Scene())[0] for _ in range(FRAMES)]
    quiet = statistics.fmean(quiet_s)  # a mean, as half of them are not looked at
    look = statistics.median(seconds for seconds in quiet_s if seconds > quiet)
    reads: list[float] = []
    tells: list[float] = []
    late: list[int] = []
    for run in range(RUNS):
        fallen = Fate(layout, f"bench/{run}").fall((*COLOURS, WHITE), [])
        scene = Scene(dice=tuple(die_lying(die, layout.edge_mm) for die in fallen))
        dearest = 0.0
        for k in range(THROW_FRAMES):
            seconds, dice = show(scene)
            dearest = max(dearest, seconds)
            if dice:
                reads.append(1000 * dearest / dice)
                tells.append(1000 * seconds / dice)
                late.append(k)
                break
        for _ in range(16):  # all taken out again
            show(Scene())
    floor = statistics.median(decode)
    figures: Figures = {
        "box_jpeg_decode_floor_ms": 1000 * floor,
        "box_quiet_camera_frame_ms": 1000 * quiet,
        "box_quiet_camera_frame_over_decode": quiet / floor,
        "box_quiet_camera_look_over_decode": look / floor,
        "box_throws_told_of_all": len(tells) / RUNS,
    }
    if tells:
        # The eye reads the box before its rest is proven: then only the frame that reports it is waited for.
        figures["box_frame_that_reads_a_throw_ms_a_die"] = statistics.median(reads)
        figures["box_frame_that_tells_a_throw_ms_a_die"] = statistics.median(tells)
        figures["box_throw_told_after_s"] = statistics.median(late) / 15
    return figures
