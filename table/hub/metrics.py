"""Counts in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/)."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

from table.hub.intake import Counts


def metrics(counts: Counts | None) -> str:
    """What this process uses, and what the hub in it has done."""
    rows = [*process()]
    if counts is not None:
        lags = sorted(counts.lags_s[-5000:])
        rows += [
            ("stammtisch_hub_lines_total", "counter", counts.lines),
            ("stammtisch_hub_lines_twice_total", "counter", counts.twice),
            ("stammtisch_hub_refused_total", "counter", counts.refused),
            ("stammtisch_hub_batches_total", "counter", counts.batches),
        ]
        if lags:
            rows.append(("stammtisch_hub_lag_p99_seconds", "gauge", lags[int(0.99 * (len(lags) - 1))]))
    return "".join(f"# TYPE {name} {kind}\n{name} {value}\n" for name, kind, value in rows)


def process() -> Iterator[tuple[str, str, float]]:
    """Memory, CPU time, handles and bytes written of this process (Linux: /proc/self, see proc(5))."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield "stammtisch_process_cpu_seconds_total", "counter", used.ru_utime + used.ru_stime
    own = Path("/proc/self")
    if not own.exists():
        return
    pages = int((own / "statm").read_text().split()[1])
    yield "stammtisch_process_memory_bytes", "gauge", pages * resource.getpagesize()
    yield "stammtisch_process_handles", "gauge", len([*(own / "fd").iterdir()])
    told = dict(line.split(": ") for line in (own / "io").read_text().splitlines())
    yield "stammtisch_process_written_bytes_total", "counter", int(told["write_bytes"])
