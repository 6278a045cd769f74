"""Keeps the figures of `bench` from commit to commit and plots them: what got faster, and when."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from table.errors import StammtischError, UsageError

RunFigures = Mapping[str, Any]
"""All figures of a run, from all parts."""

_LEFT, _WIDTH, _HEIGHT, _GAP = 40, 620, 70, 58
_LINE, _AIM = "#2f7d4f", "#b3261e"


class Curve(NamedTuple):
    """A figure over commits; machines differ, so each value is relative to a floor of its own run."""

    title: str
    of: Callable[[RunFigures], float]
    aim: float | None = None


CURVES = (
    Curve("Dubbe: a round before the referee, in Python loops", lambda f: _loops(f, "dubbe")),
    Curve("Dulle: the same", lambda f: _loops(f, "dulle")),
    Curve("Doppelkopf: the same", lambda f: _loops(f, "doppelkopf")),
    Curve("Klapper-Jas: the same", lambda f: _loops(f, "klapper_jas")),
    Curve(
        "fold of 100,000 lines, in Python loops",
        lambda f: 1000 * f["fold_of_100_000_lines_s"] / f["python_loop_floor_ms"],
    ),
    Curve(
        "the same with 200 corrections",
        lambda f: 1000 * f["fold_of_100_000_lines_with_200_corrections_s"] / f["python_loop_floor_ms"],
    ),
    Curve("Doppelkopf playouts over OpenSpiel's Skat", lambda f: f["doppelkopf_over_openspiel_skat"], 1.0),
    Curve("quiet 720p frame over its decoding", lambda f: f["quiet_camera_frame_over_decode"], 0.45),
    Curve("quiet 1080p box frame over its decoding", lambda f: f["box_quiet_camera_frame_over_decode"], 0.45),
    Curve(
        "frame that names a card, in decodings",
        lambda f: f["frame_that_names_a_card_ms"] / f["jpeg_decode_floor_ms"],
    ),
    Curve(
        "frame that reads a throw, a die, in decodings",
        lambda f: f["box_frame_that_reads_a_throw_ms_a_die"] / f["box_jpeg_decode_floor_ms"],
    ),
)


def _loops(figures: RunFigures, game: str) -> float:
    return 1000 / float(figures[f"{game}_referee_rounds_per_s"]) / float(figures["python_loop_floor_ms"])


def keep(folder: Path, figures: RunFigures, machine: Mapping[str, Any]) -> Path:
    """Write `bench-<commit>.json` and plot the whole folder into `bench.svg`. Raises StammtischError."""
    commit, made = _commit()
    file = folder / f"bench-{commit}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        run = {"commit": commit, "made": made, "machine": machine, "figures": figures}
        file.write_text(json.dumps(run, indent=1, ensure_ascii=False) + "\n", "utf-8")
        (folder / "bench.svg").write_text(plot(runs(folder)), "utf-8")
    except OSError as wrong:
        why = (wrong.strerror or "it cannot be written").lower()
        raise StammtischError(f"{folder}: {why}; give another --keep") from None
    return file


def _commit() -> tuple[str, str]:
    """The program's commit and its time; without git its version and the present time."""
    here = Path(__file__).parent
    try:
        said = subprocess.run(
            ["git", "-C", str(here), "show", "-s", "--format=%h %cI", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        return said[0], said[1]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return version("stammtisch"), datetime.now(UTC).isoformat(timespec="seconds")


def runs(folder: Path) -> list[dict[str, Any]]:
    """Return all kept runs, the oldest commit first. Raises UsageError for a file that is not one."""
    found = []
    for file in folder.glob("bench-*.json"):
        try:
            run = json.loads(file.read_text("utf-8"))
            found.append((datetime.fromisoformat(run["made"]), str(run["commit"]), run))
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            raise UsageError(f"{file}: not what `bench --keep` wrote ({wrong!r})") from None
    return [run for _, _, run in sorted(found, key=lambda one: one[:2])]


def plot(kept: list[dict[str, Any]]) -> str:
    """Return an SVG with one small plot per figure; less is better, unless a ratio's aim is 1."""
    parts, y = [], 24
    for curve in CURVES:
        values = [(at, value) for at, run in enumerate(kept) if (value := _value(curve, run)) is not None]
        if values:
            parts += _drawn(curve, values, [str(run["commit"]) for run in kept], y)
            y += _HEIGHT + _GAP
    height = max(y, 40)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 60}" height="{height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        + "".join(parts)
        + "</svg>\n"
    )


def _value(curve: Curve, run: Mapping[str, Any]) -> float | None:
    figures = {name: value for part in run["figures"].values() for name, value in part.items()}
    try:
        return float(curve.of(figures))
    except (KeyError, ZeroDivisionError):
        return None  # not measured then


def _drawn(curve: Curve, values: list[tuple[int, float]], commits: list[str], top: int) -> list[str]:
    most = 1.1 * max(*(value for _, value in values), curve.aim or 0.0)
    step = _WIDTH / max(1, len(commits) - 1)
    floor = top + 12 + _HEIGHT

    def at(place: int, value: float) -> tuple[float, float]:
        return _LEFT + place * step, floor - _HEIGHT * value / most

    parts = [
        _text(8, top, curve.title, bold=True),
        f'<path d="M{_LEFT} {top + 12}V{floor}H{_LEFT + _WIDTH}" fill="none" stroke="#555"/>',
    ]
    if curve.aim is not None:
        y = at(0, curve.aim)[1]
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_LEFT + _WIDTH}" stroke="{_AIM}" stroke-dasharray="4 4"/>')
        parts.append(_text(8, y + 4, f"{curve.aim:g}"))
    points = [at(place, value) for place, value in values]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    for (x, y), (place, value) in zip(points, values, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_LINE}"/>')
        parts.append(_text(x + 5, y - 5, f"{value:,.0f}" if value >= 100 else f"{value:.3g}"))
        parts.append(_text(x - 8, floor + 15, commits[place]))
    return parts


def _text(x: float, y: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{weight}>{escape(words)}</text>'
