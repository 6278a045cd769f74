"""Pip dice without a table in `stammtisch bench eye`: a rendered throw before a live camera, in pixels."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

Figures = dict[str, Any]

FPS = 30
EMPTY, ROLLING = 12, 24
"""Pictures up to which the table is empty, and up to which dice roll."""
WAIT_S = 2.0
"""Time within which dice that lie still must be reported."""
RUNS = 5
"""First throws, of dice of unknown size; the median counts."""
DICE = 5
RIM = 4
RED, WHITE, FELT = (40, 35, 190), (240, 240, 240), (60, 90, 40)


def measure() -> Figures:
    """Seconds from the first still picture until the throw is reported: camera time and CPU time of one core.

    The camera is live: pictures that are not looked at in time are skipped in favour of the newest.
    """
    import cv2
    import numpy as np

    from table.cli.watch_px import PixelEye
    from vision.sightings import Picture
    from vision.synthetic.scene import Scene, ViewPoint
    from vision.synthetic.shapes import DieLying, six_sided
    from vision.synthetic.table import Flat, Painter

    cv2.setNumThreads(1)
    # The rim stays in place while dice roll: without it the camera itself would seem to swing.
    felt = np.full((240, 360, 3), WHITE, np.uint8)
    felt[RIM:-RIM, RIM:-RIM] = FELT
    view = ViewPoint(size_px=(1920, 1080), f_px=2700.0)
    painter = Painter(Flat(felt, (360.0, 240.0)), {}, view, (59.0, 91.0), 2.2)

    def pictures(run: int) -> list[Picture]:
        """Pictures of a table, of dice that roll over it and of the dice at rest."""
        chance = random.Random(run)
        tops = [str(chance.randint(1, 6)) for _ in range(DICE)]
        yaws = [chance.uniform(0, 90) for _ in range(DICE)]

        def lying(to_go: int) -> Scene:
            places = [(70.0 * k - 140 + 9 * to_go, 60.0 * (k % 2) - 30 - 5 * to_go) for k in range(DICE)]
            return Scene(
                dice=tuple(
                    DieLying(top, place, yaw + 17 * to_go, RED, WHITE, sides=six_sided(int(top)))
                    for top, place, yaw in zip(tops, places, yaws, strict=True)
                )
            )

        scenes = [Scene()] * EMPTY + [lying(ROLLING - k) for k in range(EMPTY, ROLLING)]
        scenes += [lying(0)] * int(WAIT_S * FPS)
        return [painter.render(scene, number) for number, scene in enumerate(scenes)]

    told: list[float] = []
    busy: list[float] = []
    right = 0
    for run in range(RUNS):
        eye, film = PixelEye(), pictures(run)
        now, number = 0.0, 0
        while number < len(film):
            now = max(now, number / FPS)
            before = time.process_time()
            seen = eye.see(film[number], number / FPS)
            spent = time.process_time() - before
            now += spent
            if seen:
                told.append(now - ROLLING / FPS)
                right += len(getattr(seen[0], "dice", ())) == DICE
                break
            if number:
                busy.append(spent)
            number = max(number + 1, int(now * FPS))
    figures: Figures = {"pips_throws_told_whole_of_all": right / RUNS}
    if told:
        figures["pips_throw_told_after_rest_s"] = statistics.median(told)
        figures["pips_longest_other_frame_ms"] = 1000 * max(busy)
    return figures
