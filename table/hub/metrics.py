"""Counters of a hub and the resources of its process, for Prometheus."""

from __future__ import annotations

from table.hub.intake import Counts
from table.processes import Sample, samples, text


def metrics(counts: Counts | None) -> str:
    """The text of `/metrics`."""
    found = samples()
    if counts is not None:
        lags = sorted(counts.lags_s[-5000:])
        found += [
            Sample("stammtisch_hub_connected", "gauge", int(counts.connected)),
            Sample("stammtisch_hub_lines_total", "counter", counts.lines),
            Sample("stammtisch_hub_lines_twice_total", "counter", counts.twice),
            Sample("stammtisch_hub_refused_total", "counter", counts.refused),
            Sample("stammtisch_hub_batches_total", "counter", counts.batches),
        ]
        if lags:
            late = lags[int(0.99 * (len(lags) - 1))]
            found.append(Sample("stammtisch_hub_lag_p99_seconds", "gauge", late))
    return text(found)
