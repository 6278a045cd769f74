"""The outcome of `torture` as one HTML page that opens without a server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from html import escape

from table.cli.ordeal import Ordeal

_HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>stammtisch torture</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem; border-bottom: 1px solid #999; }
td.n { text-align: right; } tr.bad { background: #fdd; color: #600; } small { display: block; }
</style>
<h1>stammtisch torture</h1>
"""


def page(found: Sequence[Ordeal]) -> str:
    """All ordeals, fault by fault, with what the table reported about itself."""
    by_fault: dict[str, list[Ordeal]] = defaultdict(list)
    for ordeal in found:
        by_fault[ordeal.fault].append(ordeal)
    strikes, lost, doubled = (
        sum(getattr(each, key) for each in found) for key in ("strikes", "lost", "doubled")
    )
    wrong = sum(not each.points_same for each in found)
    summary = (
        f"<p><b>{strikes}</b> faults in <b>{len(found)}</b> games: <b>{lost}</b> events lost, "
        f"<b>{doubled}</b> doubled, <b>{wrong}</b> wrong scores.</p>"
    )
    head = (
        "<table><tr><th>fault<th>times<th>games<th>lost<th>doubled<th>wrong scores<th>said by the table</tr>"
    )
    return (
        _HEAD + summary + head + "".join(_row(fault, each) for fault, each in by_fault.items()) + "</table>\n"
    )


def _row(fault: str, each: Sequence[Ordeal]) -> str:
    bad = "" if all(ordeal.well for ordeal in each) else ' class="bad"'
    games = ", ".join(sorted({ordeal.game for ordeal in each}))
    said = list(dict.fromkeys(line for ordeal in each for line in (*ordeal.said, ordeal.wrong) if line))
    shown = "".join(f"<small>{escape(line)}</small>" for line in said[:6])
    cells = (
        sum(ordeal.strikes for ordeal in each),
        f"{len(each)} ({games})",
        sum(ordeal.lost for ordeal in each),
        sum(ordeal.doubled for ordeal in each),
        sum(not ordeal.points_same for ordeal in each),
    )
    return (
        f"<tr{bad}><td>{escape(fault)}"
        + "".join(f'<td class="n">{cell}' for cell in cells)
        + f"<td>{shown}</tr>"
    )
