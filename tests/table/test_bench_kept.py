"""Figures of `bench`: one file for each commit, drawn over the commits, and put into words for a board."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from table.cli import bench_kept, bench_rules, main
from table.cli.bench_machine import machine
from table.errors import UsageError

FIGURES = {
    "rules": {"python_loop_floor_ms": 2.0, "dubbe_referee_rounds_per_s": 1000.0},
    "eye": {"quiet_camera_frame_over_decode": 0.5},
}
MACHINE = {"board": "a table"}


def commit(monkeypatch: pytest.MonkeyPatch, name: str, made: str) -> None:
    monkeypatch.setattr(bench_kept, "_commit", lambda: (name, made))


def test_commits_are_drawn_in_the_order_in_which_they_were_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(monkeypatch, "bbb", "2026-02-02T12:00:00+01:00")
    bench_kept.keep(tmp_path, FIGURES, MACHINE)
    commit(monkeypatch, "aaa", "2026-02-02T11:30:00+00:00")  # later: another time zone
    faster = {**FIGURES, "rules": FIGURES["rules"] | {"dubbe_referee_rounds_per_s": 2000.0}}
    assert bench_kept.keep(tmp_path, faster, MACHINE).name == "bench-aaa.json"
    assert [run["commit"] for run in bench_kept.runs(tmp_path)] == ["bbb", "aaa"]
    drawn = ElementTree.fromstring((tmp_path / "bench.svg").read_text("utf-8"))
    said = [one.text for one in drawn.iter() if one.tag.endswith("text")]
    begin = said.index("Dubbe: a round before the referee, in Python loops")
    assert said[begin + 1 : begin + 5] == ["0.5", "bbb", "0.25", "aaa"]
    assert "Dulle: the same" not in said  # it was not measured


def test_a_commit_that_is_measured_again_has_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(monkeypatch, "aaa", "2026-02-02T12:00:00+01:00")
    bench_kept.keep(tmp_path, {}, MACHINE)
    bench_kept.keep(tmp_path, FIGURES, MACHINE)
    assert [run["figures"] for run in bench_kept.runs(tmp_path)] == [FIGURES]


def test_a_file_that_bench_did_not_write_is_named(tmp_path: Path) -> None:
    (tmp_path / "bench-x.json").write_text("{}", "utf-8")
    with pytest.raises(UsageError, match=r"bench-x\.json: not what"):
        bench_kept.runs(tmp_path)


def test_every_curve_is_a_figure_that_bench_measures() -> None:
    """The newest run kept has all figures, except OpenSpiel's where that is not installed."""
    kept = bench_kept.runs(Path(__file__).parents[2] / "docs" / "benchmarks")[-1]
    lacking = [curve.title for curve in bench_kept.CURVES if bench_kept._value(curve, kept) is None]
    assert lacking in ([], ["Doppelkopf playouts over OpenSpiel's Skat"])


def test_no_kept_run_names_a_folder_of_its_machine() -> None:
    """Without OpenSpiel its install command once appeared among the figures, with this Python's path."""
    kept = Path(__file__).parents[2] / "docs" / "benchmarks"
    texts = [bench_rules.ABSENT, *(file.read_text("utf-8") for file in kept.glob("bench-*.json"))]
    assert not [text for text in texts if "bin/python" in text]


def test_what_a_boards_owner_sends_is_one_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_rules, "measure", lambda: FIGURES["rules"])
    assert main(["bench", "rules", "--pi"]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert told["figures"] == {"rules": FIGURES["rules"]}
    assert told["machine"] == machine()
    assert {"cores", "system", "python", "numpy"} <= told["machine"].keys()
    assert "issue" in said.err
