"""`GET /metrics`: the table's use of resources and the state of its parts, for Prometheus."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.health import PARTS, QUIET
from table.live import Table
from table.processes import Sample, samples, text
from table.web.health import program_version, release

SCREEN = "stammtisch-screen"
"""User that runs the browser on this computer's screen (hardware/deploy), in processes not started by us."""


def of_table(table: Table, up_s: float) -> Iterator[Sample]:
    """The samples of the table itself; `up_s` seconds after the start."""
    labels = f'{{version="{program_version()}",release="{release() or ""}"}}'
    yield Sample("stammtisch_build_info", "gauge", 1, labels)
    yield Sample("stammtisch_up_seconds", "gauge", round(up_s, 1))
    for part in PARTS:
        well = getattr(table.health, part).what in QUIET
        yield Sample("stammtisch_part_well", "gauge", int(well), f'{{part="{part}"}}')
    if (rate_hz := table.frames_hz()) is not None:
        yield Sample("stammtisch_frames_per_second", "gauge", round(rate_hz, 2))
    if (share := table.frames_seen()) is not None:
        yield Sample("stammtisch_frames_seen_ratio", "gauge", round(share, 3))
    yield Sample("stammtisch_game_lines", "gauge", len(table.session.entries))
    journal = table.session.journal_path
    for end, kind in (("", "journal"), ("-wal", "wal")):
        with suppress(OSError):
            size = Path(f"{journal}{end}").stat().st_size
            yield Sample("stammtisch_journal_bytes", "gauge", size, f'{{file="{kind}"}}')
    with suppress(OSError):
        yield Sample("stammtisch_disk_free_bytes", "gauge", shutil.disk_usage(journal.parent).free)
    if (link := table.link()) is not None:
        yield Sample("stammtisch_board_pictures_total", "counter", link.shown)
        yield Sample("stammtisch_board_repeated_total", "counter", link.repeated)
        yield Sample("stammtisch_board_broken_total", "counter", link.broken)
        yield Sample("stammtisch_board_greetings_total", "counter", link.greetings)


def routes(table: Table, clock: Callable[[], float] = time.monotonic) -> list[BaseRoute]:
    """The address above."""
    began = clock()

    async def answer(_request: Request) -> Response:
        found = [*of_table(table, clock() - began), *samples(beside=SCREEN)]
        return Response(text(found), media_type="text/plain; version=0.0.4")

    return [Route("/metrics", answer)]
