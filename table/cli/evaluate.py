"""`stammtisch evaluate SET…`: how well the eye sees, compared with labels, and what a threshold does."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from table.cli import numbers
from table.cli.evaluate_plot import plot_sets, plot_sweep
from table.cli.evaluate_sets import Portion, evaluate_set
from table.cli.evaluate_stage import is_stage, of_stage, sets_of, sweep_stage
from table.cli.progress import ProgressLine
from table.errors import UsageError
from vision.errors import VisionError
from vision.evaluate.stages import STAGES, Threshold, fingerprint, threshold_named, thresholds, trying
from vision.evaluate.swept import COUNTS, Swept, evidence, keep_swept, read_swept
from vision.parameters import NOT_MEASURED

_STEPS = 7


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("sets", metavar="SET", nargs="*", help="folders of labelled pictures or films")
    parser.add_argument(
        "--sweep",
        metavar="NAME",
        help="threshold to try other values of; STAGE or all: a lower and a higher one of each",
    )
    parser.add_argument("--values", metavar="A,B,…", help="the values to try (default: seven in its range)")
    parser.add_argument("--thresholds", action="store_true", help="list all thresholds with their evidence")
    parser.add_argument(
        "--first", metavar="N", type=numbers.from_one, help="only the first N pictures of each set"
    )
    parser.add_argument(
        "--seconds", metavar="S", type=numbers.positive, help="only the first S seconds of a film"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=numbers.from_one,
        default=1,
        help="how many values of a stage are tried at once",
    )
    parser.add_argument(
        "--keep", metavar="FILE", help="write the results of a stage's sweep into this record"
    )
    parser.add_argument("--svg", metavar="FILE", help="draw the result as well")
    parser.add_argument("--json", action="store_true", help="one JSON object with everything")


def run(options: argparse.Namespace) -> int:
    """Evaluate each set. Raises StammtischError, VisionError."""
    if options.thresholds:
        _alone(options)
        _list_thresholds(options)
        return 0
    if not options.sets:
        raise UsageError("give at least one SET, or --thresholds")
    if options.values and not options.sweep:
        raise UsageError("--values needs --sweep NAME")
    if options.sweep and is_stage(options.sweep):
        _sweep_stage(options)
        return 0
    if options.keep:
        raise UsageError(f"--keep needs --sweep with a stage or all; stages are {', '.join(sorted(STAGES))}")
    result = _sweep(options) if options.sweep else _measure(options)
    if options.svg:
        drawn = plot_sweep(result) if options.sweep else plot_sets(result)
        Path(options.svg).write_text(drawn, "utf-8")
    if options.json:
        print(json.dumps(result, ensure_ascii=False))
    return 0


def _alone(options: argparse.Namespace) -> None:
    """Raise UsageError if --thresholds, which measures nothing, is combined with measuring options."""
    for name in ("values", "svg", "sweep", "keep", "first", "seconds"):
        if getattr(options, name) is not None:
            raise UsageError(f"--thresholds lists what is known and measures nothing; leave out --{name}")


def _measure(options: argparse.Namespace) -> dict[str, Any]:
    sets: list[dict[str, Any]] = []
    with ProgressLine("evaluate", len(options.sets)) as progress:
        for folder in options.sets:
            progress.reach(len(sets), folder)
            told = evaluate_set(Path(folder), _part(options))
            progress.told()
            if not (sets or options.json):  # a user who is refused gets no other output
                print(f"parameters {fingerprint()}")
            sets.append(told)
            if not options.json:
                print("\n".join(_human(told)), flush=True)
    return {"version": version("stammtisch"), "parameters": fingerprint(), "sets": sets}


def _sweep(options: argparse.Namespace) -> dict[str, Any]:
    try:
        threshold = threshold_named(options.sweep)
    except VisionError as wrong:
        raise UsageError(str(wrong)) from None
    rows: list[dict[str, Any]] = []
    for value in _values(options.values, threshold):
        with trying(threshold.name, value):
            sets = [evaluate_set(Path(folder), _part(options)) for folder in options.sets]
        if not (rows or options.json):
            print(f"{threshold.name} = {threshold.value:g} ({threshold.note.unit}): {threshold.note.trades}")
            print(f"{'value':>10} " + " ".join(f"{word:>8}" for word in (*COUNTS, "seconds")))
        rows.append({"value": value, "sets": sets})
        if not options.json:
            sums = _sums(sets)
            now = "  now" if value == threshold.value else ""
            cells = " ".join(f"{sums[word]:8d}" for word in COUNTS)
            print(f"{value:10g} {cells} {sum(s['seconds'] for s in sets):8.1f}{now}", flush=True)
    return {
        "version": version("stammtisch"),
        "parameters": fingerprint(),
        "sweep": threshold.name,
        "now": threshold.value,
        "unit": threshold.note.unit,
        "trades": threshold.note.trades,
        "values": rows,
    }


def _sweep_stage(options: argparse.Namespace) -> None:
    """Try the values of a stage; thresholds that the record has for these sets and values are skipped."""
    if options.values or options.svg:
        raise UsageError("--values and --svg are for the sweep of one threshold")
    folders, part = [Path(folder) for folder in options.sets], _part(options)
    record = Path(options.keep) if options.keep else None
    sets = sets_of(folders, part)
    known = {(each.name, each.value) for each in read_swept(record) if each.sets == sets} if record else set()
    chosen = [each for each in of_stage(options.sweep) if (each.name, each.value) not in known]
    if not chosen:
        print("the record has all of them already")
        return
    with ProgressLine("sweep", len(chosen)) as progress:
        for number, swept in enumerate(sweep_stage(chosen, folders, part, options.jobs), 1):
            if record:
                keep_swept(record, [swept])
            progress.told()
            if options.json:
                print(json.dumps(asdict(swept), ensure_ascii=False), flush=True)
            else:
                print(f"{swept.name} = {swept.value:g}\n  {swept.sentence()}", flush=True)
            progress.reach(number, swept.name)


def _part(options: argparse.Namespace) -> Portion:
    return Portion(options.first, options.seconds)


def _values(written: str | None, threshold: Threshold) -> list[float]:
    """The values to try, including the present one."""
    if written is None:
        low, high = threshold.note.low, threshold.note.high
        steps = [round(low + (high - low) * k / (_STEPS - 1), 4) for k in range(_STEPS)]
        return sorted({*steps, threshold.value})
    try:
        values = [float(word) for word in written.split(",")]
    except ValueError:
        raise UsageError(f"--values {written}: give numbers with commas between them") from None
    low, high = threshold.note.low, threshold.note.high
    if strange := [value for value in values if not low <= value <= high]:
        raise UsageError(
            f"--values {strange[0]:g}: {threshold.name} takes {low:g} to {high:g}; choose others"
        )
    return sorted({*values, threshold.value})


def _sums(sets: list[dict[str, Any]]) -> dict[str, int]:
    return {word: sum(thing[word] for told in sets for thing in told["things"].values()) for word in COUNTS}


def _human(told: dict[str, Any]) -> list[str]:
    unit = "frames" if told["kind"] == "film" else "pictures"
    lines = [f"{told['set']}: {told['count']} {unit}, {told['seconds']:.1f} s, {told['ms_each']:.1f} ms each"]
    for kind, thing in told["things"].items():
        rest = ", ".join(f"{word} {thing[word]}" for word in COUNTS[1:])
        lines.append(f"  {kind}: right {thing['right']}/{thing['labels']}, {rest}")
        lines += [f"    {n} x {pair.replace('>', ' taken for ')}" for pair, n in thing["confusion"].items()]
    if told.get("late_s"):
        lines.append("  told after " + ", ".join(f"{word} {s:.2f} s" for word, s in told["late_s"].items()))
    return lines


def _list_thresholds(options: argparse.Namespace) -> None:
    record = read_swept()
    if options.json:
        listed = [
            {
                "name": each.name,
                "value": each.value,
                "unit": each.note.unit,
                "range": [each.note.low, each.note.high],
                "trades": each.note.trades,
                "measured": each.note.measured,
                "swept": evidence(each, record),
            }
            for each in thresholds()
        ]
        print(json.dumps({"parameters": fingerprint(), "thresholds": listed}, ensure_ascii=False))
        return
    print(f"parameters {fingerprint()}")
    for each in thresholds():
        print(f"{each.name} = {each.value:g}, {each.note.low:g} to {each.note.high:g}; {each.note.unit}")
        print(f"  {each.note.trades}")
        for line in _measured(each, record):
            print(f"  {line}")


def _measured(threshold: Threshold, record: list[Swept]) -> list[str]:
    """What its author measured, and what the record has; if there is neither, a sentence that says so."""
    by_hand = threshold.note.measured
    swept = evidence(threshold, record)
    return swept if by_hand == NOT_MEASURED and swept else [by_hand, *swept]
